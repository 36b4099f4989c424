import { useQuery } from '@tanstack/react-query';
import { isExclusive } from '@usher/domain/kinds';
import { query } from '../../../api/queries.ts';
import { goalsQuery } from '../../../goals/use-goal-names.ts';
import type { EditedStep } from './funnel-address.ts';

const event = (name: string): EditedStep => ({ kind: 'event', name, filters: [] });

/**
 * A funnel of what the account has: from the start of the tour or survey that most people started to the event of its goal, or two
 * events. Launchers, tooltips and embeds may have no end, so that no one would reach the second step.
 * Undefined while nothing of it is known, or without any.
 */
export function useExample(): EditedStep[] | undefined {
  const { data: listed } = useQuery(query('GET /v3/edit/experiences', { order: 'started_count', limit: 50 }));
  const { data: named } = useQuery(query('GET /v3/edit/event_names', { limit: 2 }));
  const { data: shared } = useQuery(goalsQuery);
  const most = listed?.experiences.find((one) => isExclusive(one) && one.stats.started_count > 0);
  const { data } = useQuery({
    ...query('GET /v3/edit/experiences/{id}', { id: most?.id ?? '' }),
    enabled: most !== undefined,
  });
  if (most) {
    const goals = (data?.experience.goals ?? []).toSorted((one, other) => Number(other.primary) - Number(one.primary));
    const names = goals.flatMap(({ goal_id, ...own }) => {
      const goal = goal_id === null ? own : shared?.goals.find(({ id }) => id === goal_id);
      return goal?.kind === 'event' && goal.event_name ? [goal.event_name] : [];
    });
    const state = (name: 'started' | 'completed'): EditedStep => ({
      ...{ kind: 'experience', experience_id: most.id, state: name },
    });
    return [state('started'), state('completed'), ...names.slice(0, 1).map(event)];
  }
  const events = named?.event_names ?? [];
  return events.length < 2 ? undefined : events.map(({ uid }) => event(uid));
}
