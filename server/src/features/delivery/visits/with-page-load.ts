import { type Millis, updateLastSeen } from '@usher/domain';
import type { Visitor } from '../../../db/visitor/visitor.ts';

/** The user as Segments see it in a page load at this time: a page load counts itself as the last one. */
export function withPageLoad(visitor: Visitor, now: Millis): Visitor {
  return { ...visitor, row: { ...visitor.row, ...updateLastSeen(visitor.row, now) } };
}
