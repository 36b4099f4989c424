import {
  dayOf,
  type Interruptions,
  interruptionMeasures,
  measureInterruptions,
  recordOf,
  toDate,
  weekOf,
} from '@usher/domain';
import type { Context } from '../../../context.ts';
import { countAllProfiles } from '../../audience/counts/count-all-profiles.ts';
import { countTestUsers } from '../../audience/profiles/count-matching.ts';

/** Shows how the interruptions of each week are distributed over people. It reads only counts. */
export async function showInterruptions(ctx: Context, { weeks }: { weeks: number }): Promise<Interruptions> {
  const account = await ctx.db
    .selectFrom('accounts')
    .select(['time_zone', 'interruptions_from'])
    .where('id', '=', ctx.account.id)
    .executeTakeFirstOrThrow();
  const last = weekOf(dayOf(ctx.now(), account.time_zone));
  const first = last - 7 * (weeks - 1);
  const rows = await ctx.heavyDb
    .selectFrom('interruption_counts')
    .select(['week', 'measure', 'value', 'count'])
    .where('account_id', '=', ctx.account.id)
    .where('week', '>=', first)
    .where('count', '>', 0)
    .execute();
  const knownPeople = (await countAllProfiles(ctx)) - (await countTestUsers(ctx));
  // Where the time zone was moved west, some rows are of the week after this one, and show when it begins: somebody may be in both.
  const counts = rows.map((row) => ({ ...row, count: Number(row.count) }));
  return {
    known_people: knownPeople,
    known_from: account.interruptions_from > first ? toDate(account.interruptions_from) : null,
    weeks: Array.from({ length: weeks }, (_, at) => first + 7 * at).map((week) => ({
      week: toDate(week),
      ...recordOf(interruptionMeasures, (measure) =>
        measureInterruptions(
          measure,
          counts.filter((row) => row.week === week && row.measure === measure),
          knownPeople,
        ),
      ),
    })),
  };
}
