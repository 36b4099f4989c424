import { toTimestampOrNull } from '@usher/domain';
import type { World } from '../../context.ts';
import { Refusal } from '../../errors.ts';

/** From the commit on, no request passes with this secret. Revoking again keeps the first time. */
export async function revokeSecret(world: World, id: string): Promise<{ id: string; revoked_at: string | null }> {
  return world.storage.write(null, async (db) => {
    const now = world.now();
    await db
      .updateTable('secrets')
      .set({ revoked_at: now, updated_at: now })
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .execute();
    const row = await db.selectFrom('secrets').select(['id', 'revoked_at']).where('id', '=', id).executeTakeFirst();
    if (!row) throw new Refusal(404, ['There is no secret with this ID: `usher token list` shows them']);
    return { id: row.id, revoked_at: toTimestampOrNull(row.revoked_at) };
  });
}
