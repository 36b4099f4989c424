import Type, { type Static } from 'typebox';
import { recordOf } from '../basics/records.ts';
import { Id, Nullable, OneOf, OutputObject, standardFields } from '../basics/schema.ts';
import type { Button, Document, Step } from '../content/experience.ts';
import { findPrimaryButton } from '../content/primary-button.ts';
import { listLookFields } from '../fields/derive.ts';
import { partFields } from '../fields/part-fields.ts';
import { type ExperienceKind, experienceKinds, kinds } from '../kinds/kinds.ts';
import { type ModelChange, modelTypeOf, modelTypes } from './change.ts';
import { modelFields } from './models.ts';

/*
 * The appearance of a step or a launcher, without when and to whom it shows.
 */

const stepLook = listLookFields(partFields.steps);
const itemLook = listLookFields(partFields.items);

export interface Appearance {
  kind: ExperienceKind;
  style?: string;
  /** The theme, unless it has the default one. */
  theme_id?: string;
  /** The values of the theme that is published when it is captured: captures do not change with it. */
  theme?: Record<string, string>;
  /** The visible fields. */
  fields: Record<string, unknown>;
  /** The buttons in the order of the author. In captures from before `is_primary` was stored, no button has it. */
  buttons?: { text: Button['text']; is_primary?: true }[];
  items?: Record<string, unknown>[];
}

/** The appearance of each step by its ID, or of the launcher by its ID. */
export function listAppearances(id: string, document: Document): Map<string, Appearance> {
  const { kind, style, theme_id } = document;
  const theme = theme_id ? { theme_id } : {};
  const own = listLookFields(kinds[kind].fields);
  if (kinds[kind].parts === 'items') {
    const items = (document.items ?? []).map((item) => pick(item, itemLook));
    return new Map([[id, { kind, ...theme, fields: pick(document, own), items }]]);
  }
  // The style of an embed is visible; the style of a tour only defines how it starts.
  const base = { kind, ...(style && own.includes('style') && { style }), ...theme };
  const ownFields = pick(document, stepsOwnLook(kind));
  return new Map(document.steps.map((step) => [step.id, { ...base, ...toStepAppearance(step, ownFields) }]));
}

/** What each step shows of the Experience itself, besides its style. */
function stepsOwnLook(kind: ExperienceKind): string[] {
  return listLookFields(kinds[kind].fields).filter((name) => name !== 'style');
}

function toStepAppearance(step: Step, ownFields: object): Pick<Appearance, 'fields' | 'buttons'> {
  const primary = findPrimaryButton(step.buttons);
  const buttons = step.buttons.map((button) => ({
    text: button.text,
    ...(button === primary && { is_primary: true as const }),
  }));
  return { fields: { ...ownFields, ...pick(step, stepLook) }, buttons };
}

/** Maps each model to the step or launcher that it is visible in. An Experience with steps is shown as its first step. */
export function mapAppearanceOwners(id: string, document: Document): Map<string, string> {
  const owners = new Map<string, string>();
  const [first] = document.steps;
  if (first) owners.set(id, first.id);
  for (const step of document.steps) for (const model of [step, ...step.buttons]) owners.set(model.id, step.id);
  for (const model of document.items ? [{ id }, ...document.items] : []) owners.set(model.id, id);
  return owners;
}

/** The order of buttons and items is visible; the order of steps and of Experiences is not. */
const visibleFields = recordOf(modelTypes, (type) => new Set(listLookFields(modelFields[type])));
for (const type of ['Button', 'ListItem'] as const) visibleFields[type].add('position');
for (const kind of experienceKinds)
  for (const name of listLookFields(kinds[kind].fields)) visibleFields[modelTypeOf(kind)].add(name);

/** Whether a change is visible. */
export function changesAppearance({ op, model_type, object, path }: ModelChange): boolean {
  if (path.startsWith('translations.')) return false;
  return op !== 'update' || Object.keys(object).some((name) => visibleFields[model_type].has(name));
}

/** A capture as the API shows it. */
export const Capture = OutputObject({
  ...standardFields,
  experience_id: Id,
  model_id: Id,
  look: OutputObject({
    kind: OneOf(experienceKinds),
    style: Nullable(Type.String()),
    theme_id: Nullable(Id),
    theme: Nullable(Type.Record(Type.String(), Type.String())),
    fields: Type.Record(Type.String(), Type.Unknown()),
    buttons: Type.Array(OutputObject({ text: Nullable(Type.String()) })),
    items: Type.Array(Type.Record(Type.String(), Type.Unknown())),
  }),
});
export type Capture = Static<typeof Capture>;

/** Formats an appearance for a response: with every key, in the order of the fields. */
export function presentAppearance({
  kind,
  style,
  theme_id,
  theme,
  fields,
  buttons = [],
  items = [],
}: Appearance): Capture['look'] {
  return {
    kind,
    style: style ?? null,
    theme_id: theme_id ?? null,
    theme: theme ?? null,
    fields: pick(
      fields,
      kinds[kind].parts === 'items' ? listLookFields(kinds[kind].fields) : [...stepsOwnLook(kind), ...stepLook],
    ),
    buttons: buttons.map(({ text }) => ({ text })),
    items: items.map((item) => pick(item, itemLook)),
  };
}

function pick(model: object, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, (model as Record<string, unknown>)[name] ?? null]));
}
