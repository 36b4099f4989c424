import { createTestUserRule, type TestUserRule } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { PreparedStatement } from '../../../db/prepared-statement.ts';

const testEmailsOf = new PreparedStatement<{ test_emails: string[] | null }>(
  'select test_emails from accounts where id = :account',
);

/** The rule for test users of the account, in its current version. */
export async function loadTestUserRule(ctx: Context): Promise<TestUserRule> {
  const row = await ctx.find(testEmailsOf, {});
  return createTestUserRule(row?.test_emails ?? []);
}
