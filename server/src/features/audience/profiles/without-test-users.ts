import { type RawBuilder, type SqlBool, sql } from 'kysely';

/**
 * A condition for every query that counts: the profile is not a test user. It is evaluated when the numbers are read, so it
 * also holds for what a test user did before it was marked. The subquery reads an index that has only test users.
 */
export function withoutTestUsers(accountId: string, profileId = 'profile_id'): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(profileId)} not in (select id from profiles where account_id = ${accountId} and is_test)`;
}
