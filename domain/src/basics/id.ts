import { isFromWrongClock, type Millis } from './time.ts';

/**
 * An ID is 24 lowercase hex digits: 8 for the Unix second, 3 for the millisecond within it, 4 for a counter within
 * that, 9 random digits that differ between processes or transactions. So the ID contains the time of creation, ordering
 * by ID is ordering by creation, and "created before a time" is a comparison of IDs.
 */
export const ID_PATTERN = '^[0-9a-f]{24}$';

const idShape = new RegExp(ID_PATTERN);
const COUNTER_END = 0x10000;
const ORIGIN_END = 2 ** 36;

export function isId(text: string): boolean {
  return idShape.test(text);
}

/**
 * The clock of an account counts in ticks. There are enough in a millisecond for one tick per transaction, and they stay
 * exact as numbers until the year 2248.
 */
export const TICKS_PER_MS = 1024;
/** How many IDs fit into one tick, whatever its random digits are. */
const IDS_PER_TICK = 2 ** 24;

/** Creates strictly increasing IDs that are above all IDs of earlier ticks and below all of later ones. */
export function createTickIds(tick: number, random: () => number = Math.random): () => string {
  const prefix = timePrefix(timeOfTick(tick)) + hex(tick % TICKS_PER_MS, 4);
  let next = Math.floor(random() * (ORIGIN_END - IDS_PER_TICK));
  return () => prefix + hex(next++, 9);
}

/** The tick at which an ID was created. An ID from another source counts as one of the last in its millisecond. */
export function tickOfId(id: string): number {
  const counter = Number.parseInt(id.slice(11, 15), 16);
  return timeOfId(id) * TICKS_PER_MS + Math.min(counter, TICKS_PER_MS - 1);
}

export function timeOfTick(tick: number): Millis {
  return Math.floor(tick / TICKS_PER_MS);
}

/**
 * Creates strictly increasing IDs, even when the clock stands still or steps back a little. When the clock was far
 * ahead and is corrected, the IDs follow the clock, because an ID contains the time of its record, such as an event.
 */
export function createIdSource(now: () => Millis, random: () => number = Math.random): () => string {
  const newOrigin = () => hex(Math.floor(random() * ORIGIN_END), 9);
  let origin = newOrigin();
  let last = 0;
  let prefix = '';
  let counter = 0;
  const startAt = (time: Millis) => {
    last = time;
    prefix = timePrefix(time);
    counter = 0;
  };
  return () => {
    const time = now();
    if (time > last) startAt(time);
    else if (isFromWrongClock(last, time)) {
      // The same times come a second time, so that only other digits make these IDs different.
      origin = newOrigin();
      startAt(time);
    } else if (++counter === COUNTER_END) startAt(last + 1);
    return prefix + hex(counter, 4) + origin;
  };
}

/** Creates IDs of what happened before now. IDs of the same time have the order in which they were created. */
export function createPastIds(random: () => number = Math.random): (time: Millis) => string {
  let counter = 0;
  // Others create IDs of the same time, now or later: only the random digits make them different.
  return (time) => timePrefix(time) + hex(counter++ % COUNTER_END, 4) + hex(Math.floor(random() * ORIGIN_END), 9);
}

/** The time when the record with this ID was created. */
export function timeOfId(id: string): Millis {
  return Number.parseInt(id.slice(0, 8), 16) * 1000 + Number.parseInt(id.slice(8, 11), 16);
}

/** When a record was created. The ID of a record that came from another service contains another time. */
export function createdAtOf({ id, created_at }: { id: string; created_at?: Millis | null }): Millis {
  return created_at ?? timeOfId(id);
}

/** The smallest ID that can be created at this time. Records with IDs below it were created before. */
export function firstIdAt(time: Millis): string {
  return timePrefix(Math.min(Math.max(time, 0), 0xffffffff * 1000 + 999)).padEnd(24, '0');
}

function timePrefix(time: Millis): string {
  return hex(Math.floor(time / 1000), 8) + hex(Math.floor(time % 1000), 3);
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}
