import type { Millis, Progress } from '@usher/domain';
import { type RawBuilder, sql } from 'kysely';
import { PreparedStatement } from '../../../db/prepared-statement.ts';
import type { CountsContext } from './use-counts.ts';

const states = ['started', 'completed', 'exited', 'displayed'] as const;
type State = (typeof states)[number];
type Column = `${State}_count` | `last_${State}_at`;

/** What some users add to the counts of an Experience. */
export type ExperienceCounts = { experience_id: string } & Record<`${State}_count`, number> &
  Record<`last_${State}_at`, Millis | null>;

const columns = [
  ...states.map((state): Column => `${state}_count`),
  ...states.map((state): Column => `last_${state}_at`),
];

const add = new PreparedStatement<never, 'experience_id' | Column>(`
  insert into experience_counts (account_id, experience_id, ${columns.join(', ')})
  values (:account, :experience_id, ${columns.map((name) => `:${name}`).join(', ')})
  on conflict (account_id, experience_id) do update set
    ${states.map((state) => `${state}_count = experience_counts.${state}_count + excluded.${state}_count`).join(', ')},
    ${states.map((state) => `last_${state}_at = ${later(`last_${state}_at`)}`).join(', ')}`);

function later(name: string, added = `excluded.${name}`): string {
  const stored = `experience_counts.${name}`;
  return `case when ${added} > coalesce(${stored}, 0) then ${added} else ${stored} end`;
}

/** If a user had one of the last times, it is not known any more whose is the last now. */
const subtract = new PreparedStatement<never, 'experience_id' | Column>(`
  update experience_counts set
    ${states.map((state) => `${state}_count = ${state}_count - :${state}_count`).join(', ')},
    ${states.map((state) => `last_${state}_at = nullif(last_${state}_at, :last_${state}_at)`).join(', ')},
    stale = stale + case when stale > 0 then 1
      ${states.map((state) => `when last_${state}_at = :last_${state}_at then 1`).join(' ')} else 0 end
  where account_id = :account and experience_id = :experience_id`);

export async function addExperienceCounts(
  ctx: CountsContext,
  counts: readonly ExperienceCounts[],
  sign: 1 | -1,
): Promise<void> {
  if (counts.length > 0) await ctx.clock();
  for (const row of counts) await ctx.run(sign === 1 ? add : subtract, row);
}

const setLastTimes = new PreparedStatement<never, 'experience_id' | 'stale' | `last_${State}_at`>(`
  update experience_counts set stale = 0, ${states
    .map((state) => `last_${state}_at = ${later(`last_${state}_at`, `:last_${state}_at`)}`)
    .join(', ')}
  where account_id = :account and experience_id = :experience_id and stale = :stale`);

/** Stores the last times, unless more users were removed since they were read. Of later times that were counted since, the later ones stay. */
export async function storeLastTimes(ctx: CountsContext, counts: ExperienceCounts, stale: number): Promise<void> {
  await ctx.clock();
  await ctx.run(setLastTimes, { ...counts, stale });
}

/** Counts how far a user got. */
export async function countProgress(
  ctx: CountsContext,
  experience_id: string,
  before: Progress | undefined,
  after: Progress,
): Promise<void> {
  const changed = states.filter((state) => (before?.[`${state}_at`] ?? null) !== after[`${state}_at`]);
  if (changed.length === 0) return;
  // A time is only taken back when it was of a clock that was ahead.
  const isBack = changed.some((state) => (before?.[`${state}_at`] ?? 0) > (after[`${state}_at`] ?? 0));
  if (before && isBack) await addExperienceCounts(ctx, [toCounts(experience_id, before)], -1);
  const known = isBack ? undefined : before;
  const counts = toCounts(experience_id, after);
  for (const state of states) if ((known?.[`${state}_at`] ?? null) !== null) counts[`${state}_count`] = 0;
  await addExperienceCounts(ctx, [counts], 1);
}

function toCounts(experience_id: string, progress: Progress): ExperienceCounts {
  const values = states.flatMap((state) => {
    const at = progress[`${state}_at`];
    return [
      [`${state}_count`, at === null ? 0 : 1],
      [`last_${state}_at`, at],
    ];
  });
  return { experience_id, ...Object.fromEntries(values) };
}

/** Reads what users add, from their Interactions `a`. */
export async function readExperienceCounts(
  ctx: Pick<CountsContext, 'db'>,
  users: RawBuilder<unknown>,
): Promise<ExperienceCounts[]> {
  const { rows } = await sql<ExperienceCounts>`
    select a.experience_id, ${sql.raw(
      states
        .map((state) => `count(a.${state}_at) as ${state}_count, max(a.${state}_at) as last_${state}_at`)
        .join(', '),
    )}
    from interactions as a ${users}
    group by a.experience_id`.execute(ctx.db);
  return rows;
}
