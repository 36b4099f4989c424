import { type Millis, timeOfId } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { contextAt } from '../sample-data/context-at.ts';
import { readTime } from './read-record.ts';
import type { SourceRecord } from './source.ts';

type StampedTable =
  | 'properties'
  | 'url_groups'
  | 'urls'
  | 'tags'
  | 'segments'
  | 'goals'
  | 'themes'
  | 'limit_groups'
  | 'alert_groups'
  | 'experiences'
  | 'webhooks';

/** When a record was created, and changed the last time, in the other service. */
export function timesOf(record: SourceRecord): { createdAt: Millis; updatedAt: Millis } {
  const createdAt = readTime(record.created_at) ?? timeOfId(record.id);
  return { createdAt, updatedAt: readTime(record.updated_at) ?? createdAt };
}

/** The `created_at` to store: null if the ID contains it. */
export function storedCreatedAt(record: SourceRecord): Millis | null {
  const { createdAt } = timesOf(record);
  return createdAt === timeOfId(record.id) ? null : createdAt;
}

/**
 * A context inside the same transaction for creating one record as it is in the other service: the first new row has its ID, and the
 * clock stands at the time when it was created. This is the only way to choose an ID: the API ignores it.
 */
export function contextFor(ctx: Context, record: SourceRecord, at = timesOf(record).createdAt): Context {
  const then = contextAt(ctx, at);
  let isTaken = false;
  const inside: Context = {
    ...then,
    clock: async () => {
      const clock = await then.clock();
      const newRow = () => {
        if (isTaken) return clock.newRow();
        isTaken = true;
        return { account_id: ctx.account.id, id: record.id, updated_at: at };
      };
      return { ...clock, newRow };
    },
    transaction: (work) => work(inside),
  };
  return inside;
}

/** Writes the times of a record, and columns that the API does not take. */
export async function stamp(
  ctx: Context,
  table: StampedTable,
  record: SourceRecord,
  columns: Record<string, unknown> = {},
): Promise<void> {
  await ctx.db
    // The type of one table stands for all: each has these columns.
    .updateTable(table as 'tags')
    .set({ ...columns, created_at: storedCreatedAt(record), updated_at: timesOf(record).updatedAt })
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', record.id)
    .execute();
}
