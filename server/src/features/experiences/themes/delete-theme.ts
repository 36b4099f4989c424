import { type Diff, type Document, diffThemes, type Theme } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { TransactionConflict } from '../../../db/transaction-conflict.ts';
import { conflict, invalid, notFound } from '../../../errors.ts';
import { bumpPublishedVersion } from '../../../published/bump-published-version.ts';
import { recordAudit } from '../../team/audit/record-audit.ts';
import { changeEverywhere } from '../change-environments.ts';
import { recordChanges } from '../changes/record-changes.ts';
import { experiencesWithTheme, usedInDraft } from '../experiences-using.ts';
import { inState } from '../in-state.ts';
import { checkMayPublish } from '../publish.ts';
import { type ExperienceRow, experiencesOf } from '../queries.ts';
import { presentTheme } from './present-theme.ts';
import { getTheme, type ThemeRow, themesOf } from './queries.ts';
import { saveTheme } from './save-theme.ts';

const MAX_LISTED = 10;

/**
 * Deletes a theme. Its Changes stay. Experiences with it get the replacement, in their drafts and in what users see; of the default
 * theme, the replacement becomes the default. The order of locks is that of giving a theme to an Experience: the Experience, the
 * themes, the account clock.
 */
export async function deleteTheme(ctx: Context, id: string, replacementId: string | null | undefined): Promise<Theme> {
  const theme = await presentTheme(ctx, await getTheme(ctx, id));
  if (replacementId === id) throw invalid('`replacement_id` is this theme: give the ID of another one, or null');
  // The query reads all versions in use, so it runs before the transaction, where no write waits for it.
  const heavy = { ...ctx, db: ctx.heavyDb };
  const found = await experiencesWithTheme(heavy, [id]).execute();
  const withoutTheme = theme.default
    ? await experiencesWithTheme(heavy, [null])
        .where((eb) => inState(eb, 'live', ctx.now()))
        .orderBy('id')
        .limit(MAX_LISTED)
        .execute()
    : [];
  await ctx.transaction(async (ctx) => {
    const ids = [...new Set([...found.map((user) => user.id), ...(await listDraftUsers(ctx, id))])];
    const candidates = experiencesOf(ctx).where('id', 'in', ['', ...ids]);
    const users = await ctx.dialect.lockRows(candidates.orderBy('id')).execute();
    const { row, replacement } = await lockThemeAndReplacement(ctx, id, replacementId);
    await checkUsers(ctx, id, users);
    const losers = row.is_default ? [...users, ...withoutTheme] : users;
    if (losers.length > 0 && replacementId === undefined) throw usedBy(losers, row);
    if (row.version_id !== null || row.is_default) await checkMayPublish(ctx);
    const replace = (document: Document) =>
      document.theme_id === id ? { ...document, theme_id: replacementId ?? null } : document;
    await changeEverywhere(
      ctx,
      users.map((user) => ({ row: user, change: replace })),
      'theme_id',
    );
    if (row.is_default) await giveUpDefault(ctx, row, replacement);
    const options = { capture_id: [null, null] as Diff };
    await recordChanges(
      ctx,
      id,
      diffThemes(id, { ...row.draft, default: false }, null).map((change) => ({ ...change, options })),
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

/** All themes are locked, because another one may become the default. */
async function lockThemeAndReplacement(
  ctx: Context,
  id: string,
  replacementId: string | null | undefined,
): Promise<{ row: ThemeRow; replacement: ThemeRow | undefined }> {
  const rows = await ctx.dialect.lockRows(themesOf(ctx).orderBy('id')).execute();
  const row = rows.find((one) => one.id === id);
  if (!row) throw notFound('theme');
  const replacement = rows.find((one) => one.id === replacementId);
  if (replacementId && !replacement) throw notFound('theme to use instead, as `replacement_id`,');
  return { row, replacement };
}

/** Another theme becomes the default, or none. */
async function giveUpDefault(ctx: Context, row: ThemeRow, replacement: ThemeRow | undefined): Promise<void> {
  if (replacement) await saveTheme(ctx, replacement, { ...replacement.draft, default: true });
  else await saveTheme(ctx, row, { ...row.draft, default: false });
}

/** If an Experience got the theme before the theme was locked, the transaction begins again. */
async function checkUsers(ctx: Context, id: string, users: readonly ExperienceRow[]): Promise<void> {
  const locked = new Set(users.map((user) => user.id));
  const now = await listDraftUsers(ctx, id);
  if (now.some((user) => !locked.has(user))) throw new TransactionConflict('An Experience got the theme meanwhile');
}

async function listDraftUsers(ctx: Context, id: string): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom('experiences')
    .select('id')
    .where('account_id', '=', ctx.account.id)
    .where(usedInDraft(ctx, id))
    .execute();
  return rows.map((row) => row.id);
}

function usedBy(all: readonly ExperienceRow[], { is_default }: ThemeRow) {
  const users = [...new Map(all.map((user) => [user.id, user])).values()];
  const named = users.slice(0, MAX_LISTED).map(({ kind, draft }) => `the ${kind} "${draft.name}"`);
  const more = users.length > MAX_LISTED ? ` and ${users.length - MAX_LISTED} others` : '';
  return conflict(
    `This theme is used by ${named.join(', ')}${more}: give \`replacement_id\`, the ID of the theme to use instead, or null for ${is_default ? 'the look of the script' : 'the default'}`,
  );
}
