import Type, { type Static } from 'typebox';
import { ExternalId, Id, Nullable, OneOf, OutputObject, ShownOnce, Text, Timestamp } from '../basics/schema.ts';
import type { Millis } from '../basics/time.ts';
import { PageElement } from '../content/field-schemas.ts';
import { PageThemes } from '../delivery/visit.ts';
import { HrefParam } from '../hosts/href.ts';
import { experienceKinds } from '../kinds/kinds.ts';
import { PageLooks } from '../themes/page-look-schema.ts';
import { PickResult } from './pick-result.ts';

/*
 * A pick lets one administrator choose an element, try a draft, or take a theme, on one page of the customer. The page gets a key,
 * exchanges it once for a token, and reports with that token.
 */

/** How long a page may take to open a pick. */
export const PICK_WAIT_MS: Millis = 10 * 60_000;
/** How long a pick lasts once it is open. */
export const PICK_OPEN_MS: Millis = 60 * 60_000;
/** How many picks of one administrator can be open. */
export const MAX_OPEN_PICKS = 20;
export const MAX_PICK_HREF = 2000;

export const pickPurposes = ['pick', 'try', 'theme', 'event'] as const;
export type PickPurpose = (typeof pickPurposes)[number];

export const pickStates = ['waiting', 'opened', 'picked', 'ended', 'expired'] as const;
export type PickState = (typeof pickStates)[number];

/* What administrators send and get. */

export const CreatePick = Type.Object({
  purpose: OneOf(pickPurposes, { default: 'pick' }),
  experience_id: Type.Optional(Type.Unsafe<string>({ ...Id, description: 'the ID of the Experience' })),
  theme_id: Type.Optional(
    Type.Unsafe<string>({ ...Id, description: 'the ID of the theme, to take it from the page or to try its draft' }),
  ),
  event_name_id: Type.Optional(
    Type.Unsafe<string>({ ...Id, description: 'the ID of the Event Name whose element is picked' }),
  ),
  step_id: Type.Optional(Type.Unsafe<string>({ ...Id, description: 'the ID of a step of the Experience' })),
  href: Text('the address of a page, such as `https://app.example.com/home`', MAX_PICK_HREF),
  profile_id: Type.Optional(Type.Unsafe<string>({ ...Id, description: 'the ID of the user to try the draft as' })),
  uid: Type.Optional(ExternalId('the uid of the user to try the draft as')),
});
export type CreatePick = Static<typeof CreatePick>;

const pickFields = {
  id: Id,
  created_at: Timestamp,
  purpose: OneOf(pickPurposes),
  state: OneOf(pickStates),
  /** Null for a theme that is taken from the page. */
  experience_id: Nullable(Id),
  theme_id: Nullable(Id),
  /** Only for an element whose clicks are counted. */
  event_name_id: Nullable(Id),
  step_id: Nullable(Id),
  href: Type.String(),
  /** The page that opened the pick. It has a title as soon as there is a result. */
  page: Nullable(OutputObject({ href: Type.String(), title: Nullable(Type.String()) })),
  result: Nullable(PickResult),
  /** How the page looks, for a theme. */
  looks: Nullable(PageLooks),
  expires_at: Timestamp,
};
export const PickOutput = OutputObject(pickFields);
export type PickOutput = Static<typeof PickOutput>;

/** A new pick. Its address and its code are shown only once. */
export const CreatedPick = OutputObject({ ...pickFields, address: ShownOnce, code: ShownOnce });
export type CreatedPick = Static<typeof CreatedPick>;

/* What pages send and get. */

const PickToken = Type.Optional(Text('the token of the pick', 200));

export const OpenPick = Type.Object({
  account_token: Type.Optional(Text('the public token of the account')),
  key: Type.Optional(Text('the key in the address of the page', 100)),
  code: Type.Optional(Text('the code that Usher shows', 100)),
  href: HrefParam,
});
export type OpenPick = Static<typeof OpenPick>;

const openFields = {
  purpose: OneOf(pickPurposes),
  administrator: OutputObject({ name: Type.String() }),
  account: OutputObject({ name: Type.String() }),
  /** The address of this Usher server. */
  server: Type.String(),
  /** Null for a theme or an event. */
  experience: Nullable(OutputObject({ id: Id, kind: OneOf(experienceKinds), name: Type.String() })),
  theme: Nullable(OutputObject({ id: Id, name: Type.String() })),
  event_name: Nullable(OutputObject({ id: Id, name: Type.String(), elements: Type.Array(PageElement) })),
  step: Nullable(
    OutputObject({
      id: Id,
      number: Type.Integer(),
      title: Nullable(Type.String()),
      elements: Type.Array(PageElement),
    }),
  ),
  expires_at: Timestamp,
};
/** What the page shows of an open pick. */
export const OpenPickOutput = OutputObject(openFields);
export type OpenPickOutput = Static<typeof OpenPickOutput>;
export const PickWithToken = OutputObject({ token: Type.String(), ...openFields });
export type PickWithToken = Static<typeof PickWithToken>;

export const CurrentPick = Type.Object({ pick_token: PickToken });

const reportFields = {
  pick_token: PickToken,
  href: HrefParam,
  title: Type.Optional(Type.Unsafe<string>({ type: 'string', maxLength: 1000, description: 'the title of the page' })),
};
export const SavePickResult = Type.Object({ ...reportFields, result: PickResult });
export type SavePickResult = Static<typeof SavePickResult>;
export const SavePickLooks = Type.Object({ ...reportFields, looks: PageLooks });
export type SavePickLooks = Static<typeof SavePickLooks>;

export const PickStateOutput = OutputObject({ state: OneOf(pickStates) });

export const PickContentInput = Type.Object({
  pick_token: PickToken,
  visit_token: Type.Optional(Text('the token of the visit', 1000)),
  language: Type.Optional(Text('the language of the browser, for a page that has not identified its user', 100)),
});
export type PickContentInput = Static<typeof PickContentInput>;

/** An Experience as in the response of a visit, from the draft. */
export const PickContentOutput = OutputObject({
  experience: Type.Object({ id: Id, kind: OneOf(experienceKinds) }, { additionalProperties: true }),
  labels: Type.Optional(Type.Record(Type.String(), Type.String())),
  themes: Type.Optional(PageThemes),
  /**
   * The user whose values the texts have: chosen by the administrator, or the user of the page. Null if nothing is known of the
   * user.
   */
  user: Nullable(OutputObject({ name: Type.String(), is_chosen: Type.Boolean() })),
  /** The names of the tours and surveys that its buttons and items lead to, by their IDs. */
  names: Type.Record(Type.String(), Type.String()),
});
