import Type, { type Static } from 'typebox';
import { canonicalLanguage, DEFAULT_LANGUAGE, languagesFor } from '../account/language.ts';
import { addProblem, isRecord } from '../basics/input.ts';
import { Id, Nullable, OutputObject } from '../basics/schema.ts';
import { parseMarkdown } from '../rich-text/markdown.ts';
import { parseText } from '../rich-text/merge-tag.ts';
import type { Content, Texts } from './content.ts';
import {
  buttonFields,
  type Document,
  fieldsOfKind,
  itemFields,
  markdownFields,
  type Step,
  stepFields,
} from './experience.ts';

/*
 * The texts of a document that people read, and what a translation file says of them. A file has a list of steps for each
 * Experience; a launcher and its items stand there as steps, too.
 */

/** One text: its key in a file, and the model and field that it is of. The n-th dropdown item is `dropdown_items.n`. */
export interface TranslatableText {
  key: string;
  modelId: string;
  field: string;
  text: string;
  /** How many characters it may have. */
  most: number;
}
export interface TranslatableStep {
  id: string;
  texts: TranslatableText[];
}

/** Each with how long it may be. */
type TextFields = readonly (readonly [name: string, most: number])[];

const beforeAnswers = textFields(stepFields, ['title', 'body', 'dismiss_text']);
const answers = stepFields.dropdown_items.read as unknown as { items: { maxLength: number } };
const afterAnswers = textFields(stepFields, ['label_low', 'label_high', 'placeholder', 'other_text']);
const stepTexts = [...beforeAnswers, ...afterAnswers];
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

/** Every text that is there, in the order of a file. */
export function listTranslatableSteps(id: string, document: Document): TranslatableStep[] {
  if (document.kind === 'launcher') {
    const items = (document.items ?? []).map((item) => ({
      id: item.id,
      texts: addTexts([], item, item.id, itemTexts),
    }));
    return [{ id, texts: addTexts([], document, id, launcherTexts) }, ...items];
  }
  return document.steps.map((step) => {
    const texts = addTexts([], step, step.id, beforeAnswers);
    for (const [at, text] of step.dropdown_items.entries()) {
      const most = answers.items.maxLength;
      texts.push({ key: `dropdown_items:${at}:text`, modelId: step.id, field: `dropdown_items.${at}`, text, most });
    }
    addTexts(texts, step, step.id, afterAnswers);
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
  for (const [field, most] of fields) {
    const text = (model as Record<string, unknown>)[field];
    if (typeof text === 'string') texts.push({ key: key ?? field, modelId, field, text, most });
  }
  return texts;
}

/** The document with these texts in place of its own. What has no text gets none, and what is not given stays. */
export function applyTexts(id: string, document: Document, texts: Texts): Document {
  if (document.kind === 'launcher')
    return {
      ...withTexts(document, launcherTexts, texts[id]),
      items: (document.items ?? []).map((item) => withTexts(item, itemTexts, texts[item.id])),
    };
  return { ...document, steps: document.steps.map((step) => applyToStep(step, texts)) };
}

function applyToStep(step: Step, texts: Texts): Step {
  const mine = texts[step.id];
  return {
    ...withTexts(step, stepTexts, mine),
    dropdown_items: step.dropdown_items.map((text, at) => mine?.[`dropdown_items.${at}`] ?? text),
    buttons: step.buttons.map((button) => withTexts(button, buttonTexts, texts[button.id])),
  };
}

function withTexts<Model extends object>(
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

/** The document for a user, by the language of the browser: each text in the best language that has it. */
export function localize(
  id: string,
  { document, translations }: Content,
  browserLanguage: string | null | undefined,
): Document {
  const languages = languagesFor(browserLanguage, new Set(Object.keys(translations)));
  return languages.reduceRight((done, language) => applyTexts(id, done, translations[language] ?? {}), document);
}

/** What a user reads where a language has no text of its own: that of its parent languages, the nearest first, or the source. */
export function findInheritedText({ modelId, field, text }: TranslatableText, parents: readonly Texts[]): string {
  for (const texts of parents) {
    const inherited = texts[modelId]?.[field];
    if (inherited !== undefined) return inherited;
  }
  return text;
}

/** How many texts there are, and how many of them a language has. */
export function countTranslated(
  steps: readonly TranslatableStep[],
  texts: Texts,
): { texts: number; translated: number } {
  const all = steps.flatMap((step) => step.texts);
  const translated = all.filter(({ modelId, field }) => texts[modelId]?.[field] !== undefined).length;
  return { texts: all.length, translated };
}

/* The published schemas. */

const TranslatedStep = Type.Object({
  id: Id,
  translations: Type.Record(Type.String(), Type.Object({ text: Type.String() })),
});

/** A translation file as JSON. (As YAML it is no JSON at all, so it is not said to be an object.) */
export const TranslationFileAnswer = Type.Unsafe<unknown>({
  required: ['id', 'language', 'experiences'],
  properties: {
    id: Id,
    language: Type.Object({ code: Type.String(), options: Type.Array(Type.String()) }),
    experiences: Type.Array(Type.Object({ id: Id, name: Type.String(), steps: Type.Array(TranslatedStep) })),
  },
  additionalProperties: false,
});

/** What became of an uploaded file. The counts are of texts; a file with errors changed nothing. */
export const UploadResult = OutputObject({
  file: Type.String(),
  language: OutputObject({ code: Nullable(Type.String()) }),
  experiences_count: Type.Integer(),
  updated_count: Type.Integer(),
  unchanged_count: Type.Integer(),
  errors: Type.Array(Type.String()),
});
export type UploadResult = Static<typeof UploadResult>;

/** How far the translation into a language is. */
export const TranslationProgress = OutputObject({
  language: OutputObject({ code: Type.String() }),
  experiences_count: Type.Integer(),
  texts_count: Type.Integer(),
  translated_count: Type.Integer(),
});
export type TranslationProgress = Static<typeof TranslationProgress>;

/* What a file says. */

export interface TranslationFile {
  id: string;
  /** `default`, or a language in its one form. */
  code: string;
  experiences: TranslationFileExperience[];
}
export interface TranslationFileExperience {
  id: string;
  steps: unknown[] | CompactExperience;
  /** Where it is in the file, for messages. */
  path: string;
}

/**
 * An Experience that is laid out as in a download. Its steps stay JSON until they are needed, a list for each: its ID, then
 * in turn the key of a text and the text. As objects, they would take three times the memory, and twice the time to read.
 */
export class CompactExperience {
  readonly id: string;
  readonly #json: string;

  constructor(id: string, json: string) {
    this.id = id;
    this.#json = json;
  }

  steps(): string[][] {
    return JSON.parse(this.#json);
  }
}

/** No one reads more than these. */
const MAX_PROBLEMS = 50;

export function readTranslationFile(value: unknown, problems: string[]): TranslationFile | undefined {
  if (!isRecord(value)) {
    problems.push('The file must have `id`, `language` and `experiences`, as it was downloaded');
    return undefined;
  }
  refuseOthers(value, '', ['id', 'language', 'experiences'], problems);
  const code = readLanguage(value.language, problems);
  const id = readText(value, 'id', '', problems);
  const { experiences } = value;
  if (!Array.isArray(experiences)) return addProblem(problems, 'experiences', 'must be a list of Experiences');
  const known = new Set<string>();
  const read: TranslationFileExperience[] = [];
  for (const [at, input] of experiences.entries()) {
    if (problems.length > MAX_PROBLEMS) break;
    const experience = readExperience(input, `experiences[${at}]`, problems);
    if (!experience) continue;
    if (known.has(experience.id)) addProblem(problems, `${experience.path}.id`, 'stands twice in this file');
    known.add(experience.id);
    read.push(experience);
  }
  return id === undefined || code === undefined ? undefined : { id, code, experiences: read };
}

function readLanguage(input: unknown, problems: string[]): string | undefined {
  if (!isRecord(input)) return addProblem(problems, 'language', 'must have a `code`');
  refuseOthers(input, 'language', ['code', 'options'], problems);
  const { code, options = [] } = input;
  if (!Array.isArray(options) || options.some((option) => typeof option !== 'string'))
    addProblem(problems, 'language.options', 'must be a list of codes, as it was downloaded');
  const language = code === DEFAULT_LANGUAGE ? code : typeof code === 'string' ? canonicalLanguage(code) : undefined;
  return (
    language ?? addProblem(problems, 'language.code', 'must be `default` or a BCP 47 code such as `de` or `pt-BR`')
  );
}

function readExperience(input: unknown, path: string, problems: string[]): TranslationFileExperience | undefined {
  if (input instanceof CompactExperience) return { id: input.id, steps: input, path };
  if (!isRecord(input)) return addProblem(problems, path, 'must have `id`, `name` and `steps`');
  refuseOthers(input, path, ['id', 'name', 'steps'], problems);
  if (input.name !== undefined && typeof input.name !== 'string')
    addProblem(problems, `${path}.name`, 'must be a text');
  const id = readText(input, 'id', path, problems);
  const { steps } = input;
  if (!Array.isArray(steps))
    return addProblem(problems, `${path}.steps`, 'must be the list of steps, as it was downloaded');
  return id === undefined ? undefined : { id, steps, path };
}

/** What a file has for one text, and where. */
export interface TranslationFileText {
  of: TranslatableText;
  text: string;
  path: string;
}

/**
 * What a file has for each text of an Experience, in their order. It must have all steps in their order, with all
 * their texts and no others.
 */
export function readTexts(
  { steps: input, path }: TranslationFileExperience,
  steps: readonly TranslatableStep[],
  problems: string[],
): TranslationFileText[] {
  if (!(input instanceof CompactExperience)) return readSteps(input, path, steps, problems);
  const laidOut = input.steps();
  return readLaidOut(laidOut, path, steps) ?? readSteps(laidOut.map(asStep), path, steps, problems);
}

/** Undefined when anything is not as it should be: what that is, the other way tells. */
function readLaidOut(
  input: readonly string[][],
  path: string,
  steps: readonly TranslatableStep[],
): TranslationFileText[] | undefined {
  if (input.length !== steps.length) return undefined;
  const found: TranslationFileText[] = [];
  for (const [at, { id, texts }] of steps.entries()) {
    const item = input[at] ?? [];
    if (item[0] !== id || item.length !== 1 + 2 * texts.length) return undefined;
    const here = `${path}.steps[${at}].translations.`;
    for (const [n, of] of texts.entries()) {
      if (item[1 + 2 * n] !== of.key) return undefined;
      found.push({ of, text: item[2 + 2 * n] ?? '', path: here + of.key });
    }
  }
  return found;
}

function asStep([id, ...texts]: string[]): unknown {
  const keys = texts.filter((_, at) => at % 2 === 0);
  return { id, translations: Object.fromEntries(keys.map((key, at) => [key, { text: texts[2 * at + 1] }])) };
}

function readSteps(
  input: readonly unknown[],
  path: string,
  steps: readonly TranslatableStep[],
  problems: string[],
): TranslationFileText[] {
  const texts: TranslationFileText[] = [];
  const known = new Map(steps.map((step, at) => [step.id, at]));
  for (const [at, item] of input.entries()) {
    if (problems.length > MAX_PROBLEMS) break;
    const here = `${path}.steps[${at}]`;
    if (!isRecord(item)) {
      addProblem(problems, here, 'must have `id` and `translations`');
      continue;
    }
    refuseOthers(item, here, ['id', 'translations'], problems);
    const place = known.get(String(item.id));
    const step = steps[place ?? -1];
    if (!step) addProblem(problems, `${here}.id`, 'is the ID of no step of this Experience');
    else if (place !== at) {
      addProblem(problems, `${here}.id`, `must be \`${steps[at]?.id ?? 'left out'}\`: ${again}`);
      return texts;
    } else readStep(item.translations, step, `${here}.translations`, texts, problems);
  }
  if (input.length < steps.length)
    addProblem(problems, `${path}.steps`, `has ${input.length} of ${steps.length} steps: ${again}`);
  return texts;
}

const again = 'the structure stays as it was downloaded. If the Experience has changed since, download it again';

function readStep(
  input: unknown,
  { texts }: TranslatableStep,
  path: string,
  found: TranslationFileText[],
  problems: string[],
): void {
  if (!isRecord(input)) {
    addProblem(problems, path, 'must be an object with the texts');
    return;
  }
  let count = 0;
  for (const one of texts) {
    const here = `${path}.${one.key}`;
    const value = Object.hasOwn(input, one.key) ? input[one.key] : undefined;
    if (value === undefined) {
      addProblem(problems, here, `is missing: ${again}`);
      continue;
    }
    count++;
    if (!isRecord(value)) {
      addProblem(problems, here, 'must be an object with `text`');
      continue;
    }
    refuseOthers(value, here, ['text'], problems);
    const text = readText(value, 'text', here, problems);
    if (text !== undefined) found.push({ of: one, text, path: here });
  }
  if (Object.keys(input).length > count)
    refuseOthers(
      input,
      path,
      texts.map(({ key }) => key),
      problems,
    );
}

function readText(input: Record<string, unknown>, name: string, path: string, problems: string[]): string | undefined {
  const value = input[name];
  if (typeof value === 'string') return value;
  const at = path === '' ? name : `${path}.${name}`;
  return addProblem(problems, at, value === undefined ? 'is missing' : 'must be a text: put it in quotes');
}

function refuseOthers(
  input: Record<string, unknown>,
  path: string,
  names: readonly string[],
  problems: string[],
): void {
  for (const key of Object.keys(input)) {
    if (names.includes(key)) continue;
    if (problems.length > MAX_PROBLEMS) return;
    addProblem(
      problems,
      path === '' ? shortened(key) : `${path}.${shortened(key)}`,
      'is no field of this file: take it out',
    );
  }
}

function shortened(key: string): string {
  return key.length > 60 ? `${key.slice(0, 60).toWellFormed()}…` : key;
}

/* What that changes. */

export interface TextChanges {
  /** Of the default language those that change; of any other all that it has from now on. */
  texts: Texts;
  updated: number;
  unchanged: number;
}

/** The texts that differ from the document's own. */
export function diffDefaultTexts(found: readonly TranslationFileText[], problems: string[]): TextChanges {
  const changed = found.filter(({ of, text }) => text !== of.text);
  const texts = noTexts();
  for (const input of changed) {
    checkText(input, problems);
    put(texts, input);
  }
  return { texts, updated: changed.length, unchanged: found.length - changed.length };
}

/**
 * The texts of another language. A text that is as the download shows it is unchanged; any other is stored, also when it
 * equals the source text. An empty text takes a translation away.
 */
export function diffTranslatedTexts(
  found: readonly TranslationFileText[],
  [before = {}, ...inherited]: readonly Texts[],
  problems: string[],
): TextChanges {
  const texts = noTexts();
  for (const [id, mine] of Object.entries(before)) texts[id] = { ...mine };
  let updated = 0;
  for (const input of found) {
    const { of, text } = input;
    const had = before[of.modelId]?.[of.field];
    if (text === (had ?? findInheritedText(of, inherited)) || (had === undefined && text === '')) continue;
    updated++;
    if (text === '') take(texts, of);
    else {
      checkText(input, problems);
      put(texts, input);
    }
  }
  return { texts, updated, unchanged: found.length - updated };
}

/** No prototype: an object that has one learns the shape of each set of IDs anew, which takes longer than all the rest. */
function noTexts(): Texts {
  return Object.create(null);
}

function put(texts: Texts, { of: { modelId, field }, text }: TranslationFileText): void {
  texts[modelId] ??= {};
  texts[modelId][field] = text;
}

function take(texts: Texts, { modelId, field }: TranslatableText): void {
  const { [field]: _, ...others } = texts[modelId] ?? {};
  if (Object.keys(others).length > 0) texts[modelId] = others;
  else delete texts[modelId];
}

/** Reading a text takes as long as all else that is done with it, and without a tag or an address nothing can be wrong. */
const tagOrAddress = /\{\{|\]\(|</;

/** What a file writes is held to the same as what is written otherwise, and its merge tags must be right. */
function checkText({ of: { field, most }, text, path }: TranslationFileText, problems: string[]): void {
  if (problems.length > MAX_PROBLEMS) return;
  const refuse = (what: string) => addProblem(problems, `${path}.text`, what);
  if (text.includes('\0') || !text.isWellFormed()) refuse('must be valid Unicode without NUL characters');
  else if (text.trim() === '') refuse('must not be blank');
  else if (text.length > most && [...text].length > most) refuse(`must have ${most} characters at most`);
  else if (tagOrAddress.test(text)) {
    const parsed = markdownFields.has(field) ? parseMarkdown(text) : parseText(text);
    if ('problem' in parsed) refuse(`has a merge tag or a link that cannot be read: ${parsed.problem}`);
  }
}
