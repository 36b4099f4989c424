import { type PageTheme, type ThemeDocument, toPageTheme } from '@usher/domain';
import type { Db } from '../db/storage.ts';

/** The key of the theme that Experiences without a theme have. */
export const DEFAULT_THEME = 'default';

/** Memory for each character of a stored theme, for its objects. */
const BYTES_PER_CHARACTER = 4;
/** A text with a letter beyond Latin-1 has two bytes for each. */
const BYTES_PER_SHEET_CHARACTER = 2;

/** A published version of a theme, prepared once for all page loads. */
interface PublishedTheme extends PageTheme {
  name: string;
  versionId: string;
  /** About how much memory it takes. */
  bytes: number;
}

/** The published themes by their IDs, the default one also as `default`. */
export type PublishedThemes = ReadonlyMap<string, PublishedTheme>;

/** The published versions of the themes of an account. */
export function selectPublishedThemes(db: Db, accountId: string) {
  return db
    .selectFrom('themes')
    .innerJoin('versions', (join) =>
      join.onRef('versions.account_id', '=', 'themes.account_id').onRef('versions.id', '=', 'themes.version_id'),
    )
    .select(['themes.id', 'themes.is_default', 'versions.id as version_id', 'versions.content'])
    .where('themes.account_id', '=', accountId)
    .where('versions.account_id', '=', accountId)
    .execute();
}

/** Loads the published themes of an account. Undefined if it has none. Versions that are known are not prepared again. */
export async function loadThemes(
  db: Db,
  accountId: string,
  before: PublishedThemes | undefined,
): Promise<PublishedThemes | undefined> {
  const rows = await selectPublishedThemes(db, accountId);
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
  const page = toPageTheme(theme);
  const bytes = BYTES_PER_CHARACTER * JSON.stringify(theme).length + BYTES_PER_SHEET_CHARACTER * page.characters;
  return { ...page, name: theme.name, versionId, bytes };
}
