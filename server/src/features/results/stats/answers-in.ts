import { type DayRange, firstIdAt, type Millis, parseDayRange, startOfDay } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { invalid } from '../../../errors.ts';

export interface DayParams {
  from?: Millis;
  until?: Millis;
}

export function readDayRange(ctx: Context, params: DayParams): DayRange {
  const range = parseDayRange(params, ctx.now());
  if ('problem' in range) throw invalid(range.problem);
  return range;
}

/** The IDs of Responses in a range of days. A Response counts on the day of its first answer. */
export function responseIdsIn({ first, last }: DayRange): { from: string; before: string } {
  return { from: firstIdAt(startOfDay(first)), before: firstIdAt(startOfDay(last + 1)) };
}

export function answersIn(ctx: Context, id: string, range: DayRange) {
  const ids = responseIdsIn(range);
  return ctx.heavyDb
    .selectFrom('answers')
    .where('account_id', '=', ctx.account.id)
    .where('experience_id', '=', id)
    .where('response_id', '>=', ids.from)
    .where('response_id', '<', ids.before);
}
