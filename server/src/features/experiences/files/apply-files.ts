import { buildChangeSummary, type ChangeSummary, summarizeRecord } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { lockSegments } from '../../audience/filters/segments.ts';
import { lockLanguages } from '../../translations/languages/queries.ts';
import { Failures } from './failures.ts';
import { assignFiles } from './file-keys.ts';
import { loadRecords, type StoredRecord } from './load-records.ts';
import { type MarkRow, managedRecordsOf, markRecords, repositoryOf } from './managed-records.ts';
import { type AppliedFile, type Entry, matchRecords } from './match-records.ts';
import { partAt } from './part-at.ts';
import { publishRecords } from './publish-records.ts';
import type { RecordType } from './record-types.ts';
import { storeTranslations } from './store-translations.ts';
import { createRecords, writeRecords } from './write-records.ts';

export interface ApplyOptions {
  records: readonly AppliedFile[];
  /** The IDs of records that had a file when they were seen last. */
  missing?: readonly string[] | undefined;
  source?: string | null | undefined;
  publish?: boolean | undefined;
  /** A record without a file is taken over by the file that has its name. */
  adopt?: boolean | undefined;
  archive_missing?: boolean | undefined;
  /** The IDs of records that files may name although these records are not among the files. */
  names?: ReadonlyMap<string, string>;
  /** Whether the records are managed by their files from now on. */
  isManaged?: boolean;
  /** Finds what would change, and changes nothing. */
  dry_run?: boolean | undefined;
}

export const applyActions = ['create', 'update', 'none', 'missing', 'archive'] as const;

export interface Applied {
  file: string;
  id: string;
  name: string;
  action: (typeof applyActions)[number];
  publishes: boolean;
  version: string;
  /** The IDs of its parts by their keys. */
  parts: Record<string, string>;
  summary: ChangeSummary | null;
}

class RolledBack extends Error {}

/** Stores files in one transaction: all of them, or none if one is wrong or if somebody has changed its record meanwhile. */
export async function applyFiles(
  ctx: Context,
  types: readonly RecordType[],
  { dry_run: isDryRun = false, ...options }: ApplyOptions,
): Promise<Applied[]> {
  let applied: Applied[] = [];
  const work = async (ctx: Context) => {
    applied = await applyAll(ctx, types, options);
    if (isDryRun) throw new RolledBack();
  };
  await ctx.transaction(work, { isLong: true }).catch((error) => {
    if (!(error instanceof RolledBack)) throw error;
  });
  return applied;
}

async function applyAll(ctx: Context, types: readonly RecordType[], options: ApplyOptions): Promise<Applied[]> {
  const { source = null, adopt = false } = options;
  const failures = new Failures();
  const languages = await lockAll(ctx);
  const stored = await loadRecords(ctx, types);
  const marks = await managedRecordsOf(ctx).execute();
  const entries = matchRecords(options.records, { types, stored, marks, source, adopt }, failures);
  const missing = options.isManaged === false ? [] : findMissing(stored, marks, entries, options);
  await createRecords(ctx, entries, failures);
  await writeRecords(ctx, entries, options.names ?? new Map(), failures);
  failures.throwAny();

  const filled = await loadEntries(ctx, types, entries);
  await storeTranslations(
    ctx,
    filled.map(({ entry, record }) => ({ file: entry.file, texts: entry.texts, record })),
    languages,
    failures,
  );
  const written = await loadEntries(ctx, types, entries);
  for (const { entry, record } of written)
    if (!entry.isSeen && entry.before?.version !== record.version)
      failures.add(entry.file, 409, [
        `Somebody has changed “${record.name}” since you pulled or applied it: pull it first, so that nothing is lost`,
      ]);
  failures.throwAny();
  if (options.archive_missing) await archive(ctx, missing, failures);
  const published = options.publish
    ? await publishRecords(
        ctx,
        written.map(({ entry, record }) => ({ file: entry.file, record })),
        failures,
      )
    : new Set<string>();
  failures.throwAny();
  const results = written.map(({ entry, record }) => present(entry, record, published.has(record.id)));
  if (options.isManaged ?? true)
    await markRecords(
      ctx,
      results.map(({ file, id, version, parts }) => ({ record_id: id, file, source, version, parts })),
    );
  return [...results, ...presentMissing(missing, stored, marks, options.archive_missing ?? false)];
}

/**
 * Everything is locked in the order in which other writes lock it, before the account clock is taken. So other writes wait, instead of
 * a deadlock.
 */
async function lockAll(ctx: Context): Promise<Set<string>> {
  const languages = await lockLanguages(ctx);
  const lock = (table: 'experiences' | 'themes' | 'url_groups' | 'tags' | 'limit_groups') => {
    // The type of one table stands for all: each has these columns.
    const rows = ctx.db
      .selectFrom(table as 'tags')
      .select('id')
      .where('account_id', '=', ctx.account.id);
    return ctx.dialect.lockRows(rows.orderBy('id')).execute();
  };
  await lock('experiences');
  await lock('themes');
  await lockSegments(ctx);
  for (const table of ['url_groups', 'tags', 'limit_groups'] as const) await lock(table);
  return languages;
}

/** The records of the files as they are now. */
async function loadEntries(ctx: Context, types: readonly RecordType[], entries: readonly Entry[]) {
  const records = new Map((await loadRecords(ctx, types)).map((record) => [record.id, record]));
  return entries.map((entry) => ({ entry, record: records.get(entry.recordId ?? '') as StoredRecord }));
}

/** Records that had a file of the same repository, and have none now. */
function findMissing(
  stored: readonly StoredRecord[],
  marks: readonly MarkRow[],
  entries: readonly Entry[],
  { missing = [], source = null }: ApplyOptions,
): StoredRecord[] {
  const repository = repositoryOf(source);
  const own = marks.filter((mark) => repositoryOf(mark.source) === repository);
  const had = new Set([...missing, ...own.map(({ record_id }) => record_id)]);
  const have = new Set(entries.map(({ recordId }) => recordId));
  return stored.filter(({ id, isArchived }) => had.has(id) && !have.has(id) && !isArchived);
}

function canBeArchived({ type }: StoredRecord): boolean {
  return Object.hasOwn(type.change.parameters.properties ?? {}, 'archived_at');
}

async function archive(ctx: Context, missing: readonly StoredRecord[], failures: Failures): Promise<void> {
  for (const record of missing.filter(canBeArchived)) {
    const { change, path, folder } = record.type;
    const params = { archived_at: ctx.now() };
    await failures.collect(`${folder}/${record.name}`, async () => {
      await change.run(ctx, { ...params, ...path, id: record.id });
    });
  }
}

function present(entry: Entry, record: StoredRecord, publishes: boolean): Applied {
  const { before, file, keys } = entry;
  const isSame = before?.version === record.version;
  return {
    ...{ file, id: record.id, name: record.name, action: !before ? 'create' : isSame ? 'none' : 'update', publishes },
    version: record.version,
    parts: Object.fromEntries([...keys].map(([path, key]) => [key, partAt(record, path) ?? ''])),
    summary: isSame ? null : summarize(before, record),
  };
}

/** `limit_groups` are called "limit group". `url_groups` are Environments everywhere but in paths. */
function wordOf(folder: string): string {
  return folder === 'url_groups' ? 'Environment' : folder.replaceAll('_', ' ').replace(/s$/, '');
}

function summarize(before: StoredRecord | undefined, after: StoredRecord): ChangeSummary {
  const { id, name, experience, type } = after;
  const noCapture = () => null;
  if (experience)
    return buildChangeSummary(
      id,
      { before: before?.experience?.content ?? null, after: experience.content },
      [null, null],
      { before: noCapture, after: noCapture },
    );
  return summarizeRecord(id, `${wordOf(type.folder)} “${name}”`, before?.document ?? null, after.document);
}

function presentMissing(
  missing: readonly StoredRecord[],
  stored: readonly StoredRecord[],
  marks: readonly MarkRow[],
  isArchiving: boolean,
): Applied[] {
  const files = assignFiles(stored, new Map(marks.map(({ record_id, file }) => [record_id, file])));
  return missing.map((record) => ({
    ...{ file: files.get(record.id) ?? '', id: record.id, name: record.name, version: record.version },
    action: isArchiving && canBeArchived(record) ? 'archive' : 'missing',
    ...{ publishes: false, parts: {}, summary: null },
  }));
}
