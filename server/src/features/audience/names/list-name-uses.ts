import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type Document,
  isInConditions,
  isInEvents,
  isInFilters,
  isInGoal,
  isInTexts,
  listUsedEvents,
  type RegisteredName,
} from '@usher/domain';
import type { Context } from '../../../context.ts';
import { experiencesOf } from '../../experiences/queries.ts';
import { goalsOf } from '../../experiences/shared-goals.ts';
import { segmentsOf } from '../filters/segments.ts';

/** Only a few Experiences are read together, because they have long texts. */
const EXPERIENCES_PER_QUERY = 20;

/**
 * Lists what uses a Property or the name of an event, in words: Segments, shared goals, and Experiences by their goals, the events that their steps wait for, the conditions of their items, or their texts. With `since`,
 * only Experiences with Changes after this one are read.
 */
export async function listNameUses(ctx: Context, name: RegisteredName, since?: string): Promise<string[]> {
  const segments = await segmentsOf(ctx).orderBy('id').execute();
  const goals = await goalsOf(ctx).orderBy('id').execute();
  const uses = [
    ...segments.filter(({ items }) => isInFilters(items, name)).map((row) => `the Segment "${row.name}"`),
    ...goals.filter(({ definition }) => isInGoal(definition, name)).map((row) => `the goal "${row.name}"`),
  ];
  const all = experiencesOf(ctx).orderBy('id').limit(EXPERIENCES_PER_QUERY);
  const query =
    since === undefined ? all : all.where('id', 'in', changesOf(ctx).where('id', '>', since).select('experience_id'));
  for (let last = ''; ; ) {
    const rows = await query.where('id', '>', last).execute();
    const ids = rows.map(({ id }) => id);
    const contents = await loadContents(
      ctx,
      ids,
      rows.flatMap(({ version_id, next_version_id }) => [version_id, next_version_id].filter((id) => id !== null)),
    );
    for (const { id, kind, draft } of rows) {
      const isUsed = [draft, ...(contents.get(id) ?? [])].some((content) => isUsedIn(content, name));
      if (isUsed) uses.push(`the ${kind} "${draft.name}"`);
    }
    last = ids.at(-1) ?? '';
    // Looking through texts takes long, and other requests wait for this thread.
    await nextTurn();
    if (rows.length < EXPERIENCES_PER_QUERY) return uses;
  }
}

/** The ID of the last Change of the account. */
export async function findLastChange(ctx: Context): Promise<string> {
  return (await changesOf(ctx).select('id').orderBy('id', 'desc').limit(1).executeTakeFirst())?.id ?? '';
}

function changesOf({ db, account }: Context) {
  return db.selectFrom('changes').where('account_id', '=', account.id);
}

function isUsedIn(content: unknown, name: RegisteredName): boolean {
  const { document, ...draft } = content as Partial<Document> & { document?: Document };
  if (name.kind === 'event_name') return [draft, document ?? {}].some((one) => listUsedEvents(one).includes(name.prop));
  return (
    [draft, document ?? {}].some((one) => isInEvents(one, name) || isInConditions(one, name)) ||
    isInTexts(content, name)
  );
}

/** Loads the published versions and the translations of Experiences, by Experience. */
async function loadContents(
  ctx: Context,
  ids: readonly string[],
  versionIds: readonly string[],
): Promise<Map<string, unknown[]>> {
  const contents = new Map<string, unknown[]>(ids.map((id) => [id, []]));
  const versions = await ctx.db
    .selectFrom('versions')
    .select(['experience_id', 'content'])
    .where('account_id', '=', ctx.account.id)
    .where('id', 'in', ['', ...versionIds])
    .execute();
  for (const { experience_id, content } of versions) contents.get(experience_id)?.push(content);
  const translations = await ctx.db
    .selectFrom('translations')
    .select(['experience_id', 'texts'])
    .where('account_id', '=', ctx.account.id)
    .where('experience_id', 'in', ['', ...ids])
    .execute();
  for (const { experience_id, texts } of translations) contents.get(experience_id)?.push(texts);
  return contents;
}
