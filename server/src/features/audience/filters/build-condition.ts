import {
  type Condition,
  exceedsFilterLimit,
  type Filter,
  formatFilterLimit,
  listSegmentReferences,
  MAX_QUERY_FILTERS,
  toCondition,
} from '@usher/domain';
import type { Context } from '../../../context.ts';
import { invalid, notFound } from '../../../errors.ts';
import { segmentsOf } from './segments.ts';

/** Builds the condition of some filters, and finds the conditions of the Segments that they name. */
export async function buildCondition(
  ctx: Context,
  filters: readonly Filter[],
  op: 'and' | 'or',
): Promise<{ condition: Condition; segment(id: string): Condition }> {
  const condition = toCondition(filters, op);
  const references = listSegmentReferences(filters, '');
  const rows = references.length === 0 ? [] : await segmentsOf(ctx).execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const { id } of references) if (!byId.has(id)) throw notFound('Segment');
  if (exceedsFilterLimit(filters, (id) => byId.get(id)?.items, MAX_QUERY_FILTERS))
    throw invalid(`\`filters\` ${formatFilterLimit(MAX_QUERY_FILTERS)}`);
  const conditions = new Map<string, Condition>();
  const segment = (id: string): Condition => {
    const row = byId.get(id);
    if (!row) throw new Error(`Segment ${id} is named by a filter, but does not exist`);
    const condition = conditions.get(id) ?? toCondition(row.items, row.items_op);
    conditions.set(id, condition);
    return condition;
  };
  return { condition, segment };
}
