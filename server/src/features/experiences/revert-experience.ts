import {
  applyChanges,
  type Content,
  type Experience,
  type ExperienceKind,
  invertChanges,
  type ModelChange,
  type Translations,
} from '@usher/domain';
import type { Context } from '../../context.ts';
import { invalid, notFound } from '../../errors.ts';
import { recordChangesOfMany } from '../changes/record-changes.ts';
import { keepLanguage } from '../languages/queries.ts';
import { translationsOf } from '../translations/queries.ts';
import { storeTexts } from '../translations/store-texts.ts';
import { storeDraft } from './change-experience.ts';
import { type ExperienceRow, lockExperience, presentExperience } from './queries.ts';
import { getVersion } from './versions.ts';

/** Back to how it was after a Change, or when a version was published. Whether it is live stays as it is. */
export async function revertExperience(
  ctx: Context,
  kind: ExperienceKind,
  id: string,
  to: { change_id?: string; version_id?: string },
): Promise<Experience> {
  const reverted = await ctx.transaction(async (ctx) => {
    const row = await lockExperience(ctx, kind, id);
    if (to.change_id === undefined && to.version_id === undefined)
      throw invalid('`change_id` is required: give the ID of the Change, or `version_id`, to go back to');
    const now: Content = { document: row.draft, translations: await translationsOf(ctx, id) };
    const wanted = to.version_id
      ? (await getVersion(ctx, id, to.version_id)).content
      : await contentAfter(ctx, id, now, to.change_id as string);
    const { position, published_at, published_until, archived_at } = row.draft;
    const document = { ...wanted.document, position, published_at, published_until, archived_at };
    const stored = await storeDraft(ctx, row, document, 'revert');
    await storeTranslations(ctx, stored, now.translations, wanted.translations);
    return stored;
  });
  return presentExperience(ctx, reverted);
}

/** Undoes what was written after that Change, the latest first. What was written together is undone together. */
async function contentAfter(ctx: Context, id: string, now: Content, changeId: string): Promise<Content> {
  const changes = ctx.db.selectFrom('changes').where('account_id', '=', ctx.account.id).where('experience_id', '=', id);
  const target = await changes.select('write_id').where('id', '=', changeId).executeTakeFirst();
  if (!target) throw notFound('Change of this Experience');
  const later = await changes
    .select(['write_id', 'kind', 'op', 'model_id', 'model_type', 'path', 'object'])
    .where('id', '>', target.write_id)
    .where('write_id', '>', target.write_id)
    .where('kind', '<>', 'related')
    .orderBy('id', 'desc')
    .execute();
  let content = now;
  for (let start = 0, end = 0; start < later.length; start = end) {
    while (later[end]?.write_id === later[start]?.write_id) end++;
    content = applyChanges(id, content, invertChanges(later.slice(start, end).map(toModelChange).reverse()));
  }
  return content;
}

/** Where the kind is not what was done, what was made or is gone was told as from or to nothing. */
export function toModelChange({
  kind,
  op,
  model_id,
  model_type,
  path,
  object,
}: ModelChange & { kind: string }): ModelChange {
  const change = { op, model_id, model_type, path };
  if (op === 'update' || kind === op) return { ...change, object };
  const side = op === 'create' ? 1 : 0;
  const scalars = Object.entries(object).map(([name, diff]) => [name, (diff as unknown[])[side]]);
  return { ...change, object: Object.fromEntries(scalars) };
}

async function storeTranslations(ctx: Context, row: ExperienceRow, before: Translations, after: Translations) {
  for (const language of Object.keys({ ...before, ...after })) {
    const texts = { row, before: before[language] ?? {}, after: after[language] ?? {} };
    if (after[language]) await keepLanguage(ctx, language);
    await recordChangesOfMany(ctx, await storeTexts(ctx, language, [texts]), 'revert');
  }
}
