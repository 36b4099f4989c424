import { setTimeout as pause } from 'node:timers/promises';
import type { Millis } from '@usher/domain';

/** A reading is reused for 50 times as long as it took, so readings take at most two percent of the time. */
const REUSE_FACTOR = 50;
/** A scrape does not wait longer for a database that does not respond. */
const MAX_WAIT_MS = 2000;

/**
 * Reads figures that may be costly: one reading at a time, and rarely if it takes long. Resolves to undefined if the
 * reading fails or does not end in time; the next call joins a reading that goes on.
 */
export function cachedReading<Value>(
  read: () => Promise<Value>,
  now: () => Millis,
  maxWait = MAX_WAIT_MS,
): () => Promise<Value | undefined> {
  let last: { value: Value; at: Millis; until: Millis } | undefined;
  let reading: Promise<Value | undefined> | undefined;

  const start = async (): Promise<Value | undefined> => {
    const startedAt = now();
    try {
      const value = await read();
      const at = now();
      last = { value, at, until: at + REUSE_FACTOR * (at - startedAt) };
      return value;
    } catch {
      return undefined;
    } finally {
      reading = undefined;
    }
  };

  return async () => {
    const time = now();
    // If the clock was set back, the figures are read again.
    if (last && time >= last.at && time < last.until) return last.value;
    reading ??= start();
    const stopWaiting = new AbortController();
    try {
      return await Promise.race([reading, pause(maxWait, undefined, { signal: stopWaiting.signal })]);
    } finally {
      stopWaiting.abort();
    }
  };
}
