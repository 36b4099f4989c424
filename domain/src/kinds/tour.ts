import { word } from '../fields/field.ts';
import type { Kind } from './kind.ts';

export const startStyles = ['auto', 'manual'] as const;

export const tour = {
  path: 'tours',
  modelType: 'Campaign',
  fields: { style: word('style', startStyles, 'auto') },
  parts: 'steps',
  isExclusive: true,
  hasWebhooks: true,
  measures: ['started', 'completed', 'exited', 'snoozed'],
} as const satisfies Kind;
