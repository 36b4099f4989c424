import { setTimeout as pause } from 'node:timers/promises';

/** A reading is reused for this many times as long as it took: readings use at most two percent of the time. */
const REUSE_FACTOR = 50;
/** A scrape does not wait longer for a database that does not respond. */
const MAX_WAIT_MS = 2000;

/**
 * Reads figures that may be costly: one reading at a time, and rarely if it takes long. Resolves to undefined if the
 * reading fails or does not end in time; the next call joins a reading that goes on.
 */
export function cachedReading<Value>(
  read: () => Promise<Value>,
  maxWait = MAX_WAIT_MS,
): () => Promise<Value | undefined> {
  let last: { value: Value; until: number } | undefined;
  let reading: Promise<Value | undefined> | undefined;

  const start = async (): Promise<Value | undefined> => {
    const startedAt = performance.now();
    try {
      const value = await read();
      const endedAt = performance.now();
      last = { value, until: endedAt + REUSE_FACTOR * (endedAt - startedAt) };
      return value;
    } catch {
      return undefined;
    } finally {
      reading = undefined;
    }
  };

  return async () => {
    if (last && performance.now() < last.until) return last.value;
    reading ??= start();
    const stopWaiting = new AbortController();
    try {
      return await Promise.race([reading, pause(maxWait, undefined, { signal: stopWaiting.signal })]);
    } finally {
      stopWaiting.abort();
    }
  };
}
