import { type Diff, type Document, diffThemes, type Theme } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { TransactionConflict } from '../../../db/transaction-conflict.ts';
import { conflict, invalid, notFound } from '../../../errors.ts';
import { bumpPublishedVersion } from '../../../published/bump-published-version.ts';
import { recordAudit } from '../../team/audit/record-audit.ts';
import { changeEverywhere } from '../change-environments.ts';
import { recordChanges } from '../changes/record-changes.ts';
import { experiencesWithTheme } from '../experiences-using.ts';
import { checkMayPublish } from '../publish.ts';
import type { ExperienceRow } from '../queries.ts';
import { presentTheme } from './present-theme.ts';
import { getTheme, lockThemes, type ThemeRow } from './queries.ts';

const MAX_LISTED = 10;

/**
 * Deletes a theme. Its Changes stay. Experiences with it get the replacement, in their drafts and in what users see. The order of
 * locks is that of giving a theme to an Experience: the Experience, the theme, the account clock.
 */
export async function deleteTheme(ctx: Context, id: string, replacementId: string | null | undefined): Promise<Theme> {
  const theme = await presentTheme(ctx, await getTheme(ctx, id));
  if (replacementId === id) throw invalid('`replacement_id` is this theme: give the ID of another one, or null');
  await ctx.transaction(async (ctx) => {
    const users = await ctx.dialect.lockRows(experiencesWithTheme(ctx, [id]).orderBy('id')).execute();
    const row = await lockThemeAndReplacement(ctx, id, replacementId);
    await checkUsers(ctx, id, users);
    if (users.length > 0 && replacementId === undefined) throw usedBy(users);
    if (row.version_id !== null || row.is_default) await checkMayPublish(ctx);
    const replace = (document: Document) =>
      document.theme_id === id ? { ...document, theme_id: replacementId ?? null } : document;
    await changeEverywhere(
      ctx,
      users.map((user) => ({ row: user, change: replace })),
      'theme_id',
    );
    const options = { capture_id: [null, null] as Diff };
    await recordChanges(
      ctx,
      id,
      diffThemes(id, row.draft, null).map((change) => ({ ...change, options })),
    );
    await ctx.db
      .deleteFrom('versions')
      .where('account_id', '=', ctx.account.id)
      .where('experience_id', '=', id)
      .execute();
    await ctx.db.deleteFrom('themes').where('account_id', '=', ctx.account.id).where('id', '=', id).execute();
    if (row.version_id !== null) await recordAudit(ctx, 'theme.delete', { type: 'theme', id }, { name: row.name });
    await bumpPublishedVersion(ctx);
  });
  return theme;
}

async function lockThemeAndReplacement(
  ctx: Context,
  id: string,
  replacementId: string | null | undefined,
): Promise<ThemeRow> {
  const rows = await lockThemes(ctx, [id, ...(replacementId ? [replacementId] : [])]);
  const row = rows.find((one) => one.id === id);
  if (!row) throw notFound('theme');
  if (replacementId && !rows.some((one) => one.id === replacementId))
    throw notFound('theme to use instead, as `replacement_id`,');
  return row;
}

/** If an Experience got the theme before the theme was locked, the transaction begins again. */
async function checkUsers(ctx: Context, id: string, users: readonly ExperienceRow[]): Promise<void> {
  const locked = new Set(users.map((user) => user.id));
  const now = await experiencesWithTheme(ctx, [id]).execute();
  if (now.some((user) => !locked.has(user.id))) throw new TransactionConflict('An Experience got the theme meanwhile');
}

function usedBy(users: readonly ExperienceRow[]) {
  const named = users.slice(0, MAX_LISTED).map(({ kind, draft }) => `the ${kind} "${draft.name}"`);
  const more = users.length > MAX_LISTED ? ` and ${users.length - MAX_LISTED} others` : '';
  return conflict(
    `This theme is used by ${named.join(', ')}${more}: give \`replacement_id\`, the ID of the theme to use instead, or null for the default`,
  );
}
