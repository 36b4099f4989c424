import Type, { type Static } from 'typebox';
import { canonicalLanguage, DEFAULT_LANGUAGE } from '../account/language.ts';
import { addProblem, isRecord } from '../basics/input.ts';
import { Id, Nullable, OutputObject } from '../basics/schema.ts';
import type { TranslatableStep, TranslatableText } from './translatable-texts.ts';

const TranslatedStep = Type.Object({
  id: Id,
  translations: Type.Record(Type.String(), Type.Object({ text: Type.String() })),
});

/** A translation file as JSON. The schema has no type, because the file can also be YAML. */
export const TranslationFileAnswer = Type.Unsafe<unknown>({
  required: ['id', 'language', 'experiences'],
  properties: {
    id: Id,
    language: Type.Object({ code: Type.String(), options: Type.Array(Type.String()) }),
    experiences: Type.Array(Type.Object({ id: Id, name: Type.String(), steps: Type.Array(TranslatedStep) })),
  },
  additionalProperties: false,
});

/** The result of an upload. It counts texts; a file with errors changes nothing. */
export const UploadResult = OutputObject({
  file: Type.String(),
  language: OutputObject({ code: Nullable(Type.String()) }),
  experiences_count: Type.Integer(),
  updated_count: Type.Integer(),
  unchanged_count: Type.Integer(),
  errors: Type.Array(Type.String()),
});
export type UploadResult = Static<typeof UploadResult>;

export interface TranslationFile {
  id: string;
  /** `default`, or a canonical language code. */
  code: string;
  experiences: TranslationFileExperience[];
}
export interface TranslationFileExperience {
  id: string;
  steps: unknown[] | CompactExperience;
  /** The path in the file, for messages. */
  path: string;
}

/**
 * An Experience in the layout of a download. Its steps stay JSON until they are needed. Each step is a list of its ID and
 * then keys and texts in turn. Objects would take three times the memory, and twice the time to read.
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

/** Reading stops after this many problems, because nobody reads more. */
export const MAX_PROBLEMS = 50;

export function readTranslationFile(value: unknown, problems: string[]): TranslationFile | undefined {
  if (!isRecord(value)) {
    problems.push('The file must have `id`, `language` and `experiences`, as it was downloaded');
    return undefined;
  }
  rejectUnknownFields(value, '', ['id', 'language', 'experiences'], problems);
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
  rejectUnknownFields(input, 'language', ['code', 'options'], problems);
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
  rejectUnknownFields(input, path, ['id', 'name', 'steps'], problems);
  if (input.name !== undefined && typeof input.name !== 'string')
    addProblem(problems, `${path}.name`, 'must be a text');
  const id = readText(input, 'id', path, problems);
  const { steps } = input;
  if (!Array.isArray(steps))
    return addProblem(problems, `${path}.steps`, 'must be the list of steps, as it was downloaded');
  return id === undefined ? undefined : { id, steps, path };
}

/** A text in a file, and its path. */
export interface TranslationFileText {
  of: TranslatableText;
  text: string;
  path: string;
}

/**
 * Reads the texts of an Experience from a file. The file must have all steps in their order, with exactly their texts.
 */
export function readTexts(
  { steps: input, path }: TranslationFileExperience,
  steps: readonly TranslatableStep[],
  problems: string[],
): TranslationFileText[] {
  if (!(input instanceof CompactExperience)) return readSteps(input, path, steps, problems);
  const compact = input.steps();
  return readCompactSteps(compact, path, steps) ?? readSteps(compact.map(expandStep), path, steps, problems);
}

/** Undefined when anything is wrong. Then the slow path finds the problems. */
function readCompactSteps(
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

function expandStep([id, ...texts]: string[]): unknown {
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
    rejectUnknownFields(item, here, ['id', 'translations'], problems);
    const place = known.get(String(item.id));
    const step = steps[place ?? -1];
    if (!step) addProblem(problems, `${here}.id`, 'is the ID of no step of this Experience');
    else if (place !== at) {
      addProblem(problems, `${here}.id`, `must be \`${steps[at]?.id ?? 'left out'}\`: ${STRUCTURE_CHANGED}`);
      return texts;
    } else readStep(item.translations, step, `${here}.translations`, texts, problems);
  }
  if (input.length < steps.length)
    addProblem(problems, `${path}.steps`, `has ${input.length} of ${steps.length} steps: ${STRUCTURE_CHANGED}`);
  return texts;
}

const STRUCTURE_CHANGED =
  'the structure stays as it was downloaded. If the Experience has changed since, download it again';

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
      addProblem(problems, here, `is missing: ${STRUCTURE_CHANGED}`);
      continue;
    }
    count++;
    if (!isRecord(value)) {
      addProblem(problems, here, 'must be an object with `text`');
      continue;
    }
    rejectUnknownFields(value, here, ['text'], problems);
    const text = readText(value, 'text', here, problems);
    if (text !== undefined) found.push({ of: one, text, path: here });
  }
  if (Object.keys(input).length > count)
    rejectUnknownFields(
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

function rejectUnknownFields(
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
      path === '' ? shorten(key) : `${path}.${shorten(key)}`,
      'is no field of this file: take it out',
    );
  }
}

function shorten(key: string): string {
  return key.length > 60 ? `${key.slice(0, 60).toWellFormed()}…` : key;
}
