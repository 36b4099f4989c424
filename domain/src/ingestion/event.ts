import Type, { type Static } from 'typebox';
import { ExternalId, Id, Nullable, Text, Time } from '../basics/schema.ts';
import { isFromWrongClock, type Millis } from '../basics/time.ts';
import {
  CUSTOM_TOO_LARGE_MESSAGE,
  cachedKey,
  isCustomTooLarge,
  type MergedCustom,
  mergeCustom,
  readCustom,
} from './value.ts';

/** An event of a batch can have happened this long ago. */
const MAX_EVENT_AGE_DAYS = 365;
const DAY_MS: Millis = 24 * 60 * 60_000;

const reservedEventKeys: ReadonlySet<string> = new Set([
  'id',
  'uid',
  'name',
  'created_at',
  'updated_at',
  'account_id',
  'account_secret',
  'idempotency_key',
]);

const idempotencyKey = Type.Optional(Text('a key of your own, by which an event that is sent again is one', 64));

/** An event in a request. Every other key is a property of the event. */
export const EventInput = Type.Object(
  {
    id: Type.Optional(Id),
    uid: Type.Optional(ExternalId('the ID that your product has for the user')),
    name: Text('the name of the event, such as `Report exported`'),
    idempotency_key: idempotencyKey,
  },
  { additionalProperties: true },
);
export type EventInput = Static<typeof EventInput>;

/** An event of a batch. */
export const BatchEventInput = Type.Object(
  {
    ...EventInput.properties,
    occurred_at: Type.Optional(Time),
  },
  { additionalProperties: true },
);
export type BatchEventInput = Static<typeof BatchEventInput>;

/** An event from a page, about the user of the visit. Every key in `properties`, and every other key, is a property. */
export const PageEventInput = Type.Object(
  {
    visit_token: Type.Optional(Text('the token of the visit', 1000)),
    href: Type.Optional(Nullable(Text('the address of the page', 65_536))),
    name: EventInput.properties.name,
    idempotency_key: idempotencyKey,
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

/** The key of a page event is beside its properties, so a property can have that name. */
const reservedPageKeys: ReadonlySet<string> = new Set(
  [...reservedEventKeys].filter((name) => name !== 'idempotency_key'),
);

const pageFields: ReadonlySet<string> = new Set([
  'visit_token',
  'account_token',
  'href',
  'idempotency_key',
  'properties',
  'uid',
]);

/** An event that is ready to be stored, with its properties and their JSON text. */
export interface EventItem extends MergedCustom {
  profile: { id?: string | undefined; uid?: string | undefined };
  name: string;
  /** The name as it was sent. */
  sentName: string;
  /** When it happened, if that is not now. */
  at?: Millis | undefined;
  idempotency_key?: string | undefined;
}

export function toEventItem(input: EventInput, problems: string[], now: Millis): EventItem {
  const item = toItem(input, problems, now, reservedEventKeys);
  item.idempotency_key = input.idempotency_key;
  return item;
}

/** Reads the event of a page. The user is always that of the visit, and `properties` may have any name but that. */
export function toPageEventItem(input: PageEventInput, profileId: string, problems: string[], now: Millis): EventItem {
  const others = Object.fromEntries(Object.entries(input).filter(([name]) => !pageFields.has(name)));
  const { uid: _, ...properties } = input.properties ?? {};
  const item = toItem({ ...others, ...properties, name: input.name, id: profileId }, problems, now, reservedPageKeys);
  item.idempotency_key = input.idempotency_key;
  return item;
}

type ItemInput = Pick<EventInput, 'id' | 'uid' | 'name'> & Record<string, unknown>;

function toItem(input: ItemInput, problems: string[], now: Millis, reserved: ReadonlySet<string>): EventItem {
  const { id, uid, name: sentName } = input;
  if (id === undefined && uid === undefined)
    problems.push('`uid` is required: give the ID that your product has for the user, or our `id` of the profile');
  const name = cachedKey(sentName);
  if (name === '') problems.push('`name` must have a letter or a digit in it');
  const merged = mergeCustom({}, readCustom(input, reserved, problems, now)) ?? { custom: {}, text: '{}' };
  if (isCustomTooLarge(merged)) problems.push(CUSTOM_TOO_LARGE_MESSAGE);
  const { custom, text } = merged;
  return { profile: { id, uid }, name, sentName, custom, text };
}

const reservedBatchKeys: ReadonlySet<string> = new Set([...reservedEventKeys, 'occurred_at']);

export function toBatchEventItem(input: BatchEventInput, problems: string[], now: Millis): EventItem {
  const { occurred_at, idempotency_key } = input;
  const item = toItem(input, problems, now, reservedBatchKeys);
  item.idempotency_key = idempotency_key;
  if (occurred_at === undefined) return item;
  if (isFromWrongClock(occurred_at, now) || now - occurred_at > MAX_EVENT_AGE_DAYS * DAY_MS)
    problems.push(`\`occurred_at\` must be a time of the last ${MAX_EVENT_AGE_DAYS} days`);
  // The clock of the sender may be a little ahead.
  item.at = Math.min(occurred_at, now);
  return item;
}
