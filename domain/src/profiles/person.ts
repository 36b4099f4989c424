import Type, { type Static } from 'typebox';
import { Cursor, Id, Nullable, OneOf, OutputObject, pageParameters, Text, Timestamp } from '../basics/schema.ts';
import type { Millis } from '../basics/time.ts';
import { browserKinds, browserNames } from '../ingestion/browsers.ts';
import { integrations } from '../ingestion/property.ts';
import { companyFilterParameters, filterParameters } from '../targeting/segment.ts';

/*
 * Profiles and Companies as the dashboard shows them: with names, and with their properties in a list of their own. (In the
 * contract, properties are beside the other fields.)
 */

const before = Type.Optional(
  Type.Unsafe<string | Millis>({
    type: 'string',
    format: 'order_place',
    description: 'the `cursor.before` of the page before, an ID, or a time',
  }),
);
const { limit } = pageParameters;
const idOf = (what: string) => Type.Optional(Type.Unsafe<string>({ ...Id, description: `the ID of ${what}` }));

export const FindPeople = Type.Object({
  text: Type.Optional(Text('the beginning of a uid or email, or a part of a name')),
  segment_id: idOf('a Segment'),
  company_id: idOf('a Company'),
  ...filterParameters,
  limit,
  before,
});
export type FindPeople = Static<typeof FindPeople>;

export const FindCompanies = Type.Object({
  text: Type.Optional(Text('the beginning of a uid, or a part of a name')),
  ...companyFilterParameters,
  limit,
  before,
});
export type FindCompanies = Static<typeof FindCompanies>;

const personFields = {
  id: Id,
  uid: Type.String(),
  email: Nullable(Type.String()),
  name: Nullable(Type.String()),
  company: Nullable(OutputObject({ id: Id, uid: Type.String(), name: Nullable(Type.String()) })),
  created_at: Timestamp,
  last_seen_at: Nullable(Timestamp),
  last_seen_session_count: Type.Integer(),
  is_test: Type.Boolean(),
};
export const PersonSummary = OutputObject(personFields);
export type PersonSummary = Static<typeof PersonSummary>;

/** False if only a part of the list was searched. The next page continues there. */
const is_complete = Type.Boolean();
export const FoundPeople = OutputObject({ profiles: Type.Array(PersonSummary), is_complete, cursor: Cursor });

const propertyFields = { prop: Type.String(), name: Type.String(), value: Type.Unknown(), type: Type.String() };

export const PersonProperty = OutputObject({
  ...propertyFields,
  /** When the value was first sent. Null if that was not recorded. */
  sent_at: Nullable(Timestamp),
  /** `browser` is a page of the customer, `api` their backend. */
  source: Nullable(OneOf(integrations)),
  /** Whether the page had proven who its user is; null if no page sent the value. */
  is_proven: Nullable(Type.Boolean()),
});
export type PersonProperty = Static<typeof PersonProperty>;

export const PersonDetails = OutputObject({
  ...personFields,
  updated_at: Timestamp,
  /** What an administrator has set. Null if the patterns of the account decide. */
  test: Nullable(Type.Boolean()),
  last_cleared_at: Nullable(Timestamp),
  percent: Type.Number(),
  browser_l: Nullable(Type.String()),
  browser_n: Nullable(OneOf(browserNames)),
  browser_k: Nullable(OneOf(browserKinds)),
  browser_x: Nullable(Type.Number()),
  browser_tz: Nullable(Type.Number()),
  delivery_ids: Type.Array(Id),
  /** How many Deliveries may be pending for one profile of the account. */
  delivery_ids_limit: Type.Integer(),
  properties: Type.Array(PersonProperty),
});
export type PersonDetails = Static<typeof PersonDetails>;

const companyFields = {
  id: Id,
  uid: Type.String(),
  name: Nullable(Type.String()),
  created_at: Timestamp,
  updated_at: Timestamp,
  /** Without test users, who are left out of all counts. */
  profiles_count: Type.Integer(),
};
export const CompanySummary = OutputObject(companyFields);
export type CompanySummary = Static<typeof CompanySummary>;

export const FoundCompanies = OutputObject({ companies: Type.Array(CompanySummary), is_complete, cursor: Cursor });

export const CompanyDetails = OutputObject({
  ...companyFields,
  properties: Type.Array(OutputObject(propertyFields)),
});
export type CompanyDetails = Static<typeof CompanyDetails>;
