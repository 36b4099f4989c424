import type { AppContext, Context } from '../../../context.ts';
import { anonymous, createContext } from '../../../create-context.ts';
import { MAX_TRACES } from '../../../db/storage.ts';
import { lockImports } from '../import-files/import-rows.ts';
import { type DeletionEntry, hashProfileId } from './deletion-log.ts';
import { findTraces } from './find-traces.ts';
import { forgetProfiles } from './forget-profiles.ts';

const PROFILES_PER_READ = 5000;

/**
 * Forgets the profiles of these entries that exist, as in a database that was restored from an older backup. Each keeps the
 * ID of its Deletion. Returns how many there were.
 */
export async function applyDeletions(app: AppContext, entries: readonly DeletionEntry[]): Promise<number> {
  const accounts = await app.storage.reader(null).selectFrom('accounts').select('id').execute();
  const traces = new Set<string>();
  let forgotten = 0;
  for (const { id } of accounts) {
    const own = entries.filter(({ account_id }) => account_id === id);
    const ids = new Map(own.map(({ profile_hash, deletion_id }) => [profile_hash, deletion_id]));
    if (ids.size > 0) forgotten += await applyInAccount(app, id, ids, traces);
  }
  // This runs once for all profiles, because it reads the whole database file.
  if (forgotten > 0) await app.storage.shred([...traces]);
  return forgotten;
}

async function applyInAccount(
  app: AppContext,
  accountId: string,
  deletionIds: ReadonlyMap<string, string>,
  allTraces: Set<string>,
): Promise<number> {
  const ctx = createContext(app, { account: { id: accountId }, actor: anonymous });
  let forgotten = 0;
  for (let after = ''; ; ) {
    const rows = await ctx.db
      .selectFrom('profiles')
      .select('id')
      .where('account_id', '=', accountId)
      .where('id', '>', after)
      .orderBy('id')
      .limit(PROFILES_PER_READ)
      .execute();
    for (const { id } of rows) {
      const deletionId = deletionIds.get(hashProfileId(accountId, id));
      const traces = deletionId === undefined ? undefined : await forgetAgain(ctx, id, deletionId);
      if (!traces) continue;
      forgotten += 1;
      for (const trace of allTraces.size > MAX_TRACES ? [] : traces) allTraces.add(trace);
    }
    const last = rows.at(-1);
    if (!last) return forgotten;
    after = last.id;
  }
}

/** Returns the texts by which copies of the profile are found, or undefined if it is gone already. */
function forgetAgain(ctx: Context, id: string, deletionId: string): Promise<string[] | undefined> {
  return ctx.transaction(
    async (ctx) => {
      await lockImports(ctx);
      const query = ctx.db
        .selectFrom('profiles')
        .select(['account_id', 'id', 'uid', 'email', 'custom'])
        .where('account_id', '=', ctx.account.id)
        .where('id', '=', id);
      const row = await ctx.dialect.lockRows(query).executeTakeFirst();
      if (!row) return undefined;
      await forgetProfiles(ctx, [row], [deletionId]);
      return findTraces(row);
    },
    { isLong: true },
  );
}
