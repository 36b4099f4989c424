import { type Millis, type Theme, type ThemeDocument, type ThemeInput, writeTheme } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { invalid } from '../../../errors.ts';
import { createConflict } from '../change-experience.ts';
import { presentTheme } from './present-theme.ts';
import { lockTheme } from './queries.ts';
import { saveTheme } from './save-theme.ts';

type Update = ThemeInput & { updated_at?: Millis; autosave?: boolean };

export async function updateTheme(
  ctx: Context,
  id: string,
  { updated_at: seen, autosave, ...params }: Update,
): Promise<Theme> {
  const { row, isChanged } = await ctx.transaction(async (ctx) => {
    const row = await lockTheme(ctx, id, { all: params.default === true });
    if (seen !== undefined && seen !== row.updated_at) return { row, isChanged: true };
    const draft = write(row.draft, params);
    return { row: await saveTheme(ctx, row, draft, { kind: autosave ? 'partial' : undefined }), isChanged: false };
  });
  const theme = await presentTheme(ctx, row);
  if (isChanged) throw await createConflict(ctx, 'theme', row, theme);
  return theme;
}

/** Applies the parameters of a request to a theme. */
export function write(before: ThemeDocument, params: ThemeInput): ThemeDocument {
  const problems: string[] = [];
  const draft = writeTheme(before, params, problems);
  if (problems.length > 0) throw invalid(...problems);
  return draft;
}
