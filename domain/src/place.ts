import Type from 'typebox';
import { isId, timeOfId } from './id.ts';
import { OneOf, pageParameters } from './schema.ts';
import type { Millis } from './time.ts';

/*
 * Lists of what is updated often can be asked for by `updated_at`. An ID is no place in them, as the row that has it
 * moves to the front when it is updated: the cursor holds the time itself, and the ID among those of that time.
 */

export const listOrders = ['created_at', 'updated_at'] as const;
export type ListOrder = (typeof listOrders)[number];

/** Where a page of a list by `updated_at` begins or ends. */
export interface UpdatePlace {
  updated_at: Millis;
  id: string;
}

const written = /^u([0-9a-z]{1,10})-([0-9a-f]{24})$/;

/** As a cursor, which only this server has to understand. */
export function writePlace({ updated_at, id }: UpdatePlace): string {
  return `u${updated_at.toString(36)}-${id}`;
}

export function isPlace(text: string): boolean {
  return written.test(text);
}

/** The place that a cursor tells. An ID stands for the moment when it was made. */
export function readPlace(text: string): UpdatePlace {
  const [, time = '0', id = text] = written.exec(text) ?? [];
  return isId(text) ? { updated_at: timeOfId(text), id: text } : { updated_at: Number.parseInt(time, 36), id };
}

const place = (description: string) =>
  Type.Optional(Type.Unsafe<string | Millis>({ type: 'string', format: 'update_place', description }));

/** With `order=updated_at`, times are of updates. */
export const orderedPageParameters = {
  ...pageParameters,
  before: place('the `cursor.before` of the page before, an ID, or a time'),
  after: place('an ID or a time'),
  order: OneOf(listOrders, { default: 'created_at' }),
};
