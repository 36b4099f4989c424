import { type AppliedReport, listWebhookEvents, type WebhookEvent } from '@usher/domain';
import type { PublishedAccount } from '../../published/published-cache.ts';

interface Stored extends Omit<AppliedReport, 'experience'> {
  experience_id: string;
  /** The Delivery that it has triggered. */
  deliveryId: string | undefined;
  /** The Responses that it has finished. */
  finishedIds: readonly string[];
}

/** What webhooks are told of a report, after it was stored. */
export function eventsOfReport(account: PublishedAccount, { experience_id: id, ...stored }: Stored): WebhookEvent[] {
  const kind = account.kindOf(id);
  if (account.webhooks.length === 0 || !kind) return [];
  const about = { experience_id: id, experience_kind: kind };
  const triggered: WebhookEvent[] =
    stored.deliveryId === undefined
      ? []
      : [{ kind: 'delivery.triggered', payload: { ...about, delivery_id: stored.deliveryId } }];
  return [
    ...triggered,
    ...listWebhookEvents({ ...stored, experience: { id, kind } }),
    ...stored.finishedIds.map(
      (response_id): WebhookEvent => ({ kind: 'response.finished', payload: { ...about, response_id } }),
    ),
  ];
}
