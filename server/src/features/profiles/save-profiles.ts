import {
  CUSTOM_TOO_LARGE_MESSAGE,
  type Custom,
  checkPageWrite,
  drawPercent,
  emailKey,
  exceedsCustomLimit,
  type IgnoredWrite,
  type Integration,
  mergeCustom,
  type PageTrust,
  type ProfileItem,
  removeBackendKeys,
  type StoredUser,
} from '@usher/domain';
import { attempt, type OnMissing, type Outcome } from '../../batches/run-batch.ts';
import type { Context } from '../../context.ts';
import type { AccountClock } from '../../db/account-clock.ts';
import type { Upsert } from '../../db/bulk-rows.ts';
import { ApiError, invalid, notFound } from '../../errors.ts';
import {
  type CompanyDrafts,
  changeCompany,
  findCompanyDraft,
  loadCompanies,
  writeCompanies,
} from '../companies/save-companies.ts';
import { type SeenValues, withPropertyRegistry } from '../properties/seen.ts';
import type { ProfileRow } from './queries.ts';
import { toStoredUser } from './stored-user.ts';

/** Stores profiles that were sent, each for itself: one that is refused leaves the others alone. */
export function saveProfiles(
  ctx: Context,
  items: readonly ProfileItem[],
  onMissing: OnMissing,
  integration: Integration,
): Promise<Outcome[]> {
  return withPropertyRegistry(ctx, integration, (ctx, values) => changeProfiles(ctx, items, onMissing, values));
}

/** A page that writes, with only as much trust as it has proven. */
export interface PageWriter {
  trust: PageTrust;
  /** Filled with what was not stored. */
  ignored: IgnoredWrite[];
  /** Set when the profile is new. */
  isNew?: boolean;
}

/** The same within a transaction of someone else. Without a `page`, the backend writes. */
export async function changeProfiles(
  ctx: Context,
  items: readonly ProfileItem[],
  onMissing: OnMissing,
  values: SeenValues,
  page?: PageWriter,
): Promise<Outcome[]> {
  const drafts = await loadProfiles(ctx, items);
  const companies = await loadCompanies(
    ctx,
    items.flatMap(({ company }) => company ?? []),
  );
  // After all rows that are there are locked; and not at all where none is to be made.
  const clock = items.some((item) => makes(item, onMissing, drafts, companies)) ? await ctx.clock() : undefined;
  const outcomes = items.map((item) =>
    attempt(() => changeProfile(ctx, drafts, companies, item, onMissing, values, page, clock)),
  );
  await writeCompanies(ctx, companies);
  await writeProfiles(ctx, drafts);
  return outcomes;
}

/**
 * Whether something new may come of an item: the profile, or its Company. An item before may give a profile the email that
 * this one names.
 */
function makes(item: ProfileItem, onMissing: OnMissing, drafts: ProfileDrafts, companies: CompanyDrafts): boolean {
  if (item.company && !findCompanyDraft(companies, item.company)) return true;
  return onMissing === 'create' && item.uid !== undefined && !findDraft(drafts, item);
}

/** A profile while it is being changed. */
interface ProfileDraft {
  id: string;
  uid: string;
  email: string | null;
  email_key: string | null;
  company_id: string | null;
  /** Drawn once, when it is made. */
  percent?: number;
  custom: Custom;
  page_keys: readonly string[];
  /** The custom properties as they are to be stored, where they changed. */
  text?: string;
  /** Left out while nothing has changed. */
  updated_at?: number;
  /** The email key that the stored row still has. */
  stored_email_key: string | null;
}

interface ProfileDrafts {
  byId: Map<string, ProfileDraft>;
  byUid: Map<string, ProfileDraft>;
  byEmail: Map<string, ProfileDraft>;
}

/** All that these items name, held for the rest of the transaction: also who has an email that one of them claims. */
async function loadProfiles(ctx: Context, items: readonly ProfileItem[]): Promise<ProfileDrafts> {
  const drafts: ProfileDrafts = { byId: new Map(), byUid: new Map(), byEmail: new Map() };
  // One query for each: with `or` between them, SQLite would read the whole account.
  await load(
    ctx,
    drafts,
    'id',
    items.flatMap(({ id }) => id ?? []),
  );
  await load(
    ctx,
    drafts,
    'uid',
    items.flatMap(({ id, uid }) => (id === undefined && uid !== undefined ? uid : [])),
  );
  const emails = items.flatMap(({ email }) => (typeof email === 'string' ? emailKey(email) : []));
  await load(
    ctx,
    drafts,
    'email_key',
    emails.filter((key) => !drafts.byEmail.has(key)),
  );
  return drafts;
}

async function load(ctx: Context, drafts: ProfileDrafts, key: string, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const wanted = {
    table: 'profiles' as const,
    key,
    names,
    columns: ['id', 'uid', 'email', 'company_id', 'custom', 'page_keys'] as const,
  };
  for (const row of await ctx.dialect.lookUp<StoredProfile>(ctx.db, ctx.account.id, wanted)) {
    if (drafts.byId.has(row.id)) continue;
    const { id, uid, email, company_id, custom, page_keys } = row;
    const email_key = email === null ? null : emailKey(email);
    // Written out: a copy by `...row` stays in memory until the next large collection, and then everyone waits.
    addDraft(drafts, { id, uid, email, company_id, custom, page_keys, email_key, stored_email_key: email_key });
  }
}

type StoredProfile = Pick<ProfileRow, 'id' | 'uid' | 'email' | 'company_id' | 'custom' | 'page_keys'>;

function addDraft({ byId, byUid, byEmail }: ProfileDrafts, draft: ProfileDraft): ProfileDraft {
  byId.set(draft.id, draft);
  byUid.set(draft.uid, draft);
  if (draft.email_key !== null) byEmail.set(draft.email_key, draft);
  return draft;
}

/** Changes one, or refuses and changes nothing. Undefined: it is not there, and is not to be made. */
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
  const found = findDraft(drafts, params);
  if (!found && onMissing === 'ignore') return undefined;
  if (!found && params.id !== undefined) throw notFound('profile');
  if (!found && params.uid === undefined)
    throw new ApiError(404, ['There is no profile with this email in this account: give a `uid` to make one']);
  if (found && params.uid !== undefined && found.uid !== params.uid)
    throw invalid('`id` and `uid` are of different profiles: give one of them');
  const write = page && checkPageWrite(storedUserOfDraft(drafts, companies, found, params), params, page.trust);
  const item = write?.allowed ?? params;
  const merged = mergeCustom(found?.custom ?? {}, item.custom);
  const pageKeys = write?.pageKeys ?? removeBackendKeys(found?.page_keys ?? [], item.custom);
  if (merged && exceedsCustomLimit(merged, pageKeys, page?.trust)) throw invalid(CUSTOM_TOO_LARGE_MESSAGE);
  const company = item.company && changeCompany(ctx, companies, item.company, 'create', values, clock);

  const draft = found ?? addDraft(drafts, newDraft(clock as AccountClock, item.uid ?? ''));
  values.add('profile', draft.id, item.custom, draft.custom);
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
  return { id: draft.id };
}

function storedUserOfDraft(
  { byEmail }: ProfileDrafts,
  companies: CompanyDrafts,
  found: ProfileDraft | undefined,
  { email, company }: ProfileItem,
): StoredUser {
  const { email: ownEmail = null, company_id = null, custom = {}, page_keys = [] } = found ?? {};
  const holder = typeof email === 'string' ? byEmail.get(emailKey(email)) : undefined;
  const sent = company ? findCompanyDraft(companies, company) : undefined;
  return toStoredUser(
    { email: ownEmail, company_id, custom, page_keys },
    {
      isSameCompany: sent?.id === company_id,
      companyCustom: sent?.custom ?? {},
      emailTaken: holder !== undefined && holder !== found,
    },
  );
}

function findDraft({ byId, byUid, byEmail }: ProfileDrafts, { id, uid, email }: ProfileItem): ProfileDraft | undefined {
  if (id !== undefined) return byId.get(id);
  return uid === undefined ? byEmail.get(emailKey(email ?? '')) : byUid.get(uid);
}

function newDraft(clock: AccountClock, uid: string): ProfileDraft {
  const { id, updated_at } = clock.newRow();
  const nothing = { email: null, email_key: null, stored_email_key: null, company_id: null };
  return { id, updated_at, ...nothing, uid, percent: drawPercent(), custom: {}, page_keys: [] };
}

/** What is made and changed at once was changed last when it was made. */
function touch(ctx: Context, draft: ProfileDraft): void {
  draft.updated_at ??= ctx.now();
}

/** The newest claim of an email wins it; whoever had it keeps everything else. */
function claimEmail(ctx: Context, { byEmail }: ProfileDrafts, draft: ProfileDraft, email: string | null): void {
  const key = email === null ? null : emailKey(email);
  const holder = key === null ? undefined : byEmail.get(key);
  if (holder && holder !== draft) {
    holder.email = null;
    holder.email_key = null;
    touch(ctx, holder);
  }
  if (draft.email_key !== null) byEmail.delete(draft.email_key);
  draft.email = email;
  draft.email_key = key;
  if (key !== null) byEmail.set(key, draft);
  touch(ctx, draft);
}

async function writeProfiles(ctx: Context, { byId, byEmail }: ProfileDrafts): Promise<void> {
  const changed = [...byId.values()].filter((draft) => draft.updated_at !== undefined);
  if (changed.length === 0) return;
  await freeEmails(
    ctx,
    changed.filter(({ id, stored_email_key: key }) => key !== null && (byEmail.get(key)?.id ?? id) !== id),
  );
  await ctx.dialect.upsert(
    ctx.db,
    ctx.account.id,
    profileUpsert,
    changed.map(({ id, updated_at = 0, uid, email, email_key, company_id, percent = 0, custom, page_keys, text }) => ({
      id,
      updated_at,
      uid,
      email,
      email_key,
      company_id,
      percent,
      custom: text ?? JSON.stringify(custom),
      page_keys: JSON.stringify(page_keys),
    })),
  );
}

const profileUpsert: Upsert = {
  table: 'profiles',
  columns: {
    id: 'text',
    updated_at: 'bigint',
    uid: 'text',
    email: 'text',
    email_key: 'text',
    company_id: 'text',
    percent: 'double precision',
    custom: 'jsonb',
    page_keys: 'jsonb',
  },
  changes: ['updated_at', 'email', 'email_key', 'company_id', 'custom', 'page_keys'],
};

/** Emails that pass from one row to another are given up first: no moment has two with the same. */
async function freeEmails(ctx: Context, losers: readonly ProfileDraft[]): Promise<void> {
  if (losers.length === 0) return;
  await ctx.db
    .updateTable('profiles')
    .set({ email: null, email_key: null })
    .where('account_id', '=', ctx.account.id)
    .where(
      'id',
      'in',
      losers.map(({ id }) => id),
    )
    .execute();
}
