import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { TranslationProgress } from '@usher/domain';
import type { Context } from '../../context.ts';
import { countTexts } from './count-texts.ts';
import { listExperienceIds, listTranslatedLanguages, loadExperiences } from './queries.ts';

/** Counts the translated texts of each language. Archived Experiences do not count. */
export async function showProgress(ctx: Context): Promise<TranslationProgress[]> {
  const codes = await listTranslatedLanguages(ctx);
  const ids = await listExperienceIds(ctx, {});
  const progress = codes.map((code) => ({
    language: { code },
    experiences_count: 0,
    texts_count: 0,
    translated_count: 0,
    inherited_count: 0,
    outdated_count: 0,
  }));
  for await (const rows of loadExperiences(ctx, ids)) {
    const counts = await countTexts(ctx, rows, codes);
    for (const languages of counts.values())
      for (const [index, one] of progress.entries()) {
        const language = languages[index];
        one.experiences_count += 1;
        one.texts_count += language?.texts_count ?? 0;
        one.translated_count += language?.translated_count ?? 0;
        one.inherited_count += language?.inherited_count ?? 0;
        one.outdated_count += language?.outdated_count ?? 0;
      }
    await yieldToOthers();
  }
  return progress;
}
