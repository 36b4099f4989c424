import type { ReactNode } from 'react';

/** Two lines in a row, such as a name and an email. */
export function TwoLines({ first, second }: { first: ReactNode; second: ReactNode }) {
  return (
    <span className="flex min-w-0 flex-col">
      <span className="flex min-w-0 items-center gap-2">{first}</span>
      <span className="truncate text-12 font-normal text-soft">{second}</span>
    </span>
  );
}
