import {
  canonicalLanguage,
  DEFAULT_LANGUAGE,
  type Document,
  type ExperienceKind,
  listTranslatableSteps,
  type NewTranslation,
  type TextParameter,
  type Texts,
  writeTranslations,
} from '@usher/domain';
import type { Context } from '../../context.ts';
import { conflict, invalid } from '../../errors.ts';
import { recordChangeGroups } from '../experiences/changes/record-changes.ts';
import { lockExperience } from '../experiences/queries.ts';
import { loadStored } from './languages/load-texts.ts';
import { lockLanguage } from './languages/queries.ts';
import { storeTexts } from './languages/store-texts.ts';

/** Writes single translations of a draft, all of them or none. */
export async function patchTranslations(
  ctx: Context,
  kind: ExperienceKind,
  id: string,
  params: { language: string; texts: readonly TextParameter[] },
): Promise<void> {
  await ctx.transaction(async (ctx) => {
    const code = canonicalLanguage(params.language);
    const isKnown = code !== undefined && (await lockLanguage(ctx, code));
    const row = await lockExperience(ctx, kind, id);
    if (params.language === DEFAULT_LANGUAGE)
      throw invalid('`language` must be another language: the source texts are changed in the Experience itself');
    if (!isKnown) throw invalid('`language` is no language of this account: add it first');
    const before = (await loadStored(ctx, [id])).get(id)?.[code] ?? { texts: {}, sources: {} };
    const problems: string[] = [];
    const inputs = findTexts(id, row.draft, params.texts, problems);
    if (problems.length === 0) checkPrevious(params.texts, before.texts);
    const after = writeTranslations(inputs, before, problems);
    if (problems.length > 0) throw invalid(...problems);
    const stored = { row, before: before.texts, after: after.texts, sources: after.sources };
    const groups = await storeTexts(ctx, code, [stored]);
    // The Changes are recorded as autosaves, because each text is saved as soon as the translator has typed it.
    if (groups.some(({ changes }) => changes.length > 0)) await recordChangeGroups(ctx, groups, 'partial');
  });
}

function findTexts(
  id: string,
  draft: Document,
  params: readonly TextParameter[],
  problems: string[],
): NewTranslation[] {
  const keyOf = (modelId: string, field: string) => `${modelId}.${field}`;
  const all = listTranslatableSteps(id, draft).flatMap(({ texts }) => texts);
  const byKey = new Map(all.map((text) => [keyOf(text.modelId, text.field), text]));
  const seen = new Set<string>();
  return params.flatMap(({ model_id, field, text }, index) => {
    const path = `texts[${index}]`;
    const key = keyOf(model_id, field);
    const of = byKey.get(key);
    if (!of)
      problems.push(`\`${path}\` is no text of this Experience: it may have been removed meanwhile, so load it again`);
    else if (seen.has(key)) problems.push(`\`${path}\` is there twice: give each text once`);
    seen.add(key);
    return of ? [{ of, text, path }] : [];
  });
}

/** Two translators may write the same text: the second one must see what the first one wrote. */
function checkPrevious(params: readonly TextParameter[], before: Texts): void {
  for (const [index, { model_id, field, previous }] of params.entries())
    if (previous !== undefined && previous !== (before[model_id]?.[field] ?? null))
      throw conflict(
        `\`texts[${index}]\` was translated by someone else after you saw it, so nothing was changed: load it again`,
      );
}
