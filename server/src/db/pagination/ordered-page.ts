import {
  decodeCursor,
  encodeCursor,
  isCursor,
  type ListOrder,
  type Millis,
  TICKS_PER_MS,
  type UpdateCursor,
} from '@usher/domain';
import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { invalid } from '../../errors.ts';
import type { Schema } from '../schema.ts';
import { AFTER_ALL_IDS, type ListPage, listPage, MAX_PAGE_SIZE, type PageParameters } from './list-page.ts';

const AFTER_ALL_UPDATES = encodeCursor({ updated_tick: Number.MAX_SAFE_INTEGER, id: 'f'.repeat(24) });

export interface OrderedPageParameters extends PageParameters {
  order: ListOrder;
}

/** If the order is by update, `after` is the cursor for the next poll. */
export interface OrderedPage<Row> extends ListPage<Row> {
  cursor: ListPage<Row>['cursor'] & { after?: string | null };
}

/**
 * Reads a page by creation or by the last update, newest first. Both orders are a range of an index, so that every page
 * costs the same.
 *
 * By creation, every row comes exactly once. By update, a row that is updated while a client reads pages moves to the
 * front, to the pages that were read before. So it comes once at most, and the next list with `after` shows it.
 *
 * A cursor by update contains the tick of the account's clock, not the time. If two updates happen in one millisecond, the
 * one that is committed later is still after a cursor that was sent in between.
 */
export async function readOrderedPage<Tables extends keyof Schema, Row extends UpdateCursor>(
  query: SelectQueryBuilder<Schema, Tables, Row>,
  { order, ...params }: OrderedPageParameters,
): Promise<OrderedPage<Row>> {
  if (order === 'updated_at') return readPageByUpdate(query, params);
  for (const name of ['before', 'after'] as const) {
    const cursor = params[name];
    if (typeof cursor === 'string' && isCursor(cursor))
      throw invalid(`\`${name}\` is of a list by update: give \`order=updated_at\` too, or an ID or a time`);
  }
  return listPage(query, { ...params, before: params.before ?? AFTER_ALL_IDS });
}

async function readPageByUpdate<Tables extends keyof Schema, Row extends UpdateCursor>(
  query: SelectQueryBuilder<Schema, Tables, Row>,
  { limit: requestedLimit, before, after }: PageParameters,
): Promise<OrderedPage<Row>> {
  const limit = Math.min(requestedLimit, MAX_PAGE_SIZE);
  let page = query
    .where(beyond('<', before ?? AFTER_ALL_UPDATES))
    .orderBy(sql.ref('updated_tick'), 'desc')
    .orderBy(sql.ref('id'), 'desc')
    .limit(limit + 1);
  if (after !== undefined) page = page.where(beyond('>', after));
  const rows = await page.execute();
  const hasMore = rows.length > limit;
  if (hasMore) rows.pop();
  const last = rows.at(-1);
  return {
    rows,
    cursor: {
      limit,
      before: hasMore && last ? encodeCursor(last) : null,
      after: before === undefined ? newestOf(rows, after) : null,
    },
  };
}

/** If there are no new rows, the cursor stays the same. */
function newestOf([first]: readonly UpdateCursor[], after: string | Millis | undefined): string | null {
  if (first) return encodeCursor(first);
  return typeof after === 'string' ? after : null;
}

function beyond(op: '<' | '>', cursor: string | Millis) {
  if (typeof cursor === 'number')
    return op === '<'
      ? sql<SqlBool>`updated_tick < ${cursor * TICKS_PER_MS}`
      : sql<SqlBool>`updated_tick >= ${(cursor + 1) * TICKS_PER_MS}`;
  const { updated_tick, id } = decodeCursor(cursor);
  return sql<SqlBool>`(updated_tick, id) ${sql.raw(op)} (${updated_tick}, ${id})`;
}
