import { ArrowDown, ArrowUp, GripVertical } from 'lucide-react';
import { type FocusEvent, type ReactNode, useId, useMemo } from 'react';
import { Button } from 'react-aria-components/Button';
import {
  Table as AriaTable,
  Cell,
  Column,
  type ColumnProps,
  Row,
  type Selection,
  type SortDescriptor,
  TableBody,
  TableHeader,
} from 'react-aria-components/Table';
import type { DragAndDropHooks } from 'react-aria-components/useDragAndDrop';
import { TableLayout, Virtualizer } from 'react-aria-components/Virtualizer';
import { useLocation } from 'wouter';
import * as text from '../messages/text.ts';
import { Checkbox } from './choice.tsx';
import { cx } from './cx.ts';
import { fitColumns, MIN_WIDTH } from './fit-columns.ts';
import { RowLink } from './row-link.tsx';
import {
  BORDERS,
  cellLook,
  HEADING_HEIGHT,
  MAX_VISIBLE_ROWS,
  ROW_HEIGHT,
  THUMBNAIL_HEIGHT,
  TWO_LINES_HEIGHT,
} from './table-look.ts';
import { TableSkeleton } from './table-skeleton.tsx';
import { useWidth } from './use-width.ts';

export { TwoLines } from './two-lines.tsx';

const SELECTION_WIDTH = 40;
const HANDLE_WIDTH = 28;

export interface TableColumn<Item> {
  id: string;
  /** The heading. A column of buttons has one for screen readers only. */
  label: string;
  isLabelHidden?: boolean;
  /** The width in pixels, or a share of the remaining width, such as `2fr`. */
  width?: ColumnProps['width'];
  minWidth?: number;
  align?: 'start' | 'end';
  canSort?: boolean;
  /** Whether the column is left out if there is not enough room. The last such column is left out first. */
  isSecondary?: boolean;
  render: (item: Item) => ReactNode;
}

export interface TableProps<Item extends { id: string }> {
  label: string;
  /** The first column names the row. */
  columns: readonly TableColumn<Item>[];
  /** The rows. Undefined while they load: skeleton rows of the final size show then. */
  rows: readonly Item[] | undefined;
  /** How many skeleton rows there are. */
  expectedRows?: number;
  /** The text that typing jumps to. */
  nameOf: (item: Item) => string;
  /** What is shown without rows: one sentence, one action. */
  empty: ReactNode;
  /** The page of a row. Its name is a link to it, and the row opens it, too. */
  hrefOf?: (item: Item) => string;
  /** Opens a row that has no page of its own. */
  onOpen?: (item: Item) => void;
  selected?: Selection;
  onSelect?: (selected: Selection) => void;
  sort?: SortDescriptor;
  onSort?: (sort: SortDescriptor) => void;
  /** The result of `useRowOrder`, if rows can be moved. Each row gets a handle. */
  order?: DragAndDropHooks | undefined;
  maxRows?: number;
  /** Names the list. When it is opened again, it is scrolled to where it was left. */
  placeKey?: string;
  /** Whether rows have two lines, which makes them higher. */
  hasTwoLines?: boolean;
  /** Whether rows begin with a small picture. */
  hasThumbnails?: boolean;
}

const places = new Map<string, number>();

/** Remembers how far a list is scrolled, until the page is loaded again. */
function useScrollPlace(key: string | undefined) {
  return useMemo(() => {
    if (key === undefined) return {};
    return {
      ref: (table: HTMLElement | null) => (table ? restorePlace(table, places.get(key) ?? 0) : undefined),
      onScroll: ({ currentTarget }: { currentTarget: Element }) => {
        places.set(key, currentTarget.scrollTop);
      },
    };
  }, [key]);
}

/** Scrolls as soon as the rows have their height. Returns a function that stops waiting for it. */
function restorePlace(table: HTMLElement, place: number): () => void {
  const observer = new ResizeObserver(() => {
    if (table.scrollHeight - table.clientHeight < place) return;
    table.scrollTop = place;
    observer.disconnect();
  });
  if (place > 0) for (const part of table.children) observer.observe(part);
  return () => observer.disconnect();
}

/**
 * Rows have one height, and only the visible ones are in the page. A row still costs 0.2 ms when the table opens, so a table of a
 * thousand rows opens in 0.2 s; lists of the API have 500 at most. Arrow keys move, Space selects, Enter opens.
 */
export function Table<Item extends { id: string }>(props: TableProps<Item>) {
  const { label, rows, expectedRows = 5, nameOf, empty, hrefOf, selected, onSelect, sort, onSort, order } = props;
  const [, navigate] = useLocation();
  const onOpen = hrefOf ? (item: Item) => navigate(hrefOf(item)) : props.onOpen;
  const [ref, width] = useWidth();
  const extraWidth = BORDERS + (onSelect ? SELECTION_WIDTH : 0) + (order ? HANDLE_WIDTH : 0);
  const columns = useMemo(
    () => fitColumns(props.columns, width && width - extraWidth),
    [props.columns, width, extraWidth],
  );
  const rowHeight = props.hasTwoLines ? TWO_LINES_HEIGHT : props.hasThumbnails ? THUMBNAIL_HEIGHT : ROW_HEIGHT;
  const layoutOptions = useMemo(() => ({ rowHeight, headingHeight: HEADING_HEIGHT }), [rowHeight]);
  const scrollPlace = useScrollPlace(props.placeKey);
  const helpId = useId();
  if (rows?.length === 0) return empty;
  const visible = Math.min(rows?.length ?? expectedRows, props.maxRows ?? MAX_VISIBLE_ROWS);
  const height = HEADING_HEIGHT + visible * rowHeight + 2;
  if (!rows)
    return (
      <div ref={ref}>
        <TableSkeleton label={label} columns={columns} rows={visible} rowHeight={rowHeight} height={height} />
      </div>
    );
  const byId = new Map(rows.map((item) => [item.id, item]));
  return (
    <div ref={ref} className="overflow-hidden rounded-10 border border-line bg-surface" style={{ height }}>
      <Virtualizer layout={TableLayout} layoutOptions={layoutOptions}>
        <AriaTable
          aria-label={label}
          {...scrollPlace}
          {...(onSelect && {
            selectionMode: 'multiple' as const,
            selectedKeys: selected ?? [],
            onSelectionChange: onSelect,
          })}
          {...(order && { dragAndDropHooks: order })}
          {...(onSort && { onSortChange: onSort })}
          {...(sort && { sortDescriptor: sort })}
          {...(onOpen && {
            onRowAction: (id) => {
              const item = byId.get(String(id));
              if (item) onOpen(item);
            },
          })}
          className="size-full overflow-auto outline-none"
        >
          <TableHeader className="h-full border-b border-line bg-ground text-12 font-medium text-soft">
            {order && (
              <Column width={HANDLE_WIDTH} minWidth={HANDLE_WIDTH} className={cellLook}>
                <span className="sr-only">{text.ui.order}</span>
              </Column>
            )}
            {onSelect && (
              <Column width={SELECTION_WIDTH} minWidth={SELECTION_WIDTH} className={cx(cellLook, 'pr-0')}>
                <Checkbox slot="selection" aria-label={text.ui.selectAll} />
              </Column>
            )}
            {columns.map((column, index) => (
              <ColumnHeading key={column.id} column={column} isRowHeader={index === 0} />
            ))}
          </TableHeader>
          <TableBody items={rows} dependencies={[columns, rows.length, order === undefined]}>
            {(item) => (
              <Row
                id={item.id}
                textValue={nameOf(item)}
                className={cx(
                  'h-full border-line text-13 transition-colors data-focus-visible:-outline-offset-2 data-dragging:opacity-50 data-hovered:bg-hover data-selected:bg-accent-tint',
                  item !== rows.at(-1) && 'border-b',
                  onOpen && 'cursor-pointer',
                )}
              >
                {order && (
                  <Cell className={cx(cellLook, 'pr-0 pl-1.5')}>
                    <Button
                      slot="drag"
                      aria-describedby={helpId}
                      onFocus={keepFocus}
                      className="grid h-7 w-5 cursor-grab place-items-center rounded-4 text-faint data-hovered:text-ink data-focus-visible:text-ink"
                    >
                      <GripVertical size={16} aria-hidden />
                    </Button>
                  </Cell>
                )}
                {onSelect && (
                  <Cell className={cx(cellLook, 'pr-0')}>
                    <Checkbox slot="selection" aria-label={text.ui.select(nameOf(item))} />
                  </Cell>
                )}
                {columns.map((column, index) => (
                  <Cell
                    key={column.id}
                    className={cx(
                      cellLook,
                      column.align === 'end' && 'justify-end tabular-nums',
                      index === 0 ? 'font-medium text-ink' : 'text-soft',
                    )}
                  >
                    <RowLink href={index === 0 ? hrefOf?.(item) : undefined}>{column.render(item)}</RowLink>
                  </Cell>
                ))}
              </Row>
            )}
          </TableBody>
        </AriaTable>
      </Virtualizer>
      {order && (
        <p id={helpId} hidden>
          {text.ui.orderHelp}
        </p>
      )}
    </div>
  );
}

/**
 * A table that gets the focus passes it to the row that had it last, and Enter would open that row. If a handle gets
 * the focus from outside of the table, as screen readers do, its own row becomes the current row and the handle keeps
 * the focus.
 */
function keepFocus(event: FocusEvent): void {
  const handle = event.currentTarget as HTMLElement;
  if (handle.closest('[role=grid]')?.contains(event.relatedTarget)) return;
  event.stopPropagation();
  handle.closest<HTMLElement>('[role=row]')?.focus();
  // The row takes the focus when the table is painted again.
  requestAnimationFrame(() => handle.focus());
}

function ColumnHeading<Item>({ column, isRowHeader }: { column: TableColumn<Item>; isRowHeader: boolean }) {
  const { id, label, isLabelHidden, width = '1fr', minWidth = MIN_WIDTH, align, canSort = false } = column;
  return (
    <Column
      id={id}
      isRowHeader={isRowHeader}
      allowsSorting={canSort}
      textValue={label}
      width={width}
      minWidth={typeof width === 'number' ? Math.min(width, minWidth) : minWidth}
      className={cx(
        cellLook,
        'gap-1 whitespace-nowrap',
        align === 'end' && 'justify-end',
        canSort && 'data-hovered:text-ink',
      )}
    >
      {({ sortDirection }) => (
        <>
          <span className={cx(isLabelHidden && 'sr-only')}>{label}</span>
          {canSort && (
            <span aria-hidden className={cx('w-3.5', align === 'end' && '-order-1')}>
              {sortDirection === 'ascending' && <ArrowUp size={14} />}
              {sortDirection === 'descending' && <ArrowDown size={14} />}
            </span>
          )}
        </>
      )}
    </Column>
  );
}
