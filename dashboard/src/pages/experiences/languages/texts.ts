import type { Document } from '@usher/domain';
import { kinds } from '@usher/domain/kinds';
import type { ResponseOf } from '../../../api/api.ts';

/** The texts of an Experience and their translations, as the API shows them. */
export type ExperienceTexts = ResponseOf<'GET /v3/edit/{kind}/{id}/translations'>['translations'];
export type StepTexts = ExperienceTexts['steps'][number];
export type SourceText = StepTexts['texts'][number];

/** One text in one language. */
export interface TextPlace {
  language: string;
  modelId: string;
  field: string;
}

export const keyOf = ({ language, modelId, field }: TextPlace): string => `${language} ${modelId} ${field}`;

export function placeIn(language: string, { model_id, field }: SourceText): TextPlace {
  return { language, modelId: model_id, field };
}

function findText({ steps }: ExperienceTexts, { modelId, field }: TextPlace): SourceText | undefined {
  for (const { texts } of steps)
    for (const text of texts) if (text.model_id === modelId && text.field === field) return text;
  return undefined;
}

/** The translation that the server has; null if it has none in this language. */
export function ownText(shown: ExperienceTexts, place: TextPlace): string | null {
  return findText(shown, place)?.translations[place.language]?.text ?? null;
}

/** Whether the text and the language still exist. */
export function isThere(shown: ExperienceTexts, place: TextPlace): boolean {
  return shown.languages.some(({ code }) => code === place.language) && findText(shown, place) !== undefined;
}

/** The path of a text in the draft, as the preview names it: `steps.1.buttons.0.text`. Undefined if the draft does not have it. */
export function pathOfText(id: string, { kind, steps, items = [] }: Document, text: TextId): string | undefined {
  const { modelId, field } = text;
  if (modelId === id) return field;
  if (kinds[kind].parts === 'items') {
    const item = items.findIndex((one) => one.id === modelId);
    return item < 0 ? undefined : `items.${item}.${field}`;
  }
  for (const [at, step] of steps.entries()) {
    if (step.id === modelId) return `steps.${at}.${field}`;
    const button = step.buttons.findIndex((one) => one.id === modelId);
    if (button >= 0) return `steps.${at}.buttons.${button}.${field}`;
  }
  return undefined;
}

type TextId = Pick<TextPlace, 'modelId' | 'field'>;

/** The text at a path of the preview: the opposite of `pathOfText`. */
export function textAtPath(id: string, { steps, items = [] }: Document, path: string): TextId | undefined {
  const [list, index, ...rest] = path.split('.');
  if (list !== 'steps' && list !== 'items') return { modelId: id, field: path };
  const part = list === 'steps' ? steps[Number(index)] : items[Number(index)];
  if (!part) return undefined;
  if (rest[0] !== 'buttons' || !('buttons' in part)) return { modelId: part.id, field: rest.join('.') };
  const button = part.buttons[Number(rest[1])];
  return button && { modelId: button.id, field: rest.slice(2).join('.') };
}

/** The index of the step that shows a text. A launcher shows everything together. */
export function stepOfText({ steps }: Document, { modelId }: TextId): number {
  return Math.max(
    steps.findIndex((step) => step.id === modelId || step.buttons.some(({ id }) => id === modelId)),
    0,
  );
}

/** A condition may have helpers in braces of their own. */
const TAG = /\{\{(?:[^{}]|\{[^{}]*\})*\}\}/g;

/** The merge tags of a text, each once. */
function listTags(text: string): string[] {
  return [...new Set(text.match(TAG) ?? [])];
}

/** Splits a text at its merge tags, so that they can be shown. */
export function splitTags(text: string): { text: string; isTag: boolean }[] {
  const parts: { text: string; isTag: boolean }[] = [];
  let at = 0;
  for (const match of text.matchAll(TAG)) {
    if (match.index > at) parts.push({ text: text.slice(at, match.index), isTag: false });
    parts.push({ text: match[0], isTag: true });
    at = match.index + match[0].length;
  }
  if (at < text.length) parts.push({ text: text.slice(at), isTag: false });
  return parts;
}

/** The property that a tag names. The fallback in a tag is translated, so it may differ. */
const propertyOf = (tag: string) =>
  tag
    .slice(2, -2)
    .replace(/(?:\|\s*fallback\s*:|\bfallback\s*=).*$/s, '')
    .trim();

/** The tags of the source that a translation leaves out. */
export function listMissingTags(source: string, translation: string): string[] {
  if (translation.trim() === '') return [];
  const there = new Set(listTags(translation).map(propertyOf));
  return listTags(source).filter((tag) => !there.has(propertyOf(tag)));
}
