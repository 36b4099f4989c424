const SHORTEST = 1000;
const LONGEST = 5 * 60_000;

/** How long to wait after so many failures in a row, in milliseconds; spread, so that pages do not come back all at once. */
export function pauseAfter(failures: number, random: number): number {
  return Math.min(SHORTEST * 2 ** (failures - 1), LONGEST) * (0.5 + random / 2);
}

/** Whether it is worth sending again what was answered so; 0 is no answer at all. */
export function isPassing(status: number): boolean {
  return status === 0 || status === 408 || status === 429 || status >= 500;
}
