import { type DayRange, dayOf, firstIdAt, type Millis, parseDayRange, startOfDay } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { invalid } from '../../../errors.ts';
import { END_OF_DAYS, loadTimeZone } from '../counts/time-zone.ts';

export interface DayParams {
  from?: Millis;
  until?: Millis;
}

/** A range of days in the time zone of the account. */
export interface LocalDayRange extends DayRange {
  timeZone: string;
  /** The last day of the rows that count: some are after today, if the time zone was moved west. */
  lastOfRows: number;
}

export async function readDayRange(ctx: Context, params: DayParams): Promise<LocalDayRange> {
  const timeZone = await loadTimeZone(ctx);
  const range = parseDayRange(params, ctx.now(), timeZone);
  if ('problem' in range) throw invalid(range.problem);
  const isToToday = range.last >= dayOf(ctx.now(), timeZone);
  return { ...range, timeZone, lastOfRows: isToToday ? END_OF_DAYS : range.last };
}

/** The IDs of Responses in a range of days. A Response counts on the day of its first answer. */
function responseIdsIn({ first, last, timeZone }: LocalDayRange): { from: string; before: string } {
  return { from: firstIdAt(startOfDay(first, timeZone)), before: firstIdAt(startOfDay(last + 1, timeZone)) };
}

export function answersIn(ctx: Context, id: string, range: LocalDayRange) {
  const ids = responseIdsIn(range);
  return ctx.heavyDb
    .selectFrom('answers')
    .where('account_id', '=', ctx.account.id)
    .where('experience_id', '=', id)
    .where('response_id', '>=', ids.from)
    .where('response_id', '<', ids.before);
}

/** The same number of days before a range. */
export function rangeBefore(range: LocalDayRange): LocalDayRange {
  const last = range.first - 1;
  return { ...range, first: range.first - (range.last - range.first + 1), last, lastOfRows: last };
}
