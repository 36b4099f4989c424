import { Section } from '../../../app/page.tsx';
import type { ShownExperience } from '../../../editor/document.ts';
import { formatPercent, formatSeconds } from '../../../messages/format.ts';
import * as text from '../../../messages/text.ts';
import { formatDay } from '../../../ui/chart/format-day.ts';
import { type FunnelRow, funnelOf, type Stats } from './describe-results.ts';
import { PeopleCount } from './people-dialog.tsx';

const texts = text.results.flow;

interface FlowTableProps {
  experience: ShownExperience;
  stats: Stats;
}

/** How people went through the steps: who reached each one, left there, went back or snoozed, and after how long they went on. */
export function FlowTable({ experience, stats }: FlowTableProps) {
  const rows = funnelOf(experience, stats);
  if (rows.length === 0) return null;
  const { flow_from } = stats;
  const since = flow_from && (flow_from <= stats.until ? formatDay(flow_from) : undefined);
  const note = flow_from === null ? undefined : since ? texts.knownSince(since) : texts.unknown;
  const hasTimes = rows.some(({ flow }) => flow?.seconds != null);
  return (
    <Section title={texts.title} intro={texts.help}>
      {note !== undefined && <p className="text-13 text-soft">{note}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard */}
      <section aria-label={texts.title} tabIndex={0} className="overflow-x-auto">
        <table aria-label={texts.title} className="w-full min-w-140 border-collapse text-14">
          <thead className="text-left text-12 text-soft">
            <tr className="border-b border-line">
              <th scope="col" className="min-w-40 py-1.5 pr-4 font-medium">
                {texts.columns.step}
              </th>
              {(['reached', 'left', 'back', 'snoozed', 'time'] as const).map((name) => (
                <th key={name} scope="col" className="w-20 px-2 py-1.5 text-right font-medium">
                  {texts.columns[name]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row key={row.id} row={row} />
            ))}
          </tbody>
        </table>
      </section>
      {!hasTimes && <p className="text-12 text-soft">{texts.noTimes}</p>}
    </Section>
  );
}

function Row({ row: { id, label, seen, share = 0, flow } }: { row: FunnelRow }) {
  const leftShare = flow && flow.reached > 0 ? flow.left / flow.reached : 0;
  const title = (what: 'reached' | 'left' | 'back' | 'snoozed') => texts.people(texts.columns[what], label);
  return (
    <tr className="border-b border-line align-top last:border-b-0">
      <th scope="row" className="py-2.5 pr-4 text-left font-normal">
        <span className="line-clamp-2">
          <bdi>{label}</bdi>
        </span>
        <svg aria-hidden="true" width="100%" height="10" className="mt-1 block overflow-hidden rounded-4">
          <rect width="100%" height="10" className="fill-hover forced-colors:fill-[Canvas]" />
          <rect width={`${100 * share}%`} height="10" className="fill-chart-1 forced-colors:fill-[CanvasText]" />
          <rect
            x={`${100 * share * (1 - leftShare)}%`}
            width={`${100 * share * leftShare}%`}
            height="10"
            className="fill-chart-3 forced-colors:fill-[GrayText]"
          />
        </svg>
      </th>
      <td className="px-2 py-2.5 text-right">
        <PeopleCount value={seen} of={{ title: title('reached'), what: 'step', part_id: id }} />
      </td>
      {flow ? (
        <>
          <td className="px-2 py-2.5 text-right">
            <PeopleCount value={flow.left} of={{ title: title('left'), what: 'left', part_id: id }} />
            <span className="block text-12 text-soft tabular-nums">{formatPercent(leftShare)}</span>
          </td>
          <td className="px-2 py-2.5 text-right">
            <PeopleCount value={flow.back} of={{ title: title('back'), what: 'back', part_id: id }} />
          </td>
          <td className="px-2 py-2.5 text-right">
            <PeopleCount value={flow.snoozed} of={{ title: title('snoozed'), what: 'snoozed', part_id: id }} />
          </td>
          <td className="px-2 py-2.5 text-right text-soft tabular-nums">
            {flow.seconds === null ? texts.unknownTime : formatSeconds(flow.seconds)}
          </td>
        </>
      ) : (
        <td colSpan={4} className="px-2 py-2.5 text-right text-soft">
          {texts.unknownTime}
        </td>
      )}
    </tr>
  );
}
