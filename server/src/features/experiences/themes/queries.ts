import { listSegmentReferences, type ThemeDocument } from '@usher/domain';
import type { Selectable } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Schema } from '../../../db/schema.ts';
import { notFound } from '../../../errors.ts';

export type ThemeRow = Selectable<Schema['themes']>;

export function themesOf(ctx: Context) {
  return ctx.db.selectFrom('themes').selectAll().where('account_id', '=', ctx.account.id);
}

export async function getTheme(ctx: Context, id: string): Promise<ThemeRow> {
  const row = await themesOf(ctx).where('id', '=', id).executeTakeFirst();
  if (!row) throw notFound('theme');
  return row;
}

/** Locks a theme. With `all`, it locks all themes of the account, in the order of their IDs, and returns this one. */
export async function lockTheme(ctx: Context, id: string, { all = false } = {}): Promise<ThemeRow> {
  const query = themesOf(ctx).orderBy('id');
  const rows = await ctx.dialect.lockRows(all ? query : query.where('id', '=', id)).execute();
  const row = rows.find((one) => one.id === id);
  if (!row) throw notFound('theme');
  return row;
}

/** The published themes by the ID of their version. */
export async function loadPublishedThemes(
  ctx: Context,
  rows: readonly Pick<ThemeRow, 'version_id'>[],
): Promise<Map<string, ThemeDocument>> {
  const ids = rows.flatMap(({ version_id }) => version_id ?? []);
  if (ids.length === 0) return new Map();
  const versions = await ctx.db
    .selectFrom('versions')
    .select(['id', 'content'])
    .where('account_id', '=', ctx.account.id)
    .where('id', 'in', ids)
    .execute();
  return new Map(versions.map(({ id, content }) => [id, content.document as unknown as ThemeDocument]));
}

/** The themes with a variation for this Segment, in their draft or published. */
export async function themesUsingSegment(ctx: Context, segmentId: string): Promise<ThemeRow[]> {
  const rows = await themesOf(ctx).orderBy('id').execute();
  const published = await loadPublishedThemes(ctx, rows);
  const names = (theme: ThemeDocument | undefined) =>
    theme?.variations.some(({ filters }) => listSegmentReferences(filters, '').some(({ id }) => id === segmentId));
  return rows.filter(({ draft, version_id }) => names(draft) || names(published.get(version_id ?? '')));
}
