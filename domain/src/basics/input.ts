/*
 * Helpers to read values as the different encodings of requests have them, and to report problems with them.
 */

/** Reads a list from any encoding: JSON, `ids[]=a&ids[]=b`, `ids[0]=a`, or words with commas. */
export function toList(input: unknown, words: boolean): unknown[] | undefined {
  if (Array.isArray(input)) return input;
  if (typeof input === 'string') {
    const parsed = fromJson(input);
    if (Array.isArray(parsed)) return parsed;
    if (input === '') return [];
    return words ? input.split(',').map((word) => word.trim()) : undefined;
  }
  if (!isRecord(input)) return undefined;
  const keys = Object.keys(input);
  return keys.length > 0 && keys.every((key, index) => key === String(index)) ? Object.values(input) : undefined;
}

export function fromJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Formats "one of `a`, `b`". */
export function formatChoices(words: readonly unknown[]): string {
  return `one of ${words.map((word) => `\`${word}\``).join(', ')}`;
}

const MAX_SHOWN = 40;

/** Shows a value in an error message: a short text, a number or a boolean as it was sent, anything else by its type. */
export function formatSent(input: unknown): string {
  if (typeof input === 'string' && input !== '') {
    const characters = [...input.toWellFormed()];
    const shown = characters.length > MAX_SHOWN ? `${characters.slice(0, MAX_SHOWN).join('')}…` : characters.join('');
    // A message is one line.
    return `"${shown.replace(/\p{Cc}+/gu, ' ')}"`;
  }
  return typeof input === 'number' || typeof input === 'boolean' ? String(input) : formatType(input);
}

/** Names the type of a value that an error message must not repeat, such as a password. */
export function formatType(input: unknown): string {
  if (input === null || input === undefined) return String(input);
  if (input === '') return 'an empty text';
  if (Array.isArray(input)) return 'a list';
  return typeof input === 'string' ? 'a text' : typeof input === 'object' ? 'an object' : `a ${typeof input}`;
}

/** A body of one MB can have hundreds of thousands of problems. No person reads more than these. */
const MAX_LISTED_PROBLEMS = 1000;

/** Adds the problem of the parameter at a path. The text continues a sentence, such as "must be a list". */
export function addProblem(problems: string[], path: string, text: string): undefined {
  if (problems.length < MAX_LISTED_PROBLEMS)
    problems.push(path === '' ? `The parameters ${text}` : `\`${path}\` ${text}`);
  return undefined;
}
