import { word } from '../fields/field.ts';
import type { Kind } from './kind.ts';

export const embed = {
  path: 'embeds',
  modelType: 'Campaign',
  fields: { style: word('style', ['banner', 'card'], 'banner', { isLook: true }) },
  parts: 'steps',
  place: 'inline',
  hasWebhooks: true,
  measures: ['displayed', 'started', 'completed', 'exited'],
} as const satisfies Kind;
