import { isPlace, type ListOrder, type Millis, readPlace, type UpdatePlace, writePlace } from '@usher/domain';
import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { invalid } from '../errors.ts';
import { MOST_ON_A_PAGE, type Page, type PageParameters, readPage } from './page.ts';

/**
 * Where the first page begins. Without any bound, PostgreSQL that has no statistics yet sorts all there are: 0.2 s of
 * 200,000, where it otherwise takes the page from the index in 0.2 ms.
 */
const AFTER_ALL_IDS = 'g';
const LAST_TIME = Number.MAX_SAFE_INTEGER;

export interface OrderedPageParameters extends PageParameters {
  order: ListOrder;
}

/**
 * A page by creation, or by the last update. Both are newest first, and a range of an index that ends with what they are
 * ordered by, so that every page costs the same.
 *
 * By update, a row that is not updated while someone pages comes exactly once. One that is goes to the front, where pages
 * were read already: it comes once at most, and a new list with `after` shows it as it is now. By creation nothing
 * ever moves: every row comes exactly once, whatever is updated.
 */
export async function readOrderedPage<Tables extends keyof Schema, Row extends UpdatePlace>(
  query: SelectQueryBuilder<Schema, Tables, Row>,
  { order, ...asked }: OrderedPageParameters,
): Promise<Page<Row>> {
  if (order === 'updated_at') return readPageByUpdate(query, asked);
  for (const name of ['before', 'after'] as const) {
    const place = asked[name];
    if (typeof place === 'string' && isPlace(place))
      throw invalid(`\`${name}\` is of a list by update: give \`order=updated_at\` too, or an ID or a time`);
  }
  return readPage(query, { ...asked, before: asked.before ?? AFTER_ALL_IDS });
}

async function readPageByUpdate<Tables extends keyof Schema, Row extends UpdatePlace>(
  query: SelectQueryBuilder<Schema, Tables, Row>,
  { limit: asked, before = LAST_TIME, after }: PageParameters,
): Promise<Page<Row>> {
  const limit = Math.min(asked, MOST_ON_A_PAGE);
  let page = query
    .where(beyond('<', before))
    .orderBy(sql.ref('updated_at'), 'desc')
    .orderBy(sql.ref('id'), 'desc')
    .limit(limit + 1);
  if (after !== undefined) page = page.where(beyond('>', after));
  const rows = await page.execute();
  const more = rows.length > limit;
  if (more) rows.pop();
  const last = rows.at(-1);
  return { rows, cursor: { limit, before: more && last ? writePlace(last) : null } };
}

function beyond(op: '<' | '>', place: string | Millis) {
  if (typeof place === 'number') return sql<SqlBool>`updated_at ${sql.raw(op)} ${place}`;
  const { updated_at, id } = readPlace(place);
  return sql<SqlBool>`(updated_at, id) ${sql.raw(op)} (${updated_at}, ${id})`;
}
