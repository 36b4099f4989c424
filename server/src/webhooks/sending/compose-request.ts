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
  const signed = signatureHeaders(secrets, id, at, body);
  return { headers: { 'user-agent': 'Usher', ...signed, ...furtherHeaders(webhook, signed) }, body };
}

/** Repeats the ID and the signature under the names that a receiver of another service reads. */
function furtherHeaders(
  { id_header, signature_header }: WebhookRow,
  signed: ReturnType<typeof signatureHeaders>,
): Record<string, string> {
  return {
    ...(id_header !== null && { [id_header]: signed['x-usher-id'] }),
    ...(signature_header !== null && { [signature_header]: signed['x-usher-signature'] }),
  };
}
