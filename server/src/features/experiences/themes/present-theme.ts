import {
  createdAtOf,
  diffThemes,
  joinNames,
  kinds,
  sortTheme,
  type Theme,
  type ThemeDocument,
  toTimestamp,
} from '@usher/domain';
import type { Context } from '../../../context.ts';
import { dashboardUrl } from '../../../dashboard-url.ts';
import { countUses, type KindCounts } from './count-uses.ts';
import { loadPublishedThemes, type ThemeRow } from './queries.ts';

export async function presentThemes(ctx: Context, rows: readonly ThemeRow[]): Promise<Theme[]> {
  if (rows.length === 0) return [];
  const [published, uses] = await Promise.all([loadPublishedThemes(ctx, rows), countUses(ctx)]);
  return rows.map((row) => {
    const counts = uses(row);
    const version = published.get(row.version_id ?? '');
    return {
      id: row.id,
      created_at: toTimestamp(createdAtOf(row)),
      updated_at: toTimestamp(row.updated_at),
      ...sortTheme(row.draft),
      has_unpublished_changes: version !== undefined && isChanged(row.id, version, row.draft),
      content_summary: summarize(counts),
      experiences_count: [...counts.values()].reduce((sum, count) => sum + count, 0),
      dashboard_url: dashboardUrl(ctx, `themes/${row.id}`),
    };
  });
}

export async function presentTheme(ctx: Context, row: ThemeRow): Promise<Theme> {
  const [theme] = await presentThemes(ctx, [row]);
  return theme as Theme;
}

/** `default` takes effect without publishing. */
function isChanged(id: string, version: ThemeDocument, draft: ThemeDocument): boolean {
  const { published_at, default: isDefault } = draft;
  return diffThemes(id, { ...version, published_at, default: isDefault }, draft).length > 0;
}

/** "2 tours and 1 survey". */
function summarize(counts: KindCounts): string | null {
  const words = [...counts].flatMap(([kind, count]) =>
    count === 0 ? [] : [`${count} ${count === 1 ? kind : kinds[kind].path}`],
  );
  return words.length === 0 ? null : joinNames(words, 'and');
}
