import { useInfiniteQuery } from '@tanstack/react-query';
import { type ExperienceKind, experienceKinds } from '@usher/domain';
import { useEffect, useMemo } from 'react';
import type { ResponseOf } from '../../api/api.ts';
import { listQuery } from '../../api/list.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { languageName } from '../../languages/language-names.ts';
import { type Counts, countMissing, noCounts, ProgressBar } from '../../languages/progress-bar.tsx';
import { useAddress } from '../../lists/use-address.ts';
import { formatNumber } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/choice.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Select } from '../../ui/select.tsx';
import { Table, type TableColumn } from '../../ui/table.tsx';

const texts = text.languages.experiences;
const PAGE = 50;
const ALL = 'all';

type Listed = ResponseOf<'GET /v3/edit/translations'>['translations'][number];
interface Row extends Counts {
  id: string;
  name: string;
  kind: Listed['experience']['kind'];
}

/** Every Experience with its progress in one language. The language and the filters are in the address. */
export function ExperienceProgress({ codes }: { codes: readonly string[] }) {
  const { get, set } = useAddress();
  const language = codes.find((code) => code === get('language')) ?? codes[0] ?? '';
  const kind = experienceKinds.find((one) => one === get('kind'));
  const isMissingOnly = get('missing') === '1';
  const list = useInfiniteQuery(listQuery('GET /v3/edit/translations', { limit: PAGE, ...(kind && { kind }) }));
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const all = useMemo(() => data?.pages.flatMap(({ translations }) => translations), [data]);
  const rows = all?.map((one) => toRow(one, language)).filter((row) => !isMissingOnly || isToDo(row));
  // The server does not filter by progress, so pages are loaded until there is something to show.
  const needsMore = isMissingOnly && rows !== undefined && rows.length < PAGE && hasNextPage;
  useEffect(() => {
    if (needsMore && !isFetchingNextPage && !error) void fetchNextPage();
  }, [needsMore, isFetchingNextPage, error, fetchNextPage]);
  const columns = useMemo(() => columnsFor(language), [language]);
  const isLooking = needsMore && rows.length === 0;
  return (
    <section aria-label={texts.title} className="flex flex-col gap-3">
      <div className="flex flex-col gap-0.5">
        <h2 className="text-16 font-semibold">{texts.title}</h2>
        <p className="text-13 text-soft">{texts.intro}</p>
      </div>
      <div className="flex flex-wrap items-end gap-x-3 gap-y-2">
        <Select
          label={texts.language}
          options={codes.map((code) => ({ value: code, label: languageName(code), description: code }))}
          value={language}
          onChange={(code) => set({ language: code })}
          className="w-48 max-sm:flex-1"
        />
        <Select
          label={texts.kind}
          options={[
            { value: ALL, label: texts.allKinds },
            ...experienceKinds.map((one) => ({ value: one, label: text.editor.kindLists[one] })),
          ]}
          value={kind ?? ALL}
          onChange={(one) => set({ kind: one === ALL ? '' : one })}
          className="w-40 max-sm:flex-1"
        />
        <div className="flex h-8 items-center">
          <Checkbox
            label={texts.missingOnly}
            isSelected={isMissingOnly}
            onChange={(isSelected) => set({ missing: isSelected ? '1' : '' })}
          />
        </div>
      </div>
      <ErrorNotice error={error} />
      {(rows || !error) && (
        <Table
          label={texts.title}
          columns={columns}
          rows={isLooking ? undefined : rows}
          expectedRows={5}
          placeKey="languages"
          nameOf={({ name }) => name}
          hrefOf={({ id }) => addressOf(id, language, isMissingOnly)}
          empty={<NoRows language={language} isMissingOnly={isMissingOnly} onShowAll={() => set({ missing: '' })} />}
        />
      )}
      {hasNextPage && !isLooking && (
        <div>
          <Button isPending={isFetchingNextPage} onPress={() => fetchNextPage()}>
            {texts.more}
          </Button>
        </div>
      )}
    </section>
  );
}

function addressOf(id: string, language: string, isMissingOnly: boolean): string {
  return `/app/experiences/${id}/languages?language=${language}${isMissingOnly ? '&show=missing' : ''}`;
}

function toRow({ experience: { id, name, kind }, languages }: Listed, language: string): Row {
  const counts = languages.find(({ code }) => code === language);
  return { ...noCounts, ...counts, id, name, kind };
}

const isToDo = (row: Row) => countMissing(row) + row.outdated_count + row.unreviewed_count > 0;

function columnsFor(language: string): TableColumn<Row>[] {
  const { columns } = texts;
  const { progress } = text.languages;
  return [
    { id: 'name', label: columns.name, width: '2fr', minWidth: 130, render: ({ name }) => <bdi>{name}</bdi> },
    {
      id: 'progress',
      label: columns.progress,
      width: '1.5fr',
      minWidth: 170,
      render: (row) => <ProgressBar name={languageName(language)} counts={row} />,
    },
    {
      id: 'todo',
      label: text.languages.columns.todo,
      width: '1.5fr',
      minWidth: 190,
      isSecondary: true,
      render: (row) => (
        <span className="flex gap-1.5">
          {countMissing(row) > 0 && <Badge>{progress.missing(formatNumber(countMissing(row)))}</Badge>}
          {row.outdated_count > 0 && <Badge tone="warn">{progress.outdated(formatNumber(row.outdated_count))}</Badge>}
          {row.unreviewed_count > 0 && (
            <Badge tone="warn">{progress.unreviewed(formatNumber(row.unreviewed_count))}</Badge>
          )}
        </span>
      ),
    },
    {
      id: 'kind',
      label: columns.kind,
      width: 110,
      isSecondary: true,
      render: ({ kind }: { kind: ExperienceKind }) => text.experiences.kinds[kind],
    },
  ];
}

interface NoRowsProps {
  language: string;
  isMissingOnly: boolean;
  onShowAll: () => void;
}

function NoRows({ language, isMissingOnly, onShowAll }: NoRowsProps) {
  if (!isMissingOnly) return <EmptyState title={texts.none}>{texts.noneText}</EmptyState>;
  return (
    <EmptyState
      title={texts.complete(languageName(language))}
      action={<Button onPress={onShowAll}>{texts.showAll}</Button>}
    >
      {texts.completeText}
    </EmptyState>
  );
}
