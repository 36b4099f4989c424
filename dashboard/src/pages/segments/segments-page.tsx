import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { Copy, Pencil, Plus, RefreshCw, Trash2 } from 'lucide-react';
import { useEffect } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import type { ResponseOf } from '../../api/api.ts';
import { listQuery } from '../../api/list.ts';
import { invalidate } from '../../api/nouns.ts';
import { query, useSend } from '../../api/queries.ts';
import { useSession } from '../../api/session.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { Page } from '../../app/page.tsx';
import { showError } from '../../app/show-error.ts';
import { describeFilters } from '../../filters/describe-filters.ts';
import type { FilterNames } from '../../filters/names.ts';
import { filtersOf } from '../../filters/segment-draft.ts';
import { ShortCount } from '../../filters/short-count.tsx';
import { useKnownSubjects } from '../../filters/use-filter-names.ts';
import { formatNumber, formatPercent } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';
import { ActionsMenu } from '../../ui/actions-menu.tsx';
import { Button } from '../../ui/button.tsx';
import { Drawing } from '../../ui/drawing.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { matchesWords } from '../../ui/matches-words.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { Table, type TableColumn, TwoLines } from '../../ui/table.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useSegmentActions } from './use-segment-actions.ts';

const texts = text.segments;
const PAGE_SIZE = 100;
/** A list of more Segments than this has a search field. */
const MANY = 8;
/** While the server counts, it is asked for its progress after so long. */
const COUNTING_MS = 1000;

type CountedSegment = ResponseOf<'GET /v3/analyze/segments'>['segments'][number];
type Counting = ResponseOf<'GET /v3/analyze/segments'>['counting'];

export default function SegmentsPage() {
  const { can } = useSession();
  const [, navigate] = useLocation();
  const [params, setParams] = useSearchParams();
  const { names } = useKnownSubjects();
  const list = useInfiniteQuery(listQuery('GET /v3/analyze/segments', { limit: PAGE_SIZE }));
  const counting = useCounting(list.data?.pages[0]?.counting ?? null, list.dataUpdatedAt);
  const actions = useSegmentActions();
  const create = () => navigate('/app/segments/new');
  useShortcuts(can('edit') ? [{ keys: 'c', label: texts.create, onPress: create }] : []);
  const createButton = can('edit') && (
    <Button look="primary" icon={Plus} onPress={create}>
      {texts.create}
    </Button>
  );
  const words = params.get('search') ?? '';
  const all = list.data?.pages.flatMap(({ segments }) => segments);
  const rows = all?.filter(({ name }) => matchesWords(name, words));
  const columns = [
    ...dataColumns(names, counting !== null),
    ...(can('edit') ? [actionsColumn(actions, navigate)] : []),
  ];
  return (
    <Page
      title={texts.title}
      intro={texts.intro}
      actions={all?.length === 0 && words === '' ? undefined : createButton}
    >
      {!all && <ErrorNotice error={list.error} />}
      {all && (all.length > MANY || words !== '') && (
        <TextField
          label={texts.search}
          type="search"
          value={words}
          onChange={(next) => setParams(next === '' ? {} : { search: next }, { replace: true })}
          className="max-w-xs"
        />
      )}
      {(all || !list.error) && (
        <Table
          label={texts.title}
          columns={columns}
          rows={rows}
          expectedRows={4}
          hasTwoLines
          placeKey="segments"
          nameOf={({ name }) => name}
          hrefOf={({ id }) => `/app/segments/${id}`}
          empty={
            words === '' ? (
              <EmptyState picture={<Drawing of="segments" />} title={texts.empty.title} action={createButton}>
                {texts.empty.text}
              </EmptyState>
            ) : (
              <EmptyState title={texts.nothingFound} />
            )
          }
        />
      )}
      {all && all.length > 0 && <Counted segments={all} counting={counting} />}
      {list.hasNextPage && (
        <Button className="self-center" isPending={list.isFetchingNextPage} onPress={() => list.fetchNextPage()}>
          {texts.more}
        </Button>
      )}
    </Page>
  );
}

/** How far the server is while it counts. The list is loaded again at the end. */
function useCounting(listed: Counting, listedAt: number): Counting {
  const client = useQueryClient();
  const progress = useQuery({
    ...query('GET /v3/analyze/segments/counting'),
    enabled: listed !== null,
    staleTime: 0,
    refetchInterval: COUNTING_MS,
  });
  const latest = progress.dataUpdatedAt > listedAt ? progress.data?.counting : undefined;
  const isOver = listed !== null && latest === null;
  useEffect(() => {
    if (isOver) void invalidate(client, 'segments');
  }, [isOver, client]);
  return latest ?? listed;
}

function dataColumns(names: FilterNames, isCounting: boolean): TableColumn<CountedSegment>[] {
  return [
    {
      id: 'name',
      label: texts.columns.name,
      width: '3fr',
      minWidth: 140,
      render: (segment) => {
        const sentence = describeFilters(filtersOf(segment), names);
        return (
          <TwoLines
            first={<bdi className="truncate">{segment.name}</bdi>}
            second={sentence === segment.name ? '' : <bdi title={sentence}>{sentence}</bdi>}
          />
        );
      },
    },
    {
      id: 'people',
      label: texts.columns.people,
      width: 128,
      minWidth: 96,
      align: 'end',
      render: (segment) => <Members segment={segment} isCounting={isCounting} />,
    },
    {
      id: 'uses',
      label: texts.columns.uses,
      width: 108,
      isSecondary: true,
      render: (segment) => {
        const count = countUses(segment);
        return count === 0 ? texts.notUsed : texts.uses(formatNumber(count), count === 1);
      },
    },
    {
      id: 'updated',
      label: texts.columns.updated,
      width: 132,
      isSecondary: true,
      render: ({ updated_at }) => <RelativeTime time={updated_at} />,
    },
  ];
}

function actionsColumn(
  actions: ReturnType<typeof useSegmentActions>,
  navigate: (path: string) => void,
): TableColumn<CountedSegment> {
  return {
    id: 'actions',
    label: texts.columns.actions,
    isLabelHidden: true,
    width: 52,
    minWidth: 52,
    align: 'end',
    render: (segment) => {
      const isUsed = countUses(segment) > 0;
      return (
        <ActionsMenu
          label={texts.actions(segment.name)}
          groups={[
            {
              entries: [
                {
                  id: 'open',
                  label: texts.open,
                  icon: Pencil,
                  onAction: () => navigate(`/app/segments/${segment.id}`),
                },
                { id: 'duplicate', label: texts.duplicate, icon: Copy, onAction: () => actions.duplicate(segment) },
                {
                  id: 'remove',
                  label: texts.remove,
                  icon: Trash2,
                  isDanger: true,
                  isDisabled: isUsed,
                  ...(isUsed && { description: texts.usedReason }),
                  onAction: () => actions.remove(segment),
                },
              ],
            },
          ]}
        />
      );
    },
  };
}

function countUses({ uses }: CountedSegment): number {
  return Object.values(uses).reduce((sum, count) => sum + count, 0);
}

/** How many people are in a Segment, as they were counted last. */
function Members({ segment, isCounting }: { segment: CountedSegment; isCounting: boolean }) {
  const { count, is_complete, estimate } = segment;
  if (count === null) return <span className="text-soft">{isCounting ? text.filters.people.counting : '–'}</span>;
  return <ShortCount counted={{ count, is_complete, estimate: estimate ?? count }} />;
}

/** When the people of the Segments were counted, or how far that is. */
function Counted({ segments, counting }: { segments: readonly CountedSegment[]; counting: Counting }) {
  const again = useSend('POST /v3/analyze/segments/count');
  const [countedAt] = segments.flatMap(({ counted_at }) => counted_at ?? []).sort();
  const percent = counting && formatPercent(Math.floor(counting.share * 100) / 100);
  return (
    <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1 text-13 text-soft">
      <p role="status" className="sr-only">
        {counting && text.filters.people.counting}
      </p>
      <p>
        {percent === null
          ? countedAt && (
              <>
                {texts.counted.before} <RelativeTime time={countedAt} />, {texts.counted.after}
              </>
            )
          : texts.counted.counting(percent)}
      </p>
      {counting === null && (
        <Button
          size="small"
          look="quiet"
          icon={RefreshCw}
          isPending={again.isPending}
          onPress={() => again.mutate({}, { onError: showError })}
        >
          {texts.counted.again}
        </Button>
      )}
    </div>
  );
}
