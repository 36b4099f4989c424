import { useQuery } from '@tanstack/react-query';
import { type ExperienceKind, pathOfKind, type Translations } from '@usher/domain';
import { useMemo } from 'react';
import { query } from '../../api/queries.ts';
import { toTranslations } from './translated-texts.ts';

/** The texts of an Experience in all languages. The tab "Languages" uses the same query. */
export const translationsQuery = (kind: ExperienceKind, id: string) =>
  query('GET /v3/edit/{kind}/{id}/translations', { kind: pathOfKind(kind), id });

const none: Translations = {};

/**
 * The texts of an Experience in other languages, for the preview. There are none while they are loading, or if they are
 * not needed.
 */
export function usePreviewTranslations(kind: ExperienceKind, id: string, language: string | null): Translations {
  const { data } = useQuery({ ...translationsQuery(kind, id), enabled: language !== null, retry: false });
  return useMemo(() => (data ? toTranslations(data.translations.steps) : none), [data]);
}
