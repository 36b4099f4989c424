import { emailKey } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { bumpPublishedVersion } from '../../../published/bump-published-version.ts';

/** Removes the emails of users from the patterns of test users. No other profile has them, so none is marked differently. */
export async function removeFromTestEmails(ctx: Context, users: readonly { email: string | null }[]): Promise<void> {
  const emails = new Set(users.flatMap(({ email }) => (email === null ? [] : emailKey(email))));
  const query = ctx.db.selectFrom('accounts').select('test_emails').where('id', '=', ctx.account.id);
  const isNamed = (pattern: string) => emails.has(emailKey(pattern));
  if (!(await query.executeTakeFirst())?.test_emails.some(isNamed)) return;
  // Every transaction that locks the row of the account takes the clock first.
  await ctx.clock();
  const { test_emails } = await ctx.dialect.lockRows(query).executeTakeFirstOrThrow();
  await ctx.db
    .updateTable('accounts')
    .set({ test_emails: JSON.stringify(test_emails.filter((pattern) => !isNamed(pattern))) })
    .where('id', '=', ctx.account.id)
    .execute();
  await bumpPublishedVersion(ctx);
}
