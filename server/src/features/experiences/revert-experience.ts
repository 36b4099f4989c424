import {
  applyChanges,
  type Content,
  type Experience,
  type ExperienceKind,
  invertChanges,
  restoreSources,
  type StoredTexts,
  type Translations,
} from '@usher/domain';
import type { Context } from '../../context.ts';
import { invalid } from '../../errors.ts';
import { loadStored, type StoredTranslations } from '../translations/languages/load-texts.ts';
import { addMissingLanguage, lockLanguages } from '../translations/languages/queries.ts';
import { storeTexts } from '../translations/languages/store-texts.ts';
import { loadChangesAfter } from './changes/load-changes-after.ts';
import { recordChangeGroups } from './changes/record-changes.ts';
import { toModelChange } from './changes/to-model-change.ts';
import { dropDeletedLooks } from './check-references.ts';
import { presentExperience } from './present-experience.ts';
import { type ExperienceRow, lockExperience } from './queries.ts';
import { storeDraft } from './store-drafts.ts';
import { getVersion } from './versions.ts';

/** Restores the content after a Change, or of a version. It does not change whether the Experience is published. */
export async function revertExperience(
  ctx: Context,
  kind: ExperienceKind,
  id: string,
  to: { change_id?: string; version_id?: string },
): Promise<Experience> {
  const reverted = await ctx.transaction(async (ctx) => {
    // An upload of translations locks its language before the Experiences. All languages are locked here, because it is
    // not known yet which of them change.
    const languages = await lockLanguages(ctx);
    const row = await lockExperience(ctx, kind, id);
    if (to.change_id === undefined && to.version_id === undefined)
      throw invalid('`change_id` is required: give the ID of the Change, or `version_id`, to go back to');
    const before = (await loadStored(ctx, [id])).get(id) ?? {};
    const translations = Object.fromEntries(Object.entries(before).map(([code, { texts }]) => [code, texts]));
    const current: Content = { document: row.draft, translations };
    const wanted = to.version_id
      ? (await getVersion(ctx, id, to.version_id)).content
      : await undoChangesAfter(ctx, id, current, to.change_id as string);
    const { position, published_at, published_until, archived_at } = row.draft;
    const restored = await dropDeletedLooks(ctx, wanted.document);
    const document = { ...restored, position, published_at, published_until, archived_at };
    const stored = await storeDraft(ctx, row, document, 'revert');
    await storeTranslations(ctx, stored, before, wanted.translations, languages);
    return stored;
  });
  return presentExperience(ctx, reverted);
}

/** Undoes everything that was written after a Change, the latest first. Changes of one write are undone together. */
async function undoChangesAfter(ctx: Context, id: string, current: Content, changeId: string): Promise<Content> {
  const newer = await loadChangesAfter(ctx, id, changeId);
  let content = current;
  for (let start = 0, end = 0; start < newer.length; start = end) {
    while (newer[end]?.write_id === newer[start]?.write_id) end++;
    content = applyChanges(id, content, invertChanges(newer.slice(start, end).map(toModelChange).reverse()));
  }
  return content;
}

async function storeTranslations(
  ctx: Context,
  row: ExperienceRow,
  before: StoredTranslations,
  after: Translations,
  languages: ReadonlySet<string>,
) {
  for (const language of Object.keys({ ...before, ...after })) {
    const had: StoredTexts = before[language] ?? { texts: {}, sources: {} };
    const restored = after[language] ?? {};
    const sources = restoreSources(row.id, row.draft, had, restored);
    const texts = { row, before: had.texts, after: restored, sources };
    if (after[language] && !languages.has(language)) await addMissingLanguage(ctx, language);
    await recordChangeGroups(ctx, await storeTexts(ctx, language, [texts]), 'revert');
  }
}
