import { isBeforeStart, isExpired } from '@usher/domain';
import type { ResponseOf } from '../api/api.ts';

export type NamedDelivery = ResponseOf<'GET /v3/analyze/deliveries'>['deliveries'][number];
export type DeliveryState = 'pending' | 'scheduled' | 'expired' | 'not_live' | 'shown' | 'removed';

type DeliveryTimes = Pick<NamedDelivery, 'at' | 'from' | 'until' | 'removed_at' | 'experience'>;

/** The state of a Delivery: what happened to it, or what it waits for. */
export function stateOf({ at, from, until, removed_at, experience }: DeliveryTimes, now: number): DeliveryState {
  if (removed_at !== null) return 'removed';
  if (at !== null) return 'shown';
  if (isExpired(toMillis(until), now)) return 'expired';
  if (!experience?.is_live) return 'not_live';
  return isBeforeStart(toMillis(from), now) ? 'scheduled' : 'pending';
}

const toMillis = (time: string | null) => (time === null ? null : Date.parse(time));
