import { firstIdAt, type Millis } from '@usher/domain';
import { type SelectQueryBuilder, sql } from 'kysely';
import { limited } from '../../errors.ts';
import { FIRST_CHUNK, nextChunkSize, type Within } from './chunk-size.ts';
import { AFTER_ALL_IDS, createdAfter, type ListPage, MAX_PAGE_SIZE, type PageParameters } from './list-page.ts';

/** A request looks for so long, unless it says otherwise; then it returns what it has found. */
const MAX_SCAN_MS: Millis = 2000;
/** For a client that reads all pages: it gets whole ones, unless nearly nothing matches. */
export const MAX_SEARCH_MS: Millis = 30_000;

export interface ScannedPage<Row> extends ListPage<Row> {
  /** False if the time was over before the page was full. */
  isComplete: boolean;
}

interface Scan<Database, Tables extends keyof Database, Row> {
  /** All rows of the list, before the conditions of the search. */
  all: SelectQueryBuilder<Database, Tables, object>;
  /** The rows that match: finding them reads each row. Queries within it can read the same chunk. */
  matching(within: Within): SelectQueryBuilder<Database, Tables, Row>;
  idColumn: string;
  now(): Millis;
  maxMs?: Millis;
  /** The client has disconnected: the search ends before its next chunk. */
  signal?: AbortSignal | undefined;
}

/**
 * Reads one page, newest first, of rows that no index finds. The rows are looked at in chunks of the list, so that a page
 * takes bounded time even if nearly nothing matches: then it is not complete, and its cursor is where the next one goes on.
 */
export async function scanPage<Database, Tables extends keyof Database, Row extends { id: string }>(
  { all: allRows, matching, idColumn, now, maxMs = MAX_SCAN_MS, signal }: Scan<Database, Tables, Row>,
  { limit: requestedLimit, before, after }: PageParameters,
): Promise<ScannedPage<Row>> {
  const id = sql.ref<string>(idColumn);
  const limit = Math.min(requestedLimit, MAX_PAGE_SIZE);
  const rows: Row[] = [];
  const all = createdAfter(allRows, id, after);
  const deadline = now() + maxMs;
  let place = typeof before === 'number' ? firstIdAt(before) : (before ?? AFTER_ALL_IDS);
  for (let size = FIRST_CHUNK; ; ) {
    if (signal?.aborted) throw limited('heavy_reads', 'The client has disconnected, so the search was not finished', 1);
    const start = now();
    const [last] = await findPartEnd(all, id, place, size).execute();
    const within = chunkBetween(last?.id, place);
    const chunk = createdAfter(matching(within), id, after).where(within(id));
    rows.push(
      ...(await chunk
        .orderBy(id, 'desc')
        .limit(limit + 1 - rows.length)
        .execute()),
    );
    if (rows.length > limit) {
      rows.pop();
      return { rows, isComplete: true, cursor: { limit, before: rows.at(-1)?.id ?? null } };
    }
    if (!last) return { rows, isComplete: true, cursor: { limit, before: null } };
    place = last.id;
    const end = now();
    if (end >= deadline) return { rows, isComplete: rows.length === limit, cursor: { limit, before: place } };
    size = nextChunkSize(size, end - start);
  }
}

/** Without `first`, the chunk is the last one. */
function chunkBetween(first: string | undefined, end: string): Within {
  return (id) => (first === undefined ? sql`${id} < ${end}` : sql`(${id} >= ${first} and ${id} < ${end})`);
}

/** Finds the last row of the next chunk. It reads only the index. */
export function findPartEnd<Database, Tables extends keyof Database>(
  all: SelectQueryBuilder<Database, Tables, object>,
  id: ReturnType<typeof sql.ref<string>>,
  before: string,
  size: number,
) {
  return all
    .select(id.as('id'))
    .where(id, '<', before)
    .orderBy(id, 'desc')
    .offset(size - 1)
    .limit(1)
    .$castTo<{ id: string }>();
}
