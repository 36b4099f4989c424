import type { IgnoredWrite, Millis, PageTrust } from '@usher/domain';
import type { PageProfile } from '../../../db/page-profile/page-profile.ts';
import { ApiError } from '../../../errors.ts';
import { admitHost } from '../../../pages/admit-host.ts';
import { currentAccount } from '../../../pages/current-account.ts';
import type { PageRequest } from '../../../pages/page-request.ts';
import { trustIn, unproven } from '../../../pages/uid-hash.ts';
import type { PublishedAccount } from '../../../published/published-account.ts';
import { mergeAnonymous } from '../../audience/merges/merge-anonymous.ts';
import { changeProfiles, type PageWriter } from '../../audience/profiles/save-profiles.ts';
import { withPropertyRegistry } from '../../audience/properties/seen.ts';
import { ignoredOfUnchanged } from './compare-page-profile.ts';
import { findPageProfile } from './find-page-profile.ts';
import { insertPageProfile } from './insert-page-profile.ts';
import { newAnonymousUid, type PageProfileInput, type ParsedVisit } from './parse-visit.ts';
import { requireAnonymousUsers } from './require-anonymous-users.ts';
import { touchPageProfile, touchPageProfileAt } from './touch-page-profile.ts';

/** Properties in fewer characters of JSON than this are never too large. */
const SMALL_PROPERTIES = 8192;

export interface SavedPageProfile {
  /** The account at the published version at which the visit was recorded. */
  account: PublishedAccount;
  pageProfile: PageProfile;
  trust: PageTrust;
  /** What the page sent and may not change. */
  ignored: readonly IgnoredWrite[];
  isNew: boolean;
  now: Millis;
}

/**
 * Stores what a page load says of its user, and that the user was seen. Returns undefined when the user is new and over the
 * quota of the day, or when the disk has no room for a new user.
 *
 * Nearly every user is known and sends nothing new. That takes one statement, which finds no profile when the account has
 * changed since it was loaded. A new user mostly takes one insert. Everything else takes a transaction.
 */
export async function savePageProfile(page: PageRequest, visit: ParsedVisit): Promise<SavedPageProfile | undefined> {
  const { disk } = page.ctx.app;
  if (disk.isFull) return readPageProfile(page, visit);
  try {
    return await storePageProfile(page, visit);
  } catch (error) {
    if (!disk.noteFailure(error)) throw error;
    return readPageProfile(page, visit);
  }
}

async function storePageProfile(page: PageRequest, visit: ParsedVisit): Promise<SavedPageProfile | undefined> {
  const { ctx, account } = page;
  const { params, input, browser } = visit;
  if (visit.isAnonymous) await requireAnonymousUsers(page);
  const now = ctx.now();
  const trust = trustIn(account, params, input, now);
  const isAllowed = trust.proof !== 'none' || !account.requireUidHash;
  const signsIn = !visit.isAnonymous && visit.anonymousUid !== undefined;
  if (!isAllowed || signsIn || !isSurelyValid(input)) return saveInTransaction(page, visit);

  const pageProfile = await touchPageProfileAt(ctx, account.version, { uid: input.uid, now, ...browser });
  if (pageProfile) {
    const ignored = ignoredOfUnchanged(pageProfile, input, trust);
    return ignored ? { account, pageProfile, trust, ignored, isNew: false, now } : saveInTransaction(page, visit);
  }
  // The stored uid of an anonymous user may be of a profile that is gone, or that became the profile of a user.
  if (visit.isAnonymous && visit.anonymousUid) return saveInTransaction(page, visit);
  const inserted = await insertPageProfile(page, input, browser, trust);
  if (inserted) return { account, ...inserted, trust, isNew: true, now: inserted.pageProfile.row.updated_at };
  return saveInTransaction(page, visit);
}

/** While nothing can be stored: known users see what is for them, as they were stored last. */
async function readPageProfile({ ctx, account }: PageRequest, { params, input }: ParsedVisit) {
  const now = ctx.now();
  const trust = trustIn(account, params, input, now);
  if (account.requireUidHash && trust.proof === 'none') throw unproven();
  const pageProfile = await findPageProfile(ctx, input.uid);
  return pageProfile && { account, pageProfile, trust, ignored: [], isNew: false, now };
}

/** The user as a new one, who has no profile yet. */
function withNewUid(visit: ParsedVisit): ParsedVisit {
  return { ...visit, input: { ...visit.input, uid: newAnonymousUid() }, anonymousUid: undefined };
}

/** Whether the input can hardly be rejected. If it can, it is saved first, so that a rejected page load changes nothing. */
function isSurelyValid({ company, custom }: PageProfileInput): boolean {
  return company?.id === undefined && JSON.stringify([custom, company?.custom]).length < SMALL_PROPERTIES;
}

async function saveInTransaction(page: PageRequest, visit: ParsedVisit): Promise<SavedPageProfile | undefined> {
  const { params, input, browser, isAnonymous, anonymousUid } = visit;
  const { ctx } = page;
  let account = await currentAccount(ctx, page.account);
  if (page.host) account = await admitHost(ctx, account, page.host);
  const trust = trustIn(account, params, input, ctx.now());
  if (account.requireUidHash && trust.proof === 'none') throw unproven();
  const isLimited = trust.proof === 'none';
  const { disk, pageCounts } = ctx.app;
  const hasRoom = !disk.isNearlyFull && (!isLimited || pageCounts.hasRoom(account.id, 'profiles'));
  const isStored = isAnonymous && anonymousUid !== undefined;
  const onMissing = hasRoom && !isStored ? 'create' : 'ignore';
  const hasBytes = !isLimited || pageCounts.hasBytes(account.id, 'profiles');
  const stored = hasBytes ? input : { uid: input.uid, custom: {} };
  const sender = { integration: 'browser', isUnproven: isLimited } as const;
  const saved = await withPropertyRegistry(ctx, sender, async (ctx, values) => {
    const writer: PageWriter = { trust, isTestUser: account.isTestUser, ignored: [], bytes: 0 };
    const merge = !isAnonymous && anonymousUid ? await mergeAnonymous(ctx, anonymousUid, input.uid, trust) : undefined;
    const [outcome] = await changeProfiles(ctx, [stored], onMissing, values, writer);
    if (outcome instanceof ApiError) throw outcome;
    if (!outcome) return undefined;
    await merge?.finish();
    // Read after the profile was saved, so that a new user is not seen before the profile was created.
    const now = ctx.now();
    const pageProfile = await touchPageProfile(ctx, { uid: input.uid, now, ...browser });
    return {
      account,
      pageProfile,
      trust,
      ignored: writer.ignored,
      isNew: writer.isNew ?? false,
      now,
      bytes: writer.bytes,
    };
  });
  if (!saved && isStored) return storePageProfile(page, withNewUid(visit));
  if ((!saved && !disk.isNearlyFull) || !hasBytes) pageCounts.add(account.id, 'profiles_quota');
  if (!saved) return undefined;
  const { bytes, ...pageProfile } = saved;
  if (isLimited) pageCounts.addStored(account.id, 'profiles', { records: saved.isNew ? 1 : 0, bytes });
  return pageProfile;
}
