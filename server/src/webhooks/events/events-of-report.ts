import { type AppliedReport, listWebhookEvents, type WebhookEvent } from '@usher/domain';
import type { PublishedAccount } from '../../published/published-account.ts';

interface StoredReport extends Omit<AppliedReport, 'experience'> {
  experience_id: string;
  /** The Delivery that the report triggered. */
  deliveryId: string | undefined;
  /** The Responses that the report finished. */
  finishedIds: readonly string[];
}

/** Lists the webhook events of a report that was stored. */
export function eventsOfReport(
  account: PublishedAccount,
  { experience_id: id, ...stored }: StoredReport,
): WebhookEvent[] {
  const kind = account.kindOf(id);
  if (account.webhooks.length === 0 || !kind) return [];
  const experience = { experience_id: id, experience_kind: kind };
  const triggered: WebhookEvent[] =
    stored.deliveryId === undefined
      ? []
      : [{ kind: 'delivery.triggered', payload: { ...experience, delivery_id: stored.deliveryId } }];
  return [
    ...triggered,
    ...listWebhookEvents({ ...stored, experience: { id, kind } }),
    ...stored.finishedIds.map(
      (response_id): WebhookEvent => ({ kind: 'response.finished', payload: { ...experience, response_id } }),
    ),
  ];
}
