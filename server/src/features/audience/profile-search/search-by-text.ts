import { decodeOrderCursor, encodeOrderCursor, isId, type Millis } from '@usher/domain';
import { type SelectQueryBuilder, sql } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Within } from '../../../db/pagination/chunk-size.ts';
import { MAX_PAGE_SIZE } from '../../../db/pagination/list-page.ts';
import { type ScannedPage, scanPage } from '../../../db/pagination/scan-page.ts';
import type { Schema } from '../../../db/schema.ts';
import { invalid } from '../../../errors.ts';
import { and, type BoolSql, not, or } from '../filters/bool-sql.ts';

/** A uid or an email that is typed must come first. If more rows than this begin with the text, it is not a whole uid or email. */
const MAX_FIRST = 50;
const AFTER_ALL = 'f'.repeat(24);

export interface TextSearch<Table extends keyof Schema, Row> {
  /** All rows of the account. */
  table: SelectQueryBuilder<Schema, Table, object>;
  /** The rows that are looked at: all rows, or the rows of a Company. */
  all: SelectQueryBuilder<Schema, Table, object>;
  /** The rows of the list that match the filters. */
  matching(within?: Within): SelectQueryBuilder<Schema, Table, Row>;
  idColumn: string;
  /** What a uid or an email begins with; an index finds each. */
  beginnings: readonly BoolSql[];
  /** Whether the name has the text in it; no index finds it. */
  name: BoolSql;
}

interface Page {
  limit: number;
  before?: string | Millis | undefined;
}

/**
 * Finds rows by a text. The few whose uid or email begins with it come first. The names of the others are looked at from the
 * newest to the oldest, which takes long in a large account. The cursor says which of the two parts a page ended in.
 */
export async function searchByText<Table extends keyof Schema, Row extends { id: string }>(
  ctx: Context,
  search: TextSearch<Table, Row>,
  { limit: requestedLimit, before }: Page,
): Promise<ScannedPage<Row>> {
  const { all, matching, idColumn, beginnings, name } = search;
  const limit = Math.min(requestedLimit, MAX_PAGE_SIZE);
  const scan = (condition: BoolSql, page: Page) =>
    scanPage({ all, matching: (within) => matching(within).where(condition as never), idColumn, now: ctx.now }, page);
  const scanNames = async (page: Page) => inPart('names', await scan(and(not(or(...beginnings)), name), page));

  const place = readPlace(before);
  if (place.part === 'names') return scanNames({ limit, before: place.before });
  const first = place.part === 'any' && before !== undefined ? undefined : await findFirst(search, place.before);
  if (!first || (first.length === 0 && place.part === 'any')) return scan(or(...beginnings, name), { limit, before });

  const id = sql.ref<string>(idColumn);
  const found = matching()
    .where(id, 'in', [...first, ''])
    .orderBy(id, 'desc');
  const rows = await found.limit(limit + 1).execute();
  if (rows.length > limit) {
    rows.pop();
    return inPart('first', { rows, isComplete: true, cursor: { limit, before: rows.at(-1)?.id ?? null } });
  }
  if (rows.length === limit) return inPart('names', { rows, isComplete: true, cursor: { limit, before: AFTER_ALL } });
  const rest = await scanNames({ limit: limit - rows.length });
  return { ...rest, rows: [...rows, ...rest.rows], cursor: { ...rest.cursor, limit } };
}

/** The rows whose uid or email begins with the text, or undefined if there are many. */
async function findFirst<Table extends keyof Schema>(
  { table, idColumn, beginnings }: TextSearch<Table, { id: string }>,
  before: string | Millis | undefined,
): Promise<string[] | undefined> {
  const ids = new Set<string>();
  for (const beginning of beginnings) {
    const rows = await queryFirst(table, idColumn, beginning, before).execute();
    if (rows.length > MAX_FIRST) return undefined;
    for (const { id } of rows) ids.add(id);
  }
  return [...ids];
}

/** Rows that were added since the first page are newer than its cursor: they cannot make many of few. */
export function queryFirst<Table extends keyof Schema>(
  table: SelectQueryBuilder<Schema, Table, object>,
  idColumn: string,
  beginning: BoolSql,
  before?: string | Millis,
) {
  const id = sql.ref<string>(idColumn);
  const query = table.select(id.as('id')).where(beginning as never);
  return (typeof before === 'string' ? query.where(id, '<', before) : query).limit(MAX_FIRST + 1);
}

type Part = 'first' | 'names';

function inPart<Row>(part: Part, page: ScannedPage<Row>): ScannedPage<Row> {
  const { limit, before } = page.cursor;
  return {
    ...page,
    cursor: { limit, before: before && encodeOrderCursor({ order: part, values: [], id: before }) },
  };
}

function readPlace(before: string | Millis | undefined): { part: Part | 'any'; before: string | Millis | undefined } {
  if (typeof before !== 'string' || isId(before)) return { part: 'any', before };
  const cursor = decodeOrderCursor(before);
  if (cursor?.order !== 'first' && cursor?.order !== 'names') throw notOfSearch();
  return { part: cursor.order, before: cursor.id };
}

/** The place of a page without a text, where the list has one part. */
export function readPlainPlace(before: string | Millis | undefined): string | Millis | undefined {
  if (typeof before === 'string' && !isId(before)) throw notOfSearch();
  return before;
}

function notOfSearch() {
  return invalid('`before` must be the `cursor.before` of a page of the same search, an ID, or a time');
}
