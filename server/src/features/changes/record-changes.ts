import type { ChangeKind, Diff, ModelChange } from '@usher/domain';
import type { Context } from '../../context.ts';
import type { Upsert } from '../../db/bulk-rows.ts';

const ROWS_AT_ONCE = 500;

/** A change, and what else is to be told of it. */
export interface RecordedChange extends ModelChange {
  options: Record<string, Diff>;
}

/**
 * Writes Changes, in the transaction of what they tell of. An ordinary write tells for each model what was done to it;
 * anything else has one kind for all. Gives the ID of the first.
 */
export async function recordChanges(
  ctx: Context,
  experienceId: string,
  changes: readonly RecordedChange[],
  kind?: ChangeKind,
): Promise<string> {
  const [first = ''] = await recordChangesOfMany(ctx, [{ experienceId, changes }], kind);
  return first;
}

/** The Changes of one Experience. */
export interface ChangesOfOne {
  experienceId: string;
  changes: readonly RecordedChange[];
}

/**
 * The same for many Experiences at once: what is told of each is one write of its own. Gives the first ID of each. A
 * write of many parts does it once, at its end: from here on others in the account wait for its commit.
 */
export async function recordChangesOfMany(
  ctx: Context,
  groups: readonly ChangesOfOne[],
  kind?: ChangeKind,
): Promise<string[]> {
  const firsts: string[] = [];
  const clock = await ctx.clock();
  const rows = groups.flatMap(({ experienceId, changes }) => {
    let first: string | undefined;
    const written = changes.map((change) => {
      const { id } = clock.newRow();
      first ??= id;
      return { ...change, id, write_id: first, experience_id: experienceId };
    });
    firsts.push(first ?? '');
    return written;
  });
  await writeChanges(ctx, rows, kind);
  return firsts;
}

/** A Change as it is stored, with the ID of the first that was written together with it. */
interface WrittenChange extends RecordedChange {
  id: string;
  write_id: string;
  experience_id: string;
}

export async function writeChanges(ctx: Context, rows: readonly WrittenChange[], kind?: ChangeKind): Promise<void> {
  await inParts(rows, (part) =>
    ctx.dialect.upsert(
      ctx.db,
      ctx.account.id,
      changesTable,
      part.map(({ id, write_id, experience_id, object, options, op, model_id, model_type, path }) => ({
        id,
        write_id,
        experience_id,
        model_id,
        model_type,
        kind: kind ?? op,
        op,
        path,
        object: JSON.stringify(kind ? asDiffs(op, object) : object),
        options: JSON.stringify(options),
        admin_id: ctx.actor.id,
      })),
    ),
  );
  const touched = rows.flatMap((change) =>
    propertiesOf(change).map((property) => ({ property, change_id: change.id, experience_id: change.experience_id })),
  );
  await inParts(touched, (part) => ctx.dialect.upsert(ctx.db, ctx.account.id, propertiesTable, part));
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

/** What is made or gone is told as scalars by its own kind only: elsewhere as from or to nothing. */
function asDiffs(op: ModelChange['op'], object: Record<string, unknown>): Record<string, unknown> {
  if (op === 'update') return object;
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name, op === 'create' ? [null, value] : [value, null]]),
  );
}

/** Of what is made or gone, the properties that have a value. The texts of a language have the model before the name. */
function propertiesOf({ op, object, path }: ModelChange): string[] {
  const isOfLanguage = path.startsWith('translations.');
  const names = new Set<string>();
  for (const name of Object.keys(object)) {
    const value = object[name];
    if (op !== 'update' && (value === null || value === false || value === '')) continue;
    const start = isOfLanguage ? name.indexOf('.') + 1 : 0;
    const end = name.indexOf('.', start);
    names.add(name.slice(start, end < 0 ? undefined : end));
  }
  return [...names];
}

export async function inParts<Row>(rows: readonly Row[], write: (part: Row[]) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) await write(rows.slice(at, at + ROWS_AT_ONCE));
}
