import type { Selectable } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Schema } from '../../../db/schema.ts';
import { readExperienceCounts, storeLastTimes } from './experience-counts.ts';
import { usersIn } from './use-counts.ts';

type ExperienceCountsRow = Selectable<Schema['experience_counts']>;

/** Reads the counts of Experiences. Last times that are not known any more are found again, and stored. */
export async function loadExperienceCounts(ctx: Context, ids: readonly string[]): Promise<ExperienceCountsRow[]> {
  if (ids.length === 0) return [];
  const rows = await ctx.db
    .selectFrom('experience_counts')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('experience_id', 'in', ids)
    .execute();
  return Promise.all(rows.map((row) => (row.stale > 0 ? findLastTimes(ctx, row) : row)));
}

/** This reads all users of the Experience. It is rare: the last user was forgotten, cleared or became a test user. */
async function findLastTimes(ctx: Context, row: ExperienceCountsRow): Promise<ExperienceCountsRow> {
  const { experience_id, stale } = row;
  const [found] = await readExperienceCounts({ db: ctx.heavyDb }, usersIn(ctx, { experienceId: experience_id }));
  if (!found) return row;
  // If it cannot be stored now, the next reader tries again.
  await ctx.transaction((ctx) => storeLastTimes(ctx, found, stale)).catch(() => {});
  const { last_started_at, last_completed_at, last_exited_at, last_displayed_at } = found;
  return { ...row, last_started_at, last_completed_at, last_exited_at, last_displayed_at };
}
