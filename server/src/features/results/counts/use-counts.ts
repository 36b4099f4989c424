import { dayOf, reachScopes, timeOfId } from '@usher/domain';
import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { bumpPublishedVersion } from '../../../published/bump-published-version.ts';
import { addEventCounts, type EventCount, readEventCounts } from './event-counts.ts';
import { addExperienceCounts, type ExperienceCounts, readExperienceCounts } from './experience-counts.ts';
import { fillReach } from './fill-reach.ts';
import { addInterruptionCounts, type InterruptionCount, readInterruptionCounts } from './interruption-counts.ts';
import { addResponseCounts, negate, type ResponseCount, readResponseCounts } from './response-counts.ts';

/** What counting needs. The clock of the account is taken before any count is written, so that no two transactions wait for each other. */
export type CountsContext = Pick<Context, 'account' | 'db' | 'clock' | 'run' | 'dialect'>;

/** Some users of an account, or what they did with one Experience. */
export interface Scope {
  profileIds?: readonly string[] | undefined;
  /** Users whose IDs come after the first one, up to the last one. */
  profilesIn?: { after: string; until: string | undefined } | undefined;
  experienceId?: string | undefined;
}

export type CountTable = 'activity_counts' | 'version_counts' | 'step_times' | 'answer_counts' | 'score_counts';
/** A row without its account. */
export type CountRow = Record<string, string | number> & { experience_id: string; day: number; count: number };

/** What some users add to the counts. */
export interface UseCounts {
  tables: ReadonlyMap<CountTable, readonly CountRow[]>;
  experiences: readonly ExperienceCounts[];
  responses: readonly ResponseCount[];
  events: readonly EventCount[];
  interruptions: readonly InterruptionCount[];
}

/** The columns that identify a row within its account. */
const keys: Record<CountTable, readonly string[]> = {
  activity_counts: [
    ...['experience_id', 'day', 'what', 'part_id', 'previous_day'],
    ...['language', 'device', 'url_group_id', 'variant'],
  ],
  version_counts: ['experience_id', 'day', 'what', 'part_id', 'previous_day', 'version_id'],
  step_times: ['experience_id', 'day', 'step_id', 'seconds'],
  answer_counts: ['experience_id', 'day', 'step_id', 'button_id', 'value', 'previous_day'],
  score_counts: ['experience_id', 'day', 'step_id', 'value', 'next_day'],
};
export const countTables = Object.keys(keys) as CountTable[];

/** With more IDs, PostgreSQL without statistics reads the whole account. */
const PROFILES_PER_READ = 50;
const ROWS_PER_WRITE = 200;
/** When an account is counted again, this many users are counted with each statement: PostgreSQL ends one that takes a minute. */
const PROFILES_PER_RECOUNT = 10_000;
/** After every day. */
const NO_NEXT_DAY = 2 ** 31 - 1;

/**
 * Reads what these users add to the counts; test users add nothing. Their profiles are locked. Subtract it when what they did is about to be
 * deleted, or when they become test users; add it when they stop being test users.
 */
export async function readUseCounts(ctx: CountsContext, profileIds: readonly string[]): Promise<UseCounts> {
  const all: UseCounts[] = [];
  for (let at = 0; at < profileIds.length; at += PROFILES_PER_READ) {
    const scope = { profileIds: profileIds.slice(at, at + PROFILES_PER_READ) };
    all.push({
      tables: await readTables(ctx, countTables, scope),
      experiences: await readExperienceCounts(ctx, usersIn(ctx, scope)),
      responses: await readResponseCounts(ctx, usersIn(ctx, scope)),
      events: await readEventCounts(ctx, scope.profileIds),
      interruptions: await readInterruptionCounts(ctx, usersIn(ctx, scope)),
    });
  }
  return {
    tables: new Map(countTables.map((table) => [table, all.flatMap(({ tables }) => tables.get(table) ?? [])])),
    experiences: all.flatMap(({ experiences }) => experiences),
    responses: all.flatMap(({ responses }) => responses),
    events: all.flatMap(({ events }) => events),
    interruptions: all.flatMap(({ interruptions }) => interruptions),
  };
}

export async function addUseCounts(ctx: CountsContext, counts: UseCounts, sign: 1 | -1): Promise<void> {
  for (const [table, rows] of counts.tables)
    await addCounts(
      ctx,
      table,
      rows.map((row) => ({ ...row, count: sign * row.count })),
    );
  await addExperienceCounts(ctx, counts.experiences, sign);
  await addResponseCounts(ctx, sign === 1 ? counts.responses : negate(counts.responses));
  await addInterruptionCounts(ctx, counts.interruptions, sign);
  if (counts.events.length === 0) return;
  await ctx.clock();
  await addEventCounts(ctx, counts.events, sign);
}

/** Runs a write that changes the Responses or answers of a user to a survey, and counts the difference. */
export async function countAnswers<T>(ctx: CountsContext, scope: Scope, write: () => Promise<T>): Promise<T> {
  const tables = ['answer_counts', 'score_counts'] as const;
  const before = await readTables(ctx, tables, scope);
  const responses = await readResponseCounts(ctx, usersIn(ctx, scope));
  const result = await write();
  const after = await readTables(ctx, tables, scope);
  for (const table of tables) {
    const removed = (before.get(table) ?? []).map((row) => ({ ...row, count: -row.count }));
    await addCounts(ctx, table, [...removed, ...(after.get(table) ?? [])]);
  }
  await addResponseCounts(ctx, [...negate(responses), ...(await readResponseCounts(ctx, usersIn(ctx, scope)))]);
  return result;
}

/** Adds to counts. Rows that are left without users are deleted: an answer may contain what a forgotten user wrote. */
export async function addCounts(ctx: CountsContext, table: CountTable, rows: readonly CountRow[]): Promise<void> {
  const changed = sumByKey(table, rows);
  if (changed.length === 0) return;
  await ctx.clock();
  for (let at = 0; at < changed.length; at += ROWS_PER_WRITE)
    await ctx.db
      // The type of one table stands for all.
      .insertInto(table as 'score_counts')
      .values(changed.slice(at, at + ROWS_PER_WRITE).map((row) => ({ account_id: ctx.account.id, ...row }) as never))
      .onConflict((existing) =>
        existing
          .columns(['account_id', ...keys[table]] as never)
          .doUpdateSet({ count: sql`${sql.ref(`${table}.count`)} + excluded.count` as never }),
      )
      .execute();
  const reduced = changed.filter(({ count }) => count < 0);
  if (reduced.length === 0) return;
  const days = reduced.map(({ day }) => day);
  await ctx.db
    .deleteFrom(table)
    .where('account_id', '=', ctx.account.id)
    .where('experience_id', 'in', [...new Set(reduced.map(({ experience_id }) => experience_id))])
    .where('day', '>=', Math.min(...days))
    .where('day', '<=', Math.max(...days))
    .where('count', '<=', 0)
    .execute();
}

/** One statement cannot change a row twice. */
function sumByKey(table: CountTable, rows: readonly CountRow[]): CountRow[] {
  const byKey = new Map<string, CountRow>();
  for (const row of rows) {
    const key = JSON.stringify(keys[table].map((name) => row[name]));
    byKey.set(key, { ...row, count: (byKey.get(key)?.count ?? 0) + row.count });
  }
  return [...byKey.values()].filter(({ count }) => count !== 0);
}

async function readTables(ctx: CountsContext, tables: readonly CountTable[], scope: Scope) {
  const counts = new Map<CountTable, CountRow[]>();
  for (const table of tables) {
    const { rows } = await selects[table](ctx, usersIn(ctx, scope)).execute(ctx.db);
    const found = rows.map(({ account_id: _, ...row }) => ({ ...row, count: Number(row.count) }) as CountRow);
    counts.set(table, found);
  }
  return counts;
}

/** Makes all counts of an account again from what its users did, or those of one Experience. */
export async function recount(ctx: CountsContext, experienceId?: string): Promise<void> {
  await ctx.clock();
  const account_id = ctx.account.id;
  await fillDays(ctx);
  for (const table of [...countTables, 'experience_counts', 'response_counts'] as const) {
    const rows = ctx.db.deleteFrom(table).where('account_id', '=', account_id);
    await (experienceId === undefined ? rows : rows.where('experience_id', '=', experienceId)).execute();
  }
  for (let after: string | undefined = ''; after !== undefined; ) {
    const until = await findLastOfRange(ctx, after);
    const scope = { experienceId, profilesIn: { after, until } };
    await fillActivities(ctx, scope);
    for (const table of countTables) await countRange(ctx, table, scope);
    after = until;
  }
  if (experienceId === undefined) await recountInterruptions(ctx);
  await addExperienceCounts(ctx, await readExperienceCounts(ctx, usersIn(ctx, { experienceId })), 1);
  await addResponseCounts(ctx, await readResponseCounts(ctx, usersIn(ctx, { experienceId })));
  // Page loads may know wrong counts.
  await bumpPublishedVersion(ctx);
}

/** Makes the counts of interruptions again, which are of users and weeks, whatever the Experiences were. */
export async function recountInterruptions(ctx: CountsContext): Promise<void> {
  await ctx.clock();
  const account_id = ctx.account.id;
  const isForgotten = sql<boolean>`not exists (select 1 from profiles
    where profiles.account_id = ${account_id} and profiles.id = interruption_days.profile_id)`;
  await ctx.db.deleteFrom('interruption_days').where('account_id', '=', account_id).where(isForgotten).execute();
  await ctx.db.deleteFrom('interruption_counts').where('account_id', '=', account_id).execute();
  for (let after: string | undefined = ''; after !== undefined; ) {
    const until = await findLastOfRange(ctx, after);
    const users = usersIn(ctx, { profilesIn: { after, until } });
    await addInterruptionCounts(ctx, await readInterruptionCounts(ctx, users), 1);
    after = until;
  }
}

/** Undefined if fewer users are left than are counted together. */
async function findLastOfRange({ db, account }: CountsContext, after: string): Promise<string | undefined> {
  const profiles = db.selectFrom('profiles').select('id').where('account_id', '=', account.id).where('id', '>', after);
  const last = profiles
    .orderBy('id')
    .offset(PROFILES_PER_RECOUNT - 1)
    .limit(1);
  return (await last.executeTakeFirst())?.id;
}

async function countRange(ctx: CountsContext, table: CountTable, scope: Scope): Promise<void> {
  const columns = sql.raw(keys[table].join(', '));
  const counted = selects[table](ctx, usersIn(ctx, scope));
  await sql`insert into ${sql.table(table)} (account_id, ${columns}, count) ${counted}
    on conflict (account_id, ${columns}) do update set count = ${sql.ref(`${table}.count`)} + excluded.count`.execute(
    ctx.db,
  );
}

/** The version before does not store the day of an answer. */
async function fillDays({ db, account }: CountsContext): Promise<void> {
  const rows = await db
    .selectFrom('answers')
    .select('response_id')
    .distinct()
    .where('account_id', '=', account.id)
    .where('day', 'is', null)
    .execute();
  for (const { response_id } of rows)
    await db
      .updateTable('answers')
      .set({ day: dayOf(timeOfId(response_id)) })
      .where('account_id', '=', account.id)
      .where('response_id', '=', response_id)
      .execute();
}

/**
 * The version before stores neither that an Experience was shown nor previous days. Rows that are there are left out, and not only skipped: while
 * another transaction deletes one, an insert would wait for it, and it waits for the clock that is taken here.
 */
async function fillActivities({ db, account }: CountsContext, scope: Scope): Promise<void> {
  const inScope = rowsIn(scope);
  await sql`insert into activities (account_id, profile_id, experience_id, what, part_id, day)
    select ${account.id}, a.profile_id, a.experience_id, 'shown', '', a.day
    from activities as a
    where a.account_id = ${account.id} and a.what in ('displayed', 'started') and a.part_id = '' ${inScope}
      and a.experience_id not in (${sql.join(reachScopes)})
      and not exists (
        select 1 from activities as known
        where known.account_id = ${account.id} and known.profile_id = a.profile_id
          and known.experience_id = a.experience_id and known.what = 'shown' and known.part_id = '' and known.day = a.day
      )
    on conflict do nothing`.execute(db);
  await fillReach({ account, db }, inScope);
  await sql`update activities set previous_day = found.day_before
    from (
      select a.profile_id, a.experience_id, a.what, a.part_id, a.day, a.previous_day, coalesce(
        lag(a.day) over (partition by a.profile_id, a.experience_id, a.what, a.part_id order by a.day), -1) as day_before
      from activities as a where a.account_id = ${account.id} ${inScope}
    ) as found
    where account_id = ${account.id} and activities.profile_id = found.profile_id
      and activities.experience_id = found.experience_id and activities.what = found.what
      and activities.part_id = found.part_id and activities.day = found.day
      and found.previous_day <> found.day_before`.execute(db);
}

/** The end of a query about rows `a` of users: it leaves out test users. */
export function usersIn({ account }: Pick<CountsContext, 'account'>, scope: Scope): RawBuilder<unknown> {
  return sql`join profiles on profiles.account_id = ${account.id} and profiles.id = a.profile_id
    where a.account_id = ${account.id} and not profiles.is_test ${rowsIn(scope)}`;
}

/** The condition of rows `a`. */
function rowsIn({ profileIds, profilesIn, experienceId }: Scope): RawBuilder<unknown> {
  const conditions = [
    profileIds && sql`and a.profile_id in (${sql.join(profileIds)})`,
    profilesIn && sql`and a.profile_id > ${profilesIn.after}`,
    profilesIn?.until !== undefined && sql`and a.profile_id <= ${profilesIn.until}`,
    experienceId !== undefined && sql`and a.experience_id = ${experienceId}`,
  ];
  return sql.join(
    conditions.filter((condition) => typeof condition === 'object'),
    sql` `,
  );
}

/** How each table is counted. A user counts once for each day, by the nearest other day on which they did the same. */
const selects: Record<
  CountTable,
  (ctx: CountsContext, users: RawBuilder<unknown>) => RawBuilder<CountRow & { account_id: string }>
> = {
  activity_counts: ({ account }, users) =>
    sql`select ${account.id} as account_id, a.experience_id, a.day, a.what, a.part_id, a.previous_day,
        a.language, a.device, a.url_group_id, a.variant, count(*) as count
      from activities as a ${users}
      group by a.experience_id, a.day, a.what, a.part_id, a.previous_day, a.language, a.device, a.url_group_id, a.variant`,
  version_counts: ({ account }, users) =>
    sql`select ${account.id} as account_id, a.experience_id, a.day, a.what, a.part_id, a.previous_day, a.version_id,
        count(*) as count
      from activities as a ${users} and a.experience_id not in (${sql.join(reachScopes)})
      group by a.experience_id, a.day, a.what, a.part_id, a.previous_day, a.version_id`,
  step_times: ({ account }, users) =>
    sql`select ${account.id} as account_id, a.experience_id, a.day, a.part_id as step_id, a.seconds, count(*) as count
      from activities as a ${users} and a.what = 'next' and a.seconds is not null
      group by a.experience_id, a.day, a.part_id, a.seconds`,
  // Each chosen option of an answer counts.
  answer_counts: ({ account, dialect }, users) =>
    sql`select ${account.id} as account_id, experience_id, day, step_id, button_id, value, previous_day, count(*) as count
      from (
        select experience_id, day, step_id, button_id, value, coalesce(
          lag(day) over (partition by profile_id, experience_id, step_id, button_id, value order by day), -1) as previous_day
        from (
          select distinct a.profile_id, a.experience_id, a.day, a.step_id,
            coalesce(a.button_id, '') as button_id, coalesce(item.value ->> 'id', a.value, '') as value
          from answers as a left join ${dialect.json.items(sql.ref('a.choices'))} on true ${users} and a.day is not null
        ) as given
      ) as done
      group by experience_id, day, step_id, button_id, value, previous_day`,

  score_counts: ({ account }, users) =>
    sql`select ${account.id} as account_id, experience_id, day, step_id, value, next_day, count(*) as count
      from (
        select experience_id, day, step_id, value, coalesce(
          lead(day) over (partition by profile_id, experience_id, step_id order by day), ${sql.lit(NO_NEXT_DAY)}) as next_day
        from (
          select a.profile_id, a.experience_id, a.day, a.step_id, a.value, row_number() over (
            partition by a.profile_id, a.experience_id, a.step_id, a.day order by a.response_id desc) as newest
          from answers as a ${users} and a.day is not null and a.value in ('0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '10')
        ) as given
        where newest = 1
      ) as done
      group by experience_id, day, step_id, value, next_day`,
};
