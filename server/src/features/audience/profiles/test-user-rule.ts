import { createTestUserRule, type TestUserRule } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { PreparedQuery } from '../../../db/prepared-query.ts';

const testEmailsOf = new PreparedQuery((db, account) =>
  db.selectFrom('accounts').select('test_emails').where('id', '=', account),
);

/** The rule for test users of the account, in its current version. */
export async function loadTestUserRule(ctx: Context): Promise<TestUserRule> {
  const row = await ctx.find(testEmailsOf, {});
  return createTestUserRule(row?.test_emails ?? []);
}
