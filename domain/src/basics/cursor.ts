import Type from 'typebox';
import { isId, TICKS_PER_MS, tickOfId } from './id.ts';
import { OneOf, pageParameters } from './schema.ts';
import type { Millis } from './time.ts';

/*
 * Lists of what is updated often can be asked for by `updated_at`. An ID is no place in them, as the row that has it
 * moves to the front when it is updated: the cursor holds the tick of the update, and the ID among those of that tick.
 */

export const listOrders = ['created_at', 'updated_at'] as const;
export type ListOrder = (typeof listOrders)[number];

/** Where a page of a list by `updated_at` begins or ends. */
export interface UpdateCursor {
  updated_tick: number;
  id: string;
}

/** One with `u` was given out when updates were known by the millisecond only. */
const cursorPattern = /^([tu])([0-9a-z]{1,11})-([0-9a-f]{24})$/;

/** As a cursor, which only this server has to understand. */
export function encodeCursor({ updated_tick, id }: UpdateCursor): string {
  return `t${updated_tick.toString(36)}-${id}`;
}

export function isCursor(text: string): boolean {
  return cursorPattern.test(text);
}

/** The place that a cursor tells. An ID stands for the moment when it was made. */
export function decodeCursor(text: string): UpdateCursor {
  if (isId(text)) return { updated_tick: tickOfId(text), id: text };
  const [, unit, count = '0', id = text] = cursorPattern.exec(text) ?? [];
  return { updated_tick: Number.parseInt(count, 36) * (unit === 'u' ? TICKS_PER_MS : 1), id };
}

const updatePlace = (description: string) =>
  Type.Optional(Type.Unsafe<string | Millis>({ type: 'string', format: 'update_place', description }));

/** With `order=updated_at`, times are of updates. */
export const orderedPageParameters = {
  ...pageParameters,
  before: updatePlace('the `cursor.before` of the page before, an ID, or a time'),
  after: updatePlace('the `cursor.after` of an earlier list, an ID, or a time'),
  order: OneOf(listOrders, { default: 'created_at' }),
};
