import Type, { type Static } from 'typebox';
import { ExternalId, Id, Nullable, Text } from '../basics/schema.ts';
import type { Millis } from '../basics/time.ts';
import { normalizeKey } from './key.ts';
import { type CustomPatch, readCustom } from './value.ts';

const reservedEventKeys: ReadonlySet<string> = new Set([
  'id',
  'uid',
  'name',
  'created_at',
  'updated_at',
  'account_id',
  'account_secret',
]);

/** An event in a request. Every other key is a property of the event. */
export const EventInput = Type.Object(
  {
    id: Type.Optional(Id),
    uid: Type.Optional(ExternalId('the ID that your product has for the user')),
    name: Text('the name of the event, such as `Report exported`'),
  },
  { additionalProperties: true },
);
export type EventInput = Static<typeof EventInput>;

/** An event from a page, about the user of the visit. Every key in `properties`, and every other key, is a property. */
export const PageEventInput = Type.Object(
  {
    visit_token: Type.Optional(Text('the token of the visit', 1000)),
    href: Type.Optional(Nullable(Text('the address of the page', 65_536))),
    name: EventInput.properties.name,
    idempotency_key: Type.Optional(Text('a key of your own, by which an event that is sent again is one', 64)),
    properties: Type.Optional(
      Nullable(
        Type.Unsafe<Record<string, unknown>>({
          type: 'object',
          additionalProperties: true,
          description: 'an object of properties',
        }),
      ),
    ),
  },
  { additionalProperties: true },
);
export type PageEventInput = Static<typeof PageEventInput>;

const pageFields: ReadonlySet<string> = new Set([
  'visit_token',
  'account_token',
  'href',
  'idempotency_key',
  'properties',
  'uid',
]);

/** Converts the event of a page. The user is always that of the visit, whatever the properties are called. */
export function toProfileEvent(input: PageEventInput, profileId: string): EventInput {
  const others = Object.fromEntries(Object.entries(input).filter(([name]) => !pageFields.has(name)));
  const { uid: _, ...properties } = input.properties ?? {};
  return { ...others, ...properties, name: input.name, id: profileId };
}

export interface EventItem {
  profile: { id?: string | undefined; uid?: string | undefined };
  name: string;
  custom: CustomPatch;
}

export function toEventItem(input: EventInput, problems: string[], now: Millis): EventItem {
  const { id, uid } = input;
  if (id === undefined && uid === undefined)
    problems.push('`uid` is required: give the ID that your product has for the user, or our `id` of the profile');
  const name = normalizeKey(input.name);
  if (name === '') problems.push('`name` must have a letter or a digit in it');
  return { profile: { id, uid }, name, custom: readCustom(input, reservedEventKeys, problems, now) };
}
