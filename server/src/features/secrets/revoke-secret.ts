import { toTimestampOrNull } from '@usher/domain';
import type { AppContext } from '../../context.ts';
import { ApiError } from '../../errors.ts';

/** After the commit, every request with this secret is rejected. Revoking it again keeps the first time. */
export async function revokeSecret(app: AppContext, id: string): Promise<{ id: string; revoked_at: string | null }> {
  return app.storage.write(null, async (db) => {
    const now = app.now();
    await db
      .updateTable('secrets')
      .set({ revoked_at: now, updated_at: now })
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .execute();
    const row = await db.selectFrom('secrets').select(['id', 'revoked_at']).where('id', '=', id).executeTakeFirst();
    if (!row) throw new ApiError(404, ['There is no secret with this ID: `usher token list` shows them']);
    return { id: row.id, revoked_at: toTimestampOrNull(row.revoked_at) };
  });
}
