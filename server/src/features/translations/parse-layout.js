/*
 * This is JavaScript because parse-worker.js imports it too.
 */

/** A step with all its Buttons and answers has some hundred keys. */
export const MAX_KEYS = 10_000;
export const MAX_TEXT_LENGTH = 100_000;

const TEXT_START = '            text: '.length;
const BLOCK_INDENT = ' '.repeat(14);
const NOTE = ' # not translated';

/**
 * Parses Experiences in the layout of a download, line by line. Returns undefined for any other layout. Texts in quotes are
 * JSON already, so they stay as they are.
 *
 * An upload of 1,000 tours (40,000 texts, 4 MB) must take less than a second, but js-yaml alone takes 1.5 s and 116 MB for
 * the file. This takes 0.3 s and 69 MB in the thread, and 0.1 s and 54 MB without the thread (`readLayout`).
 * @param {string} text
 */
export function parseLayout(text) {
  /** @type {{ id: string, pieces: string[] }[]} */
  const experiences = [];
  const lines = text.split('\n');
  // Whatever exceeds the limits is left to the full parser, which reports it.
  if (lines.length > MAX_KEYS || lines.some((line) => line.length > MAX_TEXT_LENGTH)) return undefined;
  /** @type {Set<string> | undefined} */
  let keys;
  let isKey = false;
  try {
    for (let at = 0; at < lines.length; at++) {
      const line = /** @type {string} */ (lines[at]);
      const experience = experiences.at(-1);
      if (isKey && experience) {
        if (!line.startsWith('            text: ')) return undefined;
        const rest = line.endsWith(NOTE) ? line.slice(TEXT_START, -NOTE.length) : line.slice(TEXT_START);
        if (rest === '|' || rest === '|-') {
          const block = [];
          while (lines[at + 1] === '' || lines[at + 1]?.startsWith(BLOCK_INDENT)) block.push(lines[++at]?.slice(14));
          while (block.at(-1) === '') block.pop();
          const content = block.join('\n');
          if (content === '' || content.length > MAX_TEXT_LENGTH || /^\s/.test(content)) return undefined;
          experience.pieces.push(',', JSON.stringify(rest === '|' ? `${content}\n` : content));
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
  // Joining makes new strings: slices would keep the whole text in memory.
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
