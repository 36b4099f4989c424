import type { IgnoredWrite, Millis, PageTrust } from '@usher/domain';
import type { Visitor } from '../../../db/visitor/visitor.ts';
import { ApiError } from '../../../errors.ts';
import { admitHost } from '../../../pages/admit-host.ts';
import { currentAccount } from '../../../pages/current-account.ts';
import type { PageRequest } from '../../../pages/page-request.ts';
import { trustIn, unproven } from '../../../pages/uid-hash.ts';
import type { PublishedAccount } from '../../../published/published-account.ts';
import { changeProfiles, type PageWriter } from '../../audience/profiles/save-profiles.ts';
import { withPropertyRegistry } from '../../audience/properties/seen.ts';
import { ignoredOfUnchanged } from './compare-visitor.ts';
import { findVisitor } from './find-visitor.ts';
import { insertVisitor } from './insert-visitor.ts';
import type { ParsedVisit, VisitorInput } from './parse-visit.ts';
import { touchVisitor, touchVisitorAt } from './touch-visitor.ts';

/** Properties in fewer characters of JSON than this are never too large. */
const SMALL_PROPERTIES = 8192;

export interface SavedVisitor {
  /** The account at the published version at which the visit was recorded. */
  account: PublishedAccount;
  visitor: Visitor;
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
export async function saveVisitor(page: PageRequest, visit: ParsedVisit): Promise<SavedVisitor | undefined> {
  const { disk } = page.ctx.app;
  if (disk.isFull) return readVisitor(page, visit);
  try {
    return await storeVisitor(page, visit);
  } catch (error) {
    if (!disk.noteFailure(error)) throw error;
    return readVisitor(page, visit);
  }
}

async function storeVisitor(page: PageRequest, visit: ParsedVisit): Promise<SavedVisitor | undefined> {
  const { ctx, account } = page;
  const { params, input, browser } = visit;
  const now = ctx.now();
  const trust = trustIn(account, params, input, now);
  const isAllowed = trust.proof !== 'none' || !account.requireUidHash;
  if (!isAllowed || !isSurelyValid(input)) return saveInTransaction(page, visit);

  const visitor = await touchVisitorAt(ctx, account.version, { uid: input.uid, now, ...browser });
  if (visitor) {
    const ignored = ignoredOfUnchanged(visitor, input, trust);
    return ignored ? { account, visitor, trust, ignored, isNew: false, now } : saveInTransaction(page, visit);
  }
  const inserted = await insertVisitor(page, input, browser, trust);
  if (inserted) return { account, ...inserted, trust, isNew: true, now: inserted.visitor.row.updated_at };
  return saveInTransaction(page, visit);
}

/** While nothing can be stored: known users see what is for them, as they were stored last. */
async function readVisitor({ ctx, account }: PageRequest, { params, input }: ParsedVisit) {
  const now = ctx.now();
  const trust = trustIn(account, params, input, now);
  if (account.requireUidHash && trust.proof === 'none') throw unproven();
  const visitor = await findVisitor(ctx, input.uid);
  return visitor && { account, visitor, trust, ignored: [], isNew: false, now };
}

/** Whether the input can hardly be rejected. If it can, it is saved first, so that a rejected page load changes nothing. */
function isSurelyValid({ company, custom }: VisitorInput): boolean {
  return company?.id === undefined && JSON.stringify([custom, company?.custom]).length < SMALL_PROPERTIES;
}

async function saveInTransaction(
  page: PageRequest,
  { params, input, browser }: ParsedVisit,
): Promise<SavedVisitor | undefined> {
  const { ctx } = page;
  let account = await currentAccount(ctx, page.account);
  if (page.host) account = await admitHost(ctx, account, page.host);
  const trust = trustIn(account, params, input, ctx.now());
  if (account.requireUidHash && trust.proof === 'none') throw unproven();
  const isLimited = trust.proof === 'none';
  const { disk, pageCounts } = ctx.app;
  const hasRoom = !disk.isNearlyFull && (!isLimited || pageCounts.hasRoom(account.id, 'profiles'));
  const onMissing = hasRoom ? 'create' : 'ignore';
  const hasBytes = !isLimited || pageCounts.hasBytes(account.id, 'profiles');
  const stored = hasBytes ? input : { uid: input.uid, custom: {} };
  const sender = { integration: 'browser', isUnproven: isLimited } as const;
  const saved = await withPropertyRegistry(ctx, sender, async (ctx, values) => {
    const writer: PageWriter = { trust, isTestUser: account.isTestUser, ignored: [], bytes: 0 };
    const [outcome] = await changeProfiles(ctx, [stored], onMissing, values, writer);
    if (outcome instanceof ApiError) throw outcome;
    if (!outcome) return undefined;
    // Read after the profile was saved, so that a new user is not seen before the profile was created.
    const now = ctx.now();
    const visitor = await touchVisitor(ctx, { uid: input.uid, now, ...browser });
    return { account, visitor, trust, ignored: writer.ignored, isNew: writer.isNew ?? false, now, bytes: writer.bytes };
  });
  if ((!saved && !disk.isNearlyFull) || !hasBytes) pageCounts.add(account.id, 'profiles_quota');
  if (!saved) return undefined;
  const { bytes, ...visitor } = saved;
  if (isLimited) pageCounts.addStored(account.id, 'profiles', { records: saved.isNew ? 1 : 0, bytes });
  return visitor;
}
