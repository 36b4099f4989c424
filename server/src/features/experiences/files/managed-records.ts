import { Id, Nullable, OutputObject, Timestamp, toTimestamp } from '@usher/domain';
import type { Selectable } from 'kysely';
import Type, { type Static } from 'typebox';
import type { Context } from '../../../context.ts';
import type { Upsert } from '../../../db/bulk-rows.ts';
import type { Schema } from '../../../db/schema.ts';

/** A record that was applied from a file. */
export const ManagedRecord = OutputObject({
  id: Id,
  /** The folder and the name of the file, without its extension: `tours/welcome`. */
  file: Type.String(),
  /** The address of the repository, as it was given when the file was applied. */
  source: Nullable(Type.String()),
  /** The address of the file in the repository, if `source` is one. */
  url: Nullable(Type.String()),
  applied_at: Timestamp,
});
export type ManagedRecord = Static<typeof ManagedRecord>;

export type MarkRow = Selectable<Schema['managed_records']>;

export function managedRecordsOf(ctx: Context) {
  return ctx.db.selectFrom('managed_records').selectAll().where('account_id', '=', ctx.account.id);
}

export async function listManagedRecords(ctx: Context): Promise<ManagedRecord[]> {
  const rows = await managedRecordsOf(ctx).orderBy('record_id').execute();
  return rows.map(({ record_id, file, source, applied_at }) => ({
    id: record_id,
    file,
    source,
    url: source !== null && /^https?:\/\//.test(source) ? `${source.replace(/\/+$/, '')}/${file}.yaml` : null,
    applied_at: toTimestamp(applied_at),
  }));
}

/** The repository of a source, whatever the commit or the branch. */
export function repositoryOf(source: string | null): string | null {
  return source === null ? null : source.replace(/\/+$/, '').replace(/\/(-\/)?(tree|blob|src|commit)\/.*$/, '');
}

interface NewMark {
  record_id: string;
  file: string;
  source: string | null;
  version: string;
  parts: Record<string, string>;
}

/** Remembers which files records were applied from. A file stands for one record only. */
export async function markRecords(ctx: Context, marks: readonly NewMark[]): Promise<void> {
  if (marks.length === 0) return;
  const files = marks.map(({ file }) => file);
  const ids = marks.map(({ record_id }) => record_id);
  await ctx.db
    .deleteFrom('managed_records')
    .where('account_id', '=', ctx.account.id)
    .where((where) => where.or([where('file', 'in', files), where('record_id', 'in', ids)]))
    .execute();
  const applied_at = ctx.now();
  const rows = marks.map(({ parts, ...mark }) => ({ ...mark, applied_at, parts: JSON.stringify(parts) }));
  await ctx.dialect.upsert(ctx.db, ctx.account.id, marksTable, rows);
}

const marksTable: Upsert = {
  table: 'managed_records',
  columns: { record_id: 'text', file: 'text', source: 'text', version: 'text', parts: 'jsonb', applied_at: 'bigint' },
  key: ['record_id'],
  changes: ['file', 'source', 'version', 'parts', 'applied_at'],
};
