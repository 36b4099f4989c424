import { type PageTheme, type ThemeDocument, toPageTheme } from '@usher/domain';
import type { Db } from '../db/storage.ts';

/** The key of the theme that Experiences without a theme have. */
export const DEFAULT_THEME = 'default';

/** Memory for each character of a stored theme: its objects and its style sheets. */
const BYTES_PER_CHARACTER = 4;

/** A published version of a theme, prepared once for all page loads. */
interface PublishedTheme extends PageTheme {
  versionId: string;
  /** About how much memory it takes. */
  bytes: number;
}

/** The published themes by their IDs, the default one also as `default`. */
export type PublishedThemes = ReadonlyMap<string, PublishedTheme>;

/** Loads the published themes of an account. Undefined if it has none. Versions that are known are not prepared again. */
export async function loadThemes(
  db: Db,
  accountId: string,
  before: PublishedThemes | undefined,
): Promise<PublishedThemes | undefined> {
  const rows = await db
    .selectFrom('themes')
    .innerJoin('versions', (join) =>
      join.onRef('versions.account_id', '=', 'themes.account_id').onRef('versions.id', '=', 'themes.version_id'),
    )
    .select(['themes.id', 'themes.is_default', 'versions.id as version_id', 'versions.content'])
    .where('themes.account_id', '=', accountId)
    .where('versions.account_id', '=', accountId)
    .execute();
  if (rows.length === 0) return undefined;
  return new Map(
    rows.flatMap(({ id, is_default, version_id, content }): [string, PublishedTheme][] => {
      const known = before?.get(id);
      const theme = known?.versionId === version_id ? known : prepare(version_id, content.document as never);
      return is_default
        ? [
            [id, theme],
            [DEFAULT_THEME, theme],
          ]
        : [[id, theme]];
    }),
  );
}

function prepare(versionId: string, theme: ThemeDocument): PublishedTheme {
  const characters = JSON.stringify(theme).length * (theme.variations.length + 1);
  return { ...toPageTheme(theme), versionId, bytes: BYTES_PER_CHARACTER * characters };
}
