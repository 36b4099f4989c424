import { type Browser, type Millis, sessionCutoff } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { type PageProfile, parsePageProfile } from '../../../db/page-profile/page-profile.ts';
import { updatePageProfile, updatePageProfileAtVersion } from '../../../db/page-profile/update.ts';

interface PageLoad extends Browser {
  uid: string;
  now: Millis;
}

/** Records within a transaction, in which the profile exists, that a user was seen. */
export async function touchPageProfile(ctx: Context, pageLoad: PageLoad): Promise<PageProfile> {
  const [result] = await ctx.run(updatePageProfile, { ...pageLoad, last_session: sessionCutoff(pageLoad.now) });
  if (!result) throw new Error('The profile of a page load is gone');
  return parsePageProfile(result);
}

/**
 * Records in a transaction of its own that a user was seen. Returns undefined, and changes nothing, when there is no such
 * profile or when something was published since the version.
 */
export function touchPageProfileAt(
  ctx: Context,
  version: number,
  pageLoad: PageLoad,
): Promise<PageProfile | undefined> {
  const item = { ...pageLoad, last_session: sessionCutoff(pageLoad.now), version };
  return ctx.writeCoalesced(updatePageProfileAtVersion, item);
}
