import { ArrowDownRight, ArrowUpRight } from 'lucide-react';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { formatDate, formatNumber, formatPercent } from '../../../messages/format.ts';
import * as text from '../../../messages/text.ts';
import type { Range } from '../../../ranges/use-range.ts';
import { SmallBars } from '../../../ui/chart/small-bars.tsx';
import { cx } from '../../../ui/cx.ts';
import { looks, type Measure, rateOf, type Stats } from './describe-results.ts';
import { PeopleCount } from './people-dialog.tsx';

const texts = text.results;

interface MeasureTilesProps {
  stats: Stats;
  /** The first one is what the others are compared with. */
  measures: readonly Measure[];
  chosen: Measure | undefined;
  onChoose: (measure: Measure) => void;
  range: Range;
}

/** The totals of the period, each with a small chart. The chosen one is the line in the large chart. */
export function MeasureTiles({ stats, measures, chosen, onChoose, range }: MeasureTilesProps) {
  const [base] = measures;
  return (
    // biome-ignore lint/a11y/useSemanticElements: these are no fields
    <div
      role="group"
      aria-label={texts.tiles}
      className="grid grid-cols-2 gap-3 md:grid-cols-[repeat(auto-fit,minmax(9rem,1fr))]"
    >
      {measures.map((measure) => {
        const [count, before] = [stats.totals[measure], stats.before.totals[measure]];
        const rate = base && measure !== base ? rateOf(stats.totals, measure, base) : undefined;
        const isChosen = measure === chosen;
        return (
          <div
            key={measure}
            className={cx(
              'flex min-w-0 flex-col gap-1 rounded-10 border bg-surface px-4 py-3',
              isChosen ? 'border-accent' : 'border-line',
            )}
          >
            {measure === base ? (
              <span className="text-13 text-soft">{texts.measures[measure]}</span>
            ) : (
              <ToggleButton
                isSelected={isChosen}
                onChange={() => onChoose(measure)}
                aria-label={texts.showMeasure(texts.measures[measure])}
                className="self-start rounded-4 text-left text-13 text-soft underline decoration-transparent underline-offset-4 data-hovered:decoration-current data-selected:font-medium data-selected:text-accent"
              >
                {texts.measures[measure]}
              </ToggleButton>
            )}
            <span className="flex flex-wrap items-baseline gap-x-2">
              <PeopleCount
                value={count}
                of={{ title: texts.measures[measure], what: measure }}
                className="text-28 font-semibold tracking-tight"
              />
              {measure === base && <span className="text-12 text-soft">{formatPeriod(range)}</span>}
              {rate !== undefined && <span className="text-14 text-soft tabular-nums">{formatPercent(rate)}</span>}
            </span>
            <Difference now={count} before={before} />
            <SmallBars values={stats.days.map((day) => day[measure])} look={looks[measure]} />
          </div>
        );
      })}
    </div>
  );
}

/** How much more or less than in the period before. A share of a few people would say nothing, so it is a number then. */
function Difference({ now, before }: { now: number; before: number }) {
  const more = now - before;
  const Icon = more < 0 ? ArrowDownRight : ArrowUpRight;
  const said =
    before >= MIN_FOR_SHARE
      ? formatNumber(more / before, { style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' })
      : formatNumber(more, { signDisplay: 'exceptZero' });
  return (
    <span className="flex items-center gap-1 text-12 text-soft">
      {more !== 0 && <Icon size={14} aria-hidden />}
      <span className="tabular-nums">{more === 0 ? texts.same : texts.difference(said)}</span>
    </span>
  );
}

const MIN_FOR_SHARE = 20;

function formatPeriod({ from, until, days }: Range): string {
  if (days !== undefined) return texts.period.last(formatNumber(days));
  const day = (date: string) => formatDate(new Date(`${date}T00:00:00Z`), undefined, 'UTC');
  return texts.period.between(day(from), day(until));
}
