import { isShownText } from '@usher/domain/fields';
import { allFields, experienceKinds } from '@usher/domain/kinds';
import { traits } from '../kinds/traits.ts';
import type { Kind, PageExperience, PageTheme } from '../wire.ts';
import type { PreviewRequest } from './messages.ts';
import { readSketch } from './sketch-page.ts';

const modes = ['edit', 'try', 'picture'];
const MAX_PARTS = 500;

type Fields = Record<string, unknown>;

/** Checks a message. Returns undefined if the renderer could not paint it. */
export function readRequest(message: unknown): PreviewRequest | undefined {
  if (!isObject(message) || message.usher !== 'preview') return undefined;
  const { experience, step, mode, labels, theme } = message;
  const sketch = readSketch(message.sketch);
  if (!isExperience(experience)) return undefined;
  return {
    usher: 'preview',
    experience: withoutEffects(experience),
    step: Number.isInteger(step) ? Math.max(0, Math.min(step as number, (experience.steps?.length ?? 1) - 1)) : 0,
    mode: modes.includes(mode as string) ? (mode as PreviewRequest['mode']) : 'picture',
    scheme: message.scheme === 'dark' ? 'dark' : 'light',
    direction: message.direction === 'rtl' ? 'rtl' : 'ltr',
    still: message.still === true,
    ...(isObject(labels) && Object.values(labels).every(isText) && { labels: labels as Record<string, string> }),
    ...(isTheme(theme) && { theme }),
    ...(sketch && { sketch }),
  };
}

function isTheme(value: unknown): value is PageTheme {
  return isObject(value) && isText(value.class) && /^\w+$/.test(value.class) && isText(value.css);
}

function isExperience(value: unknown): value is PageExperience {
  return (
    isObject(value) &&
    isText(value.id) &&
    experienceKinds.includes(value.kind as Kind) &&
    isListOf(value.steps, isStep) &&
    isListOf(value.items, isPart) &&
    [value.language, value.direction, value.trigger].every((text) => text === undefined || isText(text))
  );
}

function isStep(value: unknown): value is Fields {
  return isPart(value) && isListOf(value.buttons, isPart) && isListOf(value.elements, isElement) && isPreset(value);
}

function isPreset({ preset, dropdown_items }: Fields): boolean {
  return (preset === undefined || isText(preset)) && isListOf(dropdown_items, Array.isArray);
}

function isPart(value: unknown): value is Fields {
  return isObject(value) && isText(value.id) && Object.entries(value).every(([name, one]) => isRichText(name, one));
}

/** Whether a field that users read is a list of nodes. All other fields are not checked here. */
function isRichText(name: string, value: unknown): boolean {
  const field = allFields.get(name);
  if (field?.type === 'question') return value === undefined || (isObject(value) && isListOf(value.options, isPart));
  return !isShownText(field) || isListOf(value, () => true);
}

function isElement(value: unknown): boolean {
  return isObject(value) && Object.values(value).every(isText);
}

/** No link of a preview leads anywhere: the addresses of items become names, by which the items are found again. */
function withoutEffects(experience: PageExperience): PageExperience {
  const { items, steps } = experience;
  // The author sees the answers in the order in which they are written.
  for (const { question } of steps ?? []) delete question?.random_order;
  return {
    ...experience,
    ...(items && { items: items.map((item, at) => (item.url ? { ...item, url: `#items.${at}` } : item)) }),
    // For users, a hint opens only on a click. The preview opens it, so that the author sees it.
    ...(steps &&
      traits[experience.kind].place === 'element' && { steps: steps.map(({ secondary_trigger: _, ...step }) => step) }),
  };
}

/** Whether a value is a list of such items. A list may be missing. */
function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return value === undefined || (Array.isArray(value) && value.length <= MAX_PARTS && value.every(isItem));
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
