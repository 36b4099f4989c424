import type { ChangeWords } from './english.ts';

/** The part of an Experience that a path names. Numbers begin with 0. */
export interface Place {
  type: 'experience' | 'step' | 'button' | 'item';
  step?: number;
  index?: number;
  /** The language, if a translation was changed. */
  language?: string;
  /** A Segment or Environment that the Experience uses. */
  related?: { what: 'segments' | 'url_groups' | 'themes'; id: string };
}

/** Reads paths such as `model`, `steps.0.buttons.1`, `items.2`, `translations.de.steps.0` and `segments.<ID>`. */
export function parsePath(path: string): Place {
  const [, what, id] = /^(segments|url_groups|themes)\.(\w+)$/.exec(path) ?? [];
  if (what && id) return { type: 'experience', related: { what: what as 'segments', id } };
  const [, language, rest = 'model'] = /^translations\.([^.]+)(?:\.(.+))?$/.exec(path) ?? [];
  if (language !== undefined) return { ...parsePath(rest), language };
  const [, step, button] = /^steps\.(\d+)(?:\.buttons\.(\d+))?$/.exec(path) ?? [];
  if (button !== undefined) return { type: 'button', step: Number(step), index: Number(button) };
  if (step !== undefined) return { type: 'step', index: Number(step) };
  const [, item] = /^items\.(\d+)$/.exec(path) ?? [];
  return item === undefined ? { type: 'experience' } : { type: 'item', index: Number(item) };
}

/** "step 2", "button 1 of step 2"; empty for the Experience itself. */
export function describePlace({ type, step = 0, index = 0 }: Place, { place }: Pick<ChangeWords, 'place'>): string {
  switch (type) {
    case 'step':
      return place.step(index + 1);
    case 'button':
      return place.button(index + 1, step + 1);
    case 'item':
      return place.item(index + 1);
    default:
      return place.experience;
  }
}
