import type { ChangeKind, Diff, ModelChange } from '@usher/domain';
import type { Context } from '../../context.ts';

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
  const rows = changes.map((change) => ({ ...change, id: ctx.newRow().id }));
  const writeId = rows[0]?.id ?? '';
  const whose = { account_id: ctx.account.id, experience_id: experienceId };
  await inParts(rows, (part) =>
    ctx.db
      .insertInto('changes')
      .values(
        part.map(({ object, options, ...change }) => ({
          ...whose,
          ...change,
          write_id: writeId,
          kind: kind ?? change.op,
          object: JSON.stringify(kind ? asDiffs(change.op, object) : object),
          options: JSON.stringify(options),
          admin_id: ctx.actor.id,
        })),
      )
      .execute(),
  );
  const touched = rows.flatMap(({ id, ...change }) =>
    propertiesOf(change).map((property) => ({ ...whose, property, change_id: id })),
  );
  await inParts(touched, (part) => ctx.db.insertInto('change_properties').values(part).execute());
  return writeId;
}

/** What is made or gone is told as scalars by its own kind only: elsewhere as from or to nothing. */
function asDiffs(op: ModelChange['op'], object: Record<string, unknown>): Record<string, unknown> {
  if (op === 'update') return object;
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name, op === 'create' ? [null, value] : [value, null]]),
  );
}

/** Of what is made or gone, the properties that have a value. */
function propertiesOf({ op, object }: ModelChange): string[] {
  const names = Object.entries(object).flatMap(([name, value]) =>
    op === 'update' || (value !== null && value !== false && value !== '') ? (name.split('.')[0] as string) : [],
  );
  return [...new Set(names)];
}

async function inParts<Row>(rows: readonly Row[], write: (part: Row[]) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) await write(rows.slice(at, at + ROWS_AT_ONCE));
}
