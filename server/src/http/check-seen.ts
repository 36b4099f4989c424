import { type Millis, toTimestamp } from '@usher/domain';
import { conflict } from '../errors.ts';

/** Rejects a change by a client that has not seen somebody else's last change of the same record. */
export function checkSeen(seen: Millis | undefined, { updated_at }: { updated_at: Millis }, what: string): void {
  if (seen !== undefined && seen !== updated_at)
    throw conflict(
      `Somebody changed this ${what} at ${toTimestamp(updated_at)}, after you saw it: load it again, then repeat your change`,
    );
}
