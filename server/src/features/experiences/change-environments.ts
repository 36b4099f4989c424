import type { Document } from '@usher/domain';
import type { Context } from '../../context.ts';
import { ApiError, invalid, notFound } from '../../errors.ts';
import { type AuditEntry, recordAudits } from '../team/audit/record-audit.ts';
import { type ChangeGroup, recordChangeGroups } from './changes/record-changes.ts';
import { checkMayPublish } from './publish.ts';
import { type ExperienceRow, experiencesOf } from './queries.ts';
import { loadVersionsInUse, replaceVersion, type VersionColumn } from './replace-version.ts';
import { storeDrafts } from './store-drafts.ts';

interface Wanted {
  row: ExperienceRow;
  /** The Environment in which the Experience is also to show. */
  add: string | null;
  /** The Environment in which the Experience is no longer to show. */
  remove: string | null;
}

/** Locks Experiences of any kind, in the order of their IDs. */
export async function lockExperiences(ctx: Context, ids: readonly string[]): Promise<ExperienceRow[]> {
  const unique = [...new Set(ids)];
  if (unique.length === 0) return [];
  const rows = await ctx.dialect.lockRows(experiencesOf(ctx).where('id', 'in', unique).orderBy('id')).execute();
  if (rows.length < unique.length) throw notFound('Experience');
  return rows;
}

/**
 * Changes where locked Experiences show, in their drafts and in what users see. The caller bumps the published version. Returns
 * the IDs of the Experiences that changed.
 */
export function changeEnvironments(ctx: Context, wanted: readonly Wanted[]): Promise<string[]> {
  const changes = wanted.map((one) => ({
    row: one.row,
    change: (document: Document) => withEnvironments(document, one),
  }));
  return changeEverywhere(ctx, changes, 'url_group_ids');
}

interface ChangeOfAll {
  row: ExperienceRow;
  /** Returns the same document if nothing changes. */
  change(document: Document): Document;
}

/** Resuming an Experience restores its theme, so no version of it may name a theme that is deleted. */
const changedVersions: Record<'url_group_ids' | 'theme_id', VersionColumn[]> = {
  url_group_ids: ['version_id', 'next_version_id'],
  theme_id: ['version_id', 'next_version_id', 'paused_version_id'],
};

/**
 * Changes a field of locked Experiences in their drafts and in what users see. Other changes of a draft stay unpublished: the
 * published versions are copied with this field changed. The caller bumps the published version. Returns the IDs of the
 * Experiences that changed.
 */
export async function changeEverywhere(
  ctx: Context,
  wanted: readonly ChangeOfAll[],
  field: keyof typeof changedVersions,
): Promise<string[]> {
  const versions = await loadVersionsInUse(
    ctx,
    wanted.map(({ row }) => row),
    changedVersions[field],
  );
  const changes = wanted.map(({ row, change }) => ({
    row,
    draft: change(row.draft),
    versions: (versions.get(row.id) ?? [])
      .map((version) => ({ version, document: change(version.content.document) }))
      .filter(({ version, document }) => document !== version.content.document),
  }));
  const changed = changes.filter((one) => one.draft !== one.row.draft || one.versions.length > 0);
  if (changed.some((one) => one.versions.length > 0)) await checkMayPublish(ctx);
  const groups: ChangeGroup[] = [];
  await storeDrafts(ctx, changed, undefined, groups);
  const writeIds = await recordChangeGroups(ctx, groups);
  const entries: AuditEntry[] = [];
  for (const { row, versions } of changed) {
    const changeId = writeIds[groups.findIndex(({ experienceId }) => experienceId === row.id)];
    for (const { version, document } of versions) {
      const details = { [field]: [version.content.document[field], document[field]] };
      const replaced = { ...version, change_id: changeId ?? version.change_id };
      entries.push(await replaceVersion(ctx, row, replaced, { ...version.content, document }, details));
    }
  }
  await recordAudits(ctx, entries);
  return changed.map(({ row }) => row.id);
}

/** Returns the same document if nothing changes. A document without Environments shows in all of them. */
function withEnvironments(document: Document, { add, remove }: Omit<Wanted, 'row'>): Document {
  const before = document.url_group_ids;
  if (before.length === 0) return document;
  const isAdded = add !== null && !before.includes(add);
  const isRemoved = remove !== null && remove !== add && before.includes(remove);
  if (!isAdded && !isRemoved) return document;
  const kept = isRemoved ? before.filter((id) => id !== remove) : before;
  const url_group_ids = isAdded ? [...kept, add] : kept;
  if (url_group_ids.length > MAX_ENVIRONMENTS) throw invalid(`“${document.name}” names too many Environments already`);
  if (url_group_ids.length === 0)
    throw new ApiError(409, [
      `“${document.name}” is in no other Environment: without this one it would show in all of them`,
    ]);
  return { ...document, url_group_ids };
}

const MAX_ENVIRONMENTS = 50;
