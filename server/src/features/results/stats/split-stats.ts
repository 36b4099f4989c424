import {
  type Counts,
  countedActivities,
  type ExperienceKind,
  type GetSplits,
  type Splits,
  scoreValues,
} from '@usher/domain';
import { sql } from 'kysely';
import type { Static } from 'typebox';
import type { Context } from '../../../context.ts';
import { findPartEnd } from '../../../db/pagination/scan-page.ts';
import { invalid } from '../../../errors.ts';
import { selectMembers } from '../../audience/filters/select-members.ts';
import { getExperience } from '../../experiences/queries.ts';
import { type LocalDayRange, readDayRange } from './answers-in.ts';
import { countsIn, toCounts } from './count-activities.ts';
import { scoreKindOf } from './count-scores.ts';
import { listCountedSteps } from './list-counted-steps.ts';

type Params = Static<typeof GetSplits>;
type Split = Splits['splits'][number];

const columns = { language: 'language', device: 'device', url_group: 'url_group_id', variant: 'variant' } as const;

/** Splits the numbers of an Experience. Only Segments read what each user did, in parts that take bounded time. */
export async function splitStats(
  ctx: Context,
  kind: ExperienceKind,
  id: string,
  { by, segment_ids, after, ...days }: Params,
): Promise<Splits> {
  const row = await getExperience(ctx, kind, id);
  if ((segment_ids !== undefined) !== (by === 'segment'))
    throw invalid('`segment_ids` belongs to `by=segment`: give the IDs of the Segments');
  if (after !== undefined && by !== 'segment') throw invalid('`after` belongs to `by=segment`: leave it out');
  const range = await readDayRange(ctx, days);
  if (by !== 'segment') return { splits: await splitCounts(ctx, id, range, by), cursor: { after: null } };
  const asked = (await listCountedSteps(ctx, row)).filter((step) => scoreKindOf(step) !== undefined);
  return splitBySegment(ctx, id, range, {
    segmentIds: segment_ids ?? [],
    after,
    stepIds: asked.map((step) => step.id),
  });
}

async function splitCounts(
  ctx: Context,
  id: string,
  range: LocalDayRange,
  by: keyof typeof columns | 'version',
): Promise<Split[]> {
  const [table, column] =
    by === 'version' ? (['version_counts', 'version_id'] as const) : (['activity_counts', columns[by]] as const);
  // The type of one table stands for both.
  const rows = await countsIn(ctx, table as 'activity_counts', id, range)
    .select(['what', sql<string>`${sql.ref(column)}`.as('value'), sql<number>`sum(count)`.as('users')])
    .where('part_id', '=', '')
    .where('previous_day', '<', range.first)
    .where('what', 'in', countedActivities)
    .groupBy(['what', sql.ref(column)])
    .execute();
  const values = [...new Set(rows.map(({ value }) => value))].sort();
  const users = new Map(rows.map(({ what, value, users }) => [`${what} ${value}`, Number(users)]));
  return values.map((value) => ({ value, totals: toCounts((what) => users.get(`${what} ${value}`) ?? 0), scores: [] }));
}

interface SegmentSplit {
  segmentIds: readonly string[];
  after: string | undefined;
  stepIds: readonly string[];
}

const MAX_MS = 1500;
const PEOPLE_PER_PART = 5000;

async function splitBySegment(
  ctx: Context,
  id: string,
  range: LocalDayRange,
  { segmentIds, after, stepIds }: SegmentSplit,
): Promise<Splits> {
  const members = new Map<string, Awaited<ReturnType<typeof selectMembers>>>();
  for (const segmentId of segmentIds) members.set(segmentId, await selectMembers(ctx, segmentId));
  const deadline = ctx.now() + MAX_MS;
  const splits = new Map(
    segmentIds.map((value): [string, Split] => [value, { value, totals: toCounts(() => 0), scores: [] }]),
  );
  // From the newest users to the oldest ones. IDs are unique, so every user is in one part.
  for (let before = after ?? AFTER_ALL; ; ) {
    const [last] = await findPartEnd(peopleOf(ctx, id), sql.ref('i.profile_id'), before, PEOPLE_PER_PART).execute();
    const part = { from: last?.id ?? '', before };
    for (const [value, selectIn] of members) {
      const split = splits.get(value) as Split;
      addPart(split, await countPart(ctx, id, range, part, selectIn, stepIds));
    }
    if (!last) return { splits: [...splits.values()], cursor: { after: null } };
    before = last.id;
    if (ctx.now() >= deadline) return { splits: [...splits.values()], cursor: { after: before } };
  }
}

const AFTER_ALL = 'g';

function peopleOf(ctx: Context, id: string) {
  return ctx.heavyDb
    .selectFrom('interactions as i')
    .where('i.account_id', '=', ctx.account.id)
    .where('i.experience_id', '=', id);
}

interface Counted {
  totals: { what: string; users: number }[];
  scores: Split['scores'];
}

async function countPart(
  ctx: Context,
  id: string,
  range: LocalDayRange,
  { from, before }: { from: string; before: string },
  selectIn: Awaited<ReturnType<typeof selectMembers>>,
  stepIds: readonly string[],
): Promise<Counted> {
  const account = ctx.account.id;
  const people = selectIn((profileId) => sql`${profileId} >= ${from} and ${profileId} < ${before}`);
  const { rows: totals } = await sql<{ what: string; users: number }>`
    select a.what, count(distinct a.profile_id) as users
    from interactions as i join activities as a
      on a.account_id = ${account} and a.profile_id = i.profile_id and a.experience_id = i.experience_id
    where i.account_id = ${account} and i.experience_id = ${id} and i.profile_id >= ${from} and i.profile_id < ${before}
      and a.part_id = '' and a.what in (${sql.join(countedActivities)})
      and a.day >= ${range.first} and a.day <= ${range.lastOfRows} and i.profile_id in ${people}
    group by a.what`.execute(ctx.heavyDb);
  if (stepIds.length === 0) return { totals, scores: [] };
  const { rows: scores } = await sql<{ step_id: string; value: string; users: number }>`
    select step_id, value, count(*) as users from (
      select a.step_id, a.value, row_number() over (
        partition by a.profile_id, a.step_id order by a.day desc, a.response_id desc) as newest
      from answers as a
      where a.account_id = ${account} and a.experience_id = ${id} and a.profile_id >= ${from} and a.profile_id < ${before}
        and a.step_id in (${sql.join(stepIds)}) and a.value in (${sql.join(scoreValues)})
        and a.day >= ${range.first} and a.day <= ${range.lastOfRows} and a.profile_id in ${people}
    ) as given where newest = 1
    group by step_id, value`.execute(ctx.heavyDb);
  return {
    totals,
    scores: scores.map(({ step_id, value, users }) => ({ step_id, value: Number(value), count: Number(users) })),
  };
}

function addPart(split: Split, { totals, scores }: Counted): void {
  for (const { what, users } of totals) split.totals[what as keyof Counts] += Number(users);
  for (const one of scores) {
    const known = split.scores.find(({ step_id, value }) => step_id === one.step_id && value === one.value);
    if (known) known.count += one.count;
    else split.scores.push(one);
  }
}
