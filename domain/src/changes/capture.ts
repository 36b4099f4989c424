import Type, { type Static } from 'typebox';
import { Id, Nullable, OneOf, OutputObject, standardFields } from '../basics/schema.ts';
import type { Button, Document, Step } from '../content/experience.ts';
import { type ExperienceKind, experienceKinds } from '../content/experience-kind.ts';
import { findPrimaryButton } from '../content/primary-button.ts';
import type { ModelChange, ModelType } from './change.ts';

/*
 * The appearance of a step or a launcher, without when and to whom it shows.
 */

const stepFields = [
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
const launcherFields = [
  'title',
  'description',
  'list_type',
  'trigger_type',
  'trigger_text',
  'screen_position',
  'empty_state_content',
] as const;
const itemFields = ['kind', 'title', 'description', 'hide'] as const;

export interface Appearance {
  kind: ExperienceKind;
  style?: string;
  /** The visible fields. */
  fields: Record<string, unknown>;
  /** In the order of the author. Captures from before the primary button was stored have none. */
  buttons?: { text: Button['text']; is_primary?: true }[];
  items?: Record<string, unknown>[];
}

/** The appearance of each step by its ID, or of the launcher by its ID. */
export function listAppearances(id: string, document: Document): Map<string, Appearance> {
  const { kind, style } = document;
  // The style of an embed is visible; the style of a tour only defines how it starts.
  const base = { kind, ...(kind === 'embed' && style && { style }) };
  if (kind === 'launcher') {
    const items = (document.items ?? []).map((item) => pick(item, itemFields));
    return new Map([[id, { ...base, fields: pick(document, launcherFields), items }]]);
  }
  return new Map(document.steps.map((step) => [step.id, { ...base, ...toStepAppearance(step) }]));
}

function toStepAppearance(step: Step): Pick<Appearance, 'fields' | 'buttons'> {
  const primary = findPrimaryButton(step.buttons);
  const buttons = step.buttons.map((button) => ({
    text: button.text,
    ...(button === primary && { is_primary: true as const }),
  }));
  return { fields: pick(step, stepFields), buttons };
}

/** Maps each model to the step or launcher that it is visible in. An Experience with steps is shown as its first step. */
export function mapAppearanceOwners(id: string, document: Document): Map<string, string> {
  const owners = new Map<string, string>();
  const [first] = document.steps;
  if (first) owners.set(id, first.id);
  for (const step of document.steps) for (const model of [step, ...step.buttons]) owners.set(model.id, step.id);
  if (document.kind === 'launcher') for (const model of [{ id }, ...(document.items ?? [])]) owners.set(model.id, id);
  return owners;
}

const visibleFields: Record<ModelType, readonly string[]> = {
  Campaign: ['style'],
  Tooltip: [],
  List: launcherFields,
  Step: stepFields,
  Button: ['text', 'position', 'tour_action'],
  ListItem: [...itemFields, 'position'],
};

/** Whether a change is visible. */
export function changesAppearance({ op, model_type, object, path }: ModelChange): boolean {
  if (path.startsWith('translations.')) return false;
  return op !== 'update' || visibleFields[model_type].some((name) => Object.hasOwn(object, name));
}

/** A capture as the API shows it. */
export const Capture = OutputObject({
  ...standardFields,
  experience_id: Id,
  model_id: Id,
  look: OutputObject({
    kind: OneOf(experienceKinds),
    style: Nullable(Type.String()),
    fields: Type.Record(Type.String(), Type.Unknown()),
    buttons: Type.Array(OutputObject({ text: Nullable(Type.String()) })),
    items: Type.Array(Type.Record(Type.String(), Type.Unknown())),
  }),
});
export type Capture = Static<typeof Capture>;

/** Formats an appearance for a response: with every key, in the order of the fields. */
export function presentAppearance({ kind, style, fields, buttons = [], items = [] }: Appearance): Capture['look'] {
  return {
    kind,
    style: style ?? null,
    fields: pick(fields, kind === 'launcher' ? launcherFields : stepFields),
    buttons: buttons.map(({ text }) => ({ text })),
    items: items.map((item) => pick(item, itemFields)),
  };
}

function pick(model: object, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, (model as Record<string, unknown>)[name] ?? null]));
}
