import type { Millis } from '../basics/time.ts';
import type { PickState } from './pick.ts';

/** The times of a pick, which say what state it is in. */
export interface PickTimes {
  expires_at: Millis;
  opened_at: Millis | null;
  result_at: Millis | null;
  ended_at: Millis | null;
}

export function pickStateOf({ expires_at, opened_at, result_at, ended_at }: PickTimes, now: Millis): PickState {
  if (ended_at !== null) return 'ended';
  if (expires_at <= now) return 'expired';
  if (result_at !== null) return 'picked';
  return opened_at === null ? 'waiting' : 'opened';
}

/** Whether nothing more can happen to a pick. */
export function isPickOver(state: PickState): boolean {
  return state === 'ended' || state === 'expired';
}
