import { Id, Nullable, nameOf, OutputObject } from '@usher/domain';
import Type, { type Static } from 'typebox';
import type { Context } from '../../../context.ts';

/** What a person needs to recognize a user. */
export const NamedProfile = OutputObject({
  id: Id,
  uid: Type.String(),
  email: Nullable(Type.String()),
  name: Nullable(Type.String()),
  /** Whether it is a test user, whom no number counts. */
  test: Type.Boolean(),
});
export type NamedProfile = Static<typeof NamedProfile>;

/** For more IDs, PostgreSQL without statistics reads the whole account. */
const PROFILES_PER_QUERY = 50;

export async function loadNamedProfiles(ctx: Context, ids: readonly string[]): Promise<Map<string, NamedProfile>> {
  const wanted = [...new Set(ids)];
  const profiles = new Map<string, NamedProfile>();
  for (let start = 0; start < wanted.length; start += PROFILES_PER_QUERY) {
    const rows = await ctx.db
      .selectFrom('profiles')
      .select(['id', 'uid', 'email', 'custom', 'is_test'])
      .where('account_id', '=', ctx.account.id)
      .where('id', 'in', wanted.slice(start, start + PROFILES_PER_QUERY))
      .execute();
    for (const { custom, is_test, ...row } of rows)
      profiles.set(row.id, { ...row, name: nameOf(custom), test: is_test });
  }
  return profiles;
}
