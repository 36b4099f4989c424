/*
 * In JavaScript, because parse-worker.js uses it as well.
 */

/** A step with all its Buttons and answers has some hundred. */
export const MAX_KEYS = 10_000;
export const MAX_TEXT = 100_000;

const TEXT_AT = '            text: '.length;
const BLOCK_INDENT = ' '.repeat(14);
const NOTE = ' # not translated';

/**
 * Experiences in the layout of a download, line by line, many times as quick as by all the rules of YAML. Undefined when
 * there is anything else among them. Texts in quotes are JSON already, and go on as they are.
 * @param {string} text
 */
export function parseLayout(text) {
  /** @type {{ id: string, pieces: string[] }[]} */
  const experiences = [];
  const lines = text.split('\n');
  // What may be more than a file can hold is looked at more closely.
  if (lines.length > MAX_KEYS || lines.some((line) => line.length > MAX_TEXT)) return undefined;
  /** @type {Set<string> | undefined} */
  let keys;
  let isKey = false;
  try {
    for (let at = 0; at < lines.length; at++) {
      const line = /** @type {string} */ (lines[at]);
      const experience = experiences.at(-1);
      if (isKey && experience) {
        if (!line.startsWith('            text: ')) return undefined;
        const rest = line.endsWith(NOTE) ? line.slice(TEXT_AT, -NOTE.length) : line.slice(TEXT_AT);
        if (rest === '|' || rest === '|-') {
          const block = [];
          while (lines[at + 1] === '' || lines[at + 1]?.startsWith(BLOCK_INDENT)) block.push(lines[++at]?.slice(14));
          while (block.at(-1) === '') block.pop();
          const words = block.join('\n');
          if (words === '' || words.length > MAX_TEXT || /^\s/.test(words)) return undefined;
          experience.pieces.push(',', JSON.stringify(rest === '|' ? `${words}\n` : words));
        } else {
          unquote(rest);
          experience.pieces.push(',', rest);
        }
        isKey = false;
      } else if (experience && keys && line.startsWith('          ')) {
        if (!line.endsWith(':')) return undefined;
        const name = line.slice(10, -1);
        const key = name.startsWith('"') ? unquote(name) : name;
        if (!/^(\w+|buttons:\w+:text|dropdown_items:\d+:text)$/.test(key) || keys.has(key)) return undefined;
        keys.add(key);
        experience.pieces.push(`,"${key}"`);
        isKey = true;
      } else if (line.startsWith('      - id: ') && experience) {
        if (lines[++at] !== '        translations:') return undefined;
        const id = line.slice(12);
        unquote(id);
        experience.pieces.push(keys ? '],[' : '[', id);
        keys = new Set();
      } else if (line.startsWith('  - id: ')) {
        const name = lines[++at] ?? '';
        if (!name.startsWith('    name: ') || lines[++at] !== '    steps:') return undefined;
        unquote(name.slice(10));
        experience?.pieces.push(keys ? ']]' : ']');
        experiences.push({ id: unquote(line.slice(8)), pieces: ['['] });
        keys = undefined;
      } else if (line !== '') return undefined;
    }
  } catch {
    return undefined;
  }
  if (isKey) return undefined;
  experiences.at(-1)?.pieces.push(keys ? ']]' : ']');
  // Joined, so that none holds on to the text that it is a part of.
  return experiences.map(({ id, pieces }) => ({ id, steps: pieces.join('') }));
}

/**
 * @param {string} text
 * @returns {string}
 */
function unquote(text) {
  if (!text.startsWith('"')) throw new Error('not in quotes');
  return JSON.parse(text);
}
