import type { Button, Document, Experience, ExperienceKind, ListItem, Step } from '@usher/domain';
import { initialValues, partFields } from '@usher/domain/fields';
import { fieldsOfKind, kinds } from '@usher/domain/kinds';
import type { ResponseOf } from '../api/api.ts';

export type { Button, Document, ExperienceKind, ListItem, Step };

/** An Experience as the API shows it. */
export type ShownExperience = ResponseOf<'GET /v3/edit/experiences/{id}'>['experience'];

/** The Experience in a response, which has the name of its kind as key. */
export function shownIn(response: object, kind: ExperienceKind): ShownExperience {
  return (response as Record<ExperienceKind, ShownExperience>)[kind];
}

export type Part = Step | Button | ListItem;

/** The fields of a new part. */
export const blank = {
  steps: initialValues(partFields.steps),
  buttons: initialValues(partFields.buttons),
  items: initialValues(partFields.items),
};

/** The fields that the server adds to a document when it shows it. */
const shownOnly = ['id', 'created_at', 'updated_at', 'state', 'url_groups', 'dashboard_url', 'stats'];

/**
 * The document of an Experience: what people edit. A document that an older version has stored may lack fields. These
 * get their initial value.
 */
export function documentOf(experience: ShownExperience | Experience): Document {
  const known = initialValues(fieldsOfKind(experience.kind));
  const own = Object.entries(experience).filter(([name]) => name in known || isPartList(name));
  const fields = Object.fromEntries(own.filter(([name]) => !shownOnly.includes(name)));
  const document = { ...known, ...fields, kind: experience.kind } as Document;
  const steps = (document.steps ?? []).map((step, position) => completeStep(step, position));
  if (kinds[experience.kind].parts === 'steps') return { ...document, steps };
  const items = (document.items ?? []).map((item, position) => ({ ...blank.items, ...item, position }));
  return { ...document, steps, items };
}

const isPartList = (name: string) => name === 'steps' || name === 'items';

function completeStep(step: Partial<Step> & { id: string }, position: number): Step {
  const buttons = (step.buttons ?? []).map((button, position) => ({ ...blank.buttons, ...button, position }));
  return { ...blank.steps, ...step, position, buttons } as Step;
}

/** Every step, button and item, by its ID. */
export function partsById(document: Document): Map<string, Part> {
  const parts = new Map<string, Part>();
  for (const step of document.steps) {
    parts.set(step.id, step);
    for (const button of step.buttons) parts.set(button.id, button);
  }
  for (const item of document.items ?? []) parts.set(item.id, item);
  return parts;
}

/** Whether two values of fields are the same. Documents hold nothing but JSON. */
export function isEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) return false;
  return names.every((name) => isEqual(Reflect.get(one, name), Reflect.get(other, name)));
}

/** Creates an ID of 24 hex digits like the server: the time, then random digits. */
export function newPartId(now = Date.now()): string {
  const time =
    Math.floor(now / 1000)
      .toString(16)
      .padStart(8, '0') + (now % 1000).toString(16).padStart(3, '0');
  const random = crypto.getRandomValues(new Uint8Array(7));
  return (
    time +
    [...random]
      .map((byte) => byte.toString(16).padStart(2, '0'))
      .join('')
      .slice(0, 13)
  );
}
