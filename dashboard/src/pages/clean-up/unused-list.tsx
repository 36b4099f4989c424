import { useInfiniteQuery } from '@tanstack/react-query';
import type { UnusedKind } from '@usher/domain';
import { ListX, X } from 'lucide-react';
import { Suspense, useState } from 'react';
import type { Selection } from 'react-aria-components/Table';
import type { ResponseOf } from '../../api/api.ts';
import { listQuery } from '../../api/list.ts';
import { useSession } from '../../api/session.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { lazyComponent } from '../../app/lazy-component.ts';
import { LoadMore } from '../../lists/load-more.tsx';
import { formatBytes } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Drawing } from '../../ui/drawing.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Table, type TableColumn } from '../../ui/table.tsx';
import { TwoLines } from '../../ui/two-lines.tsx';
import { isDeletable, useCleanUp } from './use-clean-up.ts';

export type UnusedEntry = ResponseOf<'GET /v3/analyze/unused'>['unused'][number];

const texts = text.cleanUp;
const DeleteUnusedDialog = lazyComponent(() =>
  import('./delete-unused-dialog.tsx').then((module) => module.DeleteUnusedDialog),
);
const PAGE_SIZE = 100;

const hrefs: Partial<Record<UnusedKind, (id: string) => string>> = {
  experiences: (id) => `/app/experiences/${id}`,
  segments: (id) => `/app/segments/${id}`,
  goals: (id) => `/app/settings/goals?goal=${id}`,
  themes: (id) => `/app/themes/${id}`,
};

function columnsOf(kind: UnusedKind): TableColumn<UnusedEntry>[] {
  const hasUse = ['experiences', 'tags', 'properties', 'pictures'].includes(kind);
  return [
    {
      id: 'name',
      label: texts.columns.name,
      width: '2fr',
      minWidth: 180,
      render: (one) => (
        <TwoLines
          first={<bdi className="truncate">{one.name}</bdi>}
          second={[one.kind && texts.kindOf[one.kind], texts.reasons[one.reason]].filter(Boolean).join(' · ')}
        />
      ),
    },
    ...(kind === 'pictures'
      ? [
          {
            id: 'size',
            label: text.cleanUp.columns.size,
            width: 100,
            isSecondary: true,
            render: ({ size }: UnusedEntry) => (size === null ? texts.unknown : formatBytes(size)),
          },
        ]
      : []),
    ...(hasUse
      ? [
          {
            id: 'used',
            label: texts.columns.used,
            width: 140,
            isSecondary: true,
            render: ({ last_used_at }: UnusedEntry) =>
              last_used_at === null ? texts.never : <RelativeTime time={last_used_at} />,
          },
        ]
      : []),
    {
      id: 'changed',
      label: texts.columns.changed,
      width: 140,
      isSecondary: true,
      render: ({ updated_at }) => <RelativeTime time={updated_at} />,
    },
  ];
}

/** The unused records of one kind, with one action for the selected ones. */
export function UnusedList({ kind }: { kind: UnusedKind }) {
  const { can } = useSession();
  const { data, error, ...list } = useInfiniteQuery(listQuery('GET /v3/analyze/unused', { kind, limit: PAGE_SIZE }));
  const [selection, setSelection] = useState<Selection>(new Set());
  const [isDeleting, setDeleting] = useState(false);
  const act = useCleanUp(kind);
  const rows = data?.pages.flatMap(({ unused }) => unused);
  const selected = rows?.filter(({ id }) => selection === 'all' || selection.has(id)) ?? [];
  const clear = () => setSelection(new Set());
  const href = hrefs[kind];
  if (!rows && error) return <ErrorNotice error={error} />;
  return (
    <div className="flex flex-col items-stretch gap-3">
      <Table
        label={texts.tabs[kind]}
        columns={columnsOf(kind)}
        rows={rows}
        nameOf={({ name }) => name}
        hasTwoLines
        {...(href && { hrefOf: ({ id }: UnusedEntry) => href(id) })}
        {...(can('edit') && { selected: selection, onSelect: setSelection })}
        empty={
          <EmptyState picture={<Drawing of="clean_up" />} title={texts.empty(kind)}>
            {texts.emptyHelp[kind]}
          </EmptyState>
        }
      />
      {rows && rows.length > 0 && (
        <div className="flex items-center gap-3">
          <LoadMore list={list} label={texts.more}>
            {texts.found(kind, rows.length, list.hasNextPage)}
          </LoadMore>
        </div>
      )}
      {can('edit') && (
        // The bar always takes its space, so that nothing moves when rows are selected.
        <div className="pointer-events-none sticky bottom-4 z-10 min-h-11">
          {selected.length > 0 && (
            <section
              aria-label={texts.selected(selected.length)}
              className="pointer-events-auto flex min-h-11 flex-wrap items-center gap-2 rounded-10 bg-raised px-3 py-1.5 shadow-float"
            >
              <span aria-live="polite" className="mr-auto text-13 font-medium">
                {texts.selected(selected.length)}
              </span>
              {isDeletable(kind) ? (
                <Button size="small" icon={ListX} onPress={() => setDeleting(true)}>
                  {texts.delete}
                </Button>
              ) : (
                <Button size="small" onPress={() => void act.putAway(selected).then(clear)}>
                  {kind === 'properties' ? texts.hide : texts.archive}
                </Button>
              )}
              <IconButton icon={X} size="small" label={texts.clear} onPress={clear} />
            </section>
          )}
        </div>
      )}
      {isDeleting && isDeletable(kind) && (
        <Suspense fallback={null}>
          <DeleteUnusedDialog
            kind={kind}
            rows={selected}
            onClose={() => setDeleting(false)}
            onDelete={() =>
              act.remove(selected).then(() => {
                setDeleting(false);
                clear();
              })
            }
          />
        </Suspense>
      )}
    </div>
  );
}
