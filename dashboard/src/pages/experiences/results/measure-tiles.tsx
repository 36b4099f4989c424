import { ToggleButton } from 'react-aria-components/ToggleButton';
import { formatDate, formatNumber, formatPercent } from '../../../messages/format.ts';
import * as text from '../../../messages/text.ts';
import { type Series, SeriesMark } from '../../../ui/chart/series.tsx';
import { CompactNumber } from '../../../ui/compact-number.tsx';
import type { Measure, Stats } from './describe-results.ts';
import type { Range } from './use-range.ts';

const texts = text.results;

interface MeasureTilesProps {
  totals: Stats['totals'];
  series: readonly Series[];
  hidden: ReadonlySet<Measure>;
  onToggle: (measure: Measure) => void;
  range: Range;
}

/** The totals of the period. Each tile is also the legend of a line, and shows or hides it. */
export function MeasureTiles({ totals, series, hidden, onToggle, range }: MeasureTilesProps) {
  const [base] = series;
  const whole = totals[(base?.id ?? 'started') as Measure];
  return (
    // biome-ignore lint/a11y/useSemanticElements: these are no fields
    <div
      role="group"
      aria-label={texts.tiles}
      className="grid grid-cols-2 gap-3 md:grid-cols-[repeat(auto-fit,minmax(9rem,1fr))]"
    >
      {series.map(({ id, label, look, shape }) => {
        const measure = id as Measure;
        const isBase = id === base?.id;
        return (
          <ToggleButton
            key={id}
            isSelected={!hidden.has(measure)}
            onChange={() => onToggle(measure)}
            className="flex flex-col items-start gap-0.5 rounded-10 border border-line bg-surface px-4 py-3 text-left transition-colors data-hovered:bg-hover not-data-selected:border-dashed not-data-selected:bg-transparent"
          >
            {({ isSelected }) => (
              <>
                <span className="flex items-center gap-2 text-13 text-soft">
                  <span className={isSelected ? '' : 'opacity-40'}>
                    <SeriesMark look={look} shape={shape} />
                  </span>
                  {label}
                </span>
                <span className="text-28 font-semibold tracking-tight tabular-nums">
                  <CompactNumber value={totals[measure]} />
                </span>
                <span className="text-12 text-soft">
                  {isBase || whole === 0 ? formatPeriod(range) : shareText(base?.id, totals[measure] / whole)}
                </span>
              </>
            )}
          </ToggleButton>
        );
      })}
    </div>
  );
}

function shareText(base: string | undefined, share: number): string {
  const said = formatPercent(Math.min(1, share));
  return base === 'displayed' ? texts.shareOfSeen(said) : texts.shareOfStarted(said);
}

function formatPeriod({ from, until, days }: Range): string {
  if (days !== undefined) return texts.period.last(formatNumber(days));
  const day = (date: string) => formatDate(new Date(`${date}T00:00:00Z`), undefined, 'UTC');
  return texts.period.between(day(from), day(until));
}
