import {
  type Activity,
  type BrowserFamily,
  dayOf,
  type Finding,
  type InteractionState,
  type Millis,
  measureRow,
  normalizePagePath,
  type Progress,
} from '@usher/domain';
import type { Selectable } from 'kysely';
import type { Context } from '../../../context.ts';
import { PreparedQuery } from '../../../db/prepared-query.ts';
import type { Schema } from '../../../db/schema.ts';
import { checkVisitor, type Visit } from '../../../pages/visit-token.ts';
import type { ProfileRow } from '../../audience/profiles/queries.ts';

type InteractionRow = Selectable<Schema['interactions']>;

const profileById = new PreparedQuery((db, account, param: (name: 'id') => never, { lockRows }) =>
  lockRows(
    db
      .selectFrom('profiles')
      .select(['id', 'delivery_ids', 'last_cleared_at'])
      .where('account_id', '=', account)
      .where('id', '=', param('id')),
  ),
);

/** Locks the user of a visit before anything else, so that everything that a user does is stored one after the other. */
export async function lockVisitor(
  ctx: Context,
  visit: Visit,
): Promise<Pick<ProfileRow, 'id' | 'delivery_ids' | 'last_cleared_at'>> {
  const [row] = await ctx.run(profileById, { id: visit.profileId });
  checkVisitor(visit, row);
  return row;
}

const progressColumns = [
  ...(['state', 'group_kind', 'group_id', 'defer_count', 'defer_until', 'step_id'] as const),
  ...(['displayed_at', 'started_at', 'completed_at', 'exited_at', 'snoozed_at'] as const),
  ...(['showing_from', 'showing_to', 'displayed_to', 'ended_by'] as const),
] satisfies (keyof Progress)[];
type Column = (typeof progressColumns)[number];

export interface StoredProgress extends Progress {
  id: string;
}

const progressQuery = new PreparedQuery((db, account, param: (name: 'profile_id' | 'experience_id') => never) =>
  db
    .selectFrom('interactions')
    .select(['id', ...progressColumns])
    .where('account_id', '=', account)
    .where('profile_id', '=', param('profile_id'))
    .where('experience_id', '=', param('experience_id')),
);

export async function findProgress(
  ctx: Context,
  profile_id: string,
  experience_id: string,
): Promise<StoredProgress | undefined> {
  const [row] = await ctx.run(progressQuery, { profile_id, experience_id });
  return row as StoredProgress | undefined;
}

type Param = (name: Column | 'id' | 'updated_at' | 'updated_tick' | 'profile_id' | 'experience_id') => never;
const paramsOf = (param: Param) =>
  Object.fromEntries(progressColumns.map((name) => [name, param(name)])) as Record<Column, never>;
const insertInteraction = new PreparedQuery((db, account_id, param: Param) =>
  db.insertInto('interactions').values({
    account_id,
    id: param('id'),
    updated_at: param('updated_at'),
    updated_tick: param('updated_tick'),
    profile_id: param('profile_id'),
    experience_id: param('experience_id'),
    ...paramsOf(param),
  }),
);
const updateInteraction = new PreparedQuery(
  (db, account, param: (name: Column | 'id' | 'updated_at' | 'updated_tick') => never) =>
    db
      .updateTable('interactions')
      .set({ updated_at: param('updated_at'), updated_tick: param('updated_tick'), ...paramsOf(param as Param) })
      .where('account_id', '=', account)
      .where('id', '=', param('id')),
);

/** Stores how far a user got, if that has changed. */
export async function storeProgress(
  ctx: Context,
  key: Pick<InteractionRow, 'profile_id' | 'experience_id'>,
  before: StoredProgress | undefined,
  after: Progress,
): Promise<{ id: string; state: InteractionState; isNew: boolean }> {
  if (after === before) return { id: before.id, state: before.state, isNew: false };
  const { at: updated_at, tick: updated_tick, newRow } = await ctx.clock();
  if (before) {
    await ctx.run(updateInteraction, { ...after, id: before.id, updated_at, updated_tick });
    return { id: before.id, state: after.state, isNew: false };
  }
  const { id } = newRow();
  await ctx.run(insertInteraction, { ...after, ...key, id, updated_at, updated_tick });
  return { id, state: after.state, isNew: true };
}

const insertActivity = new PreparedQuery(
  (db, account_id, param: (name: 'profile_id' | 'experience_id' | 'day' | 'what' | 'part_id') => never) =>
    db
      .insertInto('activities')
      .values({
        account_id,
        profile_id: param('profile_id'),
        experience_id: param('experience_id'),
        day: param('day'),
        what: param('what'),
        part_id: param('part_id'),
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('part_id'),
);

/** Counts a user once a day for an activity, however often it is reported. Returns whether it is the first time. */
export async function recordActivity(
  ctx: Context,
  key: Pick<InteractionRow, 'profile_id' | 'experience_id'>,
  at: Millis,
  { what, part_id }: { what: Activity; part_id: string },
): Promise<boolean> {
  const rows = await ctx.run(insertActivity, { ...key, day: dayOf(at), what, part_id });
  return rows.length > 0;
}

type FindingColumn = 'profile_id' | 'experience_id' | 'day' | 'part_id' | 'path' | 'finding';
type FindingParam = FindingColumn | 'at' | 'browser' | 'is_known';
const upsertFinding = new PreparedQuery((db, account_id, param: (name: FindingParam) => never) =>
  db
    .insertInto('findings')
    .values({
      account_id,
      profile_id: param('profile_id'),
      experience_id: param('experience_id'),
      day: param('day'),
      part_id: param('part_id'),
      path: param('path'),
      finding: param('finding'),
      first_at: param('at'),
      at: param('at'),
      browser: param('browser'),
      is_known: param('is_known'),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'experience_id', 'day', 'part_id', 'path', 'finding', 'profile_id'])
        .doUpdateSet((eb) => ({
          at: eb.ref('excluded.at'),
          browser: eb.ref('excluded.browser'),
          is_known: eb.ref('excluded.is_known'),
        }))
        .whereRef('findings.at', '<', 'excluded.at'),
    )
    .returning('first_at'),
);

/** Whether the element of a part was found on a page, and whether that counts when the step is called failing. */
interface FoundElement {
  part_id: string;
  href: string;
  finding: Finding;
  browser: BrowserFamily;
  is_known: boolean;
}

/** Counts a user once a day and path for whether the element of a part was found. Returns the room that this takes. */
export async function recordFinding(
  ctx: Context,
  key: Pick<InteractionRow, 'profile_id' | 'experience_id'>,
  { at, isProven }: Pick<Visit, 'at' | 'isProven'>,
  { href, ...found }: FoundElement,
): Promise<number> {
  const reported = normalizePagePath(href);
  if (reported === undefined) return 0;
  const day = dayOf(at);
  const part = { experience_id: key.experience_id, day, part_id: found.part_id };
  const reporter = isProven ? 'proven' : found.is_known ? 'known' : 'new';
  const path = await ctx.app.findingPaths.pathFor(ctx, part, reported, reporter);
  const [stored] = await ctx.run(upsertFinding, { ...key, ...found, day, path, at });
  ctx.app.stepChecks.add(ctx.account.id, key.experience_id);
  // A row that exists keeps its first time.
  return stored?.first_at === at ? measureRow('finding', { indexed: [path] }) : 0;
}
