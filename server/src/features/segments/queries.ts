import {
  type Condition,
  exceedsFilterLimit,
  type Filter,
  formatFilterLimit,
  listSegmentReferences,
  MAX_QUERY_FILTERS,
  readItems,
  type Segment,
  timeOfId,
  toCondition,
  toTimestamp,
} from '@usher/domain';
import type { Selectable } from 'kysely';
import type { Context } from '../../context.ts';
import type { Schema } from '../../db/schema.ts';
import { invalid, notFound } from '../../errors.ts';

export type SegmentRow = Selectable<Schema['segments']>;

export function presentSegment(row: SegmentRow): Segment {
  return {
    id: row.id,
    created_at: toTimestamp(timeOfId(row.id)),
    updated_at: toTimestamp(row.updated_at),
    name: row.name,
    // Read anew for the order of their keys: PostgreSQL has one of its own.
    items: readItems(row.items, 'items', []) ?? [],
    items_op: row.items_op,
  };
}

export function segmentsOf(ctx: Context) {
  return ctx.db.selectFrom('segments').selectAll().where('account_id', '=', ctx.account.id).orderBy('id');
}

/**
 * All of the account, held for the rest of the transaction: who refers to whom does not change meanwhile. Read once they
 * are held, as one that was made while this waited would be missing among those it waited for.
 */
export async function lockSegments(ctx: Context): Promise<SegmentRow[]> {
  await ctx.dialect.lockRows(segmentsOf(ctx)).execute();
  return segmentsOf(ctx).execute();
}

/** Those among them that refer to one. */
export function usersOf(id: string, segments: readonly SegmentRow[]): SegmentRow[] {
  return segments.filter(({ items }) => listSegmentReferences(items, '').some((used) => used.id === id));
}

/** Those among them that ask what users did with this tour or survey. */
export function segmentsNaming(segments: readonly SegmentRow[], experienceId: string): SegmentRow[] {
  const asks = (filter: Filter): boolean => {
    if (filter.kind === 'group') return filter.filters.some(asks);
    return (filter.kind === 'tour' || filter.kind === 'survey') && filter.value === experienceId;
  };
  return segments.filter(({ items }) => items.some(asks));
}

export async function getSegment(ctx: Context, id: string): Promise<SegmentRow> {
  const row = await segmentsOf(ctx).where('id', '=', id).executeTakeFirst();
  if (!row) throw notFound('Segment');
  return row;
}

/** Filters as a condition, with the conditions of all Segments that they lead to. */
export async function askedCondition(
  ctx: Context,
  filters: readonly Filter[],
  op: 'and' | 'or',
): Promise<{ condition: Condition; segment(id: string): Condition }> {
  const condition = toCondition(filters, op);
  const rows = listSegmentReferences(filters, '').length === 0 ? [] : await segmentsOf(ctx).execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  const lookup = (id: string) => byId.get(id)?.items;
  for (const { id } of listSegmentReferences(filters, '')) if (!byId.has(id)) throw notFound('Segment');
  if (exceedsFilterLimit(filters, lookup, MAX_QUERY_FILTERS))
    throw invalid(`\`filters\` ${formatFilterLimit(MAX_QUERY_FILTERS)}`);
  const conditions = new Map<string, Condition>();
  const segment = (id: string): Condition => {
    const row = byId.get(id);
    if (!row) throw new Error(`Segment ${id} is referred to, but is not there`);
    const known = conditions.get(id) ?? toCondition(row.items, row.items_op);
    conditions.set(id, known);
    return known;
  };
  return { condition, segment };
}
