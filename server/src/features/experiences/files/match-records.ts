import { type FileTexts, isFileKey } from '@usher/domain';
import type { Failures } from './failures.ts';
import { assignFiles } from './file-keys.ts';
import type { StoredRecord } from './load-records.ts';
import { type MarkRow, repositoryOf } from './managed-records.ts';
import type { RecordType } from './record-types.ts';

/** A file to apply. */
export interface AppliedFile {
  /** The folder and the name of the file: `tours/welcome`. */
  file: string;
  /** The ID of its record, and the version of it that was seen last. */
  id?: string | undefined;
  version?: string | undefined;
  /** The IDs of its parts by their keys. */
  parts?: Record<string, string> | undefined;
  content: Record<string, unknown>;
}

/** A file, the record that it stands for, and what becomes of it. */
export interface Entry {
  file: string;
  type: RecordType;
  content: Record<string, unknown>;
  parts: Readonly<Record<string, string>>;
  before: StoredRecord | undefined;
  /** Whether its author has seen the record as it is. */
  isSeen: boolean;
  /** The ID of the record, when there is one. */
  recordId: string | undefined;
  /** The translations and the keys of the parts of the file, once it was read. */
  texts: FileTexts[];
  keys: ReadonlyMap<string, string>;
}

interface Options {
  types: readonly RecordType[];
  stored: readonly StoredRecord[];
  marks: readonly MarkRow[];
  source: string | null;
  adopt: boolean;
}

/**
 * Finds the record of each file: by its ID, which `usher.lock` has; else it is the one that the file was applied to before; else, with
 * `adopt`, one that has no file and the same name. Any other file is a new record.
 */
export function matchRecords(
  files: readonly AppliedFile[],
  { types, stored, marks, source, adopt }: Options,
  failures: Failures,
): Entry[] {
  const byId = new Map(stored.map((record) => [record.id, record]));
  const markOf = new Map(marks.map((mark) => [mark.record_id, mark]));
  const byFile = new Map(marks.flatMap((mark) => (byId.has(mark.record_id) ? [[mark.file, mark.record_id]] : [])));
  const names = assignFiles(stored, new Map(marks.map(({ record_id, file }) => [record_id, file])));
  const byName = new Map([...names].map(([id, file]) => [file, id]));
  const locked = new Set(files.map(({ id }) => id));
  const owners = new Map<string, string>();

  const match = ({ file, id, version, content, parts }: AppliedFile): Entry | undefined => {
    const fail = (code: number, message: string) => failures.add(file, code, [message]);
    const type = findType(file, types);
    if (!type) {
      const folders = types.map(({ folder }) => folder).join(', ');
      fail(
        422,
        `The name must be a folder and a short name in lower case, such as tours/welcome. The folders are ${folders}`,
      );
      return undefined;
    }
    const namesake = byName.get(file);
    const isFree = namesake !== undefined && !markOf.has(namesake) && !locked.has(namesake);
    const known = id ?? byFile.get(file);
    const recordId = known ?? (adopt && isFree ? namesake : undefined);
    const before = recordId === undefined ? undefined : byId.get(recordId);
    const owner = owners.get(recordId ?? '');
    if (recordId !== undefined) owners.set(recordId, file);
    if (owner !== undefined) fail(422, `It stands for the same record as ${owner}.yaml: correct usher.lock`);
    else if (id !== undefined && before?.type !== type)
      fail(409, 'Its record was deleted: delete the file, or take it out of usher.lock to create the record again');
    else if (before?.isArchived) fail(409, `“${before.name}” was archived: restore it, or delete the file`);
    else if (recordId === undefined && isFree)
      fail(
        409,
        `There is “${byId.get(namesake)?.name}” already, which has no file: pull it, or take it over with --adopt`,
      );
    const mark = markOf.get(before?.id ?? '');
    // The pipeline of a repository has seen what it applied itself, whatever the lock file of the repository says. Another repository
    // may have a file of the same name, and has not seen it.
    const isOwnMark =
      (source !== null || id === undefined) && repositoryOf(mark?.source ?? null) === repositoryOf(source);
    const seen = [version, isOwnMark ? mark?.version : undefined];
    return {
      ...{ file, type, content, before, recordId: before?.id, parts: parts ?? mark?.parts ?? {} },
      isSeen: !before || known === undefined || seen.includes(before.version),
      ...{ texts: [], keys: new Map() },
    };
  };
  return files.flatMap((file) => match(file) ?? []);
}

function findType(file: string, types: readonly RecordType[]): RecordType | undefined {
  const [folder, key, ...rest] = file.split('/');
  return isFileKey(key) && rest.length === 0 ? types.find((type) => type.folder === folder) : undefined;
}
