import Type, { type Static } from 'typebox';
import { ExternalId, Id, Nullable, OneOf, Timestamp } from '../basics/schema.ts';
import type { Millis } from '../basics/time.ts';
import { browserKinds, browserNames } from './browsers.ts';
import { type CompanyItem, companyReferences, EmbeddedCompany, toCompanyReference } from './company.ts';
import { reservedProfileKeys } from './reserved-keys.ts';
import { type CustomPatch, readCustom } from './value.ts';

/** A profile in full, with its custom properties beside these fields. */
export const Profile = Type.Object(
  {
    id: Id,
    created_at: Timestamp,
    updated_at: Timestamp,
    uid: Type.String(),
    /** Only of users who have not signed in. */
    anonymous: Type.Optional(Type.Literal(true)),
    email: Nullable(Type.String()),
    company_id: Type.Optional(Id),
    browser_x: Nullable(Type.Number()),
    browser_tz: Nullable(Type.Number()),
    browser_l: Nullable(Type.String()),
    browser_n: Nullable(OneOf(browserNames)),
    browser_k: Nullable(OneOf(browserKinds)),
    percent: Type.Number(),
    last_seen_at: Nullable(Timestamp),
    last_seen_session_count: Type.Integer(),
    delivery_ids: Type.Array(Id),
    last_cleared_at: Nullable(Timestamp),
    company: Type.Optional(EmbeddedCompany),
  },
  { additionalProperties: true },
);
export type Profile = Static<typeof Profile>;

/** A profile inside another record: only its ID, in short, or in full. */
export const EmbeddedProfile = Type.Object(
  {
    id: Id,
    created_at: Type.Optional(Timestamp),
    updated_at: Type.Optional(Timestamp),
    uid: Type.Optional(Type.String()),
    company: Type.Optional(EmbeddedCompany),
  },
  { additionalProperties: true },
);
export type EmbeddedProfile = Static<typeof EmbeddedProfile>;

const expandLevels = ['all', 'min', 'skip'] as const;
/** How much of an embedded record is shown. */
export type ExpandLevel = (typeof expandLevels)[number];
export interface Expand {
  profile: ExpandLevel;
  company: ExpandLevel;
}

/** The parameter for how much of each profile, and of its Company, a response shows. */
export function expandParameter(defaults: Expand) {
  return Type.Object(
    {
      profile: OneOf(expandLevels, { default: defaults.profile }),
      company: OneOf(expandLevels, { default: defaults.company }),
    },
    { default: defaults },
  );
}

/** The parameter for how much of a Company, or of each in a list, a response shows. */
export function expandCompanyParameter(level: ExpandLevel) {
  return Type.Object({ company: OneOf(expandLevels, { default: level }) }, { default: { company: level } });
}

const uid = ExternalId('the ID that your product has for the user');
const email = ExternalId('an email address');

/** One of these finds a profile. Several must find the same profile. */
export const FindProfile = Type.Object({
  id: Type.Optional(Id),
  uid: Type.Optional(uid),
  email: Type.Optional(email),
});
export type FindProfile = Static<typeof FindProfile>;

/** A profile in a request. Every other key is a custom property. */
export const ProfileInput = Type.Object(
  { id: Type.Optional(Id), uid: Type.Optional(uid), email: Type.Optional(Nullable(email)), ...companyReferences },
  { additionalProperties: true },
);
export type ProfileInput = Static<typeof ProfileInput>;

/** A profile to save, which is found by its ID, its uid, or its email when there is neither. */
export interface ProfileItem {
  id?: string | undefined;
  uid?: string | undefined;
  /** Null removes it. */
  email?: string | null | undefined;
  /** Null leaves the Company. */
  company?: CompanyItem | null | undefined;
  custom: CustomPatch;
}

export function toProfileItem(input: ProfileInput, problems: string[], now: Millis): ProfileItem {
  const { id, uid, email } = input;
  if (id === undefined && uid === undefined && typeof email !== 'string')
    problems.push('`uid` is required: give the ID that your product has for the user, or our `id`, or an `email`');
  return {
    id,
    uid,
    email,
    company: toCompanyReference(input, problems, now),
    custom: readCustom(input, reservedProfileKeys, problems, now),
  };
}

/** The key by which an email is found, regardless of case. */
export function emailKey(email: string): string {
  return email.toLowerCase();
}

/** Whether a `uid` is more than a short word or number, which may mean anything where it stands alone. */
export function isDistinctiveUid(uid: string): boolean {
  return uid.length >= 5 && /[\d@]/.test(uid);
}

/** Draws the position of a user in experiments: uniform from 0 to 100. */
export function drawPercent(random: () => number = Math.random): number {
  return Math.floor(random() * 10_001) / 100;
}
