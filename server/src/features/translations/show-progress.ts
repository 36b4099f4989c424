import { keysOf, noCounts, type TranslationProgress } from '@usher/domain';
import type { Context } from '../../context.ts';
import { countTexts } from './count-texts.ts';
import { listExperienceIds, listTranslatedLanguages, loadExperiences } from './queries.ts';

/** Counts the translated texts of each language. Archived Experiences do not count. */
export async function showProgress(caller: Context): Promise<TranslationProgress[]> {
  const ctx = { ...caller, db: caller.heavyDb };
  const codes = await listTranslatedLanguages(ctx);
  const ids = await listExperienceIds(ctx, {});
  const progress = codes.map((code) => ({
    language: { code },
    experiences_count: 0,
    ...noCounts,
  }));
  const names = keysOf(noCounts);
  for await (const rows of loadExperiences(ctx, ids)) {
    const counts = await countTexts(ctx, rows, codes);
    for (const languages of counts.values())
      for (const [index, one] of progress.entries()) {
        const language = languages[index];
        one.experiences_count += 1;
        for (const name of names) one[name] += language?.[name] ?? 0;
      }
  }
  return progress;
}
