import { type ExperienceKind, isExclusive } from '@usher/domain/kinds';
import type { ReactNode } from 'react';
import { Section } from '../../app/page.tsx';
import { formatNumber, formatPercent } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';
import type { Range } from '../../ranges/use-range.ts';
import { Link } from '../../ui/link.tsx';
import { kindOptions } from './kind-options.ts';
import type { Measure, Reach } from './reach-tiles.tsx';

const texts = text.analytics;
const measures: readonly Measure[] = ['shown', 'started', 'completed'];

interface Row {
  id: string;
  kind: ExperienceKind;
  name: ReactNode;
  totals: Reach['totals'];
}

interface KindTableProps {
  reach: Reach;
  /** The address of the same numbers of one kind. */
  hrefOf: (kind: string) => string;
}

/** The numbers of each kind, which open those of the kind alone. */
export function KindTable({ reach, hrefOf }: KindTableProps) {
  const rows = reach.kinds.map(({ kind, totals }) => {
    const name = kindOptions.find(({ value }) => value === kind)?.label ?? kind;
    return { id: kind, kind, name: <Link href={hrefOf(kind)}>{name}</Link>, totals };
  });
  return (
    <Section title={texts.overview.kinds}>
      <Numbers label={texts.overview.kinds} rows={rows} />
    </Section>
  );
}

/** The Experiences that most people saw, which open their results of the same period. */
export function ExperienceTable({ reach, range }: { reach: Reach; range: Range }) {
  const period = range.days === undefined ? `from=${range.from}&until=${range.until}` : `days=${range.days}`;
  const rows = reach.experiences.map(({ id, kind, name, totals }) => ({
    ...{ id, kind, totals },
    name: (
      <Link href={`/app/experiences/${id}/results?${period}`}>
        <bdi>{name}</bdi>
      </Link>
    ),
  }));
  const [shown, all] = [formatNumber(rows.length), formatNumber(reach.experiences_count)];
  return (
    <Section title={texts.overview.experiences} intro={texts.overview.experiencesHelp(shown, all)}>
      <Numbers label={texts.overview.experiences} rows={rows} />
    </Section>
  );
}

/** Launchers, tooltips and embeds may have no end: no one completes them, and they have no rate then. */
function Numbers({ label, rows }: { label: string; rows: readonly Row[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
    <section aria-label={label} tabIndex={0} className="overflow-x-auto">
      <table aria-label={label} className="w-full border-collapse text-14">
        <thead className="text-left text-12 text-soft">
          <tr className="whitespace-nowrap">
            <th scope="col" className="py-1.5 pr-3 font-medium">
              {texts.overview.name}
            </th>
            {measures.map((measure) => (
              <th key={measure} scope="col" className="px-2 py-1.5 text-right font-medium">
                {texts.measures[measure]}
              </th>
            ))}
            <th scope="col" className="py-1.5 pl-2 text-right font-medium">
              {texts.overview.rate}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, kind, name, totals }) => (
            <tr key={id} className="border-t border-line">
              <th scope="row" className="max-w-80 min-w-32 py-2 pr-3 text-left font-normal wrap-anywhere">
                {name}
              </th>
              {measures.map((measure) => (
                <td key={measure} className="px-2 py-2 text-right whitespace-nowrap tabular-nums">
                  {formatNumber(totals[measure])}
                </td>
              ))}
              <td className="py-2 pl-2 text-right whitespace-nowrap text-soft tabular-nums">
                {totals.started > 0 && (isExclusive({ kind }) || totals.completed > 0)
                  ? formatPercent(Math.min(1, totals.completed / totals.started))
                  : texts.overview.unknownRate}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
