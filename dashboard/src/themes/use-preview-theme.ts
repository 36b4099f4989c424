import { useQuery } from '@tanstack/react-query';
import type { ThemeDocument } from '@usher/domain';
import { useMemo } from 'react';
import type { PageTheme } from '../../../script/src/wire.ts';
import { query } from '../api/queries.ts';
import type { PreviewProfile } from '../editor/preview/preview-content.ts';
import { readThemes, themesQuery } from './themes-query.ts';

interface PreviewTheme {
  /** The style sheet; undefined for the look of the script, and while it is loading. */
  sheet: PageTheme | undefined;
  /** The index of the variation that the user has; -1 for none. */
  applies: number;
}

/** The code that builds style sheets is a file of its own, because few pages need it. */
const codeQuery = {
  queryKey: ['preview-theme'],
  queryFn: () => import('../editor/preview/preview-theme.ts'),
  staleTime: Number.POSITIVE_INFINITY,
};

/** The style sheet of a theme for a user, or of one of its variations. */
export function usePreviewTheme(
  theme: ThemeDocument | undefined,
  profile: PreviewProfile | null,
  variation?: number | null,
): PreviewTheme {
  const code = useQuery({ ...codeQuery, enabled: theme !== undefined }).data;
  const hasVariations = theme !== undefined && theme.variations.length > 0;
  const { data } = useQuery({ ...query('GET /v3/edit/segments', { limit: 500 }), enabled: hasVariations });
  return useMemo(() => {
    if (!code || !theme) return { sheet: undefined, applies: -1 };
    const settings = { profile, variation, segments: (data?.segments ?? []) as never };
    return { sheet: code.createPreviewTheme(theme, settings), applies: code.findVariation(theme, settings) };
  }, [code, theme, profile, variation, data]);
}

/** The theme that users see on an Experience: the published state of its theme, or of the default one. */
export function useExperienceTheme(themeId: string | null, profile: PreviewProfile | null): PageTheme | undefined {
  const themes = readThemes(useQuery({ ...themesQuery, retry: false }).data);
  const theme = themes?.find((one) => (themeId === null ? one.default : one.id === themeId));
  return usePreviewTheme(usePublishedTheme(theme), profile).sheet;
}

/** The published state of a theme; undefined if it is not published. */
export function usePublishedTheme(
  theme: (ThemeDocument & { id: string; updated_at: string; has_unpublished_changes: boolean }) | undefined,
): ThemeDocument | undefined {
  const { id = '', updated_at = '' } = theme ?? {};
  const isPublished = theme !== undefined && theme.published_at !== null;
  const { data } = useQuery({
    ...query('GET /v3/edit/themes/{id}/versions', { id, limit: 1 }),
    queryKey: ['themes', 'newest version', id, updated_at],
    enabled: isPublished && theme.has_unpublished_changes,
  });
  const version_id = data?.versions[0]?.id ?? '';
  const version = useQuery({
    ...query('GET /v3/edit/themes/{id}/versions/{version_id}', { id, version_id }),
    enabled: version_id !== '',
    staleTime: Number.POSITIVE_INFINITY,
  }).data?.version;
  if (!isPublished) return undefined;
  return theme.has_unpublished_changes ? (version?.document as unknown as ThemeDocument | undefined) : theme;
}
