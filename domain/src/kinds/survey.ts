import { word } from '../fields/field.ts';
import type { Kind } from './kind.ts';
import { startStyles } from './tour.ts';

export const survey = {
  path: 'surveys',
  modelType: 'Campaign',
  fields: { style: word('style', startStyles, 'auto') },
  parts: 'steps',
  isExclusive: true,
  asks: true,
  hasWebhooks: true,
  measures: ['started', 'completed', 'exited', 'snoozed'],
} as const satisfies Kind;
