import type { AppContext } from '../../../context.ts';
import { hasPassword, insertLink } from './queries.ts';

/**
 * Creates a link for the first sign-in, as the owner of the oldest account. Returns undefined if somebody has a password:
 * then `usher admin reset-link` helps a person who has lost their password. Earlier links keep working, because other nodes
 * may have printed them, until one of them is used.
 */
export async function createSetupLink(app: AppContext): Promise<string | undefined> {
  return app.storage.write(null, async (db) => {
    if (await hasPassword(db)) return undefined;
    const owner = await db
      .selectFrom('admins')
      .select(['account_id', 'person_id'])
      .where('role', '=', 'owner')
      .where('removed_at', 'is', null)
      .orderBy('account_id')
      .orderBy('id')
      .executeTakeFirst();
    if (!owner) return undefined;
    const { token } = await insertLink(app, db, { kind: 'setup', ...owner });
    return token;
  });
}
