import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { countTranslated, DEFAULT_LANGUAGE, listTranslatableSteps, type TranslationProgress } from '@usher/domain';
import type { Context } from '../../context.ts';
import { loadTexts } from '../languages/load-texts.ts';
import { listExperienceIds, listLanguageCodes, loadExperiences } from './queries.ts';

/** Counts the translated texts of each language. Archived Experiences do not count. */
export async function showProgress(ctx: Context): Promise<TranslationProgress[]> {
  const codes = (await listLanguageCodes(ctx)).filter((code) => code !== DEFAULT_LANGUAGE);
  const ids = await listExperienceIds(ctx, {});
  const progress = codes.map((code) => ({
    language: { code },
    experiences_count: 0,
    texts_count: 0,
    translated_count: 0,
  }));
  for await (const rows of loadExperiences(ctx, ids)) {
    const steps = rows.map(({ id, draft }) => ({ id, steps: listTranslatableSteps(id, draft) }));
    for (const one of progress) {
      const texts = await loadTexts(
        ctx,
        rows.map(({ id }) => id),
        one.language.code,
      );
      for (const { id, steps: mine } of steps) {
        const count = countTranslated(mine, texts.get(id)?.[0] ?? {});
        one.experiences_count += 1;
        one.texts_count += count.texts;
        one.translated_count += count.translated;
      }
    }
    await yieldToOthers();
  }
  return progress;
}
