import type { ListedExperience } from '@usher/domain';
import { type ReactNode, Suspense, useMemo, useState } from 'react';
import type { Selection } from 'react-aria-components/Table';
import { useSession } from '../../../api/session.ts';
import { lazyComponent } from '../../../app/lazy-component.ts';
import * as text from '../../../messages/text.ts';
import { Table, type TableColumn } from '../../../ui/table.tsx';
import { useAfterPaint } from '../../../ui/use-after-paint.ts';
import { isNarrow, useWidth } from '../../../ui/use-width.ts';
import { listColumns } from './list-columns.tsx';
import { ListSelectionBar } from './list-selection-bar.tsx';
import { PauseButton, RowMenu } from './row-menu.tsx';
import { useListActions } from './use-list-actions.ts';
import type { ListNames } from './use-list-names.ts';
import { useMove } from './use-move.ts';

const texts = text.experiences;
/** With more rows, what is below the table would be out of sight. */
const MAX_VISIBLE_ROWS = 12;
const nameOf = ({ name }: ListedExperience) => name;

// The code for dragging is large, so it is loaded together with the rows.
const loadTable = () => import('../../../ui/ordered-table.tsx').then((module) => module.OrderedTable<ListedExperience>);
loadTable().catch(() => {});
const OrderedTable = lazyComponent(loadTable);
const DeleteDialog = lazyComponent(() =>
  import('../../../experiences/delete-dialog.tsx').then((module) => module.DeleteDialog),
);
const CopyDialog = lazyComponent(() => import('./copy-dialog.tsx').then((module) => module.CopyDialog));

interface ExperienceListProps {
  rows: readonly ListedExperience[] | undefined;
  names: ListNames;
  queryKey: readonly unknown[];
  /** Whether the rows are in the order of priority, which can be changed. */
  isOrdered: boolean;
  empty: ReactNode;
  /** Content below the table. */
  children: ReactNode;
}

/** The table of Experiences, with actions for one or several of them. */
export function ExperienceList({ rows, names, queryKey, isOrdered, empty, children }: ExperienceListProps) {
  const { can } = useSession();
  const [ref, width] = useWidth();
  const [selection, setSelection] = useState<Selection>(new Set());
  const [open, setOpen] = useState<{ dialog: 'delete' | 'copy'; experience: ListedExperience }>();
  const actions = useListActions();
  const mayEdit = can('edit');
  const move = useMove(queryKey, rows ?? []);
  const hasOrder = mayEdit && isOrdered && (rows?.length ?? 0) > 1;
  const selected = (rows ?? []).filter(({ id }) => selection === 'all' || selection.has(id));
  const step = (index: number, direction: 'up' | 'down') => {
    const [id, nextTo] = [rows?.[index]?.id, rows?.[direction === 'up' ? index - 1 : index + 1]?.id];
    if (id && nextTo) void move({ ids: [id], side: direction === 'up' ? 'before' : 'after', nextTo });
  };
  // Rows take most of the time of the page, so the rest of the page does not wait for them.
  const isReady = useAfterPaint();
  const narrow = isNarrow(width);
  const menu: TableColumn<ListedExperience> = {
    id: 'actions',
    label: texts.columns.actions,
    isLabelHidden: true,
    width: narrow ? 52 : 84,
    align: 'end',
    render: (experience) => {
      const index = rows?.indexOf(experience) ?? -1;
      return (
        <>
          {!narrow && <PauseButton experience={experience} actions={actions} />}
          <RowMenu
            experience={experience}
            actions={actions}
            onMove={hasOrder ? (direction) => step(index, direction) : undefined}
            isFirst={index === 0}
            isLast={index === (rows?.length ?? 0) - 1}
            onCopy={() => setOpen({ dialog: 'copy', experience })}
            onDelete={() => setOpen({ dialog: 'delete', experience })}
          />
        </>
      );
    },
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menus need what they act on, the rows
  const columns = useMemo(
    () => [...listColumns(names, narrow), ...(mayEdit ? [menu] : [])],
    [names.environments, names.segments, names.tags, narrow, mayEdit, rows, hasOrder],
  );
  const table = {
    label: texts.title,
    columns,
    expectedRows: rows?.length ?? 8,
    placeKey: 'experiences',
    nameOf,
    hasTwoLines: narrow,
    hasThumbnails: true,
    maxRows: MAX_VISIBLE_ROWS,
    hrefOf: ({ id }: ListedExperience) => `/app/experiences/${id}`,
    ...(mayEdit && { selected: selection, onSelect: setSelection }),
    empty,
  };
  const Dialog = open?.dialog === 'delete' ? DeleteDialog : CopyDialog;
  return (
    <div ref={ref} className="flex flex-col gap-3">
      {isReady && rows && hasOrder ? (
        <Suspense fallback={<Table {...table} rows={undefined} />}>
          <OrderedTable {...table} rows={rows} onMove={(one) => void move(one)} />
        </Suspense>
      ) : (
        <Table {...table} rows={isReady ? rows : undefined} />
      )}
      <div className="flex items-center gap-3">{children}</div>
      {mayEdit && (
        // The bar always takes its space, so that nothing moves when rows are selected.
        <div className="pointer-events-none sticky bottom-4 z-10 min-h-11">
          {selected.length > 0 && (
            <ListSelectionBar
              selected={selected}
              tags={names.tags}
              actions={actions}
              onClear={() => setSelection(new Set())}
            />
          )}
        </div>
      )}
      {open && (
        <Suspense>
          <Dialog experience={open.experience} onClose={() => setOpen(undefined)} />
        </Suspense>
      )}
    </div>
  );
}
