import { useQuery } from '@tanstack/react-query';
import type { ExperienceKind, Translations } from '@usher/domain';
import { useMemo } from 'react';
import type { ResponseOf } from '../../api/api.ts';
import { query } from '../../api/queries.ts';
import { toChangedTexts } from './translated-texts.ts';

type Kind = Parameters<typeof fileQuery>[0];
type File = ResponseOf<'GET /v3/edit/{kind}/{id}/i18n'>;

const fileQuery = (kind: 'tours' | 'surveys' | 'launchers' | 'tooltips' | 'embeds', id: string, language: string) =>
  query('GET /v3/edit/{kind}/{id}/i18n', { kind, id, language, format: 'json' });

const none: Translations = {};

/** The texts of an Experience in a language, for `translations` of the preview. There are none while they are loaded. */
export function usePreviewTranslations(kind: ExperienceKind, id: string, language: string | null): Translations {
  const path = `${kind}s` as Kind;
  const options = { enabled: language !== null, retry: false };
  const translated = useQuery({ ...fileQuery(path, id, language ?? 'default'), ...options }).data;
  const source = useQuery({ ...fileQuery(path, id, 'default'), ...options }).data;
  return useMemo(
    () =>
      language !== null && translated && source
        ? { [language]: toChangedTexts(stepsOf(translated), stepsOf(source)) }
        : none,
    [language, translated, source],
  );
}

function stepsOf({ experiences: [experience] }: File): Parameters<typeof toChangedTexts>[0] {
  return experience?.steps ?? [];
}
