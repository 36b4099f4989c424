import type { Filter } from '@usher/domain';
import type { Selectable } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Schema } from '../../../db/schema.ts';

export type SegmentRow = Selectable<Schema['segments']>;

export function segmentsOf(ctx: Context) {
  return ctx.db.selectFrom('segments').selectAll().where('account_id', '=', ctx.account.id);
}

/**
 * Locks all Segments of the account, so that the references between them stay as they are until the transaction ends.
 * The Segments are read after the lock: the rows that the lock returns lack a Segment that was created while it waited.
 */
export async function lockSegments(ctx: Context): Promise<SegmentRow[]> {
  const query = segmentsOf(ctx).orderBy('id');
  await ctx.dialect.lockRows(query).execute();
  return query.execute();
}

/** Whether a filter of the Segment names this tour or survey. */
export function namesExperience({ items }: SegmentRow, experienceId: string): boolean {
  const names = (filter: Filter): boolean => {
    if (filter.kind === 'group') return filter.filters.some(names);
    return (filter.kind === 'tour' || filter.kind === 'survey') && filter.value === experienceId;
  };
  return items.some(names);
}
