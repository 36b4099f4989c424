import {
  type ChangeKind,
  type Content,
  type Diff,
  type Document,
  diffDocuments,
  nextUpdatedAt,
  toTimestamp,
} from '@usher/domain';
import type { Context } from '../../context.ts';
import type { Upsert } from '../../db/bulk-rows.ts';
import { bumpPublishedVersion } from '../../published/bump-published-version.ts';
import { captureAppearances, deleteReplacedCaptures, insertCaptures } from './capture-appearances.ts';
import { type ChangeGroup, type RecordedChange, recordChangeGroups, recordChanges } from './changes/record-changes.ts';
import { checkReferences } from './check-references.ts';
import { checkScripts } from './check-scripts.ts';
import { nameKeyOf, newExperienceRow } from './new-experience-row.ts';
import { timeOf } from './publication-state.ts';
import { isPublished, type Publish, preparePublish } from './publish.ts';
import type { ExperienceRow } from './queries.ts';
import { storeUses } from './store-uses.ts';
import { touchTags } from './tag-records/touch-tags.ts';

/** Stores the new draft of a locked Experience with its Changes, in the transaction of the context. */
export async function storeDraft(
  ctx: Context,
  row: ExperienceRow,
  draft: Document,
  kind?: ChangeKind,
  options?: Record<string, Diff>,
): Promise<ExperienceRow> {
  const [stored] = await storeDrafts(ctx, [{ row, draft, ...(options && { options }) }], kind);
  return stored as ExperienceRow;
}

interface NewDraft {
  row: ExperienceRow;
  draft: Document;
  /** The new place among Experiences of the same position. By default the place does not change. */
  sortKey?: string;
  /** What to publish. By default it is the draft. */
  content?: Content;
  /** What else the Change of the Experience says. */
  options?: Record<string, Diff>;
  /** The IDs of Experiences that are published in the same transaction: what leads to them may count on that. */
  publishedTogether?: ReadonlySet<string>;
}

/**
 * Stores the drafts of many locked Experiences, in as many statements as for one. Every write of a draft uses this: it
 * checks the document, records its Changes, and stores both together. A draft without a difference is not written.
 * With `deferred`, the Changes are added there, and the caller records them at the end; then nothing may be published.
 */
export async function storeDrafts(
  ctx: Context,
  drafts: readonly NewDraft[],
  kind?: ChangeKind,
  deferred?: ChangeGroup[],
): Promise<ExperienceRow[]> {
  const stored: ExperienceRow[] = [];
  const changed = [];
  const captures = [];
  for (const { row, draft, sortKey, content, options, publishedTogether } of drafts) {
    const wanted = publishNow(ctx, row.draft, draft);
    const changes = diffDocuments(row.id, row.draft, wanted);
    if (changes.length === 0) {
      stored.push(row);
      continue;
    }
    await checkReferences(ctx, row.draft, wanted);
    await checkScripts(ctx, row.draft, wanted);
    const published = await preparePublish(ctx, row, wanted, content, publishedTogether);
    const captured = captureAppearances(ctx, row, wanted, changes);
    captures.push(...captured.newCaptures);
    const after: ExperienceRow = {
      ...row,
      // `updated_at` grows with each change, so that it identifies one state.
      updated_at: nextUpdatedAt(row.updated_at, ctx.now()),
      draft: wanted,
      captures: captured.captures,
      published_until: timeOf(wanted.published_until),
      archived_at: timeOf(wanted.archived_at),
      name_key: nameKeyOf(wanted),
      position: wanted.position,
      ...(sortKey !== undefined && { sort_key: sortKey }),
      ...published?.columns,
    };
    stored.push(after);
    changed.push({ row, after, published, recorded: withOptions(captured.recorded, row, published, options) });
  }
  if (changed.length === 0) return stored;
  await touchTags(
    ctx,
    changed.map(({ row, after }) => ({ before: row.draft, after: after.draft })),
  );
  await insertCaptures(ctx, captures);
  if (kind === 'partial') for (const { row, after } of changed) await deleteReplacedCaptures(ctx, row, after.captures);
  const groups = changed.map(({ row, recorded }) => ({ experienceId: row.id, changes: recorded }));
  deferred?.push(...groups);
  const writeIds = deferred ? [] : await recordChangeGroups(ctx, groups, kind);
  for (const [index, { published }] of changed.entries()) await published?.store(writeIds[index] as string);
  // Page loads do not read drafts, so only these changes increase the published version.
  if (changed.some(({ row, after, published }) => published || columnsInEffect(row) !== columnsInEffect(after)))
    await bumpPublishedVersion(ctx);
  const rows = changed.map(({ after: { account_id: _, ...row } }) => ({
    ...row,
    draft: JSON.stringify(row.draft),
    captures: JSON.stringify(row.captures),
  }));
  await ctx.dialect.upsert(ctx.db, ctx.account.id, experiencesTable, rows);
  await storeUses(
    ctx,
    changed.map(({ row, after }) => ({ id: row.id, before: row.draft, after: after.draft })),
  );
  return stored;
}

/** The columns that take effect without publishing, as a text to compare. The order of unpublished Experiences has no effect. */
function columnsInEffect(row: ExperienceRow): string {
  const order = isPublished(row) ? `${row.position} ${row.sort_key}` : '';
  // A limit group can be about Tags.
  return `${row.published_until} ${row.archived_at} ${order} ${[...row.draft.tag_ids].sort()}`;
}

const changingColumns = {
  updated_at: 'bigint',
  draft: 'jsonb',
  captures: 'jsonb',
  version_id: 'text',
  published_at: 'bigint',
  next_version_id: 'text',
  next_published_at: 'bigint',
  published_until: 'bigint',
  archived_at: 'bigint',
  paused_version_id: 'text',
  paused_at: 'bigint',
  public_key: 'text',
  name_key: 'text',
  position: 'bigint',
  sort_key: 'text',
} as const;
const experiencesTable: Upsert = {
  table: 'experiences',
  columns: { id: 'text', kind: 'text', ...changingColumns },
  changes: Object.keys(changingColumns),
};

/** A `published_at` in the past means now. */
function publishNow(ctx: Context, before: Document | null, after: Document): Document {
  const { published_at } = after;
  if (published_at === null || published_at === before?.published_at) return after;
  const now = ctx.now();
  return (timeOf(published_at) ?? 0) > now ? after : { ...after, published_at: toTimestamp(now) };
}

/** Inserts a new Experience with its Changes, in the transaction of the context. */
export async function insertExperience(
  ctx: Context,
  draft: Document,
  options?: Record<string, Diff>,
): Promise<ExperienceRow> {
  const document = publishNow(ctx, null, draft);
  await checkReferences(ctx, null, document);
  await checkScripts(ctx, null, document);
  await touchTags(ctx, [{ before: null, after: document }]);
  const empty = newExperienceRow((await ctx.clock()).newRow(), document);
  const { id } = empty;
  const published = await preparePublish(ctx, empty, document);
  const { captures, newCaptures, recorded } = captureAppearances(
    ctx,
    empty,
    document,
    diffDocuments(id, null, document),
  );
  await insertCaptures(ctx, newCaptures);
  const writeId = await recordChanges(ctx, id, withOptions(recorded, empty, published, options));
  await published?.store(writeId);
  const row = { ...empty, captures, draft: document, ...published?.columns };
  await ctx.db
    .insertInto('experiences')
    .values({ ...row, draft: JSON.stringify(document), captures: JSON.stringify(captures) })
    .execute();
  await storeUses(ctx, [{ id, before: null, after: document }]);
  if (published) await bumpPublishedVersion(ctx);
  return row;
}

/** Adds the version to the Change of the Experience, and what else it says. */
function withOptions(
  changes: RecordedChange[],
  row: ExperienceRow,
  published: Publish | undefined,
  more: Record<string, Diff> = {},
): RecordedChange[] {
  const version_id: Diff = [row.next_version_id ?? row.version_id, published?.versionId ?? null];
  const added = { ...(published && { version_id }), ...more };
  const [first] = changes;
  // A proposal that does not touch the Experience itself is named by its first Change.
  const target = changes.find(({ path }) => path === 'model') ?? (Object.keys(more).length > 0 ? first : undefined);
  return changes.map((change) =>
    change === target ? { ...change, options: { ...change.options, ...added } } : change,
  );
}
