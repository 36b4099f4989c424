import type { Context } from '../../../context.ts';
import { selectVisitorById, selectVisitorByUid } from '../../../db/visitor/select.ts';
import { parseVisitor, type Visitor } from '../../../db/visitor/visitor.ts';
import { checkVisitor, type Visit } from '../../../pages/visit-token.ts';

export async function findVisitor(ctx: Context, uid: string): Promise<Visitor | undefined> {
  const [result] = await ctx.run(selectVisitorByUid, { uid });
  return result && parseVisitor(result);
}

/** Finds the user whose page load began the visit. Rejects a visit whose user was deleted or cleared since. */
export async function findVisitorOf(ctx: Context, visit: Visit): Promise<Visitor> {
  const [result] = await ctx.run(selectVisitorById, { id: visit.profileId });
  const visitor = result && parseVisitor(result);
  checkVisitor(visit, visitor?.row);
  return visitor;
}
