import { formatPercent, formatSeconds } from '../../../messages/format.ts';
import * as text from '../../../messages/text.ts';
import { CountButton } from '../../../people/counted-people-dialog.tsx';
import type { CountedFunnel, PeopleOfStep } from './use-funnel.ts';

const texts = text.funnel;

interface FunnelTableProps {
  funnel: CountedFunnel;
  names: readonly string[];
  segmentName: (id: string) => string;
  onOpen: (of: PeopleOfStep) => void;
}

/** The numbers of each step, of everybody and of each Segment. Every number of people opens their list. */
export function FunnelTable({ funnel, names, segmentName, onOpen }: FunnelTableProps) {
  const groups = [
    { id: undefined, name: texts.everybody, steps: funnel.steps },
    ...funnel.segments.map(({ segment_id: id, steps }) => ({ id, name: segmentName(id), steps })),
  ];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
    <section aria-label={texts.steps} tabIndex={0} className="overflow-x-auto">
      <table aria-label={texts.chart} className="w-full min-w-160 border-collapse text-14">
        <thead className="text-left text-12 text-soft">
          <tr className="border-b border-line">
            <th scope="col" className="min-w-40 py-1.5 pr-4 font-medium">
              {texts.columns.step}
            </th>
            {(['people', 'ofFirst', 'ofPrevious', 'left', 'time'] as const).map((name) => (
              <th key={name} scope="col" className="w-24 px-2 py-1.5 text-right align-bottom font-medium">
                {texts.columns[name]}
              </th>
            ))}
          </tr>
        </thead>
        {groups.map(({ id, name, steps }) => (
          <tbody key={id ?? ''}>
            {groups.length > 1 && (
              <tr className="border-b border-line">
                <th scope="rowgroup" colSpan={6} className="pt-4 pb-1.5 text-left text-13 font-medium">
                  <bdi>{name}</bdi>
                </th>
              </tr>
            )}
            {steps.map((step, at) => {
              const stepName = names[at] ?? '';
              const next = steps[at + 1];
              const title = (text: string) => (id === undefined ? text : texts.inSegment(text, name));
              const of = { step: at + 1, ...(id !== undefined && { segment_id: id }) };
              const reached = { ...of, title: title(texts.reached(stepName)), what: 'reached' as const };
              const left = { ...of, title: title(texts.left(stepName)), what: 'left' as const };
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: a step has no identity but its place
                <tr key={at} className="border-b border-line last:border-b-0">
                  <th scope="row" className="py-2 pr-4 text-left font-normal">
                    {at + 1}. <bdi>{stepName}</bdi>
                  </th>
                  <td className="px-2 py-2 text-right">
                    <CountButton value={step.people} title={reached.title} onOpen={() => onOpen(reached)} />
                  </td>
                  <Share value={step.share_of_first} />
                  <Share value={at === 0 ? null : step.share_of_previous} />
                  <td className="px-2 py-2 text-right">
                    {next ? (
                      <CountButton value={step.people - next.people} title={left.title} onOpen={() => onOpen(left)} />
                    ) : (
                      <span className="text-soft">{texts.noTime}</span>
                    )}
                  </td>
                  <td className="px-2 py-2 text-right text-soft tabular-nums">
                    {step.median_seconds === null ? texts.noTime : formatSeconds(step.median_seconds)}
                  </td>
                </tr>
              );
            })}
          </tbody>
        ))}
      </table>
    </section>
  );
}

function Share({ value }: { value: number | null }) {
  return (
    <td className="px-2 py-2 text-right text-soft tabular-nums">
      {value === null ? texts.noTime : formatPercent(value)}
    </td>
  );
}
