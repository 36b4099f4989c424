import { boolean, number, word } from '../fields/field.ts';
import type { Kind } from './kind.ts';
import { startStyles } from './tour.ts';

function responses(name: string) {
  return number(name, 'a number of Responses, from 1 to 1,000,000', 1_000_000, { min: 1, isForServer: true });
}

export const survey = {
  path: 'surveys',
  modelType: 'Campaign',
  fields: {
    style: word('style', startStyles, 'auto'),
    public_page: boolean('public page', { isForServer: true }),
    stop_after_responses: responses('end after responses'),
    stop_after_responses_per_segment: responses('end after responses of each Segment'),
  },
  parts: 'steps',
  isExclusive: true,
  asks: true,
  hasWebhooks: true,
  measures: ['started', 'completed', 'exited', 'snoozed'],
} as const satisfies Kind;
