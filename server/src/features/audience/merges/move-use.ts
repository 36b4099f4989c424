import { createdAtOf, isOtherFurther, mergeDays, mergeItemTimes, mergeProgress, timeOfId } from '@usher/domain';
import { type Expression, type SqlBool, sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { moveExposures } from './move-exposures.ts';

/** The Interactions that have another state or owner now. */
export interface MovedUse {
  experienceIds: readonly string[];
}

/** The tables whose rows only get another owner. The last three have the order in which the sender of webhooks locks them. */
const plainTables = [
  'events',
  'answers',
  'response_tags',
  'responses',
  'deliveries',
  'picks',
  'installation_entries',
  'webhook_events',
  'outbox',
  'webhook_attempts',
] as const;

/** Moves what one locked profile did, saw and has received to another one, which is locked too. Nothing gets lost or counts twice. */
export async function moveUse(ctx: Context, from: string, to: string): Promise<MovedUse> {
  await freeKeys(ctx, from, to);
  const experienceIds = await moveInteractions(ctx, from, to);
  await moveEventCounts(ctx, from, to);
  await moveActivities(ctx, from, to);
  await moveInterruptions(ctx, from, to);
  await moveExposures(ctx, from, to);
  await moveFindings(ctx, from, to);
  for (const table of plainTables)
    await ctx.db
      .updateTable(table)
      .set({ profile_id: to })
      .where('account_id', '=', ctx.account.id)
      .where('profile_id', '=', from)
      .execute();
  return { experienceIds };
}

/**
 * Within one profile, a key names one event, one Delivery or one webhook event. Where both profiles have used a key, it stays with the
 * known one: both things have happened, and a request that is repeated finds the one that is there.
 */
async function freeKeys(ctx: Context, from: string, to: string): Promise<void> {
  const account = ctx.account.id;
  for (const [table, key] of [
    ['events', 'idempotency_key'],
    ['deliveries', 'idempotency_key'],
    ['webhook_events', 'repeat_key'],
    ['outbox', 'repeat_key'],
  ] as const)
    await sql`update ${sql.table(table)} set ${sql.ref(key)} = null
      where account_id = ${account} and profile_id = ${from} and ${sql.ref(key)} in (
        select used.${sql.ref(key)} from ${sql.table(table)} as used
        where used.account_id = ${account} and used.profile_id = ${to} and used.${sql.ref(key)} is not null
      )`.execute(ctx.db);
}

async function moveInteractions(ctx: Context, from: string, to: string): Promise<string[]> {
  const others = await interactionsOf(ctx, from);
  if (others.length === 0) return [];
  const known = new Map((await interactionsOf(ctx, to)).map((row) => [row.experience_id, row]));
  for (const other of others) {
    const own = known.get(other.experience_id);
    await freeShowings(ctx, other.experience_id, own && isOtherFurther(own, other) ? [from, to] : [to, from]);
    if (!own) continue;
    const { id: _, experience_id: __, goal_at, items, created_at: _c, ...progress } = other;
    const { id, experience_id: ___, goal_at: ownGoal, items: ownItems, created_at: _o, ...ownProgress } = own;
    // The user has seen it since the first of both times.
    const created_at = Math.min(createdAtOf(own), createdAtOf(other));
    const merged = mergeProgress(ownProgress, progress);
    await ctx.db
      .updateTable('deliveries')
      .set({ interaction_id: id })
      .where('account_id', '=', ctx.account.id)
      .where('profile_id', '=', from)
      .where('interaction_id', '=', other.id)
      .execute();
    await ctx.db
      .deleteFrom('interactions')
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', other.id)
      .execute();
    const goal = goal_at === null || ownGoal === null ? (ownGoal ?? goal_at) : Math.min(goal_at, ownGoal);
    await ctx.db
      .updateTable('interactions')
      .set({
        ...merged,
        goal_at: goal,
        items: mergeItemTimes(ownItems, items),
        ...(created_at < createdAtOf(own) && { created_at }),
      })
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', id)
      .execute();
  }
  await ctx.db
    .updateTable('interactions')
    .set({ profile_id: to })
    .where('account_id', '=', ctx.account.id)
    .where('profile_id', '=', from)
    .execute();
  return others.map(({ experience_id }) => experience_id);
}

function interactionsOf(ctx: Context, profileId: string) {
  return ctx.db
    .selectFrom('interactions')
    .select([
      'id',
      'experience_id',
      'created_at',
      'goal_at',
      'items',
      'state',
      'group_kind',
      'group_id',
      'defer_count',
      'defer_until',
      'step_id',
    ])
    .select(['displayed_at', 'started_at', 'completed_at', 'exited_at', 'snoozed_at'])
    .select(['showing_from', 'showing_to', 'displayed_to', 'ended_by', 'current_step_id', 'current_step_at'])
    .where('account_id', '=', ctx.account.id)
    .where('profile_id', '=', profileId)
    .execute();
}

/**
 * A Response belongs to a showing by its time, and the first showing of every user has the time 0. Responses of the profile that did not
 * get so far become those of a showing at the time when they began.
 */
async function freeShowings(
  ctx: Context,
  experienceId: string,
  [further, other]: readonly [string, string] | string[],
) {
  const responsesOf = (profileId = '') =>
    ctx.db
      .selectFrom('responses')
      .select(['id', 'showing_from'])
      .where('account_id', '=', ctx.account.id)
      .where('profile_id', '=', profileId)
      .where('experience_id', '=', experienceId)
      .execute();
  const loose = await responsesOf(other);
  if (loose.length === 0) return;
  const taken = new Set([...(await responsesOf(further)), ...loose].map(({ showing_from }) => showing_from));
  const used = new Set((await responsesOf(further)).map(({ showing_from }) => showing_from));
  for (const { id, showing_from } of loose) {
    if (!used.has(showing_from)) continue;
    let free = timeOfId(id);
    while (taken.has(free)) free += 1;
    taken.add(free);
    await ctx.db
      .updateTable('responses')
      .set({ showing_from: free })
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', id)
      .execute();
  }
}

async function moveEventCounts(ctx: Context, from: string, to: string): Promise<void> {
  const account = ctx.account.id;
  const rows = await ctx.db
    .deleteFrom('profile_events')
    .where('account_id', '=', account)
    .where('profile_id', '=', from)
    .returning(['name', 'count', 'first_at', 'last_at'])
    .execute();
  for (const row of rows)
    await ctx.db
      .insertInto('profile_events')
      .values({ account_id: account, profile_id: to, ...row })
      .onConflict((known) =>
        known.columns(['account_id', 'profile_id', 'name']).doUpdateSet({
          count: sql`profile_events.count + excluded.count`,
          first_at: earlier('profile_events.first_at', 'excluded.first_at'),
          last_at: later('profile_events.last_at', 'excluded.last_at'),
        }),
      )
      .execute();
}

async function moveActivities(ctx: Context, from: string, to: string): Promise<void> {
  const account = ctx.account.id;
  const rowsOf = (profileId: string, experienceIds?: readonly string[]) => {
    const query = ctx.db
      .selectFrom('activities')
      .selectAll()
      .where('account_id', '=', account)
      .where('profile_id', '=', profileId);
    return (experienceIds ? query.where('experience_id', 'in', experienceIds) : query).execute();
  };
  const others = await rowsOf(from);
  if (others.length === 0) return;
  const known = await rowsOf(to, [...new Set(others.map(({ experience_id }) => experience_id))]);
  const nameOf = ({ experience_id, what, part_id }: (typeof others)[number]) => `${experience_id} ${what} ${part_id}`;
  const names = new Set(others.map(nameOf));
  for (const profileId of [from, to])
    await ctx.db
      .deleteFrom('activities')
      .where('account_id', '=', account)
      .where('profile_id', '=', profileId)
      .where('experience_id', 'in', [...new Set(others.map(({ experience_id }) => experience_id))])
      .execute();
  const untouched = known.filter((row) => !names.has(nameOf(row)));
  const merged = [...names].flatMap((name) => {
    const ofName = (rows: typeof others) => rows.filter((row) => nameOf(row) === name);
    const days = mergeDays(ofName(known), ofName(others));
    // An item is completed once, and for good.
    return days[0]?.what === 'item' ? days.filter(({ previous_day }) => previous_day < 0) : days;
  });
  const rows = [...untouched, ...merged].map((row) => ({ ...row, profile_id: to }));
  for (let at = 0; at < rows.length; at += ROWS_PER_WRITE)
    await ctx.db
      .insertInto('activities')
      .values(rows.slice(at, at + ROWS_PER_WRITE))
      .execute();
}

/** Both have been interrupted. */
async function moveInterruptions(ctx: Context, from: string, to: string): Promise<void> {
  const rows = await ctx.db
    .deleteFrom('interruption_days')
    .where('account_id', '=', ctx.account.id)
    .where('profile_id', '=', from)
    .returningAll()
    .execute();
  for (let at = 0; at < rows.length; at += ROWS_PER_WRITE)
    await ctx.db
      .insertInto('interruption_days')
      .values(rows.slice(at, at + ROWS_PER_WRITE).map((row) => ({ ...row, profile_id: to })))
      .onConflict((known) =>
        known.columns(['account_id', 'profile_id', 'day', 'experience_id']).doUpdateSet({
          interruptions: sql`interruption_days.interruptions + excluded.interruptions`,
          steps: sql`interruption_days.steps + excluded.steps`,
          seconds: sql`interruption_days.seconds + excluded.seconds`,
        }),
      )
      .execute();
}

const ROWS_PER_WRITE = 100;

async function moveFindings(ctx: Context, from: string, to: string): Promise<void> {
  const rows = await ctx.db
    .deleteFrom('findings')
    .where('account_id', '=', ctx.account.id)
    .where('profile_id', '=', from)
    .returningAll()
    .execute();
  const key = ['account_id', 'experience_id', 'day', 'part_id', 'path', 'finding', 'profile_id'] as const;
  for (let at = 0; at < rows.length; at += ROWS_PER_WRITE)
    await ctx.db
      .insertInto('findings')
      .values(rows.slice(at, at + ROWS_PER_WRITE).map((row) => ({ ...row, profile_id: to })))
      .onConflict((known) =>
        known.columns([...key]).doUpdateSet({
          at: later('findings.at', 'excluded.at'),
          first_at: earlier('findings.first_at', 'excluded.first_at'),
          is_known: sql<boolean>`(findings.is_known or excluded.is_known)` as Expression<SqlBool> as never,
        }),
      )
      .execute();
}

function later(one: string, other: string) {
  return sql<number>`case when ${sql.ref(other)} > ${sql.ref(one)} then ${sql.ref(other)} else ${sql.ref(one)} end`;
}

function earlier(one: string, other: string) {
  return sql<number>`case when ${sql.ref(other)} < ${sql.ref(one)} then ${sql.ref(other)} else ${sql.ref(one)} end`;
}
