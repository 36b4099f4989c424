import type { Millis } from '../basics/time.ts';
import { type ExperienceKind, experienceKinds } from '../kinds/kinds.ts';
import type { StoredActivity } from './interaction.ts';

/*
 * How many people all Experiences reached. What a user did with any of them on a day is also stored as an activity of a *reach scope*:
 * all Experiences, or those of one kind. So a person counts once, whatever number of Experiences they saw.
 */

/** What is counted across Experiences. */
export const reachMeasures = ['shown', 'started', 'completed'] as const;
export type ReachMeasure = (typeof reachMeasures)[number];

export const ALL_EXPERIENCES = 'all';

/** What stands for the ID of an Experience in activities and counts of all Experiences of a kind. */
export function reachScopeOf(kind: ExperienceKind): string {
  return `${ALL_EXPERIENCES}-${kind}`;
}

export const reachScopes: readonly string[] = [ALL_EXPERIENCES, ...experienceKinds.map(reachScopeOf)];

export function isReachMeasure(what: StoredActivity): what is ReachMeasure {
  return reachMeasures.some((one) => one === what);
}

interface DayOfUser {
  experience_id: string;
  what: string;
  day: number;
  previous_day: number;
  /** When and on which Environment it was the first time on the day. */
  at: Millis | null;
  url_group_id: string;
}

interface RemainingDay extends DayOfUser {
  /** Of a scope: null. */
  kind: ExperienceKind | null;
}

export interface ReachChanges {
  removed: readonly DayOfUser[];
  /** Rows whose previous day was removed, or whose first time was with the deleted Experience. */
  changed: readonly { before: DayOfUser; after: DayOfUser }[];
}

/**
 * What changes in the reach of one user when an Experience was deleted: on these days they did the same with no other Experience.
 * @param rows what is left of the user, in Experiences and scopes
 */
export function removeReach(
  rows: readonly RemainingDay[],
  gone: readonly Pick<DayOfUser, 'what' | 'day'>[],
): ReachChanges {
  const removed: DayOfUser[] = [];
  const changed: ReachChanges['changed'][number][] = [];
  for (const scope of reachScopes)
    for (const what of reachMeasures) {
      const chain = rows
        .filter((row) => row.experience_id === scope && row.what === what)
        .sort((a, b) => a.day - b.day);
      const others = rows.filter(
        ({ kind, what: did }) =>
          kind !== null && did === what && (scope === ALL_EXPERIENCES || reachScopeOf(kind) === scope),
      );
      // A day that another row names as its previous one was a day, also when its own row was deleted because of its age.
      const days = new Set(others.flatMap(({ day, previous_day }) => [day, previous_day]));
      const firsts = new Map(others.toSorted(lastFirst).map((row) => [row.day, row]));
      const isGone = new Set(gone.filter((one) => one.what === what).map(({ day }) => day));
      const lost = new Set(gone.filter((one) => one.what === what && !days.has(one.day)).map(({ day }) => day));
      let skipped: DayOfUser | undefined;
      for (const { kind: _, ...row } of chain) {
        const next = skipped && row.previous_day === skipped.day ? skipped.previous_day : row.previous_day;
        if (lost.has(row.day)) {
          removed.push(row);
          skipped = { ...row, previous_day: next };
        } else {
          const { at, url_group_id } = (isGone.has(row.day) && firsts.get(row.day)) || row;
          const after = { ...row, previous_day: next, at, url_group_id };
          if (next !== row.previous_day || at !== row.at || url_group_id !== row.url_group_id)
            changed.push({ before: row, after });
          skipped = undefined;
        }
      }
    }
  return { removed, changed };
}

/** Rows without a time come first, as where the counts are made again. */
function lastFirst(one: DayOfUser, other: DayOfUser): number {
  return (other.at ?? 0) - (one.at ?? 0) || (one.experience_id < other.experience_id ? 1 : -1);
}
