import { type Happening, type Tidings, tidingsOf } from '@usher/domain';
import type { LiveAccount } from '../../published/published-cache.ts';

interface Stored extends Omit<Happening, 'experience'> {
  experience_id: string;
  /** The Delivery that it has triggered. */
  deliveryId: string | undefined;
  /** The Responses that it has finished. */
  finishedIds: readonly string[];
}

/** What webhooks are told of a report, after it was stored. */
export function tidingsOfReport(account: LiveAccount, { experience_id: id, ...stored }: Stored): Tidings[] {
  const kind = account.kindOf(id);
  if (account.webhooks.length === 0 || !kind) return [];
  const about = { experience_id: id, experience_kind: kind };
  const triggered: Tidings[] =
    stored.deliveryId === undefined
      ? []
      : [{ kind: 'delivery.triggered', told: { ...about, delivery_id: stored.deliveryId } }];
  return [
    ...triggered,
    ...tidingsOf({ ...stored, experience: { id, kind } }),
    ...stored.finishedIds.map(
      (response_id): Tidings => ({ kind: 'response.finished', told: { ...about, response_id } }),
    ),
  ];
}
