import { type Condition, toCondition } from '@usher/domain';
import type { Context } from '../../../context.ts';
import type { SegmentRow } from './segments.ts';

/** The scope of the conditions of Segments, which may name each other. `all` has every Segment of the account. */
export function segmentScope(
  { account, dialect, now }: Pick<Context, 'account' | 'dialect' | 'now'>,
  all: readonly SegmentRow[],
) {
  const byId = new Map(all.map((row) => [row.id, row]));
  const segment = (id: string): Condition => {
    const row = byId.get(id);
    if (!row) throw new Error(`Segment ${id} is named by a filter, but does not exist`);
    return toCondition(row.items, row.items_op);
  };
  return { accountId: account.id, dialect, now: now(), segment };
}
