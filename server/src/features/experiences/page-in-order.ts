import { decodeOrderCursor, type ExperienceOrder, encodeOrderCursor, keysOf } from '@usher/domain';
import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { Context } from '../../context.ts';
import { type ListPage, MAX_PAGE_SIZE, type PageParameters } from '../../db/pagination/list-page.ts';
import type { Schema } from '../../db/schema.ts';
import { invalid } from '../../errors.ts';
import { type ExperienceRow, experiencesOf } from './queries.ts';

export type OtherOrder = Exclude<ExperienceOrder, 'created_at'>;
/** Experiences that match the filters of a list. */
export type Filtered = SelectQueryBuilder<Schema, 'experiences', object>;
type OtherPage = { [Name in keyof PageParameters]: PageParameters[Name] | undefined };

interface Order {
  /** The columns of the order. The ID comes last. */
  columns: readonly RawBuilder<unknown>[];
  direction: 'asc' | 'desc';
  /** Reads the values of the columns from a cursor. */
  read(values: readonly string[]): (string | number)[];
}

const readNumber = (value: string | undefined) => Number(value ?? Number.NaN);
const columns = (...names: string[]) => names.map((name) => sql.ref(`experiences.${name}`));

const orders: Record<OtherOrder, Order> = {
  position: {
    columns: columns('position', 'sort_key', 'id'),
    direction: 'asc',
    read: ([position, key = '']) => [readNumber(position), key],
  },
  name: { columns: columns('name_key', 'id'), direction: 'asc', read: ([name = '']) => [name] },
  updated_at: { columns: columns('updated_at', 'id'), direction: 'desc', read: ([at]) => [readNumber(at)] },
  started_count: {
    columns: [sql`coalesce(starts.started_count, 0)`, sql.ref('experiences.id')],
    direction: 'desc',
    read: ([count]) => [readNumber(count)],
  },
};

/**
 * Reads one page in the order of these columns. The IDs of the page are read first, from an index, so that only the
 * documents of the page are read. With 10,000 Experiences on SQLite, a page by starts takes 33 ms on a busy machine;
 * reading all documents took 80 ms.
 */
export async function readPageInOrder(
  ctx: Context,
  filtered: Filtered,
  name: OtherOrder,
  page: OtherPage,
): Promise<ListPage<ExperienceRow>> {
  const limit = Math.min(page.limit ?? 0, MAX_PAGE_SIZE);
  const places = await findPlaces(ctx, filtered, name, page).execute();
  const hasMore = places.length > limit;
  if (hasMore) places.pop();
  const last = hasMore ? places.at(-1) : undefined;
  return { rows: await loadRows(ctx, places), cursor: { limit, before: last ? cursorOf(name, last) : null } };
}

interface Place {
  id: string;
  [column: `value${number}`]: string | number;
}

/** Finds the IDs of one page and one more, with the values of the order for the cursor. */
export function findPlaces(ctx: Context, filtered: Filtered, name: OtherOrder, page: OtherPage) {
  const { limit, before, after } = page;
  if (after !== undefined) throw invalid(`\`after\` is for a list by creation: leave it out, or \`order\``);
  const order = orders[name];
  let query = filtered.$if(name === 'started_count', (all) => withStarts(ctx, all));
  if (before !== undefined) query = query.where(isBeyond(order, readCursor(name, order, before)));
  for (const column of order.columns) query = query.orderBy(column, order.direction);
  return query
    .select('experiences.id')
    .select(order.columns.slice(0, -1).map((column, index) => column.as(`value${index}`)))
    .limit(Math.min(limit ?? 0, MAX_PAGE_SIZE) + 1)
    .$castTo<Place>();
}

async function loadRows(ctx: Context, places: readonly Place[]): Promise<ExperienceRow[]> {
  const ids = places.map(({ id }) => id);
  const rows = ids.length === 0 ? [] : await experiencesOf(ctx).where('id', 'in', ids).execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  // An Experience may have been deleted meanwhile.
  return ids.flatMap((id) => byId.get(id) ?? []);
}

function withStarts(ctx: Context, filtered: Filtered) {
  const starts = ctx.db
    .selectFrom('experience_counts')
    // There is one row for each Experience. Without grouping, SQLite joins the table itself and then reads all documents.
    .select(({ fn }) => ['experience_id', fn.max('started_count').as('started_count')])
    .where('account_id', '=', ctx.account.id)
    .groupBy('experience_id');
  return filtered.leftJoin(starts.as('starts'), 'starts.experience_id', 'experiences.id');
}

function isBeyond({ columns, direction }: Order, values: readonly (string | number)[]): RawBuilder<SqlBool> {
  return sql`(${sql.join(columns)}) ${sql.raw(direction === 'asc' ? '>' : '<')} (${sql.join(values)})`;
}

function readCursor(name: OtherOrder, order: Order, before: string | number): (string | number)[] {
  const cursor = typeof before === 'string' ? decodeOrderCursor(before) : undefined;
  const values = cursor?.order === name ? order.read(cursor.values) : [];
  if (!cursor || values.length === 0 || !values.every(isStorable))
    throw invalid(`\`before\` must be the \`cursor.before\` of a page with \`order=${name}\``);
  return [...values, cursor.id];
}

/** PostgreSQL rejects other numbers for an integer column, and the character NUL in any text. */
function isStorable(value: string | number): boolean {
  return typeof value === 'number' ? Number.isSafeInteger(value) : !value.includes('\0');
}

function cursorOf(order: OtherOrder, { id, ...values }: Place): string {
  const names = keysOf(values).sort();
  return encodeOrderCursor({ order, values: names.map((name) => String(values[name])), id });
}
