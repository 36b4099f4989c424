import { useQuery } from '@tanstack/react-query';
import { type Document, listTranslatableSteps, pathOfKind, type Texts, type Translations } from '@usher/domain';
import { useMemo } from 'react';
import { query } from '../../../api/queries.ts';

interface TranslationFile {
  experiences: { steps: { id: string; translations: Record<string, { text: string }> }[] }[];
}

/** The texts of one language, as the preview needs them. Nothing while they are loaded, and for the source language. */
export function useTranslations(id: string, document: Document, language: string | null): Translations | undefined {
  const params = { kind: pathOfKind(document.kind), id, format: 'json' as const, language: language ?? '' };
  const { data } = useQuery({
    ...query('GET /v3/edit/{kind}/{id}/i18n', params),
    enabled: language !== null,
    retry: false,
  });
  return useMemo(() => {
    if (language === null || !data) return undefined;
    return { [language]: textsOf(id, document, data as TranslationFile) };
  }, [id, document, language, data]);
}

/** A file names texts by their step and key, the document by their part and field. */
function textsOf(id: string, document: Document, { experiences: [experience] }: TranslationFile): Texts {
  const found = new Map(experience?.steps.map((step) => [step.id, step.translations]));
  const texts: Texts = {};
  for (const step of listTranslatableSteps(id, document))
    for (const { key, modelId, field } of step.texts) {
      const text = found.get(step.id)?.[key]?.text;
      if (text) texts[modelId] = { ...texts[modelId], [field]: text };
    }
  return texts;
}
