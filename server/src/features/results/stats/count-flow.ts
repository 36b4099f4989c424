import { medianOf, type Stats, type StepFlow, toDate } from '@usher/domain';
import type { Context } from '../../../context.ts';
import type { LocalDayRange } from './answers-in.ts';
import { countsIn } from './count-activities.ts';

export interface Flow {
  from: Stats['flow_from'];
  /** Undefined if nothing is known of the range. */
  of?: (stepId: string) => StepFlow;
}

/** The days of a range since it is known how users went through steps; undefined without any. */
export async function findFlowRange(ctx: Context, range: LocalDayRange): Promise<LocalDayRange | undefined> {
  const query = ctx.db.selectFrom('accounts').select('flow_from').where('id', '=', ctx.account.id);
  const first = Math.max(range.first, (await query.executeTakeFirstOrThrow()).flow_from);
  return first > range.last ? undefined : { ...range, first };
}

/** Counts what users did on each step. Those who went on count for the day on which they saw the step, so nobody is missing. */
export async function countFlow(ctx: Context, id: string, range: LocalDayRange): Promise<Flow> {
  const known = await findFlowRange(ctx, range);
  if (!known) return { from: toDate(range.last) };
  const counts = await countsIn(ctx, 'activity_counts', id, known)
    .select(({ fn }) => ['what', 'part_id', fn.sum<number>('count').as('users')])
    .where('what', 'in', ['step', 'next', 'back', 'exited', 'snoozed'])
    .where('part_id', '<>', '')
    .where('previous_day', '<', known.first)
    .groupBy(['what', 'part_id'])
    .execute();
  const times = await countsIn(ctx, 'step_times', id, known)
    .select(({ fn }) => ['step_id', 'seconds', fn.sum<number>('count').as('users')])
    .groupBy(['step_id', 'seconds'])
    .execute();
  const users = new Map(counts.map(({ what, part_id, users }) => [`${what} ${part_id}`, Number(users)]));
  return {
    from: known.first > range.first ? toDate(known.first) : null,
    of: (stepId) => {
      const count = (what: string) => users.get(`${what} ${stepId}`) ?? 0;
      const reached = count('step');
      return {
        reached,
        left: Math.max(0, reached - count('next')),
        exited: count('exited'),
        snoozed: count('snoozed'),
        back: count('back'),
        seconds: medianOf(
          times
            .filter(({ step_id }) => step_id === stepId)
            .map(({ seconds, users }) => ({ value: seconds, count: Number(users) })),
        ),
      };
    },
  };
}
