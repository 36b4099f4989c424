import { languagesFor } from '../account/language.ts';
import type { Content, Texts } from './content.ts';
import type { Document, Step } from './experience.ts';
import { buttonFields, fieldsOfKind, itemFields, stepFields } from './experience-fields.ts';

/*
 * The texts of a document that users read. A translation file has a list of steps for each Experience; a launcher and its
 * items are steps in it, too.
 */

/** One text: its key in a file, its model and its field. The field of the n-th dropdown item is `dropdown_items.n`. */
export interface TranslatableText {
  key: string;
  modelId: string;
  field: string;
  text: string;
  /** The maximum number of characters. */
  maxLength: number;
}
export interface TranslatableStep {
  id: string;
  texts: TranslatableText[];
}

/** The names of fields with their maximum lengths. */
type TextFields = readonly (readonly [name: string, maxLength: number])[];

const fieldsBeforeAnswers = textFields(stepFields, ['title', 'body', 'dismiss_text']);
const dropdownItems = stepFields.dropdown_items.read as unknown as { items: { maxLength: number } };
const fieldsAfterAnswers = textFields(stepFields, ['label_low', 'label_high', 'placeholder', 'other_text']);
const stepTexts = [...fieldsBeforeAnswers, ...fieldsAfterAnswers];
const buttonTexts = textFields(buttonFields, ['text']);
const launcherFields = fieldsOfKind('launcher');
const launcherTexts = textFields(launcherFields, ['title', 'description', 'trigger_text', 'empty_state_content']);
const itemTexts = textFields(itemFields, ['title', 'description']);

function textFields(fields: Record<string, { read: object }>, names: readonly string[]): TextFields {
  return names.map((name) => {
    const read = fields[name]?.read as { anyOf?: { maxLength?: number }[] } | undefined;
    return [name, read?.anyOf?.[0]?.maxLength ?? 0] as const;
  });
}

/** Lists every text of a document, in the order of a file. */
export function listTranslatableSteps(id: string, document: Document): TranslatableStep[] {
  if (document.kind === 'launcher') {
    const items = (document.items ?? []).map((item) => ({
      id: item.id,
      texts: addTexts([], item, item.id, itemTexts),
    }));
    return [{ id, texts: addTexts([], document, id, launcherTexts) }, ...items];
  }
  return document.steps.map((step) => {
    const texts = addTexts([], step, step.id, fieldsBeforeAnswers);
    for (const [at, text] of step.dropdown_items.entries()) {
      const { maxLength } = dropdownItems.items;
      texts.push({
        key: `dropdown_items:${at}:text`,
        modelId: step.id,
        field: `dropdown_items.${at}`,
        text,
        maxLength,
      });
    }
    addTexts(texts, step, step.id, fieldsAfterAnswers);
    for (const button of step.buttons) addTexts(texts, button, button.id, buttonTexts, `buttons:${button.id}:text`);
    return { id: step.id, texts };
  });
}

function addTexts(
  texts: TranslatableText[],
  model: object,
  modelId: string,
  fields: TextFields,
  key?: string,
): TranslatableText[] {
  for (const [field, maxLength] of fields) {
    const text = (model as Record<string, unknown>)[field];
    if (typeof text === 'string') texts.push({ key: key ?? field, modelId, field, text, maxLength });
  }
  return texts;
}

/** Replaces the texts of a document. A field without a text gets none, and texts that are not given stay. */
export function applyTexts(id: string, document: Document, texts: Texts): Document {
  if (document.kind === 'launcher')
    return {
      ...applyFieldTexts(document, launcherTexts, texts[id]),
      items: (document.items ?? []).map((item) => applyFieldTexts(item, itemTexts, texts[item.id])),
    };
  return { ...document, steps: document.steps.map((step) => applyStepTexts(step, texts)) };
}

function applyStepTexts(step: Step, texts: Texts): Step {
  const mine = texts[step.id];
  return {
    ...applyFieldTexts(step, stepTexts, mine),
    dropdown_items: step.dropdown_items.map((text, at) => mine?.[`dropdown_items.${at}`] ?? text),
    buttons: step.buttons.map((button) => applyFieldTexts(button, buttonTexts, texts[button.id])),
  };
}

function applyFieldTexts<Model extends object>(
  model: Model,
  fields: TextFields,
  texts: Record<string, string> | undefined,
): Model {
  if (!texts) return model;
  const input = fields.flatMap(([field]) => {
    const had = (model as Record<string, unknown>)[field];
    return texts[field] === undefined || typeof had !== 'string' ? [] : [[field, texts[field]]];
  });
  return { ...model, ...Object.fromEntries(input) };
}

/** The document in the language of a browser. Each text is in the best language that has it. */
export function localize(
  id: string,
  { document, translations }: Content,
  browserLanguage: string | null | undefined,
): Document {
  const languages = languagesFor(browserLanguage, new Set(Object.keys(translations)));
  return languages.reduceRight((result, language) => applyTexts(id, result, translations[language] ?? {}), document);
}

/** The text that users see where a language has none: that of the closest parent language, or the source text. */
export function findInheritedText({ modelId, field, text }: TranslatableText, parents: readonly Texts[]): string {
  for (const texts of parents) {
    const inherited = texts[modelId]?.[field];
    if (inherited !== undefined) return inherited;
  }
  return text;
}
