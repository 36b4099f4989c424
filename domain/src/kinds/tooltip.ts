import type { Kind } from './kind.ts';

export const tooltip = {
  path: 'tooltips',
  modelType: 'Tooltip',
  fields: {},
  parts: 'steps',
  maxParts: 1,
  place: 'element',
  measures: ['displayed', 'started', 'exited'],
} as const satisfies Kind;
