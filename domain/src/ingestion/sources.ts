import type { Millis } from '../basics/time.ts';
import type { Integration } from './property.ts';
import type { Custom, CustomPatch } from './value.ts';

/**
 * When and by whom the properties of a profile were sent: one entry for all keys that came together, so that it stays small.
 * A key is in one entry at most. Keys in none were sent before this was recorded.
 */
export type CustomSources = [at: Millis, source: Integration, ...keys: string[]][];

/** Lists the keys whose value a patch changes, or which pages have sent and now the backend sends too. */
export function listSentKeys(
  patch: CustomPatch,
  before: { custom: Custom; pageKeys: readonly string[] },
  after: { custom: Custom; pageKeys: readonly string[] },
): string[] {
  const valueIn = (custom: Custom, key: string) => (Object.hasOwn(custom, key) ? custom[key] : undefined);
  return Object.keys(patch).filter(
    (key) =>
      valueIn(before.custom, key) !== valueIn(after.custom, key) ||
      (before.pageKeys !== after.pageKeys && before.pageKeys.includes(key) && !after.pageKeys.includes(key)),
  );
}

/** The sources after these keys were sent. Keys that `custom` no longer has are left out. */
export function mergeSources(
  before: CustomSources | null,
  sent: readonly string[],
  custom: Custom,
  [at, source]: [at: Millis, source: Integration],
): CustomSources | null {
  const isSent = new Set(sent);
  const kept: CustomSources = [];
  for (const [earlier, by, ...keys] of before ?? []) {
    const left = keys.filter((key) => !isSent.has(key));
    if (left.length > 0) kept.push([earlier, by, ...left]);
  }
  const present = sent.filter((key) => Object.hasOwn(custom, key));
  if (present.length > 0) {
    const last = kept.at(-1);
    if (last?.[0] === at && last[1] === source) last.push(...present);
    else kept.push([at, source, ...present]);
  }
  return kept.length > 0 ? kept : null;
}

/** Finds when and by whom each key was sent. */
export function readSources(sources: CustomSources | null): Map<string, { at: Millis; source: Integration }> {
  return new Map((sources ?? []).flatMap(([at, source, ...keys]) => keys.map((key) => [key, { at, source }] as const)));
}
