import { addProblem } from '../basics/input.ts';
import { isMarkdown } from '../kinds/all-fields.ts';
import { parseMarkdown } from '../rich-text/markdown.ts';
import { parseText } from '../rich-text/merge-tag.ts';
import type { StoredTexts, Texts } from './content.ts';
import { hashSource } from './source-hash.ts';
import { findInheritedText, type TranslatableText } from './translatable-texts.ts';
import { MAX_PROBLEMS, type TranslationFileText } from './translation-file.ts';

export interface TextChanges {
  /** For the default language, only the changed texts; for any other, all texts after the change. */
  texts: Texts;
  /** The hashes of the source texts of all texts after the change. The default language has none. */
  sources: Texts;
  updated: number;
  unchanged: number;
}

/** Finds the texts that differ from the document. */
export function diffDefaultTexts(found: readonly TranslationFileText[], problems: string[]): TextChanges {
  const changed = found.filter(({ of, text }) => text !== of.text);
  const texts = createTexts();
  for (const input of changed) {
    checkText(input, problems);
    setText(texts, input);
  }
  return { texts, sources: {}, updated: changed.length, unchanged: found.length - changed.length };
}

/**
 * Finds the changed texts of another language. A text that equals the one in the download is unchanged. Any other is stored,
 * also when it equals the source text. An empty text removes a translation.
 */
export function diffTranslatedTexts(
  found: readonly TranslationFileText[],
  [before = {}, ...inherited]: readonly Texts[],
  problems: string[],
  hashes: Texts = {},
): TextChanges {
  const after = { texts: copyTexts(before), sources: copyTexts(hashes) };
  let updated = 0;
  for (const input of found) {
    const { of, text } = input;
    const had = before[of.modelId]?.[of.field];
    if (text === (had ?? findInheritedText(of, inherited)) || (had === undefined && text === '')) continue;
    updated++;
    if (text === '') removeTranslation(after, of);
    else {
      checkText(input, problems);
      setTranslation(after, input);
    }
  }
  return { ...after, updated, unchanged: found.length - updated };
}

/** A translation to write. Null removes it. */
export interface NewTranslation {
  of: TranslatableText;
  text: string | null;
  /** The path of the translation in the request, for messages. */
  path: string;
}

/**
 * Writes single translations, and returns all texts of the language after that. A text that is written again unchanged counts as
 * up to date.
 */
export function writeTranslations(
  inputs: readonly NewTranslation[],
  before: StoredTexts,
  problems: string[],
): StoredTexts {
  const after = { texts: copyTexts(before.texts), sources: copyTexts(before.sources) };
  for (const { of, text, path } of inputs) {
    if (text === null) removeTranslation(after, of);
    else {
      checkText({ of, text, path }, problems);
      setTranslation(after, { of, text, path });
    }
  }
  return after;
}

function setTranslation({ texts, sources }: StoredTexts, input: TranslationFileText): void {
  setText(texts, input);
  setText(sources, { of: input.of, text: hashSource(input.of.text) });
}

function removeTranslation({ texts, sources }: StoredTexts, of: TranslatableText): void {
  removeText(texts, of);
  removeText(sources, of);
}

function copyTexts(texts: Texts): Texts {
  const copy = createTexts();
  for (const [id, own] of Object.entries(texts)) copy[id] = { ...own };
  return copy;
}

/** Without a prototype, the engine does not learn a new object shape for each set of IDs, which takes longer than the rest. */
function createTexts(): Texts {
  return Object.create(null);
}

function setText(texts: Texts, { of: { modelId, field }, text }: Pick<TranslationFileText, 'of' | 'text'>): void {
  texts[modelId] ??= {};
  texts[modelId][field] = text;
}

function removeText(texts: Texts, { modelId, field }: TranslatableText): void {
  const { [field]: _, ...others } = texts[modelId] ?? {};
  if (Object.keys(others).length > 0) texts[modelId] = others;
  else delete texts[modelId];
}

/** Parsing a text is slow, and a text without a tag or an address has no problems. */
const tagOrAddress = /\{\{|\]\(|</;

/** Checks a text of a file like any other text, and also its merge tags. */
function checkText({ of: { field, maxLength }, text, path }: TranslationFileText, problems: string[]): void {
  if (problems.length > MAX_PROBLEMS) return;
  const reject = (problem: string) => addProblem(problems, `${path}.text`, problem);
  if (text.includes('\0') || !text.isWellFormed()) reject('must be valid Unicode without NUL characters');
  else if (text.trim() === '') reject('must not be blank');
  else if (text.length > maxLength && [...text].length > maxLength) reject(`must have ${maxLength} characters at most`);
  else if (tagOrAddress.test(text)) {
    const parsed = isMarkdown(field) ? parseMarkdown(text) : parseText(text);
    if ('problem' in parsed) reject(`has a merge tag or a link that cannot be read: ${parsed.problem}`);
  }
}
