// biome-ignore-all lint/a11y/useSemanticElements: rows of a table cannot be positioned, and those of a grid can
// biome-ignore-all lint/a11y/useFocusableInteractive: the row below the headings has the focus, and stays in the page
import { useMemo } from 'react';
import { useLocation } from 'wouter';
import { cx } from './cx.ts';
import { fitColumns, MIN_WIDTH } from './fit-columns.ts';
import { RowLink } from './row-link.tsx';
import { Skeleton } from './skeleton.tsx';
import type { TableColumn } from './table.tsx';
import { BORDERS, cellLook, HEADING_HEIGHT, MAX_VISIBLE_ROWS, ROW_HEIGHT, TWO_LINES_HEIGHT } from './table-look.ts';
import { skeletonWidths } from './table-skeleton.tsx';
import { useLongTable } from './use-long-table.ts';
import { useWidth } from './use-width.ts';

interface LongTableProps<Item> {
  label: string;
  /** The first column names the row, and is the link to `hrefOf`. */
  columns: readonly TableColumn<Item>[];
  /** How many rows are known. More can be added at the end. */
  rowCount: number;
  /** How many rows at the end are still loading. */
  loadingRows?: number;
  /** Whether there may be more rows than are known. */
  hasMore: boolean;
  /** Returns the item of a row, or undefined while it is loading. */
  itemAt: (index: number) => Item | undefined;
  /** Is called with the range of visible rows, to load them. */
  onRange: (first: number, last: number) => void;
  hrefOf: (item: Item) => string;
  /** Names the list. When it is opened again, it is scrolled to where it was left. */
  placeKey?: string;
  hasTwoLines?: boolean;
  /** Whether the rows are outdated and new rows are loading. */
  isBusy?: boolean;
}

/**
 * A table of any length. Unlike `Table` it needs no list of its rows: it knows their number, and reads the visible rows only, so that
 * a million rows cost no more than twenty. Arrow keys, Page up and down, Home and End move, Enter opens.
 */
export function LongTable<Item>(props: LongTableProps<Item>) {
  const { label, rowCount, loadingRows = 0, hasMore, itemAt, hrefOf, onRange, placeKey, isBusy = false } = props;
  const [, navigate] = useLocation();
  const [ref, width] = useWidth();
  const columns = useMemo(() => fitColumns(props.columns, width && width - BORDERS), [props.columns, width]);
  const rowHeight = props.hasTwoLines ? TWO_LINES_HEIGHT : ROW_HEIGHT;
  const total = rowCount + loadingRows;
  const open = (index: number) => {
    const item = itemAt(index);
    if (item !== undefined) navigate(hrefOf(item));
  };
  const table = useLongTable({ total, rowHeight, placeKey, onRange, onOpen: open });
  const gridTemplateColumns = columns.map(templateOf).join(' ');
  return (
    <div
      ref={ref}
      className={cx(
        'overflow-hidden rounded-10 border border-line bg-surface transition-opacity',
        isBusy && 'opacity-60',
      )}
      style={{ height: HEADING_HEIGHT + Math.min(total, MAX_VISIBLE_ROWS) * rowHeight + BORDERS }}
    >
      <div
        role="grid"
        aria-label={label}
        aria-rowcount={hasMore ? -1 : rowCount + 1}
        aria-busy={isBusy || loadingRows > 0}
        {...table.gridProps}
        className="relative size-full overflow-auto outline-none"
      >
        <div role="rowgroup" className="sticky top-0 z-1">
          <div
            role="row"
            aria-rowindex={1}
            className="grid items-center border-b border-line bg-ground text-12 font-medium text-soft"
            style={{ height: HEADING_HEIGHT, gridTemplateColumns }}
          >
            {columns.map((column) => (
              <span
                key={column.id}
                role="columnheader"
                className={cx(cellLook, 'min-w-0', column.align === 'end' && 'justify-end')}
              >
                <span className={cx('truncate', column.isLabelHidden && 'sr-only')}>{column.label}</span>
              </span>
            ))}
          </div>
        </div>
        <div role="rowgroup" className="relative" style={{ height: total * rowHeight }}>
          {table.visible.map((index) => {
            const item = itemAt(index);
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles the keys of all rows
              <div
                key={index}
                role="row"
                aria-rowindex={index + 2}
                data-index={index}
                tabIndex={index === table.current ? 0 : -1}
                {...(item !== undefined && { 'data-href': hrefOf(item) })}
                onClick={() => open(index)}
                className={cx(
                  'absolute inset-x-0 grid border-line text-13 transition-colors hover:bg-hover focus-visible:-outline-offset-2',
                  index < total - 1 && 'border-b',
                  item !== undefined && 'cursor-pointer',
                )}
                style={{ top: index * rowHeight, height: rowHeight, gridTemplateColumns }}
              >
                {columns.map((column, position) => (
                  <span
                    key={column.id}
                    role={position === 0 ? 'rowheader' : 'gridcell'}
                    className={cx(
                      cellLook,
                      'min-w-0',
                      column.align === 'end' && 'justify-end tabular-nums',
                      position === 0 ? 'font-medium text-ink' : 'text-soft',
                    )}
                  >
                    {item === undefined ? (
                      <Skeleton width={`${skeletonWidths[(index + position) % skeletonWidths.length]}%`} />
                    ) : (
                      <RowLink href={position === 0 ? hrefOf(item) : undefined}>{column.render(item)}</RowLink>
                    )}
                  </span>
                ))}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

function templateOf({ width = '1fr', minWidth = MIN_WIDTH }: TableColumn<never>): string {
  return typeof width === 'number' ? `${width}px` : `minmax(${minWidth}px, ${width})`;
}
