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
import { type ListPage, listPage, MAX_PAGE_SIZE, type PageParameters } from './list-page.ts';

/**
 * Where the first page begins. Without any bound, PostgreSQL that has no statistics yet sorts all there are: 0.2 s of
 * 200,000, where it otherwise takes the page from the index in 0.2 ms.
 */
const AFTER_ALL_IDS = 'g';
const AFTER_ALL_UPDATES = encodeCursor({ updated_tick: Number.MAX_SAFE_INTEGER, id: 'f'.repeat(24) });

export interface OrderedPageParameters extends PageParameters {
  order: ListOrder;
}

/** By update, with the place to poll on from. */
export interface OrderedPage<Row> extends ListPage<Row> {
  cursor: ListPage<Row>['cursor'] & { after?: string | null };
}

/**
 * A page by creation, or by the last update. Both are newest first, and a range of an index that ends with what they are
 * ordered by, so that every page costs the same.
 *
 * By update, a row that is not updated while someone pages comes exactly once. One that is goes to the front, where pages
 * were read already: it comes once at most, and a new list with `after` shows it as it is now. By creation nothing
 * ever moves: every row comes exactly once, whatever is updated.
 *
 * The place of an update is the tick of the account's clock, not its time: of two updates in one millisecond, the one
 * that is committed later is still after a cursor that was given out in between.
 */
export async function readOrderedPage<Tables extends keyof Schema, Row extends UpdateCursor>(
  query: SelectQueryBuilder<Schema, Tables, Row>,
  { order, ...asked }: OrderedPageParameters,
): Promise<OrderedPage<Row>> {
  if (order === 'updated_at') return readPageByUpdate(query, asked);
  for (const name of ['before', 'after'] as const) {
    const place = asked[name];
    if (typeof place === 'string' && isCursor(place))
      throw invalid(`\`${name}\` is of a list by update: give \`order=updated_at\` too, or an ID or a time`);
  }
  return listPage(query, { ...asked, before: asked.before ?? AFTER_ALL_IDS });
}

async function readPageByUpdate<Tables extends keyof Schema, Row extends UpdateCursor>(
  query: SelectQueryBuilder<Schema, Tables, Row>,
  { limit: asked, before, after }: PageParameters,
): Promise<OrderedPage<Row>> {
  const limit = Math.min(asked, MAX_PAGE_SIZE);
  let page = query
    .where(beyond('<', before ?? AFTER_ALL_UPDATES))
    .orderBy(sql.ref('updated_tick'), 'desc')
    .orderBy(sql.ref('id'), 'desc')
    .limit(limit + 1);
  if (after !== undefined) page = page.where(beyond('>', after));
  const rows = await page.execute();
  const more = rows.length > limit;
  if (more) rows.pop();
  const last = rows.at(-1);
  return {
    rows,
    cursor: {
      limit,
      before: more && last ? encodeCursor(last) : null,
      after: before === undefined ? newestOf(rows, after) : null,
    },
  };
}

/** Where nothing has come since, the place stays where it was. */
function newestOf([first]: readonly UpdateCursor[], after: string | Millis | undefined): string | null {
  if (first) return encodeCursor(first);
  return typeof after === 'string' ? after : null;
}

function beyond(op: '<' | '>', place: string | Millis) {
  if (typeof place === 'number')
    return op === '<'
      ? sql<SqlBool>`updated_tick < ${place * TICKS_PER_MS}`
      : sql<SqlBool>`updated_tick >= ${(place + 1) * TICKS_PER_MS}`;
  const { updated_tick, id } = decodeCursor(place);
  return sql<SqlBool>`(updated_tick, id) ${sql.raw(op)} (${updated_tick}, ${id})`;
}
