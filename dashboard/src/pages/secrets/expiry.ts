const DAY_MS = 24 * 60 * 60_000;

/** A secret that expires within this time gets a badge, so that it is replaced before programs fail. */
const SOON_MS = 14 * DAY_MS;

export type ExpiryState = 'never' | 'later' | 'soon' | 'expired';

export function expiryState(expiresAt: string | null, now: number): ExpiryState {
  if (expiresAt === null) return 'never';
  const left = Date.parse(expiresAt) - now;
  if (left <= 0) return 'expired';
  return left <= SOON_MS ? 'soon' : 'later';
}

/** Days from now, a day that the person chose, or never. */
export type ExpiryPreset = '30' | '90' | '365' | 'date' | 'never';

/**
 * The time for the API. A day ends at midnight in the time zone of the person. Undefined if the day is missing, invalid
 * or over.
 */
export function expiresAtOf(preset: ExpiryPreset, date: string, now: number): string | null | undefined {
  if (preset === 'never') return null;
  if (preset !== 'date') return `+${preset}d`;
  const end = new Date(`${date}T23:59:59.999`);
  return Number.isNaN(end.getTime()) || end.getTime() <= now ? undefined : end.toISOString();
}
