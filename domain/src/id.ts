import type { Millis } from './time.ts';

/**
 * An ID is 24 lowercase hex digits: 8 for the Unix second, 3 for the millisecond within it, 4 for a counter within
 * that, 9 that tell processes apart. So the time of creation is in the ID itself, ordering by ID is ordering by
 * creation, and "created before a time" is a comparison of IDs.
 */
export const ID_PATTERN = '^[0-9a-f]{24}$';

const idShape = new RegExp(ID_PATTERN);
const COUNTER_END = 0x10000;
const ORIGIN_END = 2 ** 36;

export function isId(text: string): boolean {
  return idShape.test(text);
}

/** Makes strictly increasing IDs, even when the clock stands still or steps back. */
export function createIdSource(now: () => Millis, random: () => number = Math.random): () => string {
  const origin = hex(Math.floor(random() * ORIGIN_END), 9);
  let last = 0;
  let prefix = '';
  let counter = 0;
  const begin = (time: Millis) => {
    last = time;
    prefix = timePrefix(time);
    counter = 0;
  };
  return () => {
    const time = now();
    if (time > last) begin(time);
    else if (++counter === COUNTER_END) begin(last + 1);
    return prefix + hex(counter, 4) + origin;
  };
}

/** When the thing with this ID was created. */
export function timeOfId(id: string): Millis {
  return Number.parseInt(id.slice(0, 8), 16) * 1000 + Number.parseInt(id.slice(8, 11), 16);
}

/** The smallest ID that can be made at this time: IDs below it are of things created before. */
export function firstIdAt(time: Millis): string {
  return timePrefix(Math.min(Math.max(time, 0), 0xffffffff * 1000 + 999)).padEnd(24, '0');
}

function timePrefix(time: Millis): string {
  return hex(Math.floor(time / 1000), 8) + hex(Math.floor(time % 1000), 3);
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}
