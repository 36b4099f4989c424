import Type from 'typebox';
import { isId, TICKS_PER_MS, tickOfId } from './id.ts';
import { OneOf, pageParameters } from './schema.ts';
import type { Millis } from './time.ts';

/*
 * Lists of records that change often can be ordered by `updated_at`. An ID is not a position in such a list, because a row
 * moves to the front when it is updated. So the cursor has the tick of the update, and the ID among rows of that tick.
 */

export const listOrders = ['created_at', 'updated_at'] as const;
export type ListOrder = (typeof listOrders)[number];

/** Where a page of a list that is ordered by `updated_at` begins or ends. */
export interface UpdateCursor {
  updated_tick: number;
  id: string;
}

/** Old cursors start with `u`: their update time is in milliseconds. */
const cursorPattern = /^([tu])([0-9a-z]{1,11})-([0-9a-f]{24})$/;

export function encodeCursor({ updated_tick, id }: UpdateCursor): string {
  return `t${updated_tick.toString(36)}-${id}`;
}

export function isCursor(text: string): boolean {
  return cursorPattern.test(text);
}

/** Decodes a cursor. An ID means the time when it was created. */
export function decodeCursor(text: string): UpdateCursor {
  if (isId(text)) return { updated_tick: tickOfId(text), id: text };
  const [, unit, count = '0', id = text] = cursorPattern.exec(text) ?? [];
  return { updated_tick: Number.parseInt(count, 36) * (unit === 'u' ? TICKS_PER_MS : 1), id };
}

const updatePlace = (description: string) =>
  Type.Optional(Type.Unsafe<string | Millis>({ type: 'string', format: 'update_place', description }));

/** With `order=updated_at`, times in `before` and `after` are update times. */
export const orderedPageParameters = {
  ...pageParameters,
  before: updatePlace('the `cursor.before` of the page before, an ID, or a time'),
  after: updatePlace('the `cursor.after` of an earlier list, an ID, or a time'),
  order: OneOf(listOrders, { default: 'created_at' }),
};
