import {
  type Custom,
  type CustomSources,
  drawPercent,
  emailKey,
  type ProfileItem,
  type TestUserRule,
} from '@usher/domain';
import { uidsOf } from '../../../batches/run-batch.ts';
import type { Context } from '../../../context.ts';
import type { AccountClock } from '../../../db/account-clock.ts';
import type { Upsert } from '../../../db/bulk-rows.ts';
import { countMarks } from '../../results/counts/count-marks.ts';
import type { ProfileRow } from './queries.ts';
import { loadTestUserRule } from './test-user-rule.ts';

/*
 * Profiles in memory between one read and one write. All items of a request change the same drafts, so that several items
 * can be about one profile.
 */

/** A profile while it is being changed. */
export interface ProfileDraft {
  id: string;
  uid: string;
  email: string | null;
  email_key: string | null;
  company_id: string | null;
  /** Set when the profile is created. */
  percent?: number;
  custom: Custom;
  page_keys: readonly string[];
  custom_sources: CustomSources | null;
  test: boolean | null;
  is_test: boolean;
  /** The custom properties as JSON, if they changed. */
  text?: string;
  /** Undefined while nothing has changed. */
  updated_at?: number;
  /** The email key in the stored row. */
  stored_email_key: string | null;
}

export interface ProfileDrafts {
  byId: Map<string, ProfileDraft>;
  byUid: Map<string, ProfileDraft>;
  byEmail: Map<string, ProfileDraft>;
}

/** Loads and locks all profiles that the items name by `uid`, and all profiles that have an email of an item. */
export async function loadProfiles(ctx: Context, items: readonly ProfileItem[]): Promise<ProfileDrafts> {
  const drafts: ProfileDrafts = { byId: new Map(), byUid: new Map(), byEmail: new Map() };
  // Three queries: with `or`, SQLite would read the whole account.
  await load(
    ctx,
    drafts,
    'id',
    items.flatMap(({ id }) => id ?? []),
  );
  await load(ctx, drafts, 'uid', uidsOf(items));
  await load(
    ctx,
    drafts,
    'email_key',
    emailKeysOf(items).filter((key) => !drafts.byEmail.has(key)),
  );
  return drafts;
}

function emailKeysOf(items: readonly ProfileItem[]): string[] {
  return items.flatMap(({ email }) => (typeof email === 'string' ? emailKey(email) : []));
}

/** Call it after the clock was taken, before a profile is created. */
export async function checkMissingProfiles(
  ctx: Context,
  { byUid, byEmail }: ProfileDrafts,
  items: readonly ProfileItem[],
): Promise<void> {
  const missing = {
    uid: uidsOf(items).filter((uid) => !byUid.has(uid)),
    email_key: emailKeysOf(items).filter((key) => !byEmail.has(key)),
  };
  for (const [key, names] of Object.entries(missing))
    await ctx.dialect.checkMissing(ctx.db, ctx.account.id, { table: 'profiles', key, names });
}

async function load(ctx: Context, drafts: ProfileDrafts, key: string, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const lookup = {
    table: 'profiles' as const,
    key,
    names,
    columns: storedColumns,
  };
  for (const row of await ctx.dialect.lookUp<StoredProfile>(ctx.db, ctx.account.id, lookup)) {
    if (drafts.byId.has(row.id)) continue;
    const { id, uid, email, company_id, custom, page_keys, custom_sources, test, is_test } = row;
    const email_key = email === null ? null : emailKey(email);
    // A copy with `...row` stays in memory until the next major garbage collection, which blocks all requests.
    addProfileDraft(drafts, {
      id,
      uid,
      email,
      email_key,
      stored_email_key: email_key,
      company_id,
      custom,
      page_keys,
      custom_sources,
      test,
      is_test,
    });
  }
}

const storedColumns = [
  'id',
  'uid',
  'email',
  'company_id',
  'custom',
  'page_keys',
  'custom_sources',
  'test',
  'is_test',
] as const;
type StoredProfile = Pick<ProfileRow, (typeof storedColumns)[number]>;

export function addProfileDraft({ byId, byUid, byEmail }: ProfileDrafts, draft: ProfileDraft): ProfileDraft {
  byId.set(draft.id, draft);
  byUid.set(draft.uid, draft);
  if (draft.email_key !== null) byEmail.set(draft.email_key, draft);
  return draft;
}

export function findProfileDraft(
  { byId, byUid, byEmail }: ProfileDrafts,
  { id, uid, email }: ProfileItem,
): ProfileDraft | undefined {
  if (id !== undefined) return byId.get(id);
  return uid === undefined ? byEmail.get(emailKey(email ?? '')) : byUid.get(uid);
}

export function newProfileDraft(clock: AccountClock, uid: string): ProfileDraft {
  const { id, updated_at } = clock.newRow();
  const empty = { email: null, email_key: null, stored_email_key: null, company_id: null };
  return {
    id,
    updated_at,
    ...empty,
    uid,
    percent: drawPercent(),
    custom: {},
    page_keys: [],
    custom_sources: null,
    test: null,
    is_test: false,
  };
}

/** A new profile keeps the time of its creation. */
export function touch(ctx: Context, draft: ProfileDraft): void {
  draft.updated_at ??= ctx.now();
}

/** The latest claim of an email wins. The profile that had it keeps everything else. */
export function claimEmail(ctx: Context, { byEmail }: ProfileDrafts, draft: ProfileDraft, email: string | null): void {
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

/** Without `isTestUser`, the rule of the account is read, if it is needed. */
export async function writeProfiles(
  ctx: Context,
  { byId, byEmail }: ProfileDrafts,
  isTestUser?: TestUserRule,
): Promise<void> {
  const changed = [...byId.values()].filter((draft) => draft.updated_at !== undefined);
  if (changed.length === 0) return;
  const marked = await markTestUsers(
    ctx,
    changed.filter((draft) => draft.email_key !== draft.stored_email_key),
    isTestUser,
  );
  await countMarks(ctx, marked, () => writeDrafts(ctx, byEmail, changed));
}

async function writeDrafts(
  ctx: Context,
  byEmail: ProfileDrafts['byEmail'],
  changed: readonly ProfileDraft[],
): Promise<void> {
  await clearEmails(
    ctx,
    changed.filter(({ id, stored_email_key: key }) => key !== null && (byEmail.get(key)?.id ?? id) !== id),
  );
  await ctx.dialect.upsert(
    ctx.db,
    ctx.account.id,
    profileUpsert,
    changed.map((draft) => ({
      id: draft.id,
      updated_at: draft.updated_at ?? 0,
      uid: draft.uid,
      email: draft.email,
      email_key: draft.email_key,
      company_id: draft.company_id,
      percent: draft.percent ?? 0,
      custom: draft.text ?? JSON.stringify(draft.custom),
      page_keys: JSON.stringify(draft.page_keys),
      custom_sources: draft.custom_sources && JSON.stringify(draft.custom_sources),
      is_test: draft.is_test,
    })),
  );
}

/** Whether a profile is a test user can only change with its email. Returns the stored profiles whose mark changes. */
async function markTestUsers(ctx: Context, drafts: ProfileDraft[], isTestUser?: TestUserRule): Promise<ProfileDraft[]> {
  if (drafts.length === 0) return [];
  const rule = isTestUser ?? (await loadTestUserRule(ctx));
  const changed = drafts.filter((draft) => rule(draft) !== draft.is_test);
  for (const draft of changed) draft.is_test = !draft.is_test;
  return changed.filter(({ percent }) => percent === undefined);
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
    custom_sources: 'jsonb',
    is_test: 'boolean',
  },
  changes: ['updated_at', 'email', 'email_key', 'company_id', 'custom', 'page_keys', 'custom_sources', 'is_test'],
};

/** Clears emails that move to another profile first, because emails are unique. */
async function clearEmails(ctx: Context, previousOwners: readonly ProfileDraft[]): Promise<void> {
  if (previousOwners.length === 0) return;
  await ctx.db
    .updateTable('profiles')
    .set({ email: null, email_key: null })
    .where('account_id', '=', ctx.account.id)
    .where(
      'id',
      'in',
      previousOwners.map(({ id }) => id),
    )
    .execute();
}
