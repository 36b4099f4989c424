import type { Content, Document } from '@usher/domain';
import type { Context } from '../../context.ts';
import { ApiError, invalid, notFound } from '../../errors.ts';
import { type AuditEntry, recordAudits } from '../team/audit/record-audit.ts';
import { type ChangeGroup, recordChangeGroups } from './changes/record-changes.ts';
import { checkMayPublish } from './publish.ts';
import { type ExperienceRow, experiencesOf } from './queries.ts';
import { storeDrafts } from './store-drafts.ts';

interface Wanted {
  row: ExperienceRow;
  /** The Environment in which the Experience is also to show. */
  add: string | null;
  /** The Environment in which the Experience is no longer to show. */
  remove: string | null;
}

interface VersionRow {
  id: string;
  experience_id: string;
  change_id: string;
  published_at: number;
  content: Content;
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

/**
 * Changes a field of locked Experiences in their drafts and in what users see. Other changes of a draft stay unpublished: the
 * published versions are copied with this field changed. The caller bumps the published version. Returns the IDs of the
 * Experiences that changed.
 */
export async function changeEverywhere(
  ctx: Context,
  wanted: readonly ChangeOfAll[],
  field: 'url_group_ids' | 'theme_id',
): Promise<string[]> {
  const versions = await loadPublished(
    ctx,
    wanted.map(({ row }) => row),
  );
  const changes = wanted.map(({ row, change }) => ({
    row,
    draft: change(row.draft),
    versions: versions
      .filter(({ id }) => id === row.version_id || id === row.next_version_id)
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
    for (const { version, document } of versions)
      entries.push(await replaceVersion(ctx, row, version, document, changeId ?? version.change_id, field));
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

async function loadPublished(ctx: Context, rows: readonly ExperienceRow[]): Promise<VersionRow[]> {
  const ids = rows.flatMap(({ version_id, next_version_id }) =>
    [version_id, next_version_id].filter((id) => id !== null),
  );
  if (ids.length === 0) return [];
  return ctx.db
    .selectFrom('versions')
    .select(['id', 'experience_id', 'change_id', 'published_at', 'content'])
    .where('account_id', '=', ctx.account.id)
    .where('id', 'in', ids)
    .orderBy('id')
    .execute();
}

/** A version never changes, because the history shows it. A new version takes its place. */
async function replaceVersion(
  ctx: Context,
  row: ExperienceRow,
  { id: oldId, published_at, content }: VersionRow,
  document: Document,
  changeId: string,
  field: 'url_group_ids' | 'theme_id',
): Promise<AuditEntry> {
  const { account_id, id } = (await ctx.clock()).newRow();
  await ctx.db
    .insertInto('versions')
    .values({
      account_id,
      id,
      experience_id: row.id,
      change_id: changeId,
      admin_id: ctx.actor.id,
      published_at: Math.max(ctx.now(), published_at),
      content: JSON.stringify({ ...content, document }),
    })
    .execute();
  const column = oldId === row.version_id ? 'version_id' : 'next_version_id';
  await ctx.db
    .updateTable('experiences')
    .set({ [column]: id })
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', row.id)
    .execute();
  return {
    action: 'experience.publish',
    target: { type: row.kind, id: row.id },
    details: {
      version_id: id,
      published_at: document.published_at,
      [field]: [content.document[field], document[field]],
    },
  };
}
