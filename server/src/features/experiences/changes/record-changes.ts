import type { ChangeKind, Diff, ModelChange } from '@usher/domain';
import type { Context } from '../../../context.ts';
import type { Upsert } from '../../../db/bulk-rows.ts';

const ROWS_PER_STATEMENT = 500;

/** A change of one model, with the capture and the version that it led to. */
export interface RecordedChange extends ModelChange {
  options: Record<string, Diff>;
}

/**
 * Records the Changes of one Experience, in the transaction that changes it. Without a `kind`, each Change has the kind
 * of its own operation. Returns the ID of the write.
 */
export async function recordChanges(
  ctx: Context,
  experienceId: string,
  changes: readonly RecordedChange[],
  kind?: ChangeKind,
): Promise<string> {
  const [writeId = ''] = await recordChangeGroups(ctx, [{ experienceId, changes }], kind);
  return writeId;
}

/** The Changes of one Experience that are written together. */
export interface ChangeGroup {
  experienceId: string;
  changes: readonly RecordedChange[];
}

/**
 * Records the Changes of many Experiences. Each group is one write, whose ID is that of its first Change. This takes the
 * clock of the account, so a long transaction calls it once, at its end.
 */
export async function recordChangeGroups(
  ctx: Context,
  groups: readonly ChangeGroup[],
  kind?: ChangeKind,
): Promise<string[]> {
  const writeIds: string[] = [];
  const clock = await ctx.clock();
  const rows = groups.flatMap(({ experienceId, changes }) => {
    const ids = changes.map(() => clock.newRow().id);
    const write_id = ids[0] ?? '';
    writeIds.push(write_id);
    return changes.map((change, index) => ({
      ...change,
      id: ids[index] as string,
      write_id,
      experience_id: experienceId,
    }));
  });
  await insertChanges(ctx, rows, kind);
  return writeIds;
}

interface NewChange extends RecordedChange {
  id: string;
  write_id: string;
  experience_id: string;
}

export async function insertChanges(ctx: Context, rows: readonly NewChange[], kind?: ChangeKind): Promise<void> {
  await writeInChunks(rows, (chunk) =>
    ctx.dialect.upsert(
      ctx.db,
      ctx.account.id,
      changesTable,
      chunk.map(({ id, write_id, experience_id, object, options, op, model_id, model_type, path }) => ({
        id,
        write_id,
        experience_id,
        model_id,
        model_type,
        kind: kind ?? op,
        op,
        path,
        object: JSON.stringify(kind ? toDiffs(op, object) : object),
        options: JSON.stringify(options),
        admin_id: ctx.actor.id,
      })),
    ),
  );
  const touched = rows.flatMap((change) =>
    listProperties(change).map((property) => ({ property, change_id: change.id, experience_id: change.experience_id })),
  );
  await writeInChunks(touched, (chunk) => ctx.dialect.upsert(ctx.db, ctx.account.id, propertiesTable, chunk));
}

const changesTable: Upsert = {
  table: 'changes',
  columns: {
    id: 'text',
    write_id: 'text',
    experience_id: 'text',
    model_id: 'text',
    model_type: 'text',
    kind: 'text',
    op: 'text',
    path: 'text',
    object: 'jsonb',
    options: 'jsonb',
    admin_id: 'text',
  },
  changes: [],
};
const propertiesTable: Upsert = {
  table: 'change_properties',
  columns: { property: 'text', change_id: 'text', experience_id: 'text' },
  changes: [],
};

/** Only the kinds `create` and `destroy` show scalars. Every other kind shows pairs of the old and the new value. */
function toDiffs(op: ModelChange['op'], object: Record<string, unknown>): Record<string, unknown> {
  if (op === 'update') return object;
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name, op === 'create' ? [null, value] : [value, null]]),
  );
}

/**
 * Lists the properties that a Change touches. For a created or deleted model, these are the properties with a value.
 * Texts of a language are named `<model>.<property>`.
 */
function listProperties({ op, object, path }: ModelChange): string[] {
  const isTranslation = path.startsWith('translations.');
  const names = new Set<string>();
  for (const name of Object.keys(object)) {
    const value = object[name];
    if (op !== 'update' && (value === null || value === false || value === '')) continue;
    const start = isTranslation ? name.indexOf('.') + 1 : 0;
    const end = name.indexOf('.', start);
    names.add(name.slice(start, end < 0 ? undefined : end));
  }
  return [...names];
}

export async function writeInChunks<Row>(
  rows: readonly Row[],
  write: (chunk: Row[]) => Promise<unknown>,
): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT) await write(rows.slice(at, at + ROWS_PER_STATEMENT));
}
