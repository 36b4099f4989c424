import { interactionStates } from '../targeting/filter.ts';
import { field, filters, id, number, optionalWord, text, type Values, word } from './field.ts';

export const goalKinds = ['event', 'segment', 'property', 'experience'] as const;
export type GoalKind = (typeof goalKinds)[number];

export const DEFAULT_GOAL_DAYS = 30;
export const MAX_GOAL_DAYS = 365;

/** What a goal is. Shared goals and the goals of one Experience have the same fields. */
export const goalFields = {
  name: field<string>({ type: 'name', initial: '', name: 'name', what: 'the name of the goal', max: 255 }),
  kind: word('type', goalKinds, 'event'),
  event_name: text('event', 'the name of an event', { max: 255 }),
  segment_id: id('Segment', 'a Segment', ['segments']),
  experience_id: id('Experience', 'an Experience', ['experiences']),
  experience_state: optionalWord('state', interactionStates),
  filters: filters('conditions'),
  sum_property: text('number to sum', 'the key of a property of the event', { max: 255 }),
  within_days: {
    ...number('days', `a number of days from 1 to ${MAX_GOAL_DAYS}, or null for no limit`, MAX_GOAL_DAYS, { min: 1 }),
    initial: DEFAULT_GOAL_DAYS as number | null,
  },
};
export type GoalFields = Values<typeof goalFields>;

/** What somebody has to do, and by when. */
export type GoalRule = Omit<GoalFields, 'name'>;

/** A goal of one Experience: its own, or a shared one by `goal_id`, whose other fields are not used then. */
export interface ExperienceGoal extends GoalFields {
  id: string;
  goal_id: string | null;
  /** The goal that `goal` names, and the first one in results. */
  primary: boolean;
}
