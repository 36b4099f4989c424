import { useQuery } from '@tanstack/react-query';
import { query } from '../api/queries.ts';
import * as text from '../messages/text.ts';

const MAX_LISTED = 500;

export const goalsQuery = query('GET /v3/edit/goals', { limit: MAX_LISTED });
const events = query('GET /v3/edit/event_names', { limit: MAX_LISTED });
const segments = query('GET /v3/edit/segments', { limit: MAX_LISTED });
const experiences = query('GET /v3/edit/experiences', { limit: MAX_LISTED });

/** Finds the names of what goals name. */
export interface GoalNames {
  event(uid: string): string;
  segment(id: string): string;
  experience(id: string): string;
}

/** The records that goals can name, and their names. */
export function useGoalSubjects() {
  const lists = {
    events: useQuery(events).data?.event_names ?? [],
    segments: useQuery(segments).data?.segments ?? [],
    experiences: useQuery(experiences).data?.experiences ?? [],
  };
  const nameOf = (list: readonly { id: string; name: string }[], id: string) =>
    list.find((one) => one.id === id)?.name ?? text.goals.gone;
  const names: GoalNames = {
    event: (uid) => lists.events.find((one) => one.uid === uid)?.name ?? uid,
    segment: (id) => nameOf(lists.segments, id),
    experience: (id) => nameOf(lists.experiences, id),
  };
  return { ...lists, names };
}
