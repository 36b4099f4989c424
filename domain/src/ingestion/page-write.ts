import { keysOf } from '../basics/records.ts';
import { quotaNames } from './page-storage.ts';
import type { ProfileItem } from './profile.ts';
import {
  type Custom,
  type CustomPatch,
  countBytes,
  isCustomTooLarge,
  isEqualValue,
  MAX_CUSTOM_BYTES,
  type MergedCustom,
  type Value,
} from './value.ts';

/*
 * Decides what a page may change. Anyone can send requests with the public token of an account, so a page is trusted only
 * as far as the customer's backend has signed its data.
 */

/** How much of the data is signed: nothing, the `uid` (`uid_hash`), or also email and Company (`identity_hash`). */
export type Proof = 'none' | 'uid' | 'identity';

export interface PageTrust {
  proof: Proof;
  /** The account setting that lets every page change all data of its user. */
  trustPages: boolean;
  /** Whether the account has a secret to sign with. Then email and Company must be signed. */
  canSign: boolean;
}

/** The stored data of the user that the decision needs. */
export interface StoredUser {
  email: string | null;
  /** Whether another profile has the new email. */
  emailTaken: boolean;
  /** The Company of the user, compared with the new one. */
  company: 'none' | 'same' | 'other';
  /** The properties of the new Company, if it exists. */
  companyCustom: Custom;
  custom: Custom;
  /** The keys of `custom` that were last written by an unproven page. */
  pageKeys: readonly string[];
}

/** Unproven pages have their own limits in a profile, so that they cannot use up the space of the backend. */
const MAX_PAGE_BYTES = 16 * 1024;
const MAX_PAGE_KEYS = 200;

const reasons = {
  property_set: 'your backend has written this property, and an unproven page cannot change it: send `uid_hash`',
  page_share: `unproven pages may fill ${MAX_PAGE_BYTES / 1024} KB and ${MAX_PAGE_KEYS} properties of a user, and no more: send \`uid_hash\``,
  disabled: 'an unproven page cannot set `disabled`: send `uid_hash`',
  email_set: 'the user has an email already, and only a page with `identity_hash` can change it',
  email_unproven: 'once the account has a `uid_secret`, only a page with `identity_hash` can set the email',
  email_removed: 'no page can remove the email of a user: have your backend do it',
  email_taken: 'another profile holds this email, and no page can take it: have your backend send it',
  company_set: 'the user is in another Company already, and only a page with `identity_hash` can change that',
  company_unproven:
    'once the account has a `uid_secret`, only a page with `identity_hash` and the `uid` of the Company can set it',
  company_removed: 'no page can take a user out of a Company: have your backend do it',
  company_properties: 'only a page with `identity_hash` can change the properties of a Company',
};
export type IgnoredReason = keyof typeof reasons;

/** The reasons by which ignored page writes are counted. */
export const ignoredReasons = [
  ...keysOf(reasons),
  ...quotaNames.map((name) => `${name}_quota` as const),
  /** The value was stored, but no Property was registered for it. */
  'properties_limit',
] as const;

/** A value from a page that is not stored. */
export interface IgnoredWrite {
  /** The parameter, such as `email` or `properties.plan`. */
  name: string;
  reason: IgnoredReason;
}

export interface PageWrite {
  /** The data to store. */
  allowed: ProfileItem;
  ignored: readonly IgnoredWrite[];
  /** The `pageKeys` after this write. */
  pageKeys: readonly string[];
}

export function describeIgnoredReason(reason: IgnoredReason): string {
  return reasons[reason];
}

/** Splits the data of a page into what is stored and what is ignored, because the page has not proven that it may change it. */
export function checkPageWrite(stored: StoredUser, input: ProfileItem, trust: PageTrust): PageWrite {
  const ignored: IgnoredWrite[] = [];
  const ignore = (name: string, reason: IgnoredReason) => {
    ignored.push({ name, reason });
    return undefined;
  };
  const { custom, pageKeys } = checkCustom(stored, input.custom, trust, ignore);
  const email = checkEmail(stored, input.email, trust, ignore);
  const company = checkCompany(stored, input.company, trust, ignore);
  return { allowed: { ...input, email, company, custom }, ignored, pageKeys };
}

/** The `pageKeys` after the backend, or a published button, has written some keys. */
export function removeBackendKeys(pageKeys: readonly string[], written: CustomPatch): readonly string[] {
  return pageKeys.some((key) => Object.hasOwn(written, key))
    ? pageKeys.filter((key) => !Object.hasOwn(written, key))
    : pageKeys;
}

/** Whether the properties are too large. Those from unproven pages do not count, because they have their own limit. */
export function exceedsCustomLimit(merged: MergedCustom, pageKeys: readonly string[], trust?: PageTrust): boolean {
  if (!isCustomTooLarge(merged)) return false;
  if (trust?.trustPages || pageKeys.length === 0) return true;
  const byPages = new Set(pageKeys);
  const custom = Object.fromEntries(Object.entries(merged.custom).filter(([key]) => !byPages.has(key)));
  return isCustomTooLarge({ custom, text: JSON.stringify(custom) });
}

/** Properties of a profile, and which of them unproven pages have written. */
interface Properties {
  custom: Custom;
  pageKeys: readonly string[];
}

/**
 * The keys that a profile takes over from another one: the keys that it lacks, as far as there is room. What unproven pages have written has
 * only their share, so that the profile does not grow with each one that becomes a part of it.
 */
export function listKeysToTakeOver(
  { custom, pageKeys }: Properties,
  other: Properties,
  { trustPages }: Pick<PageTrust, 'trustPages'>,
): string[] {
  const quota = new PageQuota(custom, pageKeys);
  const own = new Set(trustPages ? [] : pageKeys);
  const byPages = new Set(trustPages ? [] : other.pageKeys);
  const sizeOf = ([key, value]: [string, Value]) => measureProperty(key, value);
  let size = Object.entries(custom).reduce((sum, entry) => sum + (own.has(entry[0]) ? 0 : sizeOf(entry)), 1);
  return Object.entries(other.custom).flatMap((entry) => {
    const [key, value] = entry;
    if (Object.hasOwn(custom, key)) return [];
    if (byPages.has(key)) return quota.add(key, value) ? [key] : [];
    if (size + sizeOf(entry) > MAX_CUSTOM_BYTES) return [];
    size += sizeOf(entry);
    return [key];
  });
}

type Ignore = (name: string, reason: IgnoredReason) => undefined;

function checkCustom(
  { custom, pageKeys }: StoredUser,
  input: CustomPatch,
  { proof, trustPages }: PageTrust,
  ignore: Ignore,
): { custom: CustomPatch; pageKeys: readonly string[] } {
  const byPages = new Set(pageKeys);
  const rejected = new Set<string>();
  const isLimited = proof === 'none' && !trustPages;
  let quota: PageQuota | undefined;
  for (const key of Object.keys(input)) {
    const value = input[key] as Value | null;
    if (!isChange(custom, key, value)) continue;
    let reason = isLimited ? findIgnoredReason(custom, byPages, key) : undefined;
    if (isLimited && !reason) {
      quota ??= new PageQuota(custom, pageKeys);
      if (!quota.add(key, value)) reason = 'page_share';
    }
    if (reason) {
      rejected.add(key);
      ignore(`properties.${key}`, reason);
    } else if (proof === 'none' && value !== null) byPages.add(key);
    else byPages.delete(key);
  }
  const isUnchanged = byPages.size === pageKeys.length && pageKeys.every((key) => byPages.has(key));
  return {
    custom:
      rejected.size === 0 ? input : Object.fromEntries(Object.entries(input).filter(([key]) => !rejected.has(key))),
    pageKeys: isUnchanged ? pageKeys : [...byPages],
  };
}

/** Tracks how much of a profile unproven pages have used. */
class PageQuota {
  readonly #sizes: Map<string, number>;
  #used = 0;

  constructor(custom: Custom, pageKeys: readonly string[]) {
    this.#sizes = new Map(pageKeys.map((key) => [key, measureProperty(key, custom[key] ?? null)]));
    for (const size of this.#sizes.values()) this.#used += size;
  }

  /** Adds a value if it fits. A change that makes it smaller always fits. */
  add(key: string, value: Value | null): boolean {
    const had = this.#sizes.get(key);
    const size = value === null ? 0 : measureProperty(key, value);
    const grown = size - (had ?? 0);
    if (grown > 0 && this.#used + grown > MAX_PAGE_BYTES) return false;
    if (had === undefined && value !== null && this.#sizes.size >= MAX_PAGE_KEYS) return false;
    this.#used += grown;
    if (value === null) this.#sizes.delete(key);
    else this.#sizes.set(key, size);
    return true;
  }
}

/** The size of a property in JSON, with a colon and a comma. */
function measureProperty(key: string, value: Value | null): number {
  return countBytes(JSON.stringify(key)) + countBytes(JSON.stringify(value)) + 2;
}

function findIgnoredReason(custom: Custom, byPages: ReadonlySet<string>, key: string): IgnoredReason | undefined {
  if (key === 'disabled') return 'disabled';
  return Object.hasOwn(custom, key) && !byPages.has(key) ? 'property_set' : undefined;
}

function isChange(custom: Custom, key: string, value: Value | null): boolean {
  const had = Object.hasOwn(custom, key) ? custom[key] : undefined;
  return value === null ? had !== undefined : had === undefined || !isEqualValue(had, value);
}

/**
 * Taking the email of another user changes that user, so not even a trusted page can do it. The hash is the same for a
 * removed email and for no email, so only a trusted page can remove it.
 */
function checkEmail(
  { email, emailTaken }: StoredUser,
  input: ProfileItem['email'],
  { proof, trustPages, canSign }: PageTrust,
  ignore: Ignore,
): ProfileItem['email'] {
  if (input === undefined || input === email) return input;
  const isSigned = proof === 'identity' && input !== '';
  if (!trustPages) {
    if (input === null) return ignore('email', 'email_removed');
    if (email !== null && !isSigned) return ignore('email', 'email_set');
    if (canSign && !isSigned) return ignore('email', 'email_unproven');
  }
  return input !== null && emailTaken ? ignore('email', 'email_taken') : input;
}

/**
 * An unproven page can set the Company when the user has none and the account cannot sign. It can create the Company, but
 * without properties.
 */
function checkCompany(
  { company, companyCustom }: StoredUser,
  input: ProfileItem['company'],
  { proof, trustPages, canSign }: PageTrust,
  ignore: Ignore,
): ProfileItem['company'] {
  if (input === undefined || trustPages || (input === null && company === 'none')) return input;
  if (input === null) return ignore('company', 'company_removed');
  // The hash covers the `uid` of the Company, not our own ID.
  if (proof === 'identity' && input.uid) return input;
  if (company === 'other') return ignore('company', 'company_set');
  if (company === 'none' && canSign) return ignore('company', 'company_unproven');
  const changed = Object.keys(input.custom).filter((key) =>
    isChange(companyCustom, key, input.custom[key] as Value | null),
  );
  for (const key of changed) ignore(`company.${key}`, 'company_properties');
  return { id: input.id, uid: input.uid, custom: {} };
}
