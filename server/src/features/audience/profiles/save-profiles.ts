import {
  ANONYMOUS_UID_MESSAGE,
  CUSTOM_TOO_LARGE_MESSAGE,
  checkPageWrite,
  emailKey,
  exceedsCustomLimit,
  type IgnoredWrite,
  type Integration,
  isAnonymousUid,
  listSentKeys,
  measureProperties,
  measureRow,
  mergeCustom,
  mergeSources,
  type PageTrust,
  type ProfileItem,
  removeBackendKeys,
  type StoredUser,
  type TestUserRule,
} from '@usher/domain';
import { attempt, type ItemOutcome, type OnMissing } from '../../../batches/run-batch.ts';
import type { Context } from '../../../context.ts';
import type { AccountClock } from '../../../db/account-clock.ts';
import { ApiError, invalid, notFound } from '../../../errors.ts';
import {
  type CompanyDrafts,
  changeCompany,
  checkMissingCompanies,
  findCompanyDraft,
  loadCompanies,
  writeCompanies,
} from '../companies/save-companies.ts';
import { type SeenValues, withPropertyRegistry } from '../properties/seen.ts';
import {
  addProfileDraft,
  checkMissingProfiles,
  claimEmail,
  findProfileDraft,
  loadProfiles,
  newProfileDraft,
  type ProfileDraft,
  type ProfileDrafts,
  touch,
  writeProfiles,
} from './profile-drafts.ts';
import { toStoredUser } from './stored-user.ts';

/** Stores profiles. An invalid one is rejected without the others. */
export function saveProfiles(
  ctx: Context,
  items: readonly ProfileItem[],
  onMissing: OnMissing,
  integration: Integration,
): Promise<ItemOutcome[]> {
  return withPropertyRegistry(ctx, { integration }, (ctx, values) => changeProfiles(ctx, items, onMissing, values));
}

/** A page that writes a profile. What it may write depends on what it has proven. */
export interface PageWriter {
  trust: PageTrust;
  isTestUser: TestUserRule;
  /** Receives the writes that were not allowed. */
  ignored: IgnoredWrite[];
  /** Set when the profile is new. */
  isNew?: boolean;
  /** Receives how much room the write of an unproven page takes in addition. */
  bytes: number;
}

/** Stores profiles in the transaction of the caller. Without `page`, the backend of the customer writes. */
export async function changeProfiles(
  ctx: Context,
  items: readonly ProfileItem[],
  onMissing: OnMissing,
  values: SeenValues,
  page?: PageWriter,
): Promise<ItemOutcome[]> {
  const drafts = await loadProfiles(ctx, items);
  const companyItems = items.flatMap(({ company }) => company ?? []);
  const companies = await loadCompanies(ctx, companyItems);
  // The clock comes after all row locks, and only if a record may be created.
  const clock = items.some((item) => mayCreate(item, onMissing, drafts, companies)) ? await ctx.clock() : undefined;
  if (clock) {
    await checkMissingProfiles(ctx, drafts, items);
    await checkMissingCompanies(ctx, companies, companyItems);
  }
  const outcomes = items.map((item) =>
    attempt(() => changeProfile(ctx, drafts, companies, item, onMissing, values, page, clock)),
  );
  await writeCompanies(ctx, companies);
  await writeProfiles(ctx, drafts, page?.isTestUser);
  return outcomes;
}

/**
 * Whether an item may create a profile or a Company. It is not certain: an earlier item may give a profile the email that
 * this item names.
 */
function mayCreate(item: ProfileItem, onMissing: OnMissing, drafts: ProfileDrafts, companies: CompanyDrafts): boolean {
  if (item.company && !findCompanyDraft(companies, item.company)) return true;
  return onMissing === 'create' && item.uid !== undefined && !findProfileDraft(drafts, item);
}

/**
 * Changes or creates one profile, or throws and changes nothing. Returns undefined if it does not exist and must not be
 * created.
 */
function changeProfile(
  ctx: Context,
  drafts: ProfileDrafts,
  companies: CompanyDrafts,
  params: ProfileItem,
  onMissing: OnMissing,
  values: SeenValues,
  page: PageWriter | undefined,
  clock: AccountClock | undefined,
): { id: string } | undefined {
  const found = findProfileDraft(drafts, params);
  if (!found && onMissing === 'ignore') return undefined;
  if (!found && params.id !== undefined) throw notFound('profile');
  if (!found && params.uid === undefined)
    throw new ApiError(404, ['There is no profile with this email in this account: give a `uid` to make one']);
  if (found && params.uid !== undefined && found.uid !== params.uid) throw differentProfiles();
  if (!found && !page && isAnonymousUid(params.uid ?? '')) throw invalid(ANONYMOUS_UID_MESSAGE);
  const write = page && checkPageWrite(storedUserOfDraft(drafts, companies, found, params), params, page.trust);
  const item = write?.allowed ?? params;
  const merged = mergeCustom(found?.custom ?? {}, item.custom);
  const pageKeys = write?.pageKeys ?? removeBackendKeys(found?.page_keys ?? [], item.custom);
  if (merged && exceedsCustomLimit(merged, pageKeys, page?.trust)) throw invalid(CUSTOM_TOO_LARGE_MESSAGE);
  const isMeasured = page?.trust.proof === 'none';
  const companyBefore = isMeasured ? measureCompany(companies, item) : 0;
  const company = item.company && changeCompany(ctx, companies, item.company, 'create', values, clock);

  const before = found && isMeasured ? measureDraft(found) : 0;
  const draft = found ?? addProfileDraft(drafts, newProfileDraft(clock as AccountClock, item.uid ?? ''));
  values.add('profile', draft.id, item.custom, draft.custom);
  if (merged || pageKeys !== draft.page_keys) {
    const after = { custom: merged?.custom ?? draft.custom, pageKeys };
    const sent = listSentKeys(item.custom, { custom: draft.custom, pageKeys: draft.page_keys }, after);
    draft.custom_sources = mergeSources(draft.custom_sources, sent, after.custom, [ctx.now(), values.integration]);
  }
  if (merged) {
    draft.custom = merged.custom;
    draft.text = merged.text;
    touch(ctx, draft);
  }
  if (pageKeys !== draft.page_keys && pageKeys.length + draft.page_keys.length > 0) {
    draft.page_keys = pageKeys;
    touch(ctx, draft);
  }
  if (company !== undefined && draft.company_id !== (company?.id ?? null)) {
    draft.company_id = company?.id ?? null;
    touch(ctx, draft);
  }
  if (item.email !== undefined && draft.email !== item.email) claimEmail(ctx, drafts, draft, item.email);
  page?.ignored.push(...(write?.ignored ?? []));
  if (page) page.isNew = !found;
  if (page && isMeasured) {
    page.bytes += Math.max(0, measureDraft(draft) - before);
    page.bytes += Math.max(0, measureCompany(companies, item) - companyBefore);
  }
  return { id: draft.id };
}

export function differentProfiles(): ApiError {
  return invalid('`id` and `uid` are of different profiles: give one of them');
}

function measureDraft({ uid, email, custom, custom_sources, page_keys }: ProfileDraft): number {
  const [values, sources, keys] = [custom, custom_sources, page_keys].map((value) => JSON.stringify(value ?? null));
  const properties = measureProperties(values ?? '', sources ?? '', keys ?? '', Object.keys(custom).length);
  return measureRow('profile', { indexed: [uid, email] }) + properties;
}

function measureCompany(companies: CompanyDrafts, { company }: ProfileItem): number {
  const draft = company && findCompanyDraft(companies, company);
  if (!draft) return 0;
  const properties = measureProperties(JSON.stringify(draft.custom), null, '', Object.keys(draft.custom).length);
  return measureRow('company', { indexed: [draft.uid] }) + properties;
}

function storedUserOfDraft(
  { byEmail }: ProfileDrafts,
  companies: CompanyDrafts,
  found: ProfileDraft | undefined,
  { email, company }: ProfileItem,
): StoredUser {
  const { email: ownEmail = null, company_id = null, custom = {}, page_keys = [] } = found ?? {};
  const holder = typeof email === 'string' ? byEmail.get(emailKey(email)) : undefined;
  const companyDraft = company ? findCompanyDraft(companies, company) : undefined;
  return toStoredUser(
    { email: ownEmail, company_id, custom, page_keys },
    {
      isSameCompany: companyDraft?.id === company_id,
      companyCustom: companyDraft?.custom ?? {},
      emailTaken: holder !== undefined && holder !== found,
    },
  );
}
