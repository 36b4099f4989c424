import { useInfiniteQuery } from '@tanstack/react-query';
import { Archive, ArchiveRestore, List, Pencil, Plus } from 'lucide-react';
import { useLocation } from 'wouter';
import type { ResponseOf } from '../../api/api.ts';
import { listQuery } from '../../api/list.ts';
import { useSession } from '../../api/session.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { Page } from '../../app/page.tsx';
import { useNewDialogState } from '../../app/use-new-dialog.ts';
import { SearchField } from '../../lists/search-field.tsx';
import { useAddress } from '../../lists/use-address.ts';
import { formatNumber } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';
import { ActionsMenu } from '../../ui/actions-menu.tsx';
import { Button } from '../../ui/button.tsx';
import { TrendLine } from '../../ui/chart/trend-line.tsx';
import { CompactNumber } from '../../ui/compact-number.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { matchesWords } from '../../ui/matches-words.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { Table, type TableColumn, TwoLines } from '../../ui/table.tsx';
import { describeSources } from './describe-sources.ts';
import { FirstEvent } from './first-event.tsx';
import { NewEventDialog } from './new-event-dialog.tsx';
import { useArchive } from './use-archive.ts';

const texts = text.events;
const PAGE_SIZE = 100;

export type EventSummary = ResponseOf<'GET /v3/analyze/event_names'>['event_names'][number];

/** The events that arrive, how often, and what uses them. */
export default function EventsPage() {
  const { can } = useSession();
  const [, navigate] = useLocation();
  const { get, set } = useAddress({ isSearch: true });
  const isArchived = get('archived') !== '';
  const words = get('text').trim();
  const list = useInfiniteQuery(listQuery('GET /v3/analyze/event_names', { limit: PAGE_SIZE, hidden: isArchived }));
  const archive = useArchive();
  const [isOpen, setOpen] = useNewDialogState(can('edit'));
  const create = () => setOpen(true);
  useShortcuts(can('edit') ? [{ keys: 'c', label: texts.create.open, onPress: create }] : []);
  const all = list.data?.pages.flatMap(({ event_names }) => event_names);
  const rows = all?.filter(({ name, uid }) => matchesWords(`${name} ${uid}`, words));
  const isEmpty = all?.length === 0 && !isArchived;
  const columns = [...dataColumns(), ...(can('edit') ? [actionsColumn(archive, navigate)] : [])];
  return (
    <Page
      title={texts.title}
      intro={texts.intro}
      actions={
        can('edit') && (
          <Button icon={Plus} onPress={create}>
            {texts.create.open}
          </Button>
        )
      }
    >
      {isOpen && <NewEventDialog onClose={() => setOpen(false)} />}
      <div className="flex flex-wrap items-end gap-3">
        {!isEmpty && (
          <SearchField
            label={texts.search}
            placeholder={texts.columns.name}
            value={get('text')}
            onChange={(next) => set({ text: next })}
            className="min-w-48 max-w-md flex-1"
          />
        )}
        <Segmented
          label={texts.shown}
          options={[
            { value: 'active', label: texts.active, icon: List },
            { value: 'archived', label: texts.archived, icon: Archive },
          ]}
          value={isArchived ? 'archived' : 'active'}
          onChange={(next) => set({ archived: next === 'archived' ? 'true' : '' })}
        />
      </div>
      {!all && <ErrorNotice error={list.error} />}
      {isEmpty && <FirstEvent />}
      {!isEmpty && (all || !list.error) && (
        <Table
          label={texts.title}
          columns={columns}
          rows={rows}
          expectedRows={6}
          hasTwoLines
          placeKey={isArchived ? 'events archived' : 'events'}
          nameOf={({ name }) => name}
          hrefOf={({ id }) => `/app/events/${id}`}
          empty={
            all?.length === 0 ? (
              <EmptyState title={texts.noneArchived.title}>{texts.noneArchived.text}</EmptyState>
            ) : (
              <EmptyState title={texts.nothingFound} />
            )
          }
        />
      )}
      {list.hasNextPage && (
        <Button className="self-center" isPending={list.isFetchingNextPage} onPress={() => list.fetchNextPage()}>
          {texts.more}
        </Button>
      )}
    </Page>
  );
}

function dataColumns(): TableColumn<EventSummary>[] {
  const { columns } = texts;
  return [
    {
      id: 'name',
      label: columns.name,
      width: '3fr',
      minWidth: 150,
      render: ({ name, uid, description }) => (
        <TwoLines
          first={<bdi className="truncate">{name}</bdi>}
          second={<bdi title={description ?? uid}>{description ?? uid}</bdi>}
        />
      ),
    },
    {
      id: 'month',
      label: columns.month,
      width: 112,
      minWidth: 96,
      align: 'end',
      render: ({ counts }) => <CompactNumber value={counts.last_30_days} />,
    },
    {
      id: 'trend',
      label: columns.trend,
      width: 96,
      isSecondary: true,
      render: ({ days, counts: { last_30_days: total } }) => (
        <TrendLine counts={days} label={texts.trend(formatNumber(total), total)} />
      ),
    },
    {
      id: 'week',
      label: columns.week,
      width: 104,
      align: 'end',
      isSecondary: true,
      render: ({ counts }) => <CompactNumber value={counts.last_7_days} />,
    },
    {
      id: 'day',
      label: columns.day,
      width: 96,
      align: 'end',
      isSecondary: true,
      render: ({ counts }) => <CompactNumber value={counts.last_24_hours} />,
    },
    {
      id: 'last',
      label: columns.last,
      width: 136,
      isSecondary: true,
      render: ({ last_seen_at: at }) => (at ? <RelativeTime time={at} /> : texts.never),
    },
    {
      id: 'source',
      label: columns.source,
      width: 176,
      isSecondary: true,
      render: (event) => describeSources(event),
    },
    {
      id: 'uses',
      label: columns.uses,
      width: 96,
      isSecondary: true,
      render: ({ uses: { segments, experiences } }) => {
        const count = segments + experiences;
        return count === 0 ? texts.notUsed : texts.uses(formatNumber(count), count === 1);
      },
    },
  ];
}

function actionsColumn(
  archive: ReturnType<typeof useArchive>,
  navigate: (path: string) => void,
): TableColumn<EventSummary> {
  return {
    id: 'actions',
    label: texts.columns.actions,
    isLabelHidden: true,
    width: 52,
    minWidth: 52,
    align: 'end',
    render: (event) => (
      <ActionsMenu
        label={texts.actions(event.name)}
        groups={[
          {
            entries: [
              {
                id: 'open',
                label: texts.open,
                icon: Pencil,
                onAction: () => navigate(`/app/events/${event.id}`),
              },
              {
                id: 'archive',
                label: event.hidden ? texts.unarchive : texts.archive,
                icon: event.hidden ? ArchiveRestore : Archive,
                onAction: () => archive(event, !event.hidden),
              },
            ],
          },
        ]}
      />
    ),
  };
}
