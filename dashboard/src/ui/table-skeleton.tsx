import * as text from '../messages/text.ts';
import { cx } from './cx.ts';
import { Skeleton } from './skeleton.tsx';
import type { TableColumn } from './table.tsx';
import { HEADING_HEIGHT } from './table-look.ts';

/** Widths that look like text, the same at each load so that nothing flickers. */
export const skeletonWidths = [62, 44, 71, 53, 38];

/** Rows in their final size, while the real ones load. */
export function TableSkeleton<Item>({
  label,
  columns,
  rows,
  rowHeight,
  height,
}: {
  label: string;
  columns: readonly TableColumn<Item>[];
  rows: number;
  rowHeight: number;
  height: number;
}) {
  const gridTemplateColumns = columns
    .map(({ width = '1fr' }) => (typeof width === 'number' ? `${width}px` : width))
    .join(' ');
  return (
    <div
      role="status"
      aria-label={text.ui.loading(label)}
      className="overflow-hidden rounded-10 border border-line bg-surface"
      style={{ height }}
    >
      <div
        className="grid items-center border-b border-line bg-ground text-12 font-medium text-soft"
        style={{ height: HEADING_HEIGHT, gridTemplateColumns }}
      >
        {columns.map(({ id, label, isLabelHidden }) => (
          <span key={id} className={cx('truncate px-3', isLabelHidden && 'invisible')}>
            {label}
          </span>
        ))}
      </div>
      {[...Array(rows).keys()].map((row) => (
        <div
          key={row}
          className="grid items-center border-line not-last:border-b"
          style={{ height: rowHeight, gridTemplateColumns }}
        >
          {columns.map(({ id }, column) => (
            <span key={id} className="px-3">
              <Skeleton width={`${skeletonWidths[(row + column) % skeletonWidths.length]}%`} />
            </span>
          ))}
        </div>
      ))}
    </div>
  );
}
