import { dayOf } from '@usher/domain';
import type { Context } from '../../../context.ts';

/** The time zone of the account, in which the days of results begin. */
export async function loadTimeZone(ctx: Context): Promise<string> {
  const query = ctx.db.selectFrom('accounts').select('time_zone').where('id', '=', ctx.account.id);
  return (await query.executeTakeFirstOrThrow()).time_zone;
}

/** Today in the time zone of the account. */
export async function findToday(ctx: Context): Promise<number> {
  return dayOf(ctx.now(), await loadTimeZone(ctx));
}
