import Type, { type Static } from 'typebox';
import { normalizeKey } from './key.ts';
import { ExternalId, Id, Text } from './schema.ts';
import { type CustomPatch, readCustom } from './value.ts';

const reserved: ReadonlySet<string> = new Set([
  'id',
  'uid',
  'name',
  'created_at',
  'updated_at',
  'account_id',
  'account_secret',
]);

/** An event as it is sent; every other key is a property of it. */
export const SentEvent = Type.Object(
  {
    id: Type.Optional(Id),
    uid: Type.Optional(ExternalId('the ID that your product has for the user')),
    name: Text('the name of the event, such as `Report exported`'),
  },
  { additionalProperties: true },
);
export type SentEvent = Static<typeof SentEvent>;

export interface EventItem {
  profile: { id?: string | undefined; uid?: string | undefined };
  name: string;
  custom: CustomPatch;
}

export function toEventItem(given: SentEvent, problems: string[]): EventItem {
  const { id, uid } = given;
  if (id === undefined && uid === undefined)
    problems.push('`uid` is required: give the ID that your product has for the user, or our `id` of the profile');
  const name = normalizeKey(given.name);
  if (name === '') problems.push('`name` must have a letter or a digit in it');
  return { profile: { id, uid }, name, custom: readCustom(given, reserved, problems) };
}
