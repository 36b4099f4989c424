import { Button } from 'react-aria-components/Button';
import { formatNumber, formatPercent } from '../../../messages/format.ts';
import * as text from '../../../messages/text.ts';
import type { CountedFunnel, PeopleOfStep } from './use-funnel.ts';

const texts = text.funnel;
const HEIGHT = 200;
/** A column narrower than this has no room for its number. The chart scrolls then. */
const MIN_COLUMN = 88;

interface FunnelChartProps {
  steps: CountedFunnel['steps'];
  names: readonly string[];
  onOpen: (of: PeopleOfStep) => void;
}

/** A column for each step, and between two of them how many people left. The table below says the same in numbers. */
export function FunnelChart({ steps, names, onOpen }: FunnelChartProps) {
  const first = steps[0]?.people ?? 0;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
    <section aria-label={texts.chart} tabIndex={0} className="overflow-x-auto pb-1">
      <ol className="flex" style={{ minWidth: steps.length * MIN_COLUMN }}>
        {steps.map(({ people, share_of_first }, at) => {
          const next = steps[at + 1]?.people;
          const name = names[at] ?? '';
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a step has no identity but its place
            <li key={at} className="flex min-w-0 flex-1 flex-col">
              <Button
                isDisabled={people === 0}
                onPress={() => onOpen({ title: texts.reached(name), step: at + 1, what: 'reached' })}
                aria-label={texts.column(
                  name,
                  text.results.people(formatNumber(people), people === 1),
                  formatPercent(share_of_first ?? 0),
                  next === undefined ? '' : texts.leftAfter(formatNumber(people - next)),
                )}
                className="group flex flex-col rounded-6 text-left"
              >
                <Column
                  share={share_of_first ?? 0}
                  nextShare={next === undefined || first === 0 ? null : next / first}
                />
              </Button>
              <span className="mt-1.5 flex min-w-0 flex-col pr-2 text-13">
                <span className="font-medium tabular-nums">{formatPercent(share_of_first ?? 0)}</span>
                <bdi title={name} className="line-clamp-2 text-12 text-soft">
                  {name}
                </bdi>
                {next !== undefined && people > 0 && (
                  <span className="text-12 text-soft">
                    {texts.dropOff(formatNumber(people - next), formatPercent((people - next) / people))}
                  </span>
                )}
              </span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

const WIDTH = 100;
/** Where the column ends, and the slope to the next one begins. */
const COLUMN_END = 60;

function Column({ share, nextShare }: { share: number; nextShare: number | null }) {
  const top = HEIGHT * (1 - share);
  const nextTop = HEIGHT * (1 - (nextShare ?? 0));
  return (
    <svg
      aria-hidden="true"
      width="100%"
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="block"
    >
      <rect width={COLUMN_END} height={HEIGHT} className="fill-hover forced-colors:fill-[Canvas]" />
      {nextShare !== null && (
        <path
          d={`M${COLUMN_END},${top}L${WIDTH},${nextTop}V${HEIGHT}H${COLUMN_END}Z`}
          className="fill-chart-1 opacity-20 forced-colors:fill-[GrayText]"
        />
      )}
      <rect
        y={top}
        width={COLUMN_END}
        height={HEIGHT - top}
        className="fill-chart-1 transition-opacity group-data-hovered:opacity-80 motion-reduce:transition-none forced-colors:fill-[CanvasText]"
      />
      <path d={`M0,${HEIGHT - 0.5}H${WIDTH}`} className="stroke-edge" vectorEffect="non-scaling-stroke" />
    </svg>
  );
}
