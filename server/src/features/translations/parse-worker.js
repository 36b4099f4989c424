import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { constructFromEvents, EVENT_ID, parseEvents, YAMLException } from 'js-yaml';

/*
 * The thread of parse-file.ts. In JavaScript, because Node 20 loads no TypeScript here when the tests run from source.
 */

/** A file has its texts seven levels deep. */
const DEEPEST = 16;
/** Four times what 1,000 Experiences of 10 steps have, and what YAML needs to tell of them. */
const MOST_VALUES = 500_000;
const MOST_EVENTS = 2 * MOST_VALUES;
const LONGEST_PROBLEM = 300;

class Unreadable extends Error {}

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);
port.on('message', (/** @type {string} */ path) => port.postMessage(answer(path)));

/**
 * @param {string} path
 * @returns {import('./parse-file.ts').Parsed}
 */
function answer(path) {
  try {
    const text = decode(readFileSync(path));
    // As text, which reaches the other thread in a fraction of the time that objects take.
    return { json: JSON.stringify(isJson(text) ? parseJson(text) : parseYaml(text)) };
  } catch (error) {
    if (error instanceof Unreadable) return { problem: error.message };
    return { problem: `The file cannot be read: ${shorten(/** @type {Error} */ (error).message)}` };
  }
}

/** @param {Buffer} bytes */
function decode(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Unreadable('The file is not valid UTF-8');
  }
}

/** @param {string} text */
function isJson(text) {
  return /^\s*\{/.test(text.slice(0, 1000));
}

/** @param {string} text */
function parseJson(text) {
  let value;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Unreadable(`The file is not valid JSON: ${shorten(/** @type {Error} */ (error).message)}`);
  }
  // JSON.parse takes the last of several: then there are fewer keys than were written.
  if (countKeys(value) < writtenKeys(text)) throw new Unreadable('The file has a key twice in one object');
  return value;
}

/**
 * Without recursion, so that no depth can overflow the stack.
 * @param {unknown} root
 */
function countKeys(root) {
  let keys = 0;
  let values = 0;
  /** @type {unknown[]} */
  let level = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST) throw new Unreadable(`The file is nested deeper than ${DEEPEST} levels`);
    /** @type {unknown[]} */
    const next = [];
    for (const item of level) {
      if (typeof item !== 'object' || item === null) continue;
      const inner = Object.values(item);
      values += inner.length;
      if (values > MOST_VALUES) throw new Unreadable(`The file has more than ${MOST_VALUES} values`);
      if (!Array.isArray(item)) keys += inner.length;
      for (const one of inner) next.push(one);
    }
    level = next;
  }
  return keys;
}

/** @param {string} text valid JSON */
function writtenKeys(text) {
  let keys = 0;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at)) {
    for (at++; text[at] !== '"'; at++) if (text[at] === '\\') at++;
    for (at++; /\s/.test(text[at] ?? ''); at++);
    if (text[at] === ':') keys++;
  }
  return keys;
}

/** @param {string} text */
function parseYaml(text) {
  try {
    const events = parseEvents(text, { maxDepth: DEEPEST });
    if (events.length > MOST_EVENTS) throw new Unreadable(`The file has more than ${MOST_VALUES} values`);
    let documents = 0;
    for (const event of events) {
      if (event.type === EVENT_ID.DOCUMENT) {
        documents++;
        if (event.directives.length > 0) throw new Unreadable('The file has a directive (`%…`): take it out');
      } else if (event.type === EVENT_ID.ALIAS) refuse('an alias (`*`)', text, event.anchorStart);
      else if (event.type !== EVENT_ID.POP) {
        if (event.anchorStart >= 0) refuse('an anchor (`&`)', text, event.anchorStart);
        if (event.tagStart >= 0) refuse('a tag (`!`)', text, event.tagStart);
      }
    }
    if (documents > 1) throw new Unreadable('The file holds several documents (`---`): give each a file of its own');
    const [value] = constructFromEvents(events, { source: text, maxAliases: 0 });
    return value ?? null;
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const { reason, mark } = error;
    throw new Unreadable(`The file is not valid YAML: ${shorten(reason)}${mark ? ` (line ${mark.line + 1})` : ''}`);
  }
}

/**
 * @param {string} what
 * @param {string} text
 * @param {number} at
 * @returns {never}
 */
function refuse(what, text, at) {
  const line = text.slice(0, at).split('\n').length;
  throw new Unreadable(
    `The file has ${what} in line ${line}: translation files have none. A text that begins so needs quotes`,
  );
}

/** @param {string} text */
function shorten(text) {
  const line = text.replace(/\s+/g, ' ');
  return line.length > LONGEST_PROBLEM ? `${line.slice(0, LONGEST_PROBLEM).toWellFormed()}…` : line;
}
