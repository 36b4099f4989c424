import type { ThemeUse } from '@usher/domain';
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { listPage, type PageParameters } from '../../../db/pagination/list-page.ts';
import { publishedVersionOf } from '../../../published/publication.ts';
import { experiencesWithTheme } from '../experiences-using.ts';
import { inState } from '../in-state.ts';
import { stateOf } from '../publication-state.ts';
import type { ExperienceRow } from '../queries.ts';
import { getTheme } from './queries.ts';

interface Wanted extends PageParameters {
  live?: boolean;
  inherited?: boolean;
}

/** Lists the Experiences that have a theme, in their draft or published. The default theme is that of Experiences without one. */
export async function listThemeUsers(ctx: Context, id: string, { live, inherited, ...page }: Wanted) {
  const { is_default } = await getTheme(ctx, id);
  const ids = inherited ? [null] : is_default ? [id, null] : [id];
  // The query reads all published versions, so it uses `heavyDb`, where no other request waits for it.
  const heavy = { ...ctx, db: ctx.heavyDb };
  let query = experiencesWithTheme(heavy, ids);
  if (live) query = query.where((eb) => inState(eb, 'live', ctx.now()));
  const { rows, cursor } = await listPage(query, page);
  // Of a version that waits for its time, users still see the one before.
  const seen = (row: ExperienceRow) => publishedVersionOf(row, ctx.now()) ?? row.version_id;
  const published = await loadThemeIds(
    ctx,
    rows.flatMap((row) => seen(row) ?? []),
  );
  const has = (themeId: string | null | undefined) => ids.includes(themeId ?? null);
  const experiences = rows.map(
    (row): ThemeUse => ({
      id: row.id,
      kind: row.kind,
      name: row.draft.name,
      state: stateOf(row, ctx.now()),
      is_in_draft: has(row.draft.theme_id),
      is_published: seen(row) !== null && has(published.get(seen(row) ?? '')),
      version_id: publishedVersionOf(row, ctx.now()),
    }),
  );
  return { experiences, cursor };
}

async function loadThemeIds(ctx: Context, ids: string[]): Promise<Map<string, string | null>> {
  if (ids.length === 0) return new Map();
  const themeId = ctx.dialect.json.text(sql.ref('content'), ['document', 'theme_id']);
  const rows = await ctx.db
    .selectFrom('versions')
    .select(['id', themeId.as('theme_id')])
    .where('account_id', '=', ctx.account.id)
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.id, row.theme_id]));
}
