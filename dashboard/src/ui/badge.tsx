import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from './cx.ts';

export type Tone = 'neutral' | 'accent' | 'good' | 'warn' | 'bad';

const tones: Record<Tone, string> = {
  neutral: 'bg-hover text-soft',
  accent: 'bg-accent-tint text-accent',
  good: 'bg-good-tint text-good',
  warn: 'bg-warn-tint text-warn',
  bad: 'bg-bad-tint text-bad',
};

/** A short word about something, such as the role of a person. */
export function Badge({
  tone = 'neutral',
  icon: Icon,
  children,
}: {
  tone?: Tone;
  icon?: LucideIcon;
  children: ReactNode;
}) {
  return (
    <span
      className={cx(
        'inline-flex h-5.5 max-w-full items-center gap-1 rounded-full px-2 text-12 font-medium whitespace-nowrap forced-colors:border',
        tones[tone],
      )}
    >
      {Icon && <Icon size={12} strokeWidth={2.5} aria-hidden className="shrink-0" />}
      <span className="truncate">{children}</span>
    </span>
  );
}

/** A dot in a color that somebody has chosen. Its border keeps it visible on every ground. */
export function ColorDot({ color, size = 10 }: { color: string; size?: number }) {
  return (
    <span
      aria-hidden
      className="inline-block shrink-0 rounded-full border border-edge forced-color-adjust-none"
      style={{ width: size, height: size, background: color }}
    />
  );
}
