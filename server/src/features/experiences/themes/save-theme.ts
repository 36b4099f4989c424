import {
  type ChangeKind,
  type Diff,
  diffThemes,
  hasPermission,
  listThemeProblems,
  MAX_THEMES,
  nextUpdatedAt,
  type ThemeDocument,
  toTimestamp,
} from '@usher/domain';
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { conflict, forbidden, invalid } from '../../../errors.ts';
import { bumpPublishedVersion } from '../../../published/bump-published-version.ts';
import { type AuditEntry, recordAudits } from '../../team/audit/record-audit.ts';
import { type ChangeGroup, recordChangeGroups } from '../changes/record-changes.ts';
import { hasNoTheme, usedInDraft } from '../experiences-using.ts';
import { timeOf } from '../publication-state.ts';
import { checkMayPublish } from '../publish.ts';
import { recordRelatedChanges } from '../record-related-changes.ts';
import { checkSegments } from './check-segments.ts';
import { type ThemeRow, themesOf } from './queries.ts';

/** Inserts a new theme with its Changes, in the transaction of the context. */
export async function insertTheme(ctx: Context, draft: ThemeDocument, options?: Save): Promise<ThemeRow> {
  const themes = await ctx.dialect.lockRows(themesOf(ctx).orderBy('id')).execute();
  if (themes.length >= MAX_THEMES) throw invalid(`An account has ${MAX_THEMES} themes at most: delete one first`);
  return saveTheme(ctx, null, draft, options);
}

interface Save {
  kind?: ChangeKind | undefined;
  /** What to publish instead of the draft. */
  published?: ThemeDocument;
  /** Too little contrast does not keep it from being published. */
  allowsLowContrast?: boolean;
}

/**
 * Stores the new draft of a locked theme, or a new theme. Every write of a theme uses this: it checks the document, records its
 * Changes, and stores both together. If it becomes the default, the caller has locked all themes.
 */
export async function saveTheme(
  ctx: Context,
  row: ThemeRow | null,
  draft: ThemeDocument,
  { kind, published = draft, allowsLowContrast = false }: Save = {},
): Promise<ThemeRow> {
  const before = row?.draft ?? null;
  const wanted = publishNow(ctx, before, draft);
  if (row && diffThemes(row.id, before, wanted).length === 0) return row;
  checkCss(ctx, before, wanted);
  await checkSegments(ctx, before, wanted);
  const publishes = wanted.published_at !== (before?.published_at ?? null);
  if (publishes) await checkPublish(ctx, wanted.published_at === null ? null : published, allowsLowContrast);
  const becomesDefault = wanted.default && !before?.default;
  const changesDefault = wanted.default !== (before?.default ?? false);
  const clock = await ctx.clock();
  const id = row?.id ?? clock.newRow().id;
  // Read after the clock was taken: of two themes that become the default at the same time, the second one sees the first.
  const others = becomesDefault
    ? await themesOf(ctx).where('is_default', '=', true).where('id', '<>', id).execute()
    : [];
  const isInEffect = [row, ...others].some((one) => one && one.version_id !== null);
  if (changesDefault && (isInEffect || publishes)) await checkMayPublish(ctx);

  const versionId = publishes ? (wanted.published_at === null ? null : clock.newRow().id) : (row?.version_id ?? null);
  const lost = versionId === null ? others.find((other) => other.version_id !== null) : undefined;
  if (lost) throw conflict(`Publish this theme first: Experiences would lose the look of “${lost.name}”`);
  const version_id: Diff = [row?.version_id ?? null, versionId];
  const options = { capture_id: [null, null] as Diff, ...(publishes && { version_id }) };
  const groups: ChangeGroup[] = [
    { experienceId: id, changes: diffThemes(id, before, wanted).map((change) => ({ ...change, options })) },
  ];
  const [writeId = ''] = await recordChangeGroups(ctx, groups, kind);
  for (const other of others) await takeDefaultFrom(ctx, other);
  const after: ThemeRow = {
    account_id: ctx.account.id,
    id,
    created_at: row?.created_at ?? null,
    updated_at: nextUpdatedAt(row?.updated_at ?? 0, ctx.now()),
    name: wanted.name,
    is_default: wanted.default,
    draft: wanted,
    version_id: versionId,
  };
  await writeRow(ctx, after, row !== null);
  if (publishes && versionId !== null) {
    const { published_at, default: isDefault } = wanted;
    await insertVersion(ctx, { ...published, published_at, default: isDefault }, after, writeId);
  }
  await recordEffects(ctx, row, after, publishes, changesDefault);
  if (publishes || (changesDefault && isInEffect)) await bumpPublishedVersion(ctx);
  return after;
}

/** A `published_at` in the past means now. */
function publishNow(ctx: Context, before: ThemeDocument | null, after: ThemeDocument): ThemeDocument {
  const { published_at } = after;
  if (published_at === null || published_at === before?.published_at) return after;
  if ((timeOf(published_at) ?? 0) > ctx.now())
    throw invalid('`published_at` must not be in the future: a theme is published now, or not at all');
  return { ...after, published_at: toTimestamp(ctx.now()) };
}

/** A style sheet can change more than the fields of a theme, so only owners write it. */
function checkCss(ctx: Context, before: ThemeDocument | null, { css }: ThemeDocument): void {
  const { role, secret } = ctx.actor;
  if (css === null || css === before?.css) return;
  if (!hasPermission({ role, scope: secret?.scope }, 'own'))
    throw forbidden('Only owners may write the `css` of a theme');
}

async function checkPublish(ctx: Context, published: ThemeDocument | null, allowsLowContrast: boolean): Promise<void> {
  await checkMayPublish(ctx);
  const found = published === null ? [] : listThemeProblems(published);
  const problems = found.filter(({ path }) => !allowsLowContrast || path === 'css');
  if (problems.length > 0) throw invalid(...problems.map(({ message }) => message));
}

async function takeDefaultFrom(ctx: Context, row: ThemeRow): Promise<void> {
  const draft = { ...row.draft, default: false };
  const changes = diffThemes(row.id, row.draft, draft).map((change) => ({
    ...change,
    options: { capture_id: [null, null] as Diff },
  }));
  await recordChangeGroups(ctx, [{ experienceId: row.id, changes }]);
  const updated_at = nextUpdatedAt(row.updated_at, ctx.now());
  await writeRow(ctx, { ...row, draft, is_default: false, updated_at }, true);
}

async function writeRow(ctx: Context, { draft, ...row }: ThemeRow, exists: boolean): Promise<void> {
  const values = { ...row, draft: JSON.stringify(draft) };
  if (!exists) await ctx.db.insertInto('themes').values(values).execute();
  else {
    const { account_id: _, id, ...changed } = values;
    const update = ctx.db.updateTable('themes').set(changed);
    await update.where('account_id', '=', ctx.account.id).where('id', '=', id).execute();
  }
}

async function insertVersion(ctx: Context, document: ThemeDocument, { id, version_id }: ThemeRow, changeId: string) {
  await ctx.db
    .insertInto('versions')
    .values({
      account_id: ctx.account.id,
      id: version_id as string,
      experience_id: id,
      change_id: changeId,
      admin_id: ctx.actor.id,
      published_at: ctx.now(),
      content: JSON.stringify({ document, translations: {} }),
    })
    .execute();
}

/** Adds entries to the audit log, and to the history of each Experience that looks different now. */
async function recordEffects(
  ctx: Context,
  row: ThemeRow | null,
  { id, draft, version_id }: ThemeRow,
  publishes: boolean,
  changesDefault: boolean,
): Promise<void> {
  const target = { type: 'theme', id };
  const entries: AuditEntry[] = [];
  const isPublished = sql<boolean>`(experiences.version_id is not null or experiences.next_version_id is not null)`;
  const withoutTheme = sql<boolean>`(${hasNoTheme(ctx)} and ${isPublished})`;
  if (publishes) {
    const action = version_id === null ? 'theme.unpublish' : 'theme.publish';
    const details = version_id === null ? {} : { version_id, published_at: draft.published_at };
    entries.push({ action, target, details });
    // Without the fields: a style sheet and variations are large, and a thousand Experiences can have the theme.
    const shown = (versionId: string | null | undefined) => ({ id, version_id: versionId ?? null });
    const users = usedInDraft(ctx, id);
    const isUser = draft.default ? sql<boolean>`(${users} or ${withoutTheme})` : users;
    await recordRelatedChanges(ctx, 'themes', shown(row?.version_id), shown(version_id), isUser);
  }
  if (changesDefault) {
    entries.push({ action: 'theme.set_default', target, details: { default: draft.default } });
    const shown = (isDefault: boolean) => ({ id, default: isDefault });
    if (!publishes && version_id !== null)
      await recordRelatedChanges(ctx, 'themes', shown(!draft.default), shown(draft.default), withoutTheme);
  }
  await recordAudits(ctx, entries);
}
