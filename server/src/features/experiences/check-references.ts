import {
  type Document,
  exceedsFilterLimit,
  formatFilterLimit,
  formatPicturePath,
  isExclusive,
  joinNames,
  listDocumentFilters,
  listExperienceReferences,
  listGoals,
  listKindsWith,
  listSegmentReferences,
  parsePicturePath,
} from '@usher/domain';
import type { Context } from '../../context.ts';
import { ApiError } from '../../errors.ts';
import { publishedVersionOf } from '../../published/publication.ts';
import { segmentsOf } from '../audience/filters/segments.ts';
import { experiencesOf } from './queries.ts';

interface Reference {
  id: string;
  path: string;
}

/** Rejects a document that newly names an unknown record. Records that were deleted later are found by publishing. */
export async function checkReferences(ctx: Context, before: Document | null, after: Document): Promise<void> {
  const problems: string[] = [];
  const check = async (what: string, referencesIn: (document: Document) => Reference[], findIds: FindIds) => {
    const known = new Set(before ? referencesIn(before).map(({ id }) => id) : []);
    const added = referencesIn(after).filter(({ id }) => !known.has(id));
    if (added.length === 0) return;
    const ids = new Set(await findIds([...new Set(added.map(({ id }) => id))]));
    for (const { id, path } of added)
      if (!ids.has(id)) problems.push(`\`${path}\` is the ID of no ${what} in this account`);
  };
  // A theme is locked before Segments, because it can name Segments itself.
  await check(
    'theme',
    (document) => toReferences(document.theme_id ?? null, 'theme_id'),
    (ids) => lockIds(ctx, 'themes', ids),
  );
  await check('Segment', listSegments, (ids) => lockIds(ctx, 'segments', ids));
  await checkFilterLimit(ctx, after, problems);
  await check(
    'Environment',
    (document) => listReferences(document.url_group_ids, 'url_group_ids'),
    (ids) => lockIds(ctx, 'url_groups', ids),
  );
  await check(
    'Tag',
    (document) => listReferences(document.tag_ids, 'tag_ids'),
    (ids) => lockIds(ctx, 'tags', ids),
  );
  await check(joinNames(listKindsWith('isExclusive'), 'or'), listCampaigns, async (ids) =>
    (await loadCampaigns(ctx, ids)).filter(isExclusive).map(({ id }) => id),
  );
  await check('shared goal', listSharedGoals, (ids) => lockIds(ctx, 'goals', ids));
  await check('Experience', listGoalExperiences, async (ids) => (await loadCampaigns(ctx, ids)).map(({ id }) => id));
  const known = new Set((before?.steps ?? []).map(({ picture }) => picture));
  const pictures = after.steps.flatMap(({ picture }) => (picture && !known.has(picture) ? [picture] : []));
  const unknown = await findUnknownPictures(ctx, pictures);
  for (const [at, { picture }] of after.steps.entries())
    if (picture && unknown.has(picture))
      problems.push(`\`steps[${at}].picture\` is the path of no picture in this account: upload it first`);
  if (problems.length > 0) throw new ApiError(404, problems);
}

/** Locks the pictures with these paths, so that none is deleted meanwhile, and returns the paths of unknown pictures. */
async function findUnknownPictures(ctx: Context, paths: readonly string[]): Promise<Set<string>> {
  const unknown = new Set(paths);
  if (paths.length === 0) return unknown;
  const hashes = paths.flatMap((path) => parsePicturePath(path)?.hash ?? []);
  const query = ctx.db.selectFrom('pictures').selectAll().where('account_id', '=', ctx.account.id);
  const rows = await ctx.dialect.lockRows(query.where('hash', 'in', hashes).orderBy('id')).execute();
  for (const { account_id: accountId, size_2x, ...row } of rows)
    unknown.delete(formatPicturePath({ ...row, accountId, scale: size_2x === null ? 1 : 2 }));
  return unknown;
}

/** Removes a theme and pictures that were deleted since the document was stored: without them it only looks different. */
export async function dropDeletedLooks(ctx: Context, document: Document): Promise<Document> {
  const { theme_id, steps } = document;
  const hasTheme = !theme_id || (await lockIds(ctx, 'themes', [theme_id])).length > 0;
  const unknown = await findUnknownPictures(
    ctx,
    steps.flatMap(({ picture }) => picture ?? []),
  );
  return {
    ...document,
    ...(!hasTheme && { theme_id: null }),
    steps: steps.map((step) => (step.picture && unknown.has(step.picture) ? { ...step, picture: null } : step)),
  };
}

/** Finds the tours and surveys that a document leads to, and whether each is live. */
export async function findPublishedCampaigns(ctx: Context, document: Document): Promise<Map<string, boolean>> {
  const ids = [...new Set(listCampaigns(document).map(({ id }) => id))];
  const rows = ids.length === 0 ? [] : await loadCampaigns(ctx, ids);
  return new Map(rows.map((row) => [row.id, publishedVersionOf(row, ctx.now()) !== null]));
}

/** Conditions of items can name Segments, which page loads evaluate with them. */
async function checkFilterLimit(ctx: Context, document: Document, problems: string[]): Promise<void> {
  const lists = listDocumentFilters(document).filter(({ filters }) => listSegmentReferences(filters, '').length > 0);
  if (lists.length === 0) return;
  const items = new Map((await segmentsOf(ctx).execute()).map((segment) => [segment.id, segment.items]));
  for (const { filters, path } of lists)
    if (exceedsFilterLimit(filters, (id) => items.get(id))) problems.push(`\`${path}\` ${formatFilterLimit()}`);
}

type FindIds = (ids: string[]) => Promise<string[]>;

/** Locks the rows. A concurrent deletion is either done already, or waits and then finds that the record is used. */
async function lockIds(
  ctx: Context,
  table: 'segments' | 'url_groups' | 'tags' | 'themes' | 'goals',
  ids: string[],
): Promise<string[]> {
  const query = ctx.db.selectFrom(table).select('id').where('account_id', '=', ctx.account.id).where('id', 'in', ids);
  const rows = await ctx.dialect.lockRows(query.orderBy('id')).execute();
  return rows.map(({ id }) => id);
}

function loadCampaigns(ctx: Context, ids: string[]) {
  return experiencesOf(ctx).where('id', 'in', ids).execute();
}

function listSegments(document: Document): Reference[] {
  const items = (document.items ?? []).map(({ segment_id }, at) => toReferences(segment_id, `items[${at}].segment_id`));
  const excluded = listReferences(document.excluded_segment_ids, 'excluded_segment_ids');
  const inFilters = listDocumentFilters(document).flatMap(({ filters, path }) => listSegmentReferences(filters, path));
  const inGoals = listGoals(document).map(({ segment_id }, at) => toReferences(segment_id, `goals[${at}].segment_id`));
  const own = listReferences(document.segment_ids, 'segment_ids');
  return [...own, ...excluded, ...items.flat(), ...inFilters, ...inGoals.flat()];
}

function listCampaigns(document: Document): Reference[] {
  const items = (document.items ?? []).map(({ campaign_id }, at) =>
    toReferences(campaign_id, `items[${at}].campaign_id`),
  );
  const buttons = document.steps.flatMap((step, at) =>
    step.buttons.map((button, index) =>
      toReferences(button.action_campaign_id, `steps[${at}].buttons[${index}].action_campaign_id`),
    ),
  );
  const inFilters = listDocumentFilters(document).flatMap(({ filters, path }) =>
    listExperienceReferences(filters, path),
  );
  return [...items, ...buttons, inFilters].flat();
}

function listSharedGoals(document: Document): Reference[] {
  return listGoals(document).flatMap(({ goal_id }, at) => toReferences(goal_id, `goals[${at}].goal_id`));
}

/** The Experiences whose states are goals. */
function listGoalExperiences(document: Document): Reference[] {
  return listGoals(document).flatMap(({ experience_id }, at) =>
    toReferences(experience_id, `goals[${at}].experience_id`),
  );
}

/** The IDs of all Segments that a document names. */
export function listSegmentIds(document: Document): string[] {
  return listSegments(document).map(({ id }) => id);
}

/** The IDs of all tours and surveys that a document leads to, or that its conditions name. */
export function listCampaignIds(document: Document): string[] {
  return listCampaigns(document).map(({ id }) => id);
}

function listReferences(ids: readonly string[], path: string): Reference[] {
  return ids.map((id, at) => ({ id, path: `${path}[${at}]` }));
}

function toReferences(id: string | null, path: string): Reference[] {
  return id === null ? [] : [{ id, path }];
}
