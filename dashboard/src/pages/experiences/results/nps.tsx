import { Section } from '../../../app/page.tsx';
import { formatNumber, formatPercent } from '../../../messages/format.ts';
import * as text from '../../../messages/text.ts';
import { Point, type SeriesLook } from '../../../ui/chart/series.tsx';
import { StackedBar } from '../../../ui/chart/stacked-bar.tsx';
import { CompactNumber } from '../../../ui/compact-number.tsx';
import type { Stats } from './describe-results.ts';

const texts = text.results.nps;
const groups = [
  { id: 'promoters', look: 2 },
  { id: 'passives', look: 4 },
  { id: 'detractors', look: 3 },
] as const satisfies { id: string; look: SeriesLook }[];

/** The score, and the three groups that it is computed from. */
export function Nps({ nps }: { nps: NonNullable<Stats['nps']> }) {
  return (
    <Section title={texts.title} intro={texts.help}>
      <p className="flex items-baseline gap-3">
        <span className="sr-only">{texts.score}</span>
        <span className="text-28 font-semibold tracking-tight tabular-nums">
          {formatNumber(nps.score, { signDisplay: 'exceptZero' })}
        </span>
        <span className="text-13 text-soft">{texts.count(formatNumber(nps.count), nps.count === 1)}</span>
      </p>
      <StackedBar parts={groups.map(({ id, look }) => ({ id, look, count: nps[id] }))} />
      <table className="w-full text-14">
        <caption className="sr-only">{texts.title}</caption>
        <tbody>
          {groups.map(({ id, look }) => (
            <tr key={id}>
              <th scope="row" className="py-1 text-left font-normal">
                <span className="flex items-center gap-2">
                  <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
                    <Point x={6} y={6} look={look} size={4} />
                  </svg>
                  {texts[id]}
                </span>
              </th>
              <td className="w-16 py-1 text-right tabular-nums">
                <CompactNumber value={nps[id]} />
              </td>
              <td className="w-16 py-1 text-right text-soft tabular-nums">{formatPercent(nps[id] / nps.count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}
