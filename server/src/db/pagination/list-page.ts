import { firstIdAt, type Millis } from '@usher/domain';
import { type SelectQueryBuilder, sql } from 'kysely';

export const MAX_PAGE_SIZE = 500;
/**
 * The cursor of the first page. Without a bound, PostgreSQL sorts all rows while it has no statistics: 0.2 s for 200,000
 * rows. With it, PostgreSQL reads the page from the index in 0.2 ms.
 */
export const AFTER_ALL_IDS = 'g';

export interface PageParameters {
  limit: number;
  before?: string | Millis | undefined;
  after?: string | Millis | undefined;
}

export interface ListPage<Row> {
  rows: Row[];
  cursor: { limit: number; before: string | null };
}

/**
 * Reads one page, newest first: the rows that were created before `before` and after `after`, each an ID or a time. IDs
 * contain their time, so both bounds are a range of the primary key and every page costs the same. One row more than the
 * page is read, to find out whether there is another page.
 */
export async function listPage<Database, Tables extends keyof Database, Row extends { id: string }>(
  query: SelectQueryBuilder<Database, Tables, Row>,
  { limit: requestedLimit, before, after }: PageParameters,
  idColumn = 'id',
): Promise<ListPage<Row>> {
  const id = sql.ref<string>(idColumn);
  const limit = Math.min(requestedLimit, MAX_PAGE_SIZE);
  let page = createdAfter(query, id, after)
    .orderBy(id, 'desc')
    .limit(limit + 1);
  if (before !== undefined) page = page.where(id, '<', typeof before === 'number' ? firstIdAt(before) : before);
  const rows = await page.execute();
  const hasMore = rows.length > limit;
  if (hasMore) rows.pop();
  return { rows, cursor: { limit, before: hasMore ? (rows.at(-1)?.id ?? null) : null } };
}

/** The rows that were created after an ID or a time. */
export function createdAfter<Database, Tables extends keyof Database, Row>(
  query: SelectQueryBuilder<Database, Tables, Row>,
  id: ReturnType<typeof sql.ref<string>>,
  after: string | Millis | undefined,
): SelectQueryBuilder<Database, Tables, Row> {
  if (after === undefined) return query;
  return typeof after === 'string' ? query.where(id, '>', after) : query.where(id, '>=', firstIdAt(after + 1));
}
