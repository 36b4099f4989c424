import Type, { type Static } from 'typebox';
import { Id, Nullable, OneOf, OutputObject } from '../basics/schema.ts';
import { presets } from '../fields/field.ts';
import { stepPositions } from '../fields/step-fields.ts';
import { kinds } from '../kinds/kinds.ts';
import type { Document } from './experience.ts';

/** The place of a box: on the screen, at an element of the page, or within the page. */
const sketchPlaces = [...stepPositions, 'element', 'inline'] as const;

/** What a small drawing of an Experience needs, so that lists need not load its content. */
export const Sketch = OutputObject({
  place: OneOf(sketchPlaces),
  /** The side of the element, for a box at an element. */
  side: OneOf(['auto', 'top', 'right', 'bottom', 'left']),
  has_backdrop: Type.Boolean(),
  /** How long the title is, which is the length of its line. */
  title_length: Type.Integer(),
  has_text: Type.Boolean(),
  /** The type of the question, if the first step asks one. */
  question: Nullable(OneOf(presets)),
  buttons: Type.Integer(),
  /** How many steps or items it has. */
  parts: Type.Integer(),
  /** Its theme; null for the default one. */
  theme_id: Nullable(Id),
});
export type Sketch = Static<typeof Sketch>;

/** Describes the first thing that users see of an Experience: its launcher, or its first step. */
export function sketchOf(document: Document): Sketch {
  if (kinds[document.kind].parts === 'items')
    return {
      place: document.screen_position ?? 'bottom_right',
      side: 'auto',
      has_backdrop: false,
      title_length: lengthOf(document.title),
      has_text: lengthOf(document.description) > 0,
      question: null,
      buttons: 0,
      parts: document.items?.length ?? 0,
      theme_id: document.theme_id ?? null,
    };
  const [step] = document.steps;
  return {
    place: placeOf(document),
    side: step?.placement ?? 'auto',
    has_backdrop: step?.backdrop ?? false,
    title_length: lengthOf(step?.title),
    has_text: lengthOf(step?.body) > 0,
    question: step?.preset ?? null,
    buttons: step?.buttons.length ?? 0,
    parts: document.steps.length,
    theme_id: document.theme_id ?? null,
  };
}

function placeOf({ kind, steps: [step] }: Document): Sketch['place'] {
  const { place } = kinds[kind];
  if (place) return place;
  if (!step || step.position_type === 'relative_to_screen') return step?.screen_position ?? 'center';
  return step.position_type === 'inline' ? 'inline' : 'element';
}

function lengthOf(text: string | null | undefined): number {
  return text?.trim().length ?? 0;
}
