import type { FindProfile } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { countMarks } from '../../results/counts/count-marks.ts';
import { recordAudit } from '../../team/audit/record-audit.ts';
import { getProfile } from './queries.ts';
import { loadTestUserRule } from './test-user-rule.ts';

/** Sets whether a user is a test user. Pages cannot: they could hide what they do from the numbers. */
export function markProfile(
  ctx: Context,
  { test, ...find }: FindProfile & { test: boolean | null },
): Promise<{ id: string; test: boolean | null; is_test: boolean }> {
  return ctx.transaction(async (ctx) => {
    const before = await getProfile(ctx, find, true);
    const isTestUser = await loadTestUserRule(ctx);
    const after = { id: before.id, test, is_test: isTestUser({ ...before, test }) };
    if (before.test === test && before.is_test === after.is_test) return after;
    await countMarks(ctx, before.is_test === after.is_test ? [] : [after], () =>
      ctx.db
        .updateTable('profiles')
        .set({ test, is_test: after.is_test })
        .where('account_id', '=', ctx.account.id)
        .where('id', '=', before.id)
        .execute(),
    );
    // The audit log does not name users, because it stays when a user is forgotten.
    if (before.test !== test) await recordAudit(ctx, 'profile.update', null, { test: [before.test, test] });
    return after;
  });
}
