import type { Millis } from '../basics/time.ts';
import type { GoalRule } from '../fields/goal-fields.ts';
import { normalizeKey } from '../ingestion/key.ts';
import type { Custom, Value } from '../ingestion/value.ts';
import { type Condition, toCondition } from '../targeting/condition.ts';
import type { InteractionState } from '../targeting/filter.ts';
import { matchesCondition, propertySubject, type Subject } from '../targeting/match.ts';

/*
 * When somebody has met a goal. The server's SQL (goal-sql.ts) gives the same result for all people together.
 */

const DAY_MS: Millis = 24 * 60 * 60_000;

/** What is known of one person. */
export interface GoalFacts {
  events: readonly { name: string; at: Millis; custom: Custom }[];
  /** When the person last reached a state of an Experience; null: never. */
  reachedAt(experienceId: string, state: InteractionState): Millis | null;
  subject: Subject;
}

export interface MetGoal {
  /** When it was met first. Null for Segments and properties: only the present is known of them. */
  at: Millis | null;
  /** The sum of a number of all events in time. Null if the goal sums nothing. */
  value: number | null;
}

/** The last moment in which a person who saw something first at `fromAt` can meet the goal. */
export function endOfGoal({ within_days }: Pick<GoalRule, 'within_days'>, fromAt: Millis): Millis {
  return within_days === null ? Number.MAX_SAFE_INTEGER : fromAt + Math.round(within_days * DAY_MS);
}

/** How a person who saw something first at `fromAt` has met the goal; undefined: not. */
export function meetGoal(goal: GoalRule, fromAt: Millis, facts: GoalFacts, now: Millis): MetGoal | undefined {
  const isInTime = (at: Millis) => at >= fromAt && at <= endOfGoal(goal, fromAt);
  switch (goal.kind) {
    case 'event': {
      const inTime = facts.events.filter((event) => isInTime(event.at) && isGoalEvent(goal, event, now));
      if (inTime.length === 0) return undefined;
      return { at: Math.min(...inTime.map(({ at }) => at)), value: sumOf(goal, inTime) };
    }
    case 'experience': {
      const at = facts.reachedAt(goal.experience_id ?? '', stateOfGoal(goal));
      return at !== null && isInTime(at) ? { at, value: null } : undefined;
    }
    default:
      return matchesCondition(stateCondition(goal), facts.subject, now) === true
        ? { at: null, value: null }
        : undefined;
  }
}

/** Which state of an Experience meets the goal. */
export function stateOfGoal({ experience_state }: Pick<GoalRule, 'experience_state'>): InteractionState {
  return experience_state ?? 'completed';
}

/** Whether an event meets the goal, whenever it happened. */
export function isGoalEvent(
  { kind, event_name, filters }: Pick<GoalRule, 'kind' | 'event_name' | 'filters'>,
  { name, custom }: { name: string; custom: Custom },
  now: Millis,
): boolean {
  if (kind !== 'event' || event_name === null || normalizeKey(event_name) !== name) return false;
  const subject = propertySubject({ profile: { facts: {}, custom }, inSegment: () => false });
  return matchesCondition(eventCondition({ filters }), subject, now) === true;
}

/** What the properties of the event of a goal must be. */
export function eventCondition({ filters }: Pick<GoalRule, 'filters'>): Condition {
  return toCondition(filters, 'and', 'event');
}

/** Who a person must be now for a goal that is a Segment or properties. */
export function stateCondition({ kind, segment_id, filters }: GoalRule): Condition {
  return kind === 'segment' ? { is: 'in segment', id: segment_id ?? '' } : toCondition(filters);
}

/** Where the events of a goal have the number that it sums. */
export function sumPath({ sum_property }: Pick<GoalRule, 'sum_property'>): string[] | undefined {
  return sum_property === null ? undefined : sum_property.split('.');
}

/** Larger numbers are no amounts of anything, and a few of them would make every sum infinite. They do not count. */
export const MAX_SUMMED = 1e100;

function sumOf(goal: GoalRule, events: readonly { custom: Custom }[]): number | null {
  const path = sumPath(goal);
  if (!path) return null;
  const numbers = events.map(({ custom }) => path.reduce<Value | undefined>(inner, custom));
  return numbers.reduce<number>(
    (sum, value) => (typeof value === 'number' && Math.abs(value) <= MAX_SUMMED ? sum + value : sum),
    0,
  );
}

function inner(value: Value | undefined, key: string): Value | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return (value as Record<string, Value>)[key];
}
