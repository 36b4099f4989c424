import type { ThemeUse } from '@usher/domain';
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { listPage, type PageParameters } from '../../../db/pagination/list-page.ts';
import { experiencesWithTheme } from '../experiences-using.ts';
import { inState } from '../in-state.ts';
import { stateOf } from '../publication-state.ts';
import { getTheme } from './queries.ts';

/** Lists the Experiences that have a theme, in their draft or published. The default theme is that of Experiences without one. */
export async function listThemeUsers(ctx: Context, id: string, { live, ...page }: PageParameters & { live?: boolean }) {
  const { is_default } = await getTheme(ctx, id);
  // The query reads all published versions, so it uses `heavyDb`, where no other request waits for it.
  const heavy = { ...ctx, db: ctx.heavyDb };
  let query = experiencesWithTheme(heavy, is_default ? [id, null] : [id]);
  if (live) query = query.where((eb) => inState(eb, 'live', ctx.now()));
  const { rows, cursor } = await listPage(query, page);
  const published = await loadThemeIds(
    ctx,
    rows.flatMap(({ version_id }) => version_id ?? []),
  );
  const has = (themeId: string | null | undefined) => themeId === id || (is_default && !themeId);
  const experiences = rows.map(
    (row): ThemeUse => ({
      id: row.id,
      kind: row.kind,
      name: row.draft.name,
      state: stateOf(row, ctx.now()),
      is_in_draft: has(row.draft.theme_id),
      is_published: row.version_id !== null && has(published.get(row.version_id)),
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
