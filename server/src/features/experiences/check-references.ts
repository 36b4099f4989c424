import type { Document } from '@usher/domain';
import type { Context } from '../../context.ts';
import { ApiError } from '../../errors.ts';
import { publishedVersionOf } from '../../published/publication.ts';
import { experiencesOf } from './queries.ts';

interface Reference {
  id: string;
  path: string;
}

/** What a document names must be there when it is named. What goes later is for publishing to find. */
export async function checkReferences(ctx: Context, before: Document | null, after: Document): Promise<void> {
  const problems: string[] = [];
  const check = async (what: string, referencesIn: (document: Document) => Reference[], found: FindIds) => {
    const known = new Set(before ? referencesIn(before).map(({ id }) => id) : []);
    const fresh = referencesIn(after).filter(({ id }) => !known.has(id));
    if (fresh.length === 0) return;
    const ids = new Set(await found([...new Set(fresh.map(({ id }) => id))]));
    for (const { id, path } of fresh)
      if (!ids.has(id)) problems.push(`\`${path}\` is the ID of no ${what} in this account`);
  };
  await check('Segment', segmentsIn, (ids) => keepIds(ctx, 'segments', ids));
  await check(
    'Environment',
    (document) => listed(document.url_group_ids, 'url_group_ids'),
    (ids) => keepIds(ctx, 'url_groups', ids),
  );
  await check(
    'Tag',
    (document) => listed(document.tag_ids, 'tag_ids'),
    (ids) => keepIds(ctx, 'tags', ids),
  );
  await check('tour or survey', campaignsIn, async (ids) =>
    (await campaigns(ctx, ids)).filter(({ kind }) => kind === 'tour' || kind === 'survey').map(({ id }) => id),
  );
  if (problems.length > 0) throw new ApiError(404, problems);
}

/** The tours and surveys that a document leads to, and whether each is live. */
export async function findPublishedCampaigns(ctx: Context, document: Document): Promise<Map<string, boolean>> {
  const ids = [...new Set(campaignsIn(document).map(({ id }) => id))];
  const rows = ids.length === 0 ? [] : await campaigns(ctx, ids);
  return new Map(rows.map((row) => [row.id, publishedVersionOf(row, ctx.now()) !== null]));
}

type FindIds = (ids: string[]) => Promise<string[]>;

/** The rows are locked: what is deleted at this moment is not there, or is deleted later and refused. */
async function keepIds(ctx: Context, table: 'segments' | 'url_groups' | 'tags', ids: string[]): Promise<string[]> {
  const query = ctx.db.selectFrom(table).select('id').where('account_id', '=', ctx.account.id).where('id', 'in', ids);
  const rows = await ctx.dialect.lockRows(query.orderBy('id')).execute();
  return rows.map(({ id }) => id);
}

function campaigns(ctx: Context, ids: string[]) {
  return experiencesOf(ctx).where('id', 'in', ids).execute();
}

function segmentsIn(document: Document): Reference[] {
  const items = (document.items ?? []).map(({ segment_id }, at) => named(segment_id, `items[${at}].segment_id`));
  const excluded = listed(document.excluded_segment_ids, 'excluded_segment_ids');
  return [...listed(document.segment_ids, 'segment_ids'), ...excluded, ...items.flat()];
}

function campaignsIn(document: Document): Reference[] {
  const items = (document.items ?? []).map(({ campaign_id }, at) => named(campaign_id, `items[${at}].campaign_id`));
  const buttons = document.steps.flatMap((step, at) =>
    step.buttons.map((button, index) =>
      named(button.action_campaign_id, `steps[${at}].buttons[${index}].action_campaign_id`),
    ),
  );
  return [...items, ...buttons].flat();
}

/** The Segments a document names, anywhere in it. */
export function segmentIdsIn(document: Document): string[] {
  return segmentsIn(document).map(({ id }) => id);
}

function listed(ids: readonly string[], path: string): Reference[] {
  return ids.map((id, at) => ({ id, path: `${path}[${at}]` }));
}

function named(id: string | null, path: string): Reference[] {
  return id === null ? [] : [{ id, path }];
}
