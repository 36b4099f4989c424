import { toTimestampOrNull } from '@usher/domain';
import type { AppContext } from '../../../context.ts';
import { createContext } from '../../../create-context.ts';
import { ApiError } from '../../../errors.ts';
import { deleteSecret } from './delete-secret.ts';

/** From the command line: revokes a secret of any account. Revoking it again keeps the first time. */
export async function revokeSecret(
  app: AppContext,
  id: string,
  keepChildren = false,
): Promise<{ id: string; revoked_at: string | null }> {
  const secrets = app.storage.reader(null).selectFrom('secrets').select(['account_id', 'revoked_at']);
  const find = () => secrets.where('id', '=', id).executeTakeFirst();
  const row = await find();
  if (!row) throw new ApiError(404, ['There is no secret with this ID: `usher token list` shows them']);
  const ctx = createContext(app, { account: { id: row.account_id }, actor: { id: '', role: 'owner' } });
  if (row.revoked_at === null) await deleteSecret(ctx, id, keepChildren);
  return { id, revoked_at: toTimestampOrNull((await find())?.revoked_at ?? null) };
}
