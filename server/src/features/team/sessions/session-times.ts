import { CONFIRMATION_MS, type Millis, SESSION_IDLE_MS, SESSION_MAX_MS, timeOfId } from '@usher/domain';
import type { SessionRow } from './queries.ts';

/** When a session ends if it is not used any more. */
export function expiresAt({ id, last_used_at }: Pick<SessionRow, 'id' | 'last_used_at'>): Millis {
  return Math.min(timeOfId(id) + SESSION_MAX_MS, last_used_at + SESSION_IDLE_MS);
}

/** The time until which the password need not be given again. */
export function confirmedUntil({ confirmed_at }: Pick<SessionRow, 'confirmed_at'>): Millis {
  return confirmed_at === null ? 0 : confirmed_at + CONFIRMATION_MS;
}
