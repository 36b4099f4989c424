import { type ExperienceStats, toTimestampOrNull } from '@usher/domain';
import type { Context } from '../../context.ts';
import { withoutTestUsers } from '../audience/profiles/without-test-users.ts';

export const noStats: ExperienceStats = {
  started_count: 0,
  completed_count: 0,
  exited_count: 0,
  displayed_count: 0,
  last_started_at: null,
  last_completed_at: null,
  last_exited_at: null,
  last_displayed_at: null,
};

export async function loadStats(ctx: Context, ids: string[]): Promise<Map<string, ExperienceStats>> {
  if (ids.length === 0) return new Map();
  const rows = await ctx.heavyDb
    .selectFrom('interactions')
    .select(({ fn }) => [
      'experience_id',
      fn.count<number>('started_at').as('started_count'),
      fn.count<number>('completed_at').as('completed_count'),
      fn.count<number>('exited_at').as('exited_count'),
      fn.count<number>('displayed_at').as('displayed_count'),
      fn.max('started_at').as('last_started_at'),
      fn.max('completed_at').as('last_completed_at'),
      fn.max('exited_at').as('last_exited_at'),
      fn.max('displayed_at').as('last_displayed_at'),
    ])
    .where('account_id', '=', ctx.account.id)
    .where('experience_id', 'in', ids)
    .where(withoutTestUsers(ctx.account.id))
    .groupBy('experience_id')
    .execute();
  return new Map(
    rows.map((row) => [
      row.experience_id,
      {
        started_count: row.started_count,
        completed_count: row.completed_count,
        exited_count: row.exited_count,
        displayed_count: row.displayed_count,
        last_started_at: toTimestampOrNull(row.last_started_at),
        last_completed_at: toTimestampOrNull(row.last_completed_at),
        last_exited_at: toTimestampOrNull(row.last_exited_at),
        last_displayed_at: toTimestampOrNull(row.last_displayed_at),
      },
    ]),
  );
}
