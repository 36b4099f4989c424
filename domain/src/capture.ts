import type { Button, Document, ExperienceKind, Step } from './experience.ts';

/*
 * How a step looks, or a launcher, without what only says when and to whom it shows.
 */

const stepLook = [
  'title',
  'body',
  'dismiss_text',
  'preset',
  'dropdown_items',
  'label_low',
  'label_high',
  'placeholder',
  'other_text',
  'position_type',
  'screen_position',
  'placement',
  'backdrop',
] as const;
const launcherLook = [
  'title',
  'description',
  'list_type',
  'trigger_type',
  'trigger_text',
  'screen_position',
  'empty_state_content',
] as const;
const itemLook = ['kind', 'title', 'description', 'hide'] as const;

export interface Look {
  kind: ExperienceKind;
  style?: string;
  /** The fields that are seen. */
  fields: Record<string, unknown>;
  buttons?: { text: Button['text'] }[];
  items?: Record<string, unknown>[];
}

/** By ID of the step, or of the launcher. */
export function looksOf(id: string, document: Document): Map<string, Look> {
  const { kind, style } = document;
  const base = { kind, ...(style && { style }) };
  if (kind === 'launcher') {
    const items = (document.items ?? []).map((item) => pick(item, itemLook));
    return new Map([[id, { ...base, fields: pick(document, launcherLook), items }]]);
  }
  return new Map(document.steps.map((step) => [step.id, { ...base, ...lookOfStep(step) }]));
}

function lookOfStep(step: Step): Pick<Look, 'fields' | 'buttons'> {
  return { fields: pick(step, stepLook), buttons: step.buttons.map(({ text }) => ({ text })) };
}

/** Whose look a model is a part of: that of its step, or of its launcher. */
export function lookOwners(id: string, document: Document): Map<string, string> {
  const owners = new Map<string, string>();
  for (const step of document.steps) for (const model of [step, ...step.buttons]) owners.set(model.id, step.id);
  if (document.kind === 'launcher') for (const model of [{ id }, ...(document.items ?? [])]) owners.set(model.id, id);
  return owners;
}

function pick(model: object, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, (model as Record<string, unknown>)[name] ?? null]));
}
