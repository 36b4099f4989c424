import {
  applyChanges,
  buildChangeSummary,
  type ChangeSummary,
  type Content,
  type ExperienceKind,
  emptyDocument,
  invertChanges,
  mapAppearanceOwners,
} from '@usher/domain';
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { loadTranslations } from '../translations/languages/load-texts.ts';
import { type ChangeRow, changesOf } from './changes/queries.ts';
import { toModelChange } from './changes/to-model-change.ts';
import { findHistory } from './find-history.ts';
import { getExperience } from './queries.ts';
import { getVersion } from './versions.ts';

/** Sums up all Changes since the last publish, or since the creation. Works for a deleted Experience too. */
export async function summarizeChanges(ctx: Context, kind: ExperienceKind, id: string): Promise<ChangeSummary> {
  const history = await findHistory(ctx, kind, id);
  const { lastPublish, states, captures } =
    'deletion' in history ? await compareDeleted(ctx, kind, history.deletion) : await compare(ctx, history.row);
  const { range, firstIds } = await findChangesSince(ctx, id, lastPublish);
  const owners = new Map(
    [states.before, states.after].flatMap((content) => (content ? [...mapAppearanceOwners(id, content.document)] : [])),
  );
  const oldCaptures = await findOldCaptures(ctx, id, firstIds, owners);
  return buildChangeSummary(id, states, range, {
    before: (owner) => oldCaptures.get(owner) ?? (oldCaptures.has(owner) ? null : (captures[owner] ?? null)),
    after: (owner) => captures[owner] ?? null,
  });
}

/**
 * Sums up the differences between the content of two versions, or of a version and the draft. The time of publishing
 * does not count, because it differs with every publish. Versions keep no captures.
 */
export async function compareVersions(
  ctx: Context,
  kind: ExperienceKind,
  id: string,
  from: string,
  until?: string,
): Promise<ChangeSummary> {
  const row = await getExperience(ctx, kind, id);
  const before = await getVersion(ctx, id, from);
  const after = until === undefined ? undefined : await getVersion(ctx, id, until);
  const draft = async (): Promise<Content> => ({ document: row.draft, translations: await loadTranslations(ctx, id) });
  const { position, published_at, published_until, archived_at } = before.content.document;
  const later = after?.content ?? (await draft());
  const document = { ...later.document, position, published_at, published_until, archived_at };
  const states = { before: before.content, after: { ...later, document } };
  const noCapture = () => null;
  return buildChangeSummary(id, states, [before.change_id, after?.change_id ?? null], {
    before: noCapture,
    after: noCapture,
  });
}

/** Sums up how content differs from the latest version, without captures. */
export async function summarizeContents(ctx: Context, id: string, after: Content): Promise<ChangeSummary> {
  const version = await findLastVersion(ctx, id);
  const noCapture = () => null;
  const range: [string | null, null] = [version?.change_id ?? null, null];
  const states = { before: version?.content ?? null, after };
  return buildChangeSummary(id, states, range, { before: noCapture, after: noCapture });
}

interface PublishedAndCurrent {
  /** The ID of the write that published last. */
  lastPublish: string | undefined;
  states: { before: Content | null; after: Content | null };
  captures: Record<string, string>;
}

async function compare(
  ctx: Context,
  row: { id: string; draft: Content['document']; captures: Record<string, string> },
): Promise<PublishedAndCurrent> {
  const version = await findLastVersion(ctx, row.id);
  const after: Content = { document: row.draft, translations: await loadTranslations(ctx, row.id) };
  return {
    lastPublish: version?.change_id,
    states: { before: version?.content ?? null, after },
    captures: row.captures,
  };
}

function findLastVersion(ctx: Context, id: string) {
  return ctx.db
    .selectFrom('versions')
    .select(['change_id', 'content'])
    .where('account_id', '=', ctx.account.id)
    .where('experience_id', '=', id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/**
 * Compares by the Changes of the deletion, which contain the last content: the versions were deleted with the
 * Experience.
 */
async function compareDeleted(ctx: Context, kind: ExperienceKind, deletion: ChangeRow): Promise<PublishedAndCurrent> {
  const { id, write_id, experience_id } = deletion;
  const last = await changesOf(ctx)
    .where('experience_id', '=', experience_id)
    .where('id', '>=', id)
    .where('write_id', '=', write_id)
    .execute();
  const undone = invertChanges(last.map(toModelChange));
  const nothing: Content = { document: emptyDocument(kind), translations: {} };
  const states = { before: applyChanges(experience_id, nothing, undone), after: null };
  return { lastPublish: await findLastPublish(ctx, experience_id), states, captures: {} };
}

/** Reads the last few writes of `published_at`: only a write that publishes has a version. */
async function findLastPublish(ctx: Context, id: string): Promise<string | undefined> {
  const found = await ctx.db
    .selectFrom('change_properties')
    .select('change_id')
    .where('account_id', '=', ctx.account.id)
    .where('experience_id', '=', id)
    .where('property', '=', 'published_at')
    .orderBy('change_id', 'desc')
    .limit(5)
    .execute();
  if (found.length === 0) return undefined;
  const ids = found.map(({ change_id }) => change_id);
  const rows = await changesOf(ctx).where('id', 'in', ids).orderBy('id', 'desc').execute();
  return rows.find(({ options }) => options.version_id?.[1])?.write_id;
}

interface ChangesSince {
  range: [string | null, string | null];
  /** The first Change of each model, without translations. */
  firstIds: string[];
}

/** Changes of the Segments and Environments that the Experience uses do not count. */
async function findChangesSince(ctx: Context, id: string, lastPublish: string | undefined): Promise<ChangesSince> {
  const firstOwn = sql<string | null>`min(case when path like 'translations.%' then null else id end)`;
  let query = ctx.heavyDb
    .selectFrom('changes')
    .select(({ fn }) => [fn.min('id').as('first'), fn.max('id').as('last'), firstOwn.as('first_own')])
    .where('account_id', '=', ctx.account.id)
    .where('experience_id', '=', id)
    .where('kind', '<>', 'related')
    .groupBy('model_id');
  if (lastPublish !== undefined) query = query.where('id', '>', lastPublish).where('write_id', '>', lastPublish);
  const models = await query.execute();
  const first = models.map(({ first }) => first).sort()[0];
  const last = models
    .map(({ last }) => last)
    .sort()
    .at(-1);
  return { range: [first ?? null, last ?? null], firstIds: models.flatMap(({ first_own }) => first_own ?? []) };
}

/** The capture of each step or launcher before the first of these Changes that is about it or one of its parts. */
async function findOldCaptures(
  ctx: Context,
  id: string,
  firstIds: readonly string[],
  owners: ReadonlyMap<string, string>,
): Promise<Map<string, string | null>> {
  const captures = new Map<string, string | null>();
  if (firstIds.length === 0) return captures;
  const rows = await changesOf(ctx)
    .where('experience_id', '=', id)
    .where('id', 'in', firstIds)
    .orderBy('id', 'desc')
    .execute();
  for (const { model_id, options } of rows) {
    const owner = owners.get(model_id);
    // The capture of an Experience with steps is that of its first step, which has a Change of its own.
    if (owner === undefined || (model_id === id && owner !== id)) continue;
    captures.set(owner, (options.capture_id?.[0] ?? null) as string | null);
  }
  return captures;
}
