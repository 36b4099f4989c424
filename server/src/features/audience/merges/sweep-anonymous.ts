import { AFTER_ANONYMOUS, ANONYMOUS_PREFIX, anonymousCutoff, type Millis } from '@usher/domain';
import { type ExpressionBuilder, sql } from 'kysely';
import type { AppContext, Context } from '../../../context.ts';
import { anonymous, createContext } from '../../../create-context.ts';
import { forEachAccount } from '../../../db/for-each-account.ts';
import type { Schema } from '../../../db/schema.ts';
import { MAX_VISIT_MS } from '../../../pages/visit-token.ts';
import { deleteProfiles } from '../deletions/forget-profiles.ts';
import { lockImports } from '../import-files/import-rows.ts';

/** So few that others wait for a short time only. */
const PROFILES_PER_WRITE = 20;

/**
 * Deletes anonymous profiles that were not seen for as many days as the account says, and what is kept of merged ones after the last page
 * that could report for them. The index of uids finds both without reading other profiles.
 */
export async function sweepAnonymous(app: AppContext): Promise<void> {
  await forEachAccount(app.storage, async (id) => {
    const ctx = createContext(app, { account: { id }, actor: anonymous });
    const account = ctx.db.selectFrom('accounts').select('anonymous_days').where('id', '=', id);
    const { anonymous_days } = await account.executeTakeFirstOrThrow();
    const end = anonymousCutoff(anonymous_days, app.now());
    for (let after: string | undefined = ANONYMOUS_PREFIX; after !== undefined; )
      after = await deleteSome(ctx, after, end);
    await ctx.transaction(async (ctx) => {
      const old = ctx.db
        .deleteFrom('merged_profiles')
        .where('account_id', '=', id)
        .where('at', '<', app.now() - MAX_VISIT_MS);
      await (app.exports.isScheduled ? old.where(isExported(id)) : old).execute();
    });
  });
}

/** A warehouse needs to know who signed in, so these rows are kept until a file has them. */
function isExported(accountId: string) {
  return ({ exists, selectFrom }: ExpressionBuilder<Schema, 'merged_profiles'>) =>
    exists(
      selectFrom('export_files')
        .select('export_files.number')
        .where('export_files.account_id', '=', accountId)
        .whereRef('export_files.number', '=', 'merged_profiles.exported_in')
        .where('export_files.written_at', 'is not', null),
    );
}

/** Returns the last uid, or undefined if there are no more. */
async function deleteSome(ctx: Context, after: string, end: Millis): Promise<string | undefined> {
  const old = await selectOld(ctx, end).where('uid', '>', after).orderBy('uid').limit(PROFILES_PER_WRITE).execute();
  const last = old.at(-1);
  if (!last) return undefined;
  const ids = old.map(({ id }) => id);
  await ctx.transaction(
    async (ctx) => {
      await lockImports(ctx);
      // Some may have been seen, or have signed in, before they were locked.
      const rows = await ctx.dialect.lockRows(selectOld(ctx, end).where('id', 'in', ids).orderBy('id')).execute();
      if (rows.length > 0) await deleteProfiles(ctx, rows);
    },
    { isLong: true },
  );
  return last.uid;
}

function selectOld(ctx: Context, end: Millis) {
  return (
    ctx.db
      .selectFrom('profiles')
      .select(['id', 'uid', 'email'])
      .where('account_id', '=', ctx.account.id)
      .where('uid', '>=', ANONYMOUS_PREFIX)
      .where('uid', '<', AFTER_ANONYMOUS)
      .where(sql<number>`coalesce(last_seen_at, updated_at)`, '<', end)
      // What somebody answered on the public page of a survey is kept like the answer of a user.
      .where(({ exists, not, selectFrom }) =>
        not(
          exists(
            selectFrom('responses')
              .select('responses.id')
              .where('responses.account_id', '=', ctx.account.id)
              .whereRef('responses.profile_id', '=', 'profiles.id')
              .where('responses.link_id', 'is not', null),
          ),
        ),
      )
  );
}
