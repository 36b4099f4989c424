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
import { toModelChange } from '../experiences/revert-experience.ts';
import { translationsOf } from '../translations/queries.ts';
import { type ChangeRow, changesOf, findHistory } from './queries.ts';

/** Everything since the last publish, or since the beginning; of what is deleted, how it ended. */
export async function summarizeChanges(ctx: Context, kind: ExperienceKind, id: string): Promise<ChangeSummary> {
  const history = await findHistory(ctx, kind, id);
  const { published, states, captures } =
    'end' in history ? await statesOfDeleted(ctx, kind, history.end) : await statesOf(ctx, history.row);
  const since = await changedSince(ctx, id, published);
  const owners = new Map(
    [states.before, states.after].flatMap((content) => (content ? [...mapAppearanceOwners(id, content.document)] : [])),
  );
  const firstCaptures = await capturesBefore(ctx, id, since.firsts, owners);
  return buildChangeSummary(id, states, since.range, {
    before: (owner) => firstCaptures.get(owner) ?? (firstCaptures.has(owner) ? null : (captures[owner] ?? null)),
    after: (owner) => captures[owner] ?? null,
  });
}

interface Told {
  /** The write that published it last. */
  published: string | undefined;
  states: { before: Content | null; after: Content | null };
  captures: Record<string, string>;
}

async function statesOf(
  ctx: Context,
  row: { id: string; draft: Content['document']; captures: Record<string, string> },
): Promise<Told> {
  const version = await ctx.db
    .selectFrom('versions')
    .select(['change_id', 'content'])
    .where('account_id', '=', ctx.account.id)
    .where('experience_id', '=', row.id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const after: Content = { document: row.draft, translations: await translationsOf(ctx, row.id) };
  return {
    published: version?.change_id,
    states: { before: version?.content ?? null, after },
    captures: row.captures,
  };
}

/** What was published is gone with it: what it was before its end can be told from that end. */
async function statesOfDeleted(ctx: Context, kind: ExperienceKind, end: ChangeRow): Promise<Told> {
  const last = await changesOf(ctx)
    .where('experience_id', '=', end.experience_id)
    .where('id', '>=', end.id)
    .where('write_id', '=', end.write_id)
    .execute();
  const undone = invertChanges(last.map(toModelChange));
  const nothing: Content = { document: emptyDocument(kind), translations: {} };
  const states = { before: applyChanges(end.experience_id, nothing, undone), after: null };
  return { published: await lastPublish(ctx, end.experience_id), states, captures: {} };
}

/** Whatever came since, the last publish is among the last that were done to `published_at`. */
async function lastPublish(ctx: Context, id: string): Promise<string | undefined> {
  const told = await ctx.db
    .selectFrom('change_properties')
    .select('change_id')
    .where('account_id', '=', ctx.account.id)
    .where('experience_id', '=', id)
    .where('property', '=', 'published_at')
    .orderBy('change_id', 'desc')
    .limit(5)
    .execute();
  if (told.length === 0) return undefined;
  const ids = told.map(({ change_id }) => change_id);
  const rows = await changesOf(ctx).where('id', 'in', ids).orderBy('id', 'desc').execute();
  return rows.find(({ options }) => options.version_id?.[1])?.write_id;
}

interface Since {
  range: [string | null, string | null];
  /** The first Change of each model, texts in other languages aside. */
  firsts: string[];
}

/** What the Segments and Environments it uses went through is not its own. */
async function changedSince(ctx: Context, id: string, published: string | undefined): Promise<Since> {
  const seen = sql<string | null>`min(case when path like 'translations.%' then null else id end)`;
  let query = ctx.heavyDb
    .selectFrom('changes')
    .select(({ fn }) => [fn.min('id').as('first'), fn.max('id').as('last'), seen.as('seen')])
    .where('account_id', '=', ctx.account.id)
    .where('experience_id', '=', id)
    .where('kind', '<>', 'related')
    .groupBy('model_id');
  if (published !== undefined) query = query.where('id', '>', published).where('write_id', '>', published);
  const models = await query.execute();
  const firsts = models.map(({ first }) => first).sort();
  const lasts = models.map(({ last }) => last).sort();
  return {
    range: [firsts[0] ?? null, lasts.at(-1) ?? null],
    firsts: models.flatMap(({ seen }) => seen ?? []),
  };
}

/** How each step or launcher looked before the first of these Changes that is about it or a part of it. */
async function capturesBefore(
  ctx: Context,
  id: string,
  firsts: readonly string[],
  owners: ReadonlyMap<string, string>,
): Promise<Map<string, string | null>> {
  const captures = new Map<string, string | null>();
  if (firsts.length === 0) return captures;
  const rows = await changesOf(ctx)
    .where('experience_id', '=', id)
    .where('id', 'in', firsts)
    .orderBy('id', 'desc')
    .execute();
  for (const { model_id, options } of rows) {
    const owner = owners.get(model_id);
    // An Experience with steps looks like whichever is its first: that one tells for itself.
    if (owner === undefined || (model_id === id && owner !== id)) continue;
    captures.set(owner, (options.capture_id?.[0] ?? null) as string | null);
  }
  return captures;
}
