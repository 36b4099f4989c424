import { emptyTheme, type Theme, type ThemeInput } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { presentTheme } from './present-theme.ts';
import { getTheme } from './queries.ts';
import { insertTheme } from './save-theme.ts';
import { write } from './update-theme.ts';

export async function createTheme(ctx: Context, params: ThemeInput & { name: string }): Promise<Theme> {
  const draft = write(emptyTheme(params.name), params);
  return presentTheme(ctx, await ctx.transaction((ctx) => insertTheme(ctx, draft)));
}

const MAX_NAME = 255;

/** Creates a draft with the same look. */
export async function duplicateTheme(ctx: Context, id: string, name: string | undefined): Promise<Theme> {
  const row = await ctx.transaction(async (ctx) => {
    const { draft } = await getTheme(ctx, id);
    const copied = name ?? [...`Copy of ${draft.name}`].slice(0, MAX_NAME).join('');
    return insertTheme(ctx, { ...draft, name: copied, default: false, published_at: null });
  });
  return presentTheme(ctx, row);
}
