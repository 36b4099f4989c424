import { type Millis, toTimestamp } from '@usher/domain';
import type { AppContext } from '../../context.ts';
import { composeItem } from '../events/compose-item.ts';
import type { ItemRow, WebhookRow } from '../queries.ts';
import { activeSecrets, signatureHeaders } from '../secret.ts';

/** Builds the signed request for an item. Returns undefined if there is nothing to send any more. */
export async function composeRequest(
  app: AppContext,
  webhook: WebhookRow,
  item: ItemRow,
  at: Millis,
): Promise<{ headers: Record<string, string>; body: string } | undefined> {
  const account = await app.publishedCache.account(item.account_id);
  const data = await composeItem(app, item);
  if (!account || data === undefined) return undefined;
  const { id, kind } = item;
  const body = `${JSON.stringify({ id, kind, sent_at: toTimestamp(at) }).slice(0, -1)},"data":${data}}`;
  const secrets = activeSecrets(account.visitKey, webhook, at);
  return { headers: { 'user-agent': 'Usher', ...signatureHeaders(secrets, id, at, body) }, body };
}
