import { emptyTheme, listThemeProblems, type Theme, type ThemeInput } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { invalid } from '../../../errors.ts';
import { presentTheme } from './present-theme.ts';
import { lockTheme, type ThemeRow } from './queries.ts';
import { insertTheme, saveTheme } from './save-theme.ts';
import { write } from './update-theme.ts';

interface Imported {
  row: ThemeRow;
  /** Which colors have too little contrast. */
  warnings: string[];
}

/** Replaces the whole document. Fields that are left out get the value of a new theme. */
export async function importTheme(
  ctx: Context,
  id: string,
  params: ThemeInput,
): Promise<{ theme: Theme; warnings?: string[] }> {
  // An empty document would delete all values, so it is most likely a mistake.
  if (Object.keys(params).length === 0) throw invalid('The document is required: give its `name` or other fields');
  const { row, warnings } = await ctx.transaction(async (ctx) => {
    const row = await lockTheme(ctx, id, { all: params.default === true });
    return saveImportedTheme(ctx, row, { name: row.name, ...params });
  });
  return { theme: await presentTheme(ctx, row), ...(warnings.length > 0 && { warnings }) };
}

/**
 * Stores a theme that was made elsewhere, in the transaction of the context. Its colors may have too little contrast, also when it
 * is published. Without a row it creates the theme. If it becomes the default, the caller has locked all themes.
 */
async function saveImportedTheme(
  ctx: Context,
  row: ThemeRow | null,
  params: ThemeInput & { name: string },
): Promise<Imported> {
  const { default: isDefault = false, published_at = null } = row?.draft ?? {};
  const draft = write({ ...emptyTheme(params.name), default: isDefault, published_at }, params);
  const problems = listThemeProblems(draft);
  const wrong = problems.filter(({ path }) => path === 'css');
  if (wrong.length > 0) throw invalid(...wrong.map(({ message }) => message));
  const options = { kind: 'raw', allowsLowContrast: true } as const;
  const saved = row ? await saveTheme(ctx, row, draft, options) : await insertTheme(ctx, draft, options);
  return { row: saved, warnings: problems.map(({ message }) => message) };
}
