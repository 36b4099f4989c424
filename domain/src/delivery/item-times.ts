import type { Millis } from '../basics/time.ts';

/** When a user completed each item of a checklist, by the ID of the item, as it is stored. */
type ItemTimes = ReadonlyMap<string, Millis>;

/** An item that was removed stays here, so what is stored is bounded by this. */
const MAX_ITEMS = 500;

export function parseItemTimes(text: string | null): ItemTimes {
  return new Map(text === null ? [] : Object.entries(JSON.parse(text) as Record<string, Millis>));
}

/** Adds items that were completed now. The first time stays. Undefined if there is nothing to add. */
export function addItemTimes(
  text: string | null,
  ids: readonly string[],
  now: Millis,
): { text: string; added: string[] } | undefined {
  const times = parseItemTimes(text);
  const added = ids.filter((id) => !times.has(id)).slice(0, Math.max(0, MAX_ITEMS - times.size));
  if (added.length === 0) return undefined;
  return {
    text: JSON.stringify({ ...Object.fromEntries(times), ...Object.fromEntries(added.map((id) => [id, now])) }),
    added,
  };
}

/** Joins what two profiles have completed, when they turn out to be one user. The first time of an item stays. */
export function mergeItemTimes(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  const times = [...parseItemTimes(one), ...parseItemTimes(other)].sort(([, earlier], [, later]) => later - earlier);
  return JSON.stringify(Object.fromEntries(times));
}
