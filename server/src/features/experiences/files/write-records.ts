import { fromFile, isSameValue, namesOthers } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { invalid } from '../../../errors.ts';
import type { Failures } from './failures.ts';
import type { Entry } from './match-records.ts';

/**
 * Creates the records that are not there yet. A record that others can name is empty at first, so that all of them have an ID before
 * the first one is filled.
 */
export async function createRecords(ctx: Context, entries: readonly Entry[], failures: Failures): Promise<void> {
  for (const entry of entries) {
    const { type, content, file } = entry;
    if (entry.recordId !== undefined || failures.has(file)) continue;
    if (!type.replace && namesOthers(type.fields)) continue;
    const { document } = fromFile(type.fields, withoutKind(entry), { idOf: (key) => key, parts: {} }, []);
    const { properties = {}, required = [] } = type.fields;
    const isNeeded = (name: string) => document[name] !== undefined && properties[name]?.default === undefined;
    const names = ['name', ...required].filter(isNeeded);
    const params = type.replace ? Object.fromEntries(names.map((name) => [name, content[name]])) : document;
    await failures.collect(file, () => create(ctx, entry, params));
  }
}

async function create(ctx: Context, entry: Entry, params: object): Promise<void> {
  const { create, path } = entry.type;
  const reading = create.read(params, ctx.now(), params);
  if ('problems' in reading) throw invalid(...reading.problems);
  const body = (await create.run(ctx, { ...reading.value, ...path })) as Record<string, { id: string }>;
  entry.recordId = Object.values(body)[0]?.id;
}

/** Writes all fields of all records. Every file is read before the first one is written. */
export async function writeRecords(
  ctx: Context,
  entries: readonly Entry[],
  others: ReadonlyMap<string, string>,
  failures: Failures,
): Promise<void> {
  const ids = new Map(entries.map(({ file, recordId }) => [file, recordId]));
  const idOf = (key: string) => ids.get(key) ?? others.get(key);
  const writes = entries.map((entry) => readEntry(ctx, entry, idOf, failures));
  failures.throwAny();
  for (const [at, { file }] of entries.entries()) await failures.collect(file, writes[at] as () => Promise<void>);
}

/** Reads a file, and returns how it is written. */
function readEntry(
  ctx: Context,
  entry: Entry,
  idOf: (key: string) => string | undefined,
  failures: Failures,
): () => Promise<void> {
  const { type, content, file, recordId, parts } = entry;
  const problems: string[] = [];
  if (type.kind && (content.kind ?? type.kind) !== type.kind)
    problems.push(`\`kind\` must be \`${type.kind}\`, as the folder says`);
  const { document, keys, texts } = fromFile(type.fields, withoutKind(entry), { idOf, parts }, problems);
  Object.assign(entry, { keys, texts });
  const params = recordId === undefined ? document : { ...type.initial, ...document };
  const route = recordId === undefined ? type.create : (type.replace ?? type.change);
  const reading = route.read(params, ctx.now(), params);
  if ('problems' in reading) problems.push(...reading.problems);
  if (problems.length > 0) failures.add(file, 422, problems);
  // Most files of a folder are as they were, and a write takes longer than everything else.
  if (entry.before && isSameValue(document, entry.before.document)) return async () => {};
  return async () => {
    if (recordId === undefined) await create(ctx, entry, params);
    else if ('value' in reading) await route.run(ctx, { ...reading.value, ...type.path, id: recordId });
  };
}

/** The folder says which kind an Experience has, so its file need not. */
function withoutKind({ type, content }: Entry): Record<string, unknown> {
  if (!type.kind) return content;
  const { kind: _, ...others } = content;
  return others;
}
