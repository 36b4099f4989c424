import type { ReactNode } from 'react';
import { formatPercent } from '../../messages/format.ts';
import { CompactNumber } from '../compact-number.tsx';
import { cx } from '../cx.ts';
import { fills, type SeriesLook } from './series.tsx';

interface BarRow {
  id: string;
  label: ReactNode;
  count: number;
  /** The count as it is shown, such as a link. */
  shownCount?: ReactNode;
  /** A share beside the count, from 0 to 1. The bar has the same length. */
  share?: number | undefined;
  /** A sentence under the bar. */
  note?: string | undefined;
  look?: SeriesLook;
}

interface BarTableProps {
  label: string;
  /** Headings of the columns. */
  columns: { label: string; count: string; share?: string };
  rows: readonly BarRow[];
  isCompact?: boolean;
}

/** Horizontal bars from 0: a distribution, or a funnel. It is a table, so everybody gets the same numbers. */
export function BarTable({ label, columns, rows, isCompact = false }: BarTableProps) {
  // Without shares, the largest count is a full bar.
  const full = Math.max(1, ...rows.map(({ count }) => count));
  return (
    <table aria-label={label} className="relative w-full table-fixed border-collapse text-13">
      <colgroup>
        <col />
        <col className="w-14" />
        {columns.share !== undefined && <col className="w-16" />}
      </colgroup>
      <thead className="sr-only">
        <tr>
          <th scope="col">{columns.label}</th>
          <th scope="col">{columns.count}</th>
          {columns.share !== undefined && <th scope="col">{columns.share}</th>}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, label, count, shownCount, share, note, look = 1 }) => (
          <tr key={id} className="align-top">
            <th scope="row" className={cx('pr-4 text-left font-normal', isCompact ? 'py-1' : 'py-2')}>
              <span className="line-clamp-2 text-14">{label}</span>
              <Bar share={share ?? count / full} look={look} isThin={isCompact} />
              {note !== undefined && <span className="text-12 text-soft">{note}</span>}
            </th>
            <td className={cx('text-right text-14 tabular-nums', isCompact ? 'py-1' : 'py-2')}>
              {shownCount ?? <CompactNumber value={count} />}
            </td>
            {columns.share !== undefined && (
              <td className={cx('text-right text-14 text-soft tabular-nums', isCompact ? 'py-1' : 'py-2')}>
                {share === undefined ? '' : formatPercent(share)}
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Bar({ share, look, isThin }: { share: number; look: SeriesLook; isThin: boolean }) {
  const height = isThin ? 6 : 10;
  return (
    <svg aria-hidden="true" width="100%" height={height} className="my-1 block overflow-hidden rounded-4">
      <rect width="100%" height={height} className="fill-hover forced-colors:fill-[Canvas]" />
      <rect width={`${Math.min(1, share) * 100}%`} height={height} className={fills[look]} />
    </svg>
  );
}
