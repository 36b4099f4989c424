import { useQuery } from '@tanstack/react-query';
import { shownColor, stylesOf } from '@usher/domain/themes';
import type { SketchColors } from '../kinds/experience-sketch.tsx';
import { useScheme } from '../ui/theme.ts';
import { readThemes, themesQuery } from './themes-query.ts';

/** The colors of the theme of an Experience, for its sketch. All rows of a list share one request. */
export function useSketchColors({ theme_id }: { theme_id: string | null }): SketchColors | undefined {
  const scheme = useScheme();
  const themes = readThemes(useQuery({ ...themesQuery, retry: false }).data);
  const theme = themes?.find((one) => (theme_id === null ? one.default : one.id === theme_id));
  if (!theme || theme.published_at === null) return undefined;
  const color = (name: Parameters<typeof shownColor>[1]) => `#${shownColor(stylesOf(theme), name, scheme)}`;
  return { background: color('background'), text: color('title'), button: color('button_highlight') };
}
