import {
  type Document,
  describeAudience,
  type Experience,
  listGoals,
  primaryGoal,
  startUrls,
  type Tag,
} from '@usher/domain';
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { ExperienceRow } from './queries.ts';
import { loadGoals } from './shared-goals.ts';
import { presentTags } from './tag-records/present-tag.ts';
import { tagsOf } from './tag-records/queries.ts';

/** A response names at most so many domains of an Environment. */
const MAX_URLS = 20;

type Related = Pick<Experience, 'goal' | 'tags' | 'url_groups' | 'audience_summary'>;

/** Loads what Experiences name, for all of them together, so that a page of 500 takes as many queries as one of 1. */
export async function loadRelated(
  ctx: Context,
  rows: readonly ExperienceRow[],
): Promise<(document: Document) => Related> {
  const idsIn = (list: (document: Document) => string | readonly string[]) => [
    ...new Set(rows.flatMap(({ draft }) => list(draft))),
  ];
  const [tags, groups, segments, goals] = await Promise.all([
    loadTags(
      ctx,
      idsIn(({ tag_ids }) => tag_ids),
    ),
    loadUrlGroups(
      ctx,
      idsIn(({ url_group_ids }) => url_group_ids),
    ),
    loadSegmentNames(
      ctx,
      idsIn(({ segment_ids, excluded_segment_ids }) => [...segment_ids, ...excluded_segment_ids]),
    ),
    loadGoals(
      ctx,
      idsIn((document) => primaryGoal(listGoals(document))?.goal_id ?? []),
    ),
  ]);
  const quote = (ids: readonly string[]) => ids.map((id) => `“${segments.get(id) ?? id}”`);
  return (document) => {
    const url_groups = groups.filter(({ id }) => document.url_group_ids.includes(id));
    const shared = goals.get(primaryGoal(listGoals(document))?.goal_id ?? '')?.definition;
    return {
      goal: shared ? shared.event_name : document.goal,
      tags: document.tag_ids.flatMap((id) => tags.get(id) ?? []),
      url_groups,
      audience_summary: describeAudience(document, startUrls(document), {
        segments: quote(document.segment_ids),
        excluded: quote(document.excluded_segment_ids),
        environments: url_groups.map(({ name }) => name),
      }),
    };
  };
}

async function loadTags(ctx: Context, ids: string[]): Promise<Map<string, Tag>> {
  if (ids.length === 0) return new Map();
  const rows = await tagsOf(ctx).where('id', 'in', ids).execute();
  return new Map((await presentTags(ctx, rows)).map((tag) => [tag.id, tag]));
}

async function loadSegmentNames(ctx: Context, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const query = ctx.db.selectFrom('segments').select(['id', 'name']).where('account_id', '=', ctx.account.id);
  return new Map((await query.where('id', 'in', ids).execute()).map(({ id, name }) => [id, name]));
}

async function loadUrlGroups(ctx: Context, ids: string[]): Promise<Experience['url_groups']> {
  if (ids.length === 0) return [];
  const groups = await ctx.db
    .selectFrom('url_groups')
    .select(['id', 'name', 'short_name'])
    .where('account_id', '=', ctx.account.id)
    .where('id', 'in', ids)
    .orderBy('id')
    .execute();
  const ranked = ctx.db
    .selectFrom('urls')
    .select([
      'id',
      'host',
      'url_group_id',
      sql<number>`row_number() over (partition by url_group_id order by id desc)`.as('place'),
    ])
    .where('account_id', '=', ctx.account.id)
    .where('url_group_id', 'in', ids)
    .where('archived_at', 'is', null);
  const urls = await ctx.db
    .selectFrom(ranked.as('ranked'))
    .selectAll()
    .where('place', '<=', MAX_URLS)
    .orderBy('id', 'desc')
    .execute();
  return groups.map((group) => ({
    ...group,
    urls: urls.filter(({ url_group_id }) => url_group_id === group.id).map(({ id, host }) => ({ id, host })),
  }));
}
