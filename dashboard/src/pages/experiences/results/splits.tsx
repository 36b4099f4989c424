import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { pathOfKind } from '@usher/domain/kinds';
import { useEffect } from 'react';
import { api, type ParamsOf, type ResponseOf } from '../../../api/api.ts';
import { keyOf } from '../../../api/nouns.ts';
import { query } from '../../../api/queries.ts';
import { ErrorNotice } from '../../../app/error-notice.tsx';
import { Section } from '../../../app/page.tsx';
import type { ShownExperience } from '../../../editor/document.ts';
import { languageName } from '../../../languages/language-names.ts';
import { useAddress } from '../../../lists/use-address.ts';
import { formatDateTime, formatPercent } from '../../../messages/format.ts';
import * as text from '../../../messages/text.ts';
import type { Range } from '../../../ranges/use-range.ts';
import { Select } from '../../../ui/select.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { type Measure, rateOf, type Stats } from './describe-results.ts';
import { PeopleCount, type PeopleOf } from './people-dialog.tsx';
import { formatScore, type Scored } from './scores.tsx';

const texts = text.results.splits;
const OPERATION = 'GET /v3/analyze/{kind}/{id}/splits';
type Split = ResponseOf<typeof OPERATION>['splits'][number];
const kinds = ['device', 'language', 'url_group', 'version', 'variant', 'segment'] as const;
type SplitKind = (typeof kinds)[number];
const MAX_SEGMENTS = 10;

interface SplitsProps {
  experience: ShownExperience;
  stats: Stats;
  measures: readonly Measure[];
  chosen: Measure | undefined;
  range: Range;
}

/** The numbers of each device, language, Environment, version or Segment beside each other. */
export function SplitTable({ experience, stats, measures, chosen, range }: SplitsProps) {
  const { get, set } = useAddress();
  const by = kinds.find((one) => one === get('split')) ?? 'device';
  const { splits, isPartial, error } = useSplits(experience, range, by);
  const names = useSplitNames(experience, by);
  const [base = 'started'] = measures;
  const measure = chosen ?? base;
  const rows = splits?.toSorted((one, other) => other.totals[base] - one.totals[base]);
  const scores = by === 'segment' ? stats.scores : [];
  return (
    <Section title={texts.title} intro={texts.helps[by]}>
      <Select
        label={texts.by}
        options={kinds.map((value) => ({ value, label: texts.kinds[value] }))}
        value={by}
        onChange={(value) => set({ split: value === 'device' ? '' : value })}
        className="w-full sm:w-52"
      />
      <ErrorNotice error={error} />
      {!rows && !error && <Skeleton height={120} />}
      {rows?.length === 0 && <p className="text-14 text-soft">{by === 'segment' ? texts.noSegments : texts.none}</p>}
      {rows && rows.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
        <section aria-label={texts.kinds[by]} tabIndex={0} className="overflow-x-auto">
          <table aria-label={texts.kinds[by]} className="w-full border-collapse text-14">
            <thead className="text-left text-12 text-soft">
              <tr className="border-b border-line">
                <th scope="col" className="py-1.5 pr-3 font-medium">
                  {texts.kinds[by]}
                </th>
                <th scope="col" className="px-2 py-1.5 text-right font-medium">
                  {text.results.measures[base]}
                </th>
                {measure !== base && (
                  <>
                    <th scope="col" className="px-2 py-1.5 text-right font-medium">
                      {text.results.measures[measure]}
                    </th>
                    <th scope="col" className="w-16 py-1.5 pl-2 text-right font-medium">
                      {texts.rate}
                    </th>
                  </>
                )}
                {scores.map(({ step_id, kind }) => (
                  <th key={step_id} scope="col" className="w-16 py-1.5 pl-2 text-right font-medium">
                    {text.results.scores.titles[kind]}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => {
                const name = nameOf(by, row.value, names);
                const peopleOf = (what: Measure): PeopleOf => ({
                  title: `${text.results.measures[what]} · ${name}`,
                  what,
                  ...dimensionOf(by, row.value),
                });
                const rate = rateOf(row.totals, measure, base);
                return (
                  <tr key={row.value} className="border-b border-line last:border-b-0">
                    <th scope="row" className="py-2 pr-3 text-left font-normal">
                      <bdi>{name}</bdi>
                    </th>
                    <td className="px-2 py-2 text-right">
                      <SplitCount value={row.totals[base]} of={peopleOf(base)} by={by} />
                    </td>
                    {measure !== base && (
                      <>
                        <td className="px-2 py-2 text-right">
                          <SplitCount value={row.totals[measure]} of={peopleOf(measure)} by={by} />
                        </td>
                        <td className="py-2 pl-2 text-right text-soft tabular-nums">
                          {rate === undefined ? '' : formatPercent(rate)}
                        </td>
                      </>
                    )}
                    {scores.map((scored) => (
                      <td key={scored.step_id} className="py-2 pl-2 text-right tabular-nums">
                        {formatScore(scored.kind, valuesIn(row, scored)) ?? ''}
                      </td>
                    ))}
                  </tr>
                );
              })}
            </tbody>
          </table>
        </section>
      )}
      {isPartial && (
        <p role="status" className="text-13 text-soft">
          {texts.counting}
        </p>
      )}
    </Section>
  );
}

function nameOf(by: SplitKind, value: string, names: ReadonlyMap<string, string>): string {
  if (value === '') return texts.unknown[by];
  return names.get(value) ?? (by === 'language' ? languageName(value) : texts.removed);
}

/** The rows of users do not name the variant, so only these numbers open no list. */
function SplitCount({ value, of, by }: { value: number; of: PeopleOf; by: SplitKind }) {
  return by === 'variant' ? value : <PeopleCount value={value} of={of} />;
}

function valuesIn(row: Split, scored: Scored): Scored['values'] {
  return row.scores.filter(({ step_id }) => step_id === scored.step_id);
}

function dimensionOf(by: SplitKind, value: string): Partial<PeopleOf> {
  const given = value === '' ? 'none' : value;
  if (by === 'segment') return { segment_id: value };
  const name = { language: 'language', device: 'device', url_group: 'url_group_id', version: 'version_id' } as const;
  return by === 'variant' ? {} : ({ [name[by]]: given } as Partial<PeopleOf>);
}

/** With many people, Segments come in parts, which are added up as they come. */
function useSplits(experience: ShownExperience, range: Range, by: SplitKind) {
  const segments = useQuery({ ...query('GET /v3/edit/segments', { limit: MAX_SEGMENTS }), enabled: by === 'segment' });
  const ids = segments.data?.segments.map(({ id }) => id) ?? [];
  const params = {
    ...{ kind: pathOfKind(experience.kind), id: experience.id, from: range.from, until: range.until, by },
    ...(by === 'segment' && { segment_ids: ids }),
  };
  const list = useInfiniteQuery({
    queryKey: keyOf('kinds', OPERATION, params),
    queryFn: ({ pageParam }) =>
      api(OPERATION, {
        ...params,
        ...(pageParam !== null && { after: pageParam }),
      } as ParamsOf<typeof OPERATION>),
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor.after,
    enabled: by !== 'segment' || ids.length > 0,
  });
  const { hasNextPage, isFetching, fetchNextPage } = list;
  useEffect(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  const isEmpty = by === 'segment' && segments.data !== undefined && ids.length === 0;
  return {
    splits: isEmpty ? [] : list.data && addUp(list.data.pages.flatMap(({ splits }) => splits)),
    isPartial: hasNextPage,
    error: list.error ?? segments.error,
  };
}

function addUp(parts: readonly Split[]): Split[] {
  const byValue = new Map<string, Split>();
  for (const part of parts) {
    const known = byValue.get(part.value);
    const totals = { ...part.totals };
    for (const name of Object.keys(totals) as Measure[]) totals[name] += known?.totals[name] ?? 0;
    byValue.set(part.value, { ...part, totals, scores: [...(known?.scores ?? []), ...part.scores] });
  }
  return [...byValue.values()];
}

function useSplitNames(experience: ShownExperience, by: SplitKind): ReadonlyMap<string, string> {
  const of = { kind: pathOfKind(experience.kind), id: experience.id };
  const groups = useQuery({ ...query('GET /v3/edit/url_groups'), enabled: by === 'url_group' });
  const versions = useQuery({
    ...query('GET /v3/edit/{kind}/{id}/versions', { ...of, limit: 100 }),
    enabled: by === 'version',
  });
  const segments = useQuery({ ...query('GET /v3/edit/segments', { limit: MAX_SEGMENTS }), enabled: by === 'segment' });
  if (by === 'device') return new Map(Object.entries(texts.devices));
  if (by === 'url_group') return new Map(groups.data?.url_groups.map(({ id, name }) => [id, name]));
  if (by === 'segment') return new Map(segments.data?.segments.map(({ id, name }) => [id, name]));
  if (by === 'version')
    return new Map(
      versions.data?.versions.map(({ id, published_at }) => [
        id,
        texts.version(formatDateTime(new Date(published_at))),
      ]),
    );
  return new Map();
}
