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
}

interface RemainingDay extends DayOfUser {
  /** Of a scope: null. */
  kind: ExperienceKind | null;
}

export interface ReachChanges {
  removed: readonly DayOfUser[];
  /** Rows whose previous day was removed, as they were before, with the new previous day. */
  relinked: readonly (DayOfUser & { new_previous_day: number })[];
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
  const relinked: (DayOfUser & { new_previous_day: number })[] = [];
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
      const lost = new Set(gone.filter((one) => one.what === what && !days.has(one.day)).map(({ day }) => day));
      let skipped: DayOfUser | undefined;
      for (const { kind: _, ...row } of chain) {
        const next = skipped && row.previous_day === skipped.day ? skipped.previous_day : row.previous_day;
        if (lost.has(row.day)) {
          removed.push(row);
          skipped = { ...row, previous_day: next };
        } else {
          if (next !== row.previous_day) relinked.push({ ...row, new_previous_day: next });
          skipped = undefined;
        }
      }
    }
  return { removed, relinked };
}
