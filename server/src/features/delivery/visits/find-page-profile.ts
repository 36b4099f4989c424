import type { Context } from '../../../context.ts';
import { type PageProfile, parsePageProfile } from '../../../db/page-profile/page-profile.ts';
import { selectPageProfileById, selectPageProfileByUid } from '../../../db/page-profile/select.ts';
import { findOrMerged } from '../../../pages/merged-profile.ts';
import { checkPageProfile, type Visit } from '../../../pages/visit-token.ts';

export async function findPageProfile(ctx: Context, uid: string): Promise<PageProfile | undefined> {
  const [result] = await ctx.run(selectPageProfileByUid, { uid });
  return result && parsePageProfile(result);
}

/** Finds the user whose page load began the visit. Rejects a visit whose user was deleted or cleared since. */
export async function findPageProfileOf(ctx: Context, visit: Visit): Promise<PageProfile> {
  const result = await findOrMerged(ctx, visit.profileId, (id) => ctx.find(selectPageProfileById, { id }));
  const pageProfile = result && parsePageProfile(result);
  checkPageProfile(visit, pageProfile?.row);
  return pageProfile;
}
