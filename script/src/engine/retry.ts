const MIN_DELAY_MS = 1000;
const MAX_DELAY_MS = 5 * 60_000;

/** Milliseconds to wait after a number of failures in a row. The time is random, so that pages do not all retry together. */
export function retryDelay(failures: number, random: number): number {
  return Math.min(MIN_DELAY_MS * 2 ** (failures - 1), MAX_DELAY_MS) * (0.5 + random / 2);
}

/** Returns whether a request may succeed later. Status 0 means that there was no response. */
export function canRetry(status: number): boolean {
  return status === 0 || status === 408 || status === 429 || status >= 500;
}
