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

/** A picture for lists: three rows, the first of them complete. */
export function ListPicture() {
  return (
    <svg width="168" height="92" viewBox="0 0 168 92" fill="none" aria-hidden="true">
      {[0, 30, 60].map((y, index) => (
        <g key={y} opacity={1 - index * 0.32}>
          <rect x="0.5" y={y + 0.5} width="167" height="25" rx="6" className="fill-ground stroke-line" />
          <circle cx="16" cy={y + 13} r="5" className={index === 0 ? 'fill-accent' : 'fill-pressed'} />
          <rect x="30" y={y + 10} width={index === 1 ? 44 : 60} height="6" rx="3" className="fill-pressed" />
          <rect x="128" y={y + 10} width="26" height="6" rx="3" className="fill-pressed" />
        </g>
      ))}
    </svg>
  );
}
