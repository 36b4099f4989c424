import { type GoalRule, goalKinds } from '@usher/domain/fields';
import { formatNumber } from '../messages/format.ts';
import * as text from '../messages/text.ts';
import type { GoalNames } from './use-goal-names.ts';

const texts = text.goals;

/** What meets a goal, in words: `Event Paid, within 30 days`. */
export function describeGoal(goal: GoalRule, names: GoalNames): string {
  const { within_days, sum_property } = goal;
  const parts = [
    describeRule(goal, names),
    ...(isOfNow(goal) || within_days === null ? [] : [texts.within(formatNumber(within_days), within_days === 1)]),
    ...(sum_property === null ? [] : [texts.described.sums(sum_property)]),
  ];
  return parts.join(', ');
}

function describeRule(goal: GoalRule, names: GoalNames): string {
  const { described } = texts;
  switch (goal.kind) {
    case 'event':
      return described.event(names.event(goal.event_name ?? ''), goal.filters.length);
    case 'segment':
      return described.segment(names.segment(goal.segment_id ?? ''));
    case 'property':
      return described.property;
    case 'experience':
      return `${described.experience[goal.experience_state ?? 'completed']} ${names.experience(goal.experience_id ?? '')}`;
  }
}

/** Whether a goal is about what people are now, and not about when they did something. */
export function isOfNow({ kind }: Pick<GoalRule, 'kind'>): boolean {
  return kind === goalKinds[1] || kind === goalKinds[2];
}
