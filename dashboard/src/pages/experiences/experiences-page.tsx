import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { experienceKinds, type ListedExperience } from '@usher/domain';
import { Ellipsis, Plus, Search } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { listQuery } from '../../api/list.ts';
import { useSession } from '../../api/session.ts';
import { environmentsQuery } from '../../app/environment.ts';
import { EnvironmentBadge } from '../../app/environment-badge.tsx';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { Page } from '../../app/page.tsx';
import { formatNumber } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { EmptyState, ListPicture } from '../../ui/empty-state.tsx';
import { Menu } from '../../ui/menu.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Select } from '../../ui/select.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { Table, type TableColumn } from '../../ui/table.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useListAddress } from '../domains/list-address.ts';
import { KindIcon } from '../home/kind-icon.tsx';
import { NewDialog } from './new-dialog.tsx';
import { ShownState } from './shown-state.tsx';
import { TrendLine } from './trend-line.tsx';
import { useListActions } from './use-list-actions.ts';

const texts = text.experiences;
const ALL = 'all';
const options = (all: string | undefined, words: Record<string, string>) => [
  ...(all === undefined ? [] : [{ value: ALL, label: all }]),
  ...Object.entries(words).map(([value, label]) => ({ value, label })),
];

export default function ExperiencesPage() {
  const { can } = useSession();
  const [, navigate] = useLocation();
  const { get, set } = useListAddress();
  const [isCreating, setCreating] = useState(false);
  const actions = useListActions();
  const { data: groups } = useQuery(environmentsQuery);
  const [kind, state, search, order] = [get('kind'), get('state'), get('search'), get('order') || 'position'];
  const list = useInfiniteQuery({
    ...listQuery('GET /v3/edit/experiences', {
      fields: 'list',
      trend: true,
      limit: 50,
      order: (order in texts.orders ? order : 'position') as keyof typeof texts.orders,
      ...(state in texts.states ? { state: state as keyof typeof texts.states } : { archived: false }),
      ...(experienceKinds.some((one) => one === kind) && { kind: kind as ListedExperience['kind'] }),
      ...(search.trim() !== '' && { search: search.trim() }),
    }),
    placeholderData: keepPreviousData,
  });
  useShortcuts(can('edit') ? [{ keys: 'c', label: texts.create, onPress: () => setCreating(true) }] : []);
  const rows = list.data?.pages.flatMap((page) => page.experiences as ListedExperience[]);
  const isFiltered = kind !== '' || state !== '' || search !== '';
  const create = can('edit') && (
    <Button look="primary" icon={Plus} onPress={() => setCreating(true)}>
      {texts.create}
    </Button>
  );
  const columns: TableColumn<ListedExperience>[] = [
    {
      id: 'name',
      label: texts.columns.name,
      width: '2fr',
      minWidth: 180,
      render: ({ kind, name }) => (
        <span className="flex min-w-0 items-center gap-2.5" title={name}>
          <KindIcon kind={kind} />
          <span className="sr-only">{texts.kinds[kind]}</span>
          <bdi className="truncate">{name}</bdi>
        </span>
      ),
    },
    { id: 'state', label: texts.columns.state, width: 150, render: (one) => <ShownState experience={one} /> },
    {
      id: 'environments',
      label: texts.columns.environments,
      width: 160,
      isSecondary: true,
      render: ({ url_group_ids }) => {
        const shown = groups?.url_groups.filter(({ id }) => url_group_ids.includes(id)) ?? [];
        if (url_group_ids.length === 0) return texts.everywhere;
        return shown.map((group) => <EnvironmentBadge key={group.id} environment={group} />);
      },
    },
    {
      id: 'started',
      label: texts.columns.started,
      width: 84,
      align: 'end',
      isSecondary: true,
      render: ({ stats }) => formatNumber(stats.started_count),
    },
    {
      id: 'completed',
      label: texts.columns.completed,
      width: 100,
      align: 'end',
      isSecondary: true,
      render: ({ stats }) => formatNumber(stats.completed_count),
    },
    {
      id: 'trend',
      label: texts.columns.trend,
      width: 104,
      isSecondary: true,
      render: ({ trend = [] }) => <TrendLine counts={trend} />,
    },
    {
      id: 'changed',
      label: texts.columns.changed,
      width: 190,
      isSecondary: true,
      render: ({ updated_at, changed_by }) => (
        <>
          <RelativeTime time={updated_at} /> {changed_by && <bdi>{texts.by(changed_by.name)}</bdi>}
        </>
      ),
    },
    ...(can('edit')
      ? [
          {
            id: 'actions',
            label: texts.columns.actions,
            isLabelHidden: true,
            width: 52,
            render: (one: ListedExperience) => (
              <RowMenu experience={one} actions={actions} mayPublish={can('publish')} />
            ),
          },
        ]
      : []),
  ];
  const choose = (name: string) => (value: string) => set({ [name]: value === ALL ? '' : value });
  return (
    <Page title={texts.title} intro={texts.intro} actions={create}>
      <div className="flex flex-wrap items-end gap-3">
        <TextField
          label={texts.filters.search}
          icon={Search}
          value={search}
          maxLength={255}
          onChange={(value) => set({ search: value })}
          className="w-56 max-sm:w-full"
        />
        <Select
          label={texts.filters.kind}
          options={options(texts.filters.allKinds, texts.kinds)}
          value={kind || ALL}
          onChange={choose('kind')}
          className="w-40"
        />
        <Select
          label={texts.filters.state}
          options={options(texts.filters.allStates, texts.states)}
          value={state || ALL}
          onChange={choose('state')}
          className="w-40"
        />
        <Select
          label={texts.filters.order}
          options={options(undefined, texts.orders)}
          value={order}
          onChange={choose('order')}
          className="w-40"
        />
      </div>
      <ErrorNotice error={list.error} />
      {(rows || !list.error) && (
        <Table
          label={texts.title}
          columns={columns}
          rows={rows}
          expectedRows={8}
          placeKey="experiences"
          nameOf={({ name }) => name}
          onOpen={({ id }) => navigate(`/app/experiences/${id}`)}
          empty={
            isFiltered ? (
              <EmptyState
                picture={<ListPicture />}
                title={texts.nothingFound.title}
                action={<Button onPress={() => set({ kind: '', state: '', search: '' })}>{texts.filters.clear}</Button>}
              >
                {texts.nothingFound.text}
              </EmptyState>
            ) : (
              <EmptyState picture={<ListPicture />} title={texts.empty.title} action={create}>
                {texts.empty.text}
              </EmptyState>
            )
          }
        />
      )}
      {rows && rows.length > 0 && (
        <div className="flex items-center gap-3">
          {list.hasNextPage && (
            <Button isPending={list.isFetchingNextPage} onPress={() => list.fetchNextPage()}>
              {texts.more}
            </Button>
          )}
          <p role="status" className="text-13 text-soft">
            {texts.count(formatNumber(rows.length), rows.length === 1, list.hasNextPage)}
          </p>
        </div>
      )}
      {isCreating && <NewDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}

interface RowMenuProps {
  experience: ListedExperience;
  actions: ReturnType<typeof useListActions>;
  mayPublish: boolean;
}

function RowMenu({ experience, actions, mayPublish }: RowMenuProps) {
  const { name, state, paused_at, archived_at, published_at } = experience;
  const entry = (id: keyof typeof actions) => ({ id, label: texts[id], onAction: () => void actions[id](experience) });
  const mayArchive = mayPublish || published_at === null;
  return (
    <Menu
      trigger={<IconButton icon={Ellipsis} size="small" label={texts.actionsOf(name)} />}
      label={texts.actionsOf(name)}
      placement="bottom end"
      groups={[
        {
          entries: [
            ...(mayPublish && state === 'live' ? [entry('pause')] : []),
            ...(mayPublish && state === 'draft' && paused_at !== null ? [entry('resume')] : []),
            entry('duplicate'),
            ...(mayArchive ? [entry(archived_at === null ? 'archive' : 'restore')] : []),
          ],
        },
      ]}
    />
  );
}
