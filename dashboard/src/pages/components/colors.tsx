import { Section } from '../../app/page.tsx';
import { cx } from '../../ui/cx.ts';

/** Each class is written out, because the build finds only whole class names. */
const colors = [
  ['ground', 'bg-ground'],
  ['surface', 'bg-surface'],
  ['raised', 'bg-raised'],
  ['hover', 'bg-hover'],
  ['pressed', 'bg-pressed'],
  ['line', 'bg-line'],
  ['edge', 'bg-edge'],
  ['ink', 'bg-ink'],
  ['soft', 'bg-soft'],
  ['faint', 'bg-faint'],
  ['accent', 'bg-accent'],
  ['accent-tint', 'bg-accent-tint'],
  ['good', 'bg-good'],
  ['good-tint', 'bg-good-tint'],
  ['warn', 'bg-warn'],
  ['warn-tint', 'bg-warn-tint'],
  ['bad', 'bg-bad'],
  ['bad-tint', 'bg-bad-tint'],
] as const;

const sizes = ['text-12', 'text-13', 'text-14', 'text-16', 'text-20', 'text-28'];

export function Colors() {
  return (
    <Section title="Colors and sizes">
      <div className="grid grid-cols-3 gap-3 sm:grid-cols-6 lg:grid-cols-9">
        {colors.map(([name, look]) => (
          <div key={name} className="flex flex-col gap-1 text-12 text-soft">
            <span className={cx('h-9 rounded-6 border border-line', look)} />
            {name}
          </div>
        ))}
      </div>
      <div className="flex flex-wrap items-baseline gap-4">
        {sizes.map((size) => (
          <span key={size} className={size}>
            {size.slice(5)} Aa
          </span>
        ))}
      </div>
    </Section>
  );
}
