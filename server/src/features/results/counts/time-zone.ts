import { dayOf } from '@usher/domain';
import { type RawBuilder, sql } from 'kysely';
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

/** Later than every day, and before `next_day` of an answer that is the last one. */
export const END_OF_DAYS = 2 ** 31 - 2;

/**
 * The day on which a row is shown. Where the time zone was moved west, rows of some hours lie after the last day, which is today, and are
 * shown there. Such rows of users who did the same on the last day are left out with `previous_day < shownDay(last)`.
 */
export function shownDay(last: number): RawBuilder<number> {
  return sql`case when day > ${sql.lit(last)} then ${sql.lit(last)} else day end`;
}
