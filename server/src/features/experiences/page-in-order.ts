import { decodeOrderCursor, type ExperienceOrder, encodeOrderCursor } from '@usher/domain';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Context } from '../../context.ts';
import { type ListPage, MAX_PAGE_SIZE, type PageParameters } from '../../db/pagination/list-page.ts';
import { invalid } from '../../errors.ts';
import type { ExperienceRow, experiencesOf } from './queries.ts';

type OtherOrder = Exclude<ExperienceOrder, 'created_at'>;

interface Order {
  columns: readonly RawBuilder<unknown>[];
  direction: 'asc' | 'desc';
  /** The values of the columns in a cursor. */
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
    columns: [sql`coalesce(starts.count, 0)`, sql.ref('experiences.id')],
    direction: 'desc',
    read: ([count]) => [readNumber(count)],
  },
};

/** Reads one page in an order of its own. Each order but `started_count` is a range of an index, so every page costs the same. */
export async function readPageInOrder(
  ctx: Context,
  filtered: ReturnType<typeof experiencesOf>,
  name: OtherOrder,
  { limit: requestedLimit, before, after }: { [Name in keyof PageParameters]: PageParameters[Name] | undefined },
): Promise<ListPage<ExperienceRow>> {
  if (after !== undefined) throw invalid(`\`after\` is for a list by creation: leave it out, or \`order\``);
  const order = orders[name];
  const limit = Math.min(requestedLimit ?? 0, MAX_PAGE_SIZE);
  let query = name === 'started_count' ? withStarts(ctx, filtered) : filtered;
  if (before !== undefined) query = query.where(isBeyond(order, readCursor(name, order, before)));
  for (const column of order.columns) query = query.orderBy(column, order.direction);
  const rows = await query.limit(limit + 1).execute();
  const hasMore = rows.length > limit;
  if (hasMore) rows.pop();
  const last = hasMore ? rows.at(-1) : undefined;
  return { rows, cursor: { limit, before: last ? cursorOf(name, last) : null } };
}

function withStarts(ctx: Context, filtered: ReturnType<typeof experiencesOf>): ReturnType<typeof experiencesOf> {
  const starts = ctx.db
    .selectFrom('interactions')
    .select(({ fn }) => ['experience_id', fn.count<number>('started_at').as('count')])
    .where('account_id', '=', ctx.account.id)
    .groupBy('experience_id');
  return filtered
    .leftJoin(starts.as('starts'), 'starts.experience_id', 'experiences.id')
    .select(sql<number>`coalesce(starts.count, 0)`.as('starts')) as never;
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

function cursorOf(name: OtherOrder, row: ExperienceRow & { starts?: number }): string {
  const values: Record<OtherOrder, (string | number)[]> = {
    position: [row.position, row.sort_key],
    name: [row.name_key],
    updated_at: [row.updated_at],
    started_count: [row.starts ?? 0],
  };
  return encodeOrderCursor({ order: name, values: values[name].map(String), id: row.id });
}
