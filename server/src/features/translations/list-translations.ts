import { type ExperienceKind, type LanguageCounts, type ListedTranslations, toTimestamp } from '@usher/domain';
import type { Context } from '../../context.ts';
import { type ListPage, listPage, type PageParameters } from '../../db/pagination/list-page.ts';
import { stateOf } from '../experiences/publication-state.ts';
import { experiencesOf } from '../experiences/queries.ts';
import { countTexts } from './count-texts.ts';
import { EXPERIENCES_PER_QUERY } from './languages/load-texts.ts';
import { listTranslatedLanguages } from './queries.ts';

/** Lists Experiences with their progress in each language, newest first. Archived ones are not listed. */
export async function listTranslations(
  caller: Context,
  { kind, ...page }: PageParameters & { kind?: ExperienceKind },
): Promise<ListPage<ListedTranslations>> {
  const ctx = { ...caller, db: caller.heavyDb };
  const codes = await listTranslatedLanguages(ctx);
  const all = experiencesOf(ctx).where('archived_at', 'is', null);
  const { rows, cursor } = await listPage(kind ? all.where('kind', '=', kind) : all, page);
  const counts = new Map<string, LanguageCounts[]>();
  for (let start = 0; start < rows.length; start += EXPERIENCES_PER_QUERY) {
    const part = await countTexts(ctx, rows.slice(start, start + EXPERIENCES_PER_QUERY), codes);
    for (const [id, languages] of part) counts.set(id, languages);
  }
  const listed = rows.map((row) => ({
    experience: {
      id: row.id,
      kind: row.kind,
      name: row.draft.name,
      updated_at: toTimestamp(row.updated_at),
      state: stateOf(row, ctx.now()),
    },
    languages: counts.get(row.id) ?? [],
  }));
  return { rows: listed, cursor };
}
