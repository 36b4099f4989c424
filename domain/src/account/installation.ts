import Type, { type Static } from 'typebox';
import { ExternalId, Id, Nullable, OneOf, OutputObject, Timestamp } from '../basics/schema.ts';

/** What a page did: it loaded the script, it said who its user is, or it tracked an event. */
export const installationEntryKinds = ['script', 'identify', 'event'] as const;
export type InstallationEntryKind = (typeof installationEntryKinds)[number];

/** `partly`: some of the values were not stored. */
export const installationOutcomes = ['accepted', 'partly', 'rejected'] as const;
export type InstallationOutcome = (typeof installationOutcomes)[number];

const hostStates = ['on', 'off', 'archived'] as const;

const InstallationHost = OutputObject({
  host: Type.String(),
  /** Null for a host of the local machine, which is on until a domain is added. */
  url_id: Nullable(Id),
  state: OneOf(hostStates),
  environment: Nullable(
    OutputObject({
      id: Id,
      name: Type.String(),
      short_name: Nullable(Type.String()),
      style_short_name_color: Nullable(Type.String()),
    }),
  ),
  /** When a page there loaded the script for the first time. */
  installed_at: Nullable(Timestamp),
  /** When a user was identified there for the first and for the last time. */
  first_seen_at: Nullable(Timestamp),
  last_seen_at: Nullable(Timestamp),
});
export type InstallationHost = Static<typeof InstallationHost>;

const InstallationEntry = OutputObject({
  id: Id,
  created_at: Timestamp,
  kind: OneOf(installationEntryKinds),
  host: Nullable(Type.String()),
  /** Without the query and the hash. */
  path: Nullable(Type.String()),
  uid: Nullable(Type.String()),
  profile_id: Nullable(Id),
  user_agent: Type.String(),
  /** The name of the event. */
  name: Nullable(Type.String()),
  /** The names of the values that the page sent, such as `email` or `properties.plan`. */
  fields: Type.Array(Type.String()),
  outcome: OneOf(installationOutcomes),
  /** Why something was not accepted. */
  messages: Type.Array(Type.String()),
});
export type InstallationEntry = Static<typeof InstallationEntry>;

export const missingCodes = ['domain', 'script', 'host_off', 'identify'] as const;

const MissingPart = OutputObject({
  code: OneOf(missingCodes),
  message: Type.String(),
  /** The host that is off. */
  host: Nullable(Type.String()),
  url_id: Nullable(Id),
});
export type MissingPart = Static<typeof MissingPart>;

export const Installation = OutputObject({
  server_url: Type.String(),
  /** Where pages load the script. */
  page_url: Type.String(),
  script_url: Type.String(),
  account_token: Type.String(),
  has_uid_secret: Type.Boolean(),
  require_uid_hash: Type.Boolean(),
  trust_pages: Type.Boolean(),
  /** Null if this server has no demo site for this account. */
  demo_url: Nullable(Type.String()),
  /** The first and the last page load with a user; null before. */
  first_seen_at: Nullable(Timestamp),
  last_seen_at: Nullable(Timestamp),
  hosts: Type.Array(InstallationHost),
  /** What is left to do before the first page load with a user. */
  missing: Type.Array(MissingPart),
  /** What pages did in the last minutes, the newest first. It is recorded only while somebody watches. */
  entries: Type.Array(InstallationEntry),
});
export type Installation = Static<typeof Installation>;

export const ShowInstallation = Type.Object({
  watch: Type.Unsafe<boolean>({
    type: 'boolean',
    default: false,
    description: 'true to have what pages do recorded for the next minutes',
  }),
});

/** A text that may be empty, because an empty text is one of the mistakes that the check explains. */
function AnyText(description: string) {
  return Type.Unsafe<string>({ type: 'string', maxLength: 1000, description });
}

export const CheckIdentity = Type.Object({
  uid: ExternalId('the ID that your product has for the user'),
  uid_hash: Type.Optional(Nullable(AnyText('the `uid_hash` that your backend made'))),
  identity_hash: Type.Optional(Nullable(AnyText('the `identity_hash` that your backend made'))),
  email: Type.Optional(Nullable(ExternalId('the email that `identity_hash` was made with'))),
  company_uid: Type.Optional(Nullable(ExternalId('the `uid` of the Company that `identity_hash` was made with'))),
});
export type CheckIdentity = Static<typeof CheckIdentity>;

export const identityProblems = [
  'no_secret',
  'empty',
  'base64',
  'no_time',
  'milliseconds',
  'malformed',
  'expired',
  'future',
  'other_kind',
  'without_time',
  'other_uid',
  'not_keyed',
  'wrong',
] as const;
export type IdentityProblem = (typeof identityProblems)[number];

export const IdentityCheck = OutputObject({
  valid: Type.Boolean(),
  /** Null if the hash is right. */
  problem: Nullable(OneOf(identityProblems)),
  message: Type.String(),
  /** Until when the hash is accepted; null if it is wrong. */
  valid_until: Nullable(Timestamp),
});
export type IdentityCheck = Static<typeof IdentityCheck>;
