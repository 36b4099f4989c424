import { languagesFor } from '../account/language.ts';
import { listShownFields } from '../fields/derive.ts';
import type { Field, Fields, Question } from '../fields/field.ts';
import { partFields } from '../fields/part-fields.ts';
import { listQuestionTexts, mapQuestionTexts } from '../fields/question.ts';
import { hasOwnTexts, kinds } from '../kinds/kinds.ts';
import type { Content, Texts } from './content.ts';
import type { Document } from './experience.ts';

/*
 * The texts of a document that users read. A translation file has a list of steps for each Experience; a launcher and its
 * items are steps in it, too, and so is any other Experience with texts of its own.
 */

/**
 * One text: its key in a file, its model and its field. The field of the n-th dropdown item is `dropdown_items.n`, and that of an
 * answer of a question is `question.options.` and its ID.
 */
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

/** Lists every text of a document, in the order of a file. */
export function listTranslatableSteps(id: string, document: Document): TranslatableStep[] {
  const { parts, fields } = kinds[document.kind];
  const own = hasOwnTexts(document.kind) ? [{ id, texts: listTexts({ ...document, id }, fields) }] : [];
  if (parts === 'items') {
    const items = (document.items ?? []).map((item) => ({ id: item.id, texts: listTexts(item, partFields.items) }));
    return [...own, ...items];
  }
  const steps = document.steps.map((step) => {
    const buttons = step.buttons.flatMap((button) =>
      listTexts(button, partFields.buttons).map((text) => ({ ...text, key: `buttons:${button.id}:${text.key}` })),
    );
    return { id: step.id, texts: [...listTexts(step, partFields.steps), ...buttons] };
  });
  return [...own, ...steps];
}

function listTexts(model: { id: string }, fields: Fields): TranslatableText[] {
  const texts: TranslatableText[] = [];
  for (const field of listShownFields(fields)) {
    const { max: maxLength = 0, item } = fields[field] as Field;
    const value = (model as unknown as Record<string, unknown>)[field];
    if (fields[field]?.type === 'question') texts.push(...listInQuestion(model.id, field, value as Question | null));
    else if (typeof value === 'string') texts.push({ key: field, modelId: model.id, field, text: value, maxLength });
    if (Array.isArray(value))
      for (const [at, text] of value.entries())
        texts.push({
          key: `${field}:${at}:text`,
          modelId: model.id,
          field: `${field}.${at}`,
          text,
          maxLength: item?.max ?? maxLength,
        });
  }
  return texts;
}

function listInQuestion(modelId: string, name: string, question: Question | null | undefined): TranslatableText[] {
  if (!question) return [];
  return listQuestionTexts(question).map(({ path, text, max: maxLength }) => {
    const field = `${name}.${path}`;
    return { key: `${field.replaceAll('.', ':')}:text`, modelId, field, text, maxLength };
  });
}

/** Replaces the texts of a document. A field without a text gets none, and texts that are not given stay. */
export function applyTexts(id: string, document: Document, texts: Texts): Document {
  const { parts, fields } = kinds[document.kind];
  const replaced = replaceTexts(document, fields, texts[id]);
  if (parts === 'items')
    return {
      ...replaced,
      items: (document.items ?? []).map((item) => replaceTexts(item, partFields.items, texts[item.id])),
    };
  const steps = document.steps.map((step) => ({
    ...replaceTexts(step, partFields.steps, texts[step.id]),
    buttons: step.buttons.map((button) => replaceTexts(button, partFields.buttons, texts[button.id])),
  }));
  return { ...replaced, steps };
}

function replaceTexts<Model extends object>(
  model: Model,
  fields: Fields,
  texts: Record<string, string> | undefined,
): Model {
  if (!texts) return model;
  const replaced = { ...model } as Record<string, unknown>;
  for (const field of listShownFields(fields)) {
    const had = replaced[field];
    if (fields[field]?.type === 'question' && had)
      replaced[field] = mapQuestionTexts(had as Question, (path, text) => texts[`${field}.${path}`] ?? text);
    else if (typeof had === 'string') replaced[field] = texts[field] ?? had;
    if (Array.isArray(had)) replaced[field] = had.map((text, at) => texts[`${field}.${at}`] ?? text);
  }
  return replaced as Model;
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
