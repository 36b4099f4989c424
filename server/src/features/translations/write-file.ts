import type { TranslatableStep } from '@usher/domain';

/*
 * Writes translation files piece by piece, so that no file is in memory as a whole.
 */

export const formats = ['yaml', 'json'] as const;
export type Format = (typeof formats)[number];

export interface FileHead {
  id: string;
  code: string;
  options: readonly string[];
}

interface FileText {
  key: string;
  text: string;
  /** Whether the text is not translated into the language of the file. */
  missing: boolean;
}
export interface FileExperience {
  id: string;
  name: string;
  steps: { id: TranslatableStep['id']; texts: FileText[] }[];
}

interface Writer {
  head(head: FileHead): string;
  experience(experience: FileExperience, isFirst: boolean): string;
  end(isEmpty: boolean): string;
}

const yaml: Writer = {
  head: ({ id, code, options }) =>
    `id: ${quote(id)}\nlanguage:\n  code: ${quote(code)}\n  options:\n${options
      .map((option) => `    - ${quote(option)}\n`)
      .join('')}experiences:`,
  experience: ({ id, name, steps }) => {
    const list = steps.map((step) => `      - id: ${quote(step.id)}\n        translations:${textsInYaml(step.texts)}`);
    const head = `\n  - id: ${quote(id)}\n    name: ${quote(name)}\n    steps:`;
    return list.length === 0 ? `${head} []` : `${head}\n${list.join('\n')}`;
  },
  end: (isEmpty) => (isEmpty ? ' []\n' : '\n'),
};

function textsInYaml(texts: readonly FileText[]): string {
  if (texts.length === 0) return ' {}';
  return texts
    .map(({ key, text, missing }) => {
      const name = key.includes(':') ? quote(key) : key;
      return `\n          ${name}:\n            text: ${scalar(text, '              ', missing ? ' # not translated' : '')}`;
    })
    .join('');
}

/**
 * Writes several lines as a YAML block, which is easy to read for translators. All other texts are in quotes, where
 * nothing has a special meaning.
 */
function scalar(text: string, indent: string, note: string): string {
  if (!isPlainLines(text)) return `${quote(text)}${note}`;
  const lines = text.endsWith('\n') ? text.slice(0, -1) : text;
  const block = lines
    .split('\n')
    .map((line) => (line === '' ? '' : indent + line))
    .join('\n');
  return `${text.endsWith('\n') ? '|' : '|-'}${note}\n${block}`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: it finds control characters
const unusual = /[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]/;
const emoji = /[\ud800-\udbff][\udc00-\udfff]/g;

/** Blocks have several lines, no indented first line, no empty last line, and no trailing spaces, which editors drop. */
function isPlainLines(text: string): boolean {
  if (!text.includes('\n') || /^[ \t\n]/.test(text) || text.endsWith('\n\n')) return false;
  return !/[ \t]$/m.test(text) && !unusual.test(text.replace(emoji, ''));
}

const unprintable = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** A JSON string is a YAML string, except for some characters that YAML does not allow. */
function quote(text: string): string {
  return JSON.stringify(text).replace(
    unprintable,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const json: Writer = {
  head: ({ id, code, options }) => {
    const head = JSON.stringify({ id, language: { code, options }, experiences: [] }, null, 2);
    return head.slice(0, head.lastIndexOf(']'));
  },
  experience: ({ id, name, steps }, isFirst) => {
    const list = steps.map((step) => ({
      id: step.id,
      translations: Object.fromEntries(step.texts.map(({ key, text }) => [key, { text }])),
    }));
    const text = JSON.stringify({ id, name, steps: list }, null, 2);
    return `${isFirst ? '' : ','}\n    ${text.replaceAll('\n', '\n    ')}`;
  },
  end: (isEmpty) => (isEmpty ? ']\n}\n' : '\n  ]\n}\n'),
};

export const writers: Record<Format, Writer> = { yaml, json };
