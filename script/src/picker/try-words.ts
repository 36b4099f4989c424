import type { EndState } from '../wire.ts';
import { shorten } from './describe.ts';
import type { Draft, PickInfo } from './exchange.ts';

export const MAX_NAME = 40;
export const NOTHING_COUNTED = 'Nothing is counted or saved.';

export function nameExperience({ experience }: PickInfo): string {
  return `the ${experience.kind} “${shorten(experience.name, MAX_NAME)}”`;
}

/** Describes what happens after "Begin". */
export function describeStart({ step }: PickInfo, isReal: boolean): string {
  const mode = isReal
    ? 'Steps wait for their URL rule, delay and event, as for users.'
    : 'Steps show now, without their triggers.';
  if (!step) return mode;
  return `${mode} Starts with step ${step.number}${step.title ? ` “${shorten(step.title, MAX_NAME)}”` : ''}.`;
}

/** The user whose values the texts have. */
export function describeUser(user: Draft['user'] | undefined): string {
  if (!user) return 'As an unknown user: the page has not said who its user is, or not proved it.';
  return user.is_chosen ? `As ${shorten(user.name, MAX_NAME)}.` : 'As the user of this page.';
}

const ends: Partial<Record<EndState, string>> = {
  completed: 'A user would have completed it.',
  exited: 'It was closed.',
  snoozed: 'It was put off.',
};

export function describeEnd(state: EndState): string {
  return ends[state] ?? '';
}

/** Why a step did not show, said after it was skipped. */
export function describeSkipped(index: number, problem: string): string {
  return problem ? `Step ${index + 1} was skipped, as for users. ${problem}` : '';
}
