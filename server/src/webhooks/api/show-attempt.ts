import type { WebhookAttemptWithRequest } from '@usher/domain';
import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { getWebhook, type WebhookRow } from '../queries.ts';
import { composeRequest } from '../sending/compose-request.ts';
import { attemptsOf, presentAttempt } from './list-attempts.ts';

/**
 * Shows an attempt with its request. Requests are not stored, because they are full of personal data. The request is
 * built again as of the time of the attempt, without signatures, which only the webhook may get.
 */
export async function showAttempt(ctx: Context, id: string, attemptId: string): Promise<WebhookAttemptWithRequest> {
  const webhook = await getWebhook(ctx, id);
  const attempt = await attemptsOf(ctx, id).where('id', '=', attemptId).executeTakeFirst();
  if (!attempt) throw notFound('attempt');
  const item = await ctx.db
    .selectFrom('outbox')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('webhook_id', '=', id)
    .where('id', '=', attempt.item_id)
    .executeTakeFirst();
  const request = item && (await composeRequest(ctx.app, webhook, item, attempt.at));
  return {
    ...presentAttempt(attempt),
    request: request
      ? { url: webhook.uid, headers: withoutSignatures(request.headers, webhook), body: request.body }
      : null,
  };
}

function withoutSignatures(headers: Record<string, string>, { signature_header }: WebhookRow): Record<string, string> {
  const isSignature = (name: string) => name === signature_header || name.endsWith('-signature');
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !isSignature(name)));
}
