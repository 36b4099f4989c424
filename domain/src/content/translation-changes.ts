import { addProblem } from '../basics/input.ts';
import { parseMarkdown } from '../rich-text/markdown.ts';
import { parseText } from '../rich-text/merge-tag.ts';
import type { Texts } from './content.ts';
import { markdownFields } from './experience-fields.ts';
import { findInheritedText, type TranslatableText } from './translatable-texts.ts';
import { MAX_PROBLEMS, type TranslationFileText } from './translation-file.ts';

export interface TextChanges {
  /** Of the default language those that change; of any other all that it has from now on. */
  texts: Texts;
  updated: number;
  unchanged: number;
}

/** The texts that differ from the document's own. */
export function diffDefaultTexts(found: readonly TranslationFileText[], problems: string[]): TextChanges {
  const changed = found.filter(({ of, text }) => text !== of.text);
  const texts = createTexts();
  for (const input of changed) {
    checkText(input, problems);
    setText(texts, input);
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
  const texts = createTexts();
  for (const [id, mine] of Object.entries(before)) texts[id] = { ...mine };
  let updated = 0;
  for (const input of found) {
    const { of, text } = input;
    const had = before[of.modelId]?.[of.field];
    if (text === (had ?? findInheritedText(of, inherited)) || (had === undefined && text === '')) continue;
    updated++;
    if (text === '') removeText(texts, of);
    else {
      checkText(input, problems);
      setText(texts, input);
    }
  }
  return { texts, updated, unchanged: found.length - updated };
}

/** No prototype: an object that has one learns the shape of each set of IDs anew, which takes longer than all the rest. */
function createTexts(): Texts {
  return Object.create(null);
}

function setText(texts: Texts, { of: { modelId, field }, text }: TranslationFileText): void {
  texts[modelId] ??= {};
  texts[modelId][field] = text;
}

function removeText(texts: Texts, { modelId, field }: TranslatableText): void {
  const { [field]: _, ...others } = texts[modelId] ?? {};
  if (Object.keys(others).length > 0) texts[modelId] = others;
  else delete texts[modelId];
}

/** Reading a text takes as long as all else that is done with it, and without a tag or an address nothing can be wrong. */
const tagOrAddress = /\{\{|\]\(|</;

/** What a file writes is held to the same as what is written otherwise, and its merge tags must be right. */
function checkText({ of: { field, maxLength: most }, text, path }: TranslationFileText, problems: string[]): void {
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
