import { countTranslated, type LanguageCounts, listShownTexts } from '@usher/domain';
import type { Context } from '../../context.ts';
import { takeBreaks } from '../../take-breaks.ts';
import type { ExperienceRow } from '../experiences/queries.ts';
import { loadStored, withParents } from './languages/load-texts.ts';

/** Counts the texts of some Experiences that users can see, and how many of them each language has, by Experience ID. */
export async function countTexts(
  ctx: Context,
  rows: readonly Pick<ExperienceRow, 'id' | 'draft'>[],
  codes: readonly string[],
): Promise<Map<string, LanguageCounts[]>> {
  const ids = rows.map(({ id }) => id);
  const translations = await loadStored(ctx, ids);
  const counts = new Map<string, LanguageCounts[]>();
  const takeBreak = takeBreaks();
  for (const { id, draft } of rows) {
    const shown = listShownTexts(id, draft);
    const stored = translations.get(id) ?? {};
    const count = (code: string) => countTranslated(shown, withParents(code, stored), stored[code]?.sources);
    counts.set(
      id,
      codes.map((code) => ({ code, ...count(code) })),
    );
    await takeBreak();
  }
  return counts;
}
