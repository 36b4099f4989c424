import { dayOf, type Millis, parseItemTimes, TICKS_PER_MS, timeOfId } from '@usher/domain';
import type { Context } from '../../../../context.ts';
import type { Upsert } from '../../../../db/bulk-rows.ts';
import { writeInChunks } from '../../../experiences/changes/record-changes.ts';
import { loadTimeZone } from '../../../results/counts/time-zone.ts';
import { storedCreatedAt, timesOf } from '../context-for.ts';
import type { MoveRun } from '../move-run.ts';
import { readNumber, readRecords, readText, readTime } from '../read-record.ts';
import type { SourceRecord } from '../source.ts';
import { keepProfiles, moveUse, profileIdOf } from './move-use.ts';
import type { SourceExperience } from './read-experiences.ts';

const states = ['displayed', 'started', 'completed', 'exited'];

export async function moveInteractions(run: MoveRun, experiences: readonly SourceExperience[]): Promise<void> {
  await moveUse(run, 'interactions', experiences, storeInteractions);
}

async function storeInteractions(
  ctx: Context,
  { record: { id: experience_id, list_type } }: SourceExperience,
  records: readonly SourceRecord[],
  problems: string[],
): Promise<number> {
  const profiles = await keepProfiles(
    ctx,
    records.flatMap((record) => profileIdOf(record) ?? []),
  );
  const known = await knownInteractions(ctx, experience_id, [...profiles]);
  await ctx.clock();
  const rows = records.flatMap((record) => {
    const profile_id = profileIdOf(record);
    const state = readText(record.state) ?? '';
    const { createdAt, updatedAt } = timesOf(record);
    if (profile_id === null || !profiles.has(profile_id))
      return leaveOut(problems, 'Interactions of users who are not here are left out');
    if (!states.includes(state)) return leaveOut(problems, 'Interactions with another state are left out');
    const before = known.get(profile_id);
    if (before && before.id !== record.id)
      return leaveOut(problems, 'Interactions of users who have one here are left out');
    if (before && before.updated_at >= updatedAt) return [];
    const started = state !== 'displayed';
    const items = readItems(record);
    return [
      {
        ...{
          id: record.id,
          created_at: storedCreatedAt(record),
          updated_at: updatedAt,
          experience_id,
          profile_id,
          state,
        },
        updated_tick: updatedAt * TICKS_PER_MS,
        group_id: readText(record.group_id),
        group_kind: readText(record.group_kind),
        defer_count: readNumber(record.defer_count) ?? 0,
        defer_until: readTime(record.defer_until),
        goal_at: readTime(record.goal_at),
        // The times of the states are not given: these are the ones that are certain.
        displayed_at: state === 'displayed' ? createdAt : null,
        started_at: started ? createdAt : null,
        completed_at: state === 'completed' ? Math.max(0, ...items.values()) || updatedAt : null,
        exited_at: state === 'exited' ? updatedAt : null,
        showing_to: started ? updatedAt : 0,
        displayed_to: started ? 0 : updatedAt,
        ended_by: state === 'completed' || state === 'exited' ? updatedAt : null,
        items: items.size === 0 ? null : JSON.stringify(Object.fromEntries(items)),
      },
    ];
  });
  if (rows.length === 0) return 0;
  await ctx.dialect.upsert(ctx.db, ctx.account.id, interactionsTable, rows);
  if (list_type === 'checklist') await storeItemActivities(ctx, experience_id, rows);
  return rows.length;
}

/** When the user completed each item of a checklist. */
function readItems({ items }: SourceRecord): Map<string, Millis> {
  return new Map(
    readRecords(items).flatMap(({ id, completed_at }) => {
      const [item, at] = [readText(id), readTime(completed_at)];
      return item === null || at === null ? [] : [[item, at]];
    }),
  );
}

/** The times of items are exact, so results have them on their days, and that users saw the checklist when their Interaction began. */
async function storeItemActivities(
  ctx: Context,
  experience_id: string,
  rows: readonly { id: string; created_at: Millis | null; profile_id: string; items: string | null }[],
): Promise<void> {
  const timeZone = await loadTimeZone(ctx);
  const done = rows.flatMap(({ id, created_at, profile_id, items }) => {
    const seen = ['displayed', '', created_at ?? timeOfId(id)] as const;
    const completed = [...parseItemTimes(items)].map(([part_id, at]) => ['item', part_id, at] as const);
    return [seen, ...completed].map(([what, part_id, at]) => ({
      ...{ account_id: ctx.account.id, experience_id, profile_id },
      ...{ what, part_id, day: dayOf(at, timeZone) },
    }));
  });
  await writeInChunks(done, (chunk) =>
    ctx.db
      .insertInto('activities')
      .values(chunk)
      .onConflict((known) => known.doNothing())
      .execute(),
  );
}

async function knownInteractions(ctx: Context, experienceId: string, profileIds: readonly string[]) {
  if (profileIds.length === 0) return new Map<string, { id: string; updated_at: number }>();
  const rows = await ctx.db
    .selectFrom('interactions')
    .select(['id', 'profile_id', 'updated_at'])
    .where('account_id', '=', ctx.account.id)
    .where('experience_id', '=', experienceId)
    .where('profile_id', 'in', profileIds)
    .execute();
  return new Map(rows.map((row) => [row.profile_id, row]));
}

const changing: Upsert['columns'] = {
  updated_at: 'bigint',
  updated_tick: 'bigint',
  state: 'text',
  group_id: 'text',
  group_kind: 'text',
  defer_count: 'bigint',
  defer_until: 'bigint',
  goal_at: 'bigint',
  displayed_at: 'bigint',
  started_at: 'bigint',
  completed_at: 'bigint',
  exited_at: 'bigint',
  showing_to: 'bigint',
  displayed_to: 'bigint',
  ended_by: 'bigint',
  items: 'text',
};
const interactionsTable: Upsert = {
  table: 'interactions',
  columns: { id: 'text', created_at: 'bigint', experience_id: 'text', profile_id: 'text', ...changing },
  changes: Object.keys(changing),
};

function leaveOut(problems: string[], text: string): never[] {
  problems.push(text);
  return [];
}
