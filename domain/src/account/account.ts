import Type, { type Static } from 'typebox';
import { Nullable, OutputObject, SeenUpdatedAt, standardFields, Text, Time, Timestamp } from '../basics/schema.ts';
import { TestEmails } from '../profiles/is-test-user.ts';
import { Publishers } from './permissions.ts';

export const Account = OutputObject({
  ...standardFields,
  name: Type.String(),
  /** The public token that identifies the account in the browser script. */
  token: Type.String(),
  allow_scripts: Type.Boolean(),
  /** Whether texts may show values of the page's `window`. */
  allow_globals: Type.Boolean(),
  /** Whether pages may read `percent` of their user without proof. */
  allow_percent: Type.Boolean(),
  /** How many Deliveries may be pending for one profile. */
  delivery_ids_limit: Type.Integer(),
  /** Whether a page must prove who its user is. */
  require_uid_hash: Type.Boolean(),
  /** Whether pages may change all data of their user without proof. If so, anyone with the public token may change it. */
  trust_pages: Type.Boolean(),
  /** Whether users who have not signed in have profiles. An account with `require_uid_hash` has none. */
  anonymous_users: Type.Boolean(),
  /** Anonymous profiles that were not seen for so many days are deleted. */
  anonymous_days: Type.Integer(),
  /** Whether editors may publish, or owners only. */
  who_may_publish: Publishers,
  /** Whether the paths of visited pages are recorded, without anything about users. */
  record_paths: Type.Boolean(),
  /** The percent of the users to whom nothing shows automatically, until `holdout_until`; 0: nobody. */
  holdout_percent: Type.Number(),
  holdout_until: Nullable(Timestamp),
  /** The time zone in which the days of results begin. */
  time_zone: Type.String(),
  /** When it was last changed: days before have the time zone of their time. */
  time_zone_changed_at: Nullable(Timestamp),
  /** Emails, and patterns of emails, of test users, who are left out of all counts. */
  test_emails: Type.Array(Type.String()),
  /** For how many days single events are kept. The operator of the server sets it. */
  events_days: Type.Integer(),
  /** How many page writes were ignored in the last 30 days, by reason. */
  ignored_page_writes: Type.Record(Type.String(), Type.Integer()),
});
export type Account = Static<typeof Account>;

const MAX_PENDING_DELIVERIES = 100;
const MAX_TIME_ZONE = 100;
const MAX_ANONYMOUS_DAYS = 3650;
const MAX_HOLDOUT_PERCENT = 50;

export const UpdateAccount = Type.Object({
  name: Type.Optional(Text('the name of the account')),
  allow_scripts: Type.Optional(Type.Boolean()),
  allow_globals: Type.Optional(Type.Boolean()),
  allow_percent: Type.Optional(Type.Boolean()),
  delivery_ids_limit: Type.Optional(
    Type.Unsafe<number>({
      type: 'integer',
      minimum: 1,
      maximum: MAX_PENDING_DELIVERIES,
      description: `a whole number from 1 to ${MAX_PENDING_DELIVERIES}`,
    }),
  ),
  require_uid_hash: Type.Optional(Type.Boolean()),
  trust_pages: Type.Optional(
    Type.Unsafe<boolean>({
      type: 'boolean',
      description:
        'true or false. Off by default; when true, everyone who has the public token can change the properties, the email and the Company of any user, and the properties of any Company',
    }),
  ),
  anonymous_users: Type.Optional(Type.Boolean()),
  anonymous_days: Type.Optional(
    Type.Unsafe<number>({
      type: 'integer',
      minimum: 1,
      maximum: MAX_ANONYMOUS_DAYS,
      description: `a whole number of days from 1 to ${MAX_ANONYMOUS_DAYS}`,
    }),
  ),
  who_may_publish: Type.Optional(Publishers),
  record_paths: Type.Optional(Type.Boolean()),
  holdout_percent: Type.Optional(
    Type.Unsafe<number>({
      type: 'number',
      minimum: 0,
      maximum: MAX_HOLDOUT_PERCENT,
      description: `a number of percent from 0 to ${MAX_HOLDOUT_PERCENT}: to so many users nothing shows automatically; 0 turns it off`,
    }),
  ),
  holdout_until: Type.Optional(Nullable(Time)),
  time_zone: Type.Optional(Text('the name of a time zone, such as `Europe/Berlin`', MAX_TIME_ZONE)),
  test_emails: Type.Optional(TestEmails),
  updated_at: SeenUpdatedAt,
});
export type UpdateAccount = Static<typeof UpdateAccount>;
