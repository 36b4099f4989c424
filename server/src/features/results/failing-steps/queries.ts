import { type BrowserFamily, type Document, dayOf, type ExperienceKind, type Millis } from '@usher/domain';
import { type Selectable, sql } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Schema } from '../../../db/schema.ts';
import { type Publication, publicationColumns, publishedVersionOf } from '../../../published/publication.ts';
import { withoutTestUsers } from '../../audience/profiles/without-test-users.ts';

export type FailingStepRow = Selectable<Schema['failing_steps']>;

export interface LiveExperience {
  id: string;
  kind: ExperienceKind;
  publishedAt: Millis;
  document: Document;
}

/** Since when users see the version that they see now. */
export function liveSince({ published_at, next_published_at }: Publication, now: Millis): Millis {
  return next_published_at !== null && next_published_at <= now ? next_published_at : (published_at ?? now);
}

/** Returns an Experience as users see it, or undefined if it is not live. */
export async function findLiveExperience(ctx: Context, id: string): Promise<LiveExperience | undefined> {
  const row = await ctx.db
    .selectFrom('experiences')
    .select(['kind', ...publicationColumns])
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', id)
    .executeTakeFirst();
  const versionId = row && publishedVersionOf(row, ctx.now());
  if (!versionId) return undefined;
  const version = await ctx.db
    .selectFrom('versions')
    .select('content')
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', versionId)
    .executeTakeFirst();
  if (!version) return undefined;
  return { id, kind: row.kind, publishedAt: liveSince(row, ctx.now()), document: version.content.document };
}

export function failingStepsOf(ctx: Context, experienceId: string) {
  return ctx.db
    .selectFrom('failing_steps')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('experience_id', '=', experienceId)
    .orderBy('part_id');
}

interface PartCounts {
  part_id: string;
  all: number;
  missed: number;
  /** When a user missed the part for the first time. */
  since: Millis | null;
}

/** Counts the users of each part since a time. A user has missed a part if they did not see it when they last should have. */
export async function countByPart(ctx: Context, experienceId: string, from: Millis): Promise<PartCounts[]> {
  const people = findingsSince(ctx, experienceId, from)
    .select(['part_id', 'profile_id'])
    .select(sql<number>`max(case when finding = 'found' then at else 0 end)`.as('found_at'))
    .select(sql<number>`max(case when finding = 'found' then 0 else at end)`.as('missed_at'))
    .select(sql<number>`min(case when finding = 'found' then null else coalesce(first_at, at) end)`.as('first_at'))
    .groupBy(['part_id', 'profile_id'])
    .as('people');
  const rows = await ctx.heavyDb
    .selectFrom(people)
    .select(({ fn }) => ['part_id', fn.countAll<number>().as('all')])
    .select(sql<number>`count(case when missed_at > found_at then 1 end)`.as('missed'))
    .select(sql<number | null>`min(case when missed_at > found_at then first_at end)`.as('since'))
    .groupBy('part_id')
    .execute();
  return rows.map(({ part_id, all, missed, since }) => ({
    part_id,
    all: Number(all),
    missed: Number(missed),
    since: since === null ? null : Number(since),
  }));
}

/** Finds the page and the browser in which the most users missed a part. */
export async function findWorstPlace(
  ctx: Context,
  experienceId: string,
  partId: string,
  from: Millis,
): Promise<{ path: string; browser: BrowserFamily } | undefined> {
  return findingsSince(ctx, experienceId, from)
    .select(['path', 'browser'])
    .where('part_id', '=', partId)
    .where('finding', '<>', 'found')
    .groupBy(['path', 'browser'])
    .orderBy(({ fn }) => fn.count('profile_id').distinct(), 'desc')
    .orderBy('path')
    .orderBy('browser')
    .limit(1)
    .executeTakeFirst();
}

function findingsSince(ctx: Context, experienceId: string, from: Millis) {
  return ctx.heavyDb
    .selectFrom('findings')
    .where('account_id', '=', ctx.account.id)
    .where('experience_id', '=', experienceId)
    .where('day', '>=', dayOf(from))
    .where('at', '>=', from)
    .where('is_known', '=', true)
    .where(withoutTestUsers(ctx.account.id));
}
