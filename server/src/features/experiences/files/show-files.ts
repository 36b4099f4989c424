import { toFile } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import { assignFiles } from './file-keys.ts';
import { loadRecords, type StoredRecord } from './load-records.ts';
import { managedRecordsOf } from './managed-records.ts';
import type { RecordType } from './record-types.ts';
import { schemaLine } from './schema-line.ts';
import { writeFile } from './yaml-file.ts';

/** A record as its file has it. */
export interface ShownFile {
  file: string;
  id: string;
  name: string;
  version: string;
  is_archived: boolean;
  parts: Record<string, string>;
  content: Record<string, unknown>;
}

/** The files and the keys of parts that a client knows, by the IDs of the records. */
export type KnownFiles = ReadonlyMap<string, { file: string; parts: Readonly<Record<string, string>> }>;

/**
 * Everything that can be kept as files. A file keeps its name if the client knows it, or if it was applied before.
 */
export async function showFiles(ctx: Context, types: readonly RecordType[], known: KnownFiles): Promise<ShownFile[]> {
  const stored = await loadRecords(ctx, types);
  const marks = await managedRecordsOf(ctx).execute();
  const all = new Map([...marks.map(({ record_id, file, parts }) => [record_id, { file, parts }] as const), ...known]);
  const files = assignFiles(stored, new Map([...all].map(([id, { file }]) => [id, file])));
  return stored.map((record) => toShown(record, files, all.get(record.id)?.parts ?? {}));
}

function toShown(
  record: StoredRecord,
  files: ReadonlyMap<string, string>,
  known: Readonly<Record<string, string>>,
): ShownFile {
  const { type, id, name, version, isArchived } = record;
  const partKeys = new Map(Object.entries(known).map(([key, part]) => [part, key]));
  const { content, parts } = toFile(type.fields, record, { keyOf: (one) => files.get(one), partKeys });
  return {
    ...{ file: files.get(id) ?? '', id, name, version, is_archived: isArchived, parts },
    content: { ...(type.kind && { kind: type.kind }), ...content },
  };
}

/** The file of one Experience, as YAML. */
export async function showFile(ctx: Context, types: readonly RecordType[], id: string) {
  const shown = (await showFiles(ctx, types, new Map())).find((one) => one.id === id);
  if (!shown) throw notFound('Experience');
  const [folder = '', key = ''] = shown.file.split('/');
  return { name: `${key}.yaml`, text: writeFile(shown.content, schemaLine(folder)) };
}
