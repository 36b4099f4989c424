import { readMemberKind, startOfInterval, type TriggeredAlert } from '@usher/domain';
import type { AppContext, Context } from '../../../context.ts';
import { anonymous, createContext } from '../../../create-context.ts';
import { forEachAccount } from '../../../db/for-each-account.ts';
import { recordAlert } from '../../../webhooks/events/record-alert.ts';
import type { AlertGroupRow } from '../alert-groups/queries.ts';
import { publishedAlertGroupsOf } from '../alert-groups/queries.ts';
import { findQuiet } from './find-quiet.ts';

/** The item of a large group lists only this many Experiences, and says how many there are. */
const MAX_LISTED = 100;

/** Notifies for the alert groups that are triggered, each at most once in its interval. */
export async function checkAlerts(app: AppContext): Promise<void> {
  await forEachAccount(app.storage, async (accountId) => {
    const ctx = createContext(app, { account: { id: accountId }, actor: anonymous });
    for (const group of await publishedAlertGroupsOf(ctx).execute())
      if (isDue(group, ctx.now())) await checkGroup(ctx, group);
  });
}

function isDue({ last_notified_at, interval_days }: AlertGroupRow, now: number): boolean {
  return last_notified_at === null || last_notified_at <= startOfInterval(interval_days, now);
}

/** Several nodes may check the same group: the node whose update finds the row as it was read sends. */
async function checkGroup(ctx: Context, group: AlertGroupRow): Promise<void> {
  const { count, experiences } = await findQuiet(ctx, group, MAX_LISTED);
  if (count === 0) return;
  const { id, name, style, interval_days: interval } = group;
  const alert: TriggeredAlert = {
    group: { id, name, kind: readMemberKind(group), style, interval },
    experiences,
    experiences_count: count,
  };
  const toSend = await ctx.transaction((ctx) => recordAlert(ctx, alert, () => claim(ctx, group)));
  if (toSend) ctx.app.webhooks.wake(ctx.account.id);
}

/** Returns false if another node has just notified, or if the group was changed or deleted meanwhile. */
async function claim(ctx: Context, { id, updated_at, last_notified_at: before }: AlertGroupRow): Promise<boolean> {
  const claimed = await ctx.db
    .updateTable('alert_groups')
    .set({ last_notified_at: ctx.now() })
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', id)
    .where('updated_at', '=', updated_at)
    .where('last_notified_at', before === null ? 'is' : '=', before)
    .returning('id')
    .executeTakeFirst();
  return claimed !== undefined;
}
