import { drawPercent, timeOfId } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { initialRow } from '../../../db/visitor/columns.ts';
import { noInteractions, type Visitor } from '../../../db/visitor/visitor.ts';

/** A user who was never seen. Nothing is stored. */
export function newVisitor(ctx: Context, uid: string): Visitor {
  const id = ctx.newId();
  return {
    row: { ...initialRow(), id, updated_at: timeOfId(id), uid, percent: drawPercent() },
    company: undefined,
    interactions: noInteractions,
  };
}
