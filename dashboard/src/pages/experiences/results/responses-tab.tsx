import { useInfiniteQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { download } from '../../../api/api.ts';
import { listQuery } from '../../../api/list.ts';
import { useSession } from '../../../api/session.ts';
import { ErrorNotice } from '../../../app/error-notice.tsx';
import { saveFile } from '../../../app/save-file.ts';
import { showError } from '../../../app/show-error.ts';
import type { ShownExperience } from '../../../editor/document.ts';
import { LoadMore } from '../../../lists/load-more.tsx';
import { formatNumber } from '../../../messages/format.ts';
import * as text from '../../../messages/text.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { FilterBar } from './response-filters.tsx';
import { ResponseRow } from './response-row.tsx';
import { TagBar } from './response-tags.tsx';
import { type ResponseFilters, useResponseFilters } from './use-response-filters.ts';
import { useSeenVersion } from './use-seen-version.ts';

const texts = text.responses;
const PAGE_SIZE = 50;

/** What each person answered to a survey, with filters and Tags. */
export default function ResponsesTab({ experience }: { experience: ShownExperience }) {
  const filters = useResponseFilters();
  const seen = useSeenVersion(experience) ?? experience;
  return (
    <div className="flex flex-col gap-5 py-5">
      <FilterBar seen={seen} filters={filters} />
      <Responses key={JSON.stringify(filters.filters)} seen={seen} filters={filters} />
    </div>
  );
}

function Responses({ seen, filters }: { seen: ShownExperience; filters: ResponseFilters }) {
  const { can } = useSession();
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set());
  const { id } = seen;
  const { order, properties, isFiltered } = filters;
  const list = useInfiniteQuery(
    listQuery('GET /v3/analyze/responses', {
      ...{ id, ...filters.filters, order, limit: PAGE_SIZE, details: true, expand: { profile: 'all' as const } },
      ...(properties.length > 0 && { properties }),
    }),
  );
  const rows = list.data?.pages.flatMap((page) => page.responses);
  const isStopped = list.data?.pages.at(-1)?.is_complete === false;
  if (list.error) return <ErrorNotice error={list.error} />;
  if (!rows) return <Skeleton height={320} />;
  const { none, filtered } = texts.empty;
  if (rows.length === 0 && !list.hasNextPage) {
    const words = isFiltered ? filtered : none;
    return (
      <EmptyState title={words.title} action={isFiltered && <Button onPress={filters.clear}>{texts.clear}</Button>}>
        {words.description}
      </EmptyState>
    );
  }
  const select = (responseId: string, isSelected: boolean) => {
    const next = new Set(selectedIds);
    if (isSelected) next.add(responseId);
    else next.delete(responseId);
    setSelectedIds(next);
  };
  const selected = rows.filter((row) => selectedIds.has(row.id));
  const save = async () => {
    try {
      saveFile(await download('GET /v3/analyze/responses.{format}', toFile(id, filters)), texts.file(seen.name));
    } catch (error) {
      showError(error);
    }
  };
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p role="status" className="text-13 text-soft">
          {texts.count(formatNumber(rows.length), rows.length === 1, list.hasNextPage)}
        </p>
        <Button icon={Download} onPress={() => void save()}>
          {texts.download}
        </Button>
      </div>
      {rows.length > 0 && (
        <ul aria-label={texts.list} className="rounded-10 border border-line bg-surface">
          {rows.map((response) => (
            <ResponseRow
              key={response.id}
              response={response}
              seen={seen}
              onSelect={can('edit') ? (isSelected) => select(response.id, isSelected) : undefined}
              isSelected={selectedIds.has(response.id)}
            />
          ))}
        </ul>
      )}
      <div className="flex items-center gap-3">
        <LoadMore list={list} label={isStopped ? texts.goOn : texts.more}>
          {isStopped && texts.stopped}
        </LoadMore>
      </div>
      {selected.length > 0 && <TagBar selected={selected} onClear={() => setSelectedIds(new Set())} />}
    </div>
  );
}

/** A file has the days that are shown, or the last year. Where the account is, it can be tomorrow already. */
function toFile(id: string, { filters, properties }: ResponseFilters) {
  const until = filters.until ?? toDay(Date.now() + DAY_MS);
  const from = filters.from ?? toDay(Date.parse(until) - YEAR_MS);
  const columns = properties.length > 0 ? { properties } : {};
  return { id, ...filters, from, until, details: true, ...columns, format: 'csv' as const };
}

const toDay = (time: number) => new Date(time).toISOString().slice(0, 10);
const DAY_MS = 24 * 60 * 60_000;
const YEAR_MS = 365 * DAY_MS;
