import { type Browser, type Millis, sessionCutoff } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { updateVisitor, updateVisitorAtVersion } from '../../../db/visitor/update.ts';
import { parseVisitor, type Visitor } from '../../../db/visitor/visitor.ts';

interface PageLoad extends Browser {
  uid: string;
  now: Millis;
}

/** Records within a transaction, in which the profile exists, that a user was seen. */
export async function touchVisitor(ctx: Context, pageLoad: PageLoad): Promise<Visitor> {
  const [result] = await ctx.run(updateVisitor, { ...pageLoad, last_session: sessionCutoff(pageLoad.now) });
  if (!result) throw new Error('The profile of a page load is gone');
  return parseVisitor(result);
}

/**
 * Records in a transaction of its own that a user was seen. Returns undefined, and changes nothing, when there is no such
 * profile or when something was published since the version.
 */
export function touchVisitorAt(ctx: Context, version: number, pageLoad: PageLoad): Promise<Visitor | undefined> {
  const item = { ...pageLoad, last_session: sessionCutoff(pageLoad.now), version };
  return ctx.writeCoalesced(updateVisitorAtVersion, item);
}
