import type { Translations } from '@usher/domain';

type ShownSteps = readonly {
  texts: readonly { model_id: string; field: string; translations: Record<string, { text: string }> }[];
}[];

/** The translations of an Experience by language, model and field, as the content of a page is built from them. */
export function toTranslations(steps: ShownSteps): Translations {
  const all: Translations = {};
  for (const { texts } of steps)
    for (const { model_id, field, translations } of texts)
      for (const [language, { text }] of Object.entries(translations)) {
        const ofLanguage = all[language] ?? {};
        all[language] = { ...ofLanguage, [model_id]: { ...ofLanguage[model_id], [field]: text } };
      }
  return all;
}
