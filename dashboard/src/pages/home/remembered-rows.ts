import { useEffect } from 'react';
import { useSession } from '../../api/session.ts';
import { useStoredValue } from '../../ui/use-stored-value.ts';

/** How many rows a list had the last time, so that its skeleton has the same size. */
export function useRememberedRows(list: string, rows: number | undefined, first: number): number {
  const { account } = useSession();
  const [stored, store] = useStoredValue(`usher-home-${list}-${account.id}`);
  useEffect(() => {
    if (rows !== undefined && String(rows) !== stored) store(String(rows));
  });
  const known = Number(stored ?? first);
  return Number.isInteger(known) && known >= 0 ? Math.min(known, 20) : first;
}
