import type { ReactNode } from 'react';

interface EmptyStateProps {
  /** A small picture of the list when it has rows. */
  picture?: ReactNode;
  title: string;
  /** One sentence. */
  children?: ReactNode;
  /** One button. */
  action?: ReactNode;
}

/** Says what will be here, and what to do for it. */
export function EmptyState({ picture, title, children, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-4 rounded-10 border border-dashed border-line bg-surface px-6 py-10 text-center">
      {picture !== undefined && (
        <div aria-hidden className="text-faint">
          {picture}
        </div>
      )}
      <div className="flex max-w-md flex-col gap-1">
        <p className="text-14 font-medium">{title}</p>
        {children !== undefined && <p className="text-14 text-soft">{children}</p>}
      </div>
      {action}
    </div>
  );
}
