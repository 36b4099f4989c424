import {
  decodeCursor,
  encodeCursor,
  isCursor,
  MAX_SCORE,
  type ResponseFilters,
  type ResponseOrder,
} from '@usher/domain';
import type { Context } from '../../../context.ts';
import { MAX_PAGE_SIZE, type PageParameters } from '../../../db/pagination/list-page.ts';
import { type OrderedPage, readOrderedPage } from '../../../db/pagination/ordered-page.ts';
import { scanPage } from '../../../db/pagination/scan-page.ts';
import { invalid } from '../../../errors.ts';
import type { ResponseRow } from './queries.ts';
import { type SelectedResponses, selectResponses } from './select-responses.ts';

/** A request looks for so long; then it returns what it has found, and where the next one goes on. */
const MAX_SCAN_MS = 2000;

/** What was found, and for lists that look at Responses whether the time was enough for a whole page. */
export type FoundResponses = OrderedPage<ResponseRow> & { isComplete?: boolean };

export interface ResponsePage extends PageParameters {
  order: ResponseOrder;
}

/**
 * Reads a page of the Responses to a survey that match. Without filters, every page is a range of an index. Filters look at Responses in
 * chunks, so a page takes bounded time, and none is missed.
 */
export async function findResponses(
  ctx: Context,
  filters: ResponseFilters & { id: string },
  { order, ...page }: ResponsePage,
): Promise<FoundResponses> {
  const selected = await selectResponses(ctx, filters);
  if (order === 'highest_score' || order === 'lowest_score') return readByScore(ctx, selected, order, filters, page);
  if (!selected.isFiltered) return readOrderedPage(selected.all.selectAll('responses'), { order, ...page });
  if (order === 'updated_at')
    throw invalid('`order` cannot be `updated_at` with filters: leave it out, or the filters');
  return scanPage(scanOf(ctx, selected, MAX_SCAN_MS), {
    ...page,
    before: checkIds(page.before),
    after: checkIds(page.after),
  });
}

function scanOf(ctx: Context, { all, idColumn, matching }: SelectedResponses, maxMs: number) {
  return {
    ...{ all, idColumn, now: ctx.now, maxMs, signal: ctx.request?.signal },
    matching: (within: Parameters<typeof matching>[0]) => matching(within).selectAll('responses'),
  };
}

function checkIds(place: PageParameters['before']): PageParameters['before'] {
  if (typeof place === 'string' && isCursor(place))
    throw invalid('`before` and `after` are of a list in another order: give an ID or a time');
  return place;
}

/** Each score is a range of an index. Responses without a score come last. A cursor has the place of the score instead of a time. */
async function readByScore(
  ctx: Context,
  { all, matching, idColumn }: SelectedResponses,
  order: 'highest_score' | 'lowest_score',
  filters: ResponseFilters,
  { limit: requested, before, after }: PageParameters,
): Promise<FoundResponses> {
  if (after !== undefined) throw invalid('`after` is for lists by creation or update: leave it out');
  if (before !== undefined && !(typeof before === 'string' && isCursor(before)))
    throw invalid('`before` must be the `cursor.before` of the page before, in the same order');
  const places: (number | null)[] = Array.from({ length: MAX_SCORE + 1 }, (_, score) => score);
  if (order === 'highest_score') places.reverse();
  places.push(null);
  const { min_score = 0, max_score = MAX_SCORE } = filters;
  const hasScore = filters.min_score !== undefined || filters.max_score !== undefined;
  const start = typeof before === 'string' ? decodeCursor(before) : undefined;
  const limit = Math.min(requested, MAX_PAGE_SIZE - 1);
  const deadline = ctx.now() + MAX_SCAN_MS;
  const rows: ResponseRow[] = [];
  const cursorAt = (place: number, id: string) => ({ limit, before: encodeCursor({ updated_tick: place, id }) });
  for (const [place, score] of places.entries()) {
    if (start && place < start.updated_tick) continue;
    if (hasScore && (score === null || score < min_score || score > max_score)) continue;
    const ofScore = <Query extends SelectedResponses['all']>(query: Query) =>
      query.where('responses.score', score === null ? 'is' : '=', score) as Query;
    const scan = scanOf(
      ctx,
      { isFiltered: true, idColumn, all: ofScore(all), matching: (within) => ofScore(matching(within)) },
      Math.max(0, deadline - ctx.now()),
    );
    const found = await scanPage(scan, {
      limit: limit + 1 - rows.length,
      before: place === start?.updated_tick ? start.id : undefined,
    });
    rows.push(...found.rows);
    if (rows.length > limit) {
      rows.pop();
      const last = rows.at(-1) as ResponseRow;
      return { rows, isComplete: true, cursor: cursorAt(places.indexOf(last.score), last.id) };
    }
    if (found.cursor.before !== null) return { rows, isComplete: false, cursor: cursorAt(place, found.cursor.before) };
  }
  return { rows, isComplete: true, cursor: { limit, before: null } };
}
