import type { ReactNode } from 'react';
import { PageHeading } from './page.tsx';

/** A message in the middle of the page: what happened and what to do. */
export function FullPageMessage({
  title,
  children,
  action,
}: {
  title: string;
  children: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="mx-auto flex max-w-md flex-col items-start gap-4 px-4 py-24">
      <div className="flex flex-col gap-1">
        <PageHeading title={title} />
        <p className="text-soft">{children}</p>
      </div>
      {action}
    </div>
  );
}
