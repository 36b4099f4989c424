import { asksFor, type Happening, type Tidings, tidingsOf } from '@usher/domain';
import type { Context } from '../../context.ts';
import type { LiveAccount } from '../../live/live.ts';
import { answersOf } from './queries.ts';

interface Stored extends Omit<Happening, 'experience'> {
  whose: { profile_id: string; experience_id: string };
  /** The Delivery that it has triggered. */
  deliveryId: string | undefined;
  /** The answer that it has given or changed. */
  answerId: string | undefined;
}

/** What webhooks are told of a report, after it was stored. Where nobody asks, nothing is looked up. */
export async function tidingsOfReport(ctx: Context, account: LiveAccount, stored: Stored): Promise<Tidings[]> {
  const { experience_id: id } = stored.whose;
  const kind = account.kindOf(id);
  if (account.webhooks.length === 0 || !kind) return [];
  const about = { experience_id: id, experience_kind: kind };
  const triggered: Tidings[] =
    stored.deliveryId === undefined
      ? []
      : [{ kind: 'delivery.triggered', told: { ...about, delivery_id: stored.deliveryId } }];
  const finished: Tidings = { kind: 'response.finished', told: about };
  const answers = account.webhooks.some((webhook) => asksFor(webhook, finished)) ? await finishedBy(ctx, stored) : [];
  return [
    ...triggered,
    ...tidingsOf({ ...stored, experience: { id, kind } }),
    ...answers.map((response_id): Tidings => ({ ...finished, told: { ...about, response_id } })),
  ];
}

/** The answers of a showing are finished with its end; one that comes after it, at once. */
async function finishedBy(ctx: Context, { whose, outcome, answerId }: Stored): Promise<string[]> {
  const { showing_from, state } = outcome.after;
  if (outcome.done.some(({ what }) => what === 'completed' || what === 'exited'))
    return answersOf(ctx, { ...whose, showing_from });
  return answerId !== undefined && (state === 'completed' || state === 'exited') ? [answerId] : [];
}
