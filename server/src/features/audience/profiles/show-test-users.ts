import { OutputObject } from '@usher/domain';
import { sql } from 'kysely';
import Type, { type Static } from 'typebox';
import type { Context } from '../../../context.ts';
import { loadNamedProfiles, NamedProfile } from './named-profiles.ts';

const SAMPLE_SIZE = 5;

export const TestUsers = OutputObject({
  count: Type.Integer(),
  /** The newest test users. */
  sample: Type.Array(NamedProfile),
  /** Whether users are still being marked after a change of `test_emails`: the count is not yet right. */
  marking: Type.Boolean(),
});
type TestUsers = Static<typeof TestUsers>;

/** Both queries read an index that has only test users. */
export async function showTestUsers(ctx: Context): Promise<TestUsers> {
  // This is read before the count: if all users are marked now, the count is right.
  const account = await ctx.db
    .selectFrom('accounts')
    .select(['test_emails_changed_at as changed', 'test_emails_marked_at as marked'])
    .where('id', '=', ctx.account.id)
    .executeTakeFirstOrThrow();
  const testUsers = ctx.heavyDb
    .selectFrom('profiles')
    .where('account_id', '=', ctx.account.id)
    .where(sql<boolean>`is_test`);
  const { count } = await testUsers.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  const newest = await testUsers.select('id').orderBy('id', 'desc').limit(SAMPLE_SIZE).execute();
  const ids = newest.map(({ id }) => id);
  const profiles = await loadNamedProfiles(ctx, ids);
  return {
    count: Number(count),
    sample: ids.flatMap((id) => profiles.get(id) ?? []),
    marking: account.changed !== null && account.changed !== account.marked,
  };
}
