import { boolean, number, word } from '../fields/field.ts';
import type { Kind } from './kind.ts';

const isLook = true;

export const embed = {
  path: 'embeds',
  modelType: 'Campaign',
  fields: {
    style: word('style', ['banner', 'card'], 'banner', { isLook }),
    /* These are for a banner at the top or bottom of the page. */
    sticky: boolean('staying in view', { isLook }),
    overlay: boolean('covering of the page', { isLook }),
    dismissible: { ...boolean('close button', { isLook }), initial: true as boolean },
    reserved_height: number('reserved height', 'a number of pixels, up to 400', 400),
  },
  parts: 'steps',
  place: 'inline',
  hasWebhooks: true,
  measures: ['displayed', 'started', 'completed', 'exited'],
} as const satisfies Kind;
