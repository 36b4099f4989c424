import {
  countTranslated,
  directionOf,
  type ExperienceKind,
  type ExperienceTranslations,
  findShownTexts,
  isMarkdown,
  isOutdated,
  isReviewed,
  listParentLanguages,
  listTranslatableSteps,
  type TranslatableText,
  toTimestamp,
} from '@usher/domain';
import type { Context } from '../../context.ts';
import { type ExperienceRow, getExperience } from '../experiences/queries.ts';
import { loadStored, type StoredTranslations, withParents } from './languages/load-texts.ts';
import { listTranslatedLanguages } from './queries.ts';

type ShownText = ExperienceTranslations['steps'][number]['texts'][number];

/** Shows every text of an Experience beside its translations. */
export async function showTranslations(
  ctx: Context,
  kind: ExperienceKind,
  id: string,
): Promise<ExperienceTranslations> {
  const row = await getExperience(ctx, kind, id);
  return present(row, await listTranslatedLanguages(ctx), (await loadStored(ctx, [id])).get(id) ?? {});
}

function present(row: ExperienceRow, codes: readonly string[], stored: StoredTranslations): ExperienceTranslations {
  const { id, kind, draft, updated_at } = row;
  const isShown = findShownTexts(id, draft);
  const steps = listTranslatableSteps(id, draft);
  const shown = steps.flatMap(({ texts }) => texts.filter(isShown));
  return {
    experience: { id, kind, name: draft.name, updated_at: toTimestamp(updated_at) },
    languages: codes.map((code) => ({
      code,
      direction: directionOf(code),
      ...countTranslated(shown, withParents(code, stored), stored[code]?.sources),
    })),
    steps: steps.map((step) => ({
      id: step.id,
      name: step.texts.find(({ modelId, field }) => modelId === step.id && field === 'title')?.text ?? null,
      texts: step.texts.map((text) => ({ ...presentText(text, codes, stored), is_shown: isShown(text) })),
    })),
  };
}

function presentText(
  source: TranslatableText,
  codes: readonly string[],
  stored: StoredTranslations,
): Omit<ShownText, 'is_shown'> {
  const { modelId, field, key, text, maxLength } = source;
  const textIn = (code: string) => stored[code]?.texts[modelId]?.[field];
  const translations: ShownText['translations'] = {};
  const inherited: ShownText['inherited'] = {};
  for (const code of codes) {
    const own = textIn(code);
    const parent = listParentLanguages(code).find((one) => textIn(one) !== undefined);
    if (own !== undefined) {
      const sources = stored[code]?.sources;
      translations[code] = {
        text: own,
        is_outdated: isOutdated(source, sources),
        is_reviewed: isReviewed(source, sources),
      };
    } else if (parent !== undefined) inherited[code] = { code: parent, text: textIn(parent) as string };
  }
  return {
    model_id: modelId,
    field,
    key,
    is_markdown: isMarkdown(field),
    max_length: maxLength,
    text,
    translations,
    inherited,
  };
}
