import { type ReactNode, useId } from 'react';
import { ErrorNotice } from '../../app/error-notice.tsx';
import * as text from '../../messages/text.ts';
import { cx } from '../../ui/cx.ts';
import { Skeleton } from '../../ui/skeleton.tsx';

interface PanelProps {
  title: string;
  /** Content beside the title: a period, a number, a quiet button. */
  aside?: ReactNode;
  error?: unknown;
  className?: string;
  children: ReactNode;
}

/** A part of Home with its heading. */
export function Panel({ title, aside, error, className, children }: PanelProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className={cx('@container flex min-w-0 flex-col rounded-10 border border-line bg-surface', className)}
    >
      <div className="flex min-h-12 flex-wrap items-center justify-between gap-x-4 px-5 pt-2">
        <h2 id={id} className="text-14 font-semibold">
          {title}
        </h2>
        {aside !== undefined && <div className="text-13 text-soft">{aside}</div>}
      </div>
      {error ? (
        <div className="px-5 pt-1 pb-5">
          <ErrorNotice error={error} />
        </div>
      ) : (
        children
      )}
    </section>
  );
}

/** Skeleton rows of the final size. */
export function RowSkeletons({ label, rows, height }: { label: string; rows: number; height: number }) {
  return (
    <div role="status" aria-label={text.ui.loading(label)} className="px-5 pb-2">
      {Array.from({ length: rows }, (_, at) => at).map((at) => (
        <div key={at} className="flex items-center gap-3" style={{ height }}>
          <Skeleton width={28} height={28} />
          <div className="flex flex-1 flex-col gap-2">
            <Skeleton width={`${56 - (at % 3) * 8}%`} />
            <Skeleton width="28%" height={8} />
          </div>
        </div>
      ))}
    </div>
  );
}

/** A panel without content. It is unobtrusive, because having nothing to show is often good. */
export function PanelEmpty({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) {
  return (
    <div className="flex items-start gap-3 px-5 pt-1 pb-5">
      <span aria-hidden className="grid size-7 shrink-0 place-items-center rounded-6 bg-hover text-faint">
        {icon}
      </span>
      <div className="flex min-w-0 flex-col gap-0.5">
        <p className="pt-1 font-medium">{title}</p>
        <p className="text-13 text-soft">{children}</p>
      </div>
    </div>
  );
}
