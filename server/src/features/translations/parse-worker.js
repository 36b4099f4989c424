import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { constructFromEvents, EVENT_ID, parseEvents, YAMLException } from 'js-yaml';
import { MAX_KEYS, MAX_TEXT, parseLayout } from './parse-layout.js';

/*
 * The thread of parse-file.ts. In JavaScript, because Node 20 loads no TypeScript here when the tests run from source.
 */

/** A file has its texts seven levels deep. */
const DEEPEST = 16;
const MAX_VALUES = 500_000;
const MAX_EVENTS = 2 * MAX_VALUES;
const MAX_PROBLEM = 300;
/** How many Experiences the other thread gets at a time. */
const AT_ONCE = 20;

class Unreadable extends Error {}

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);
port.on('message', (/** @type {string} */ path) => {
  try {
    tellOf(decode(readFileSync(path)));
    recordWebhookEvents({ end: true });
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    recordWebhookEvents({
      problem: error instanceof Unreadable ? message : `The file cannot be read: ${shorten(message)}`,
    });
  }
});

/** @param {import('./parse-file.ts').Told} message */
function recordWebhookEvents(message) {
  port.postMessage(message);
}

/** @param {string} text */
function tellOf(text) {
  const parts = isJson(text) ? undefined : partsOf(text);
  if (!parts) {
    const value = isJson(text) ? parseJson(text) : parseYaml(text);
    refuseOdd(value);
    const { experiences, ...root } = isRecord(value) ? value : { experiences: undefined };
    if (!Array.isArray(experiences)) return recordWebhookEvents({ root: JSON.stringify(value) });
    recordWebhookEvents({ root: JSON.stringify({ ...root, experiences: [] }) });
    for (let at = 0; at < experiences.length; at += AT_ONCE)
      recordWebhookEvents({ experiences: JSON.stringify(experiences.slice(at, at + AT_ONCE)) });
    return;
  }
  const root = parseYaml(parts.root);
  refuseOdd(root);
  if (!isRecord(root) || 'experiences' in root) throw new Unreadable('The file has the key `experiences` twice');
  recordWebhookEvents({ root: JSON.stringify({ ...root, experiences: [] }) });
  for (const { text, line } of parts.items) {
    const laidOut = parseLayout(text);
    if (laidOut) recordWebhookEvents({ laidOut });
    else recordWebhookEvents({ experiences: JSON.stringify(parseAnyLayout(text, line)) });
  }
}

/**
 * @param {string} text
 * @param {number} line
 */
function parseAnyLayout(text, line) {
  const items = parseYaml(text, line);
  refuseOdd(items);
  return items;
}

/** @param {unknown} value */
function isRecord(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The Experiences of a file as it was downloaded, a few at a time: all of it at once would take a hundred times its size.
 * Undefined when the file is laid out in another way.
 * @param {string} text
 */
function partsOf(text) {
  const start = /^experiences:[ \t]*(?:#.*)?\r?\n/m.exec(text);
  if (!start) return undefined;
  const first = /^(?:[ \t]*(?:#.*)?\r?\n)*( *)- /.exec(
    text.slice(start.index + start[0].length, start.index + start[0].length + 10_000),
  );
  if (!first) return undefined;
  const indent = first[1] ?? '';
  const from = start.index + start[0].length;
  const rest = text.slice(from);
  // What stands further left, or as far left and is no item, is of the root again.
  const after = new RegExp(`^(?! {${indent.length}}(?:[ -]))[^\\s#]`, 'm').exec(rest);
  const body = after ? rest.slice(0, after.index) : rest;
  const root = text.slice(0, start.index) + (after ? rest.slice(after.index) : '');
  const items = [];
  const begin = new RegExp(`^${indent}-(?= |$)`, 'gm');
  let at = 0;
  let line = text.slice(0, from).split('\n').length - 1;
  for (let found = begin.exec(body), count = 0; found; count++) {
    found = begin.exec(body);
    if (found && (count + 1) % AT_ONCE !== 0) continue;
    const end = found ? found.index : body.length;
    items.push({ text: body.slice(at, end), line });
    line += body.slice(at, end).split('\n').length - 1;
    at = end;
  }
  return { root, items };
}

/**
 * What no translation file has, and would keep the other thread busy.
 * @param {unknown} root
 */
function refuseOdd(root) {
  /** @type {unknown[]} */
  const left = [root];
  for (let value = left.pop(); left.length > 0 || value !== undefined; value = left.pop()) {
    if (typeof value === 'string' && value.length > MAX_TEXT)
      throw new Unreadable(`The file has a text of more than ${MAX_TEXT} characters`);
    if (typeof value !== 'object' || value === null) continue;
    const inner = Object.entries(value);
    if (!Array.isArray(value) && inner.length > MAX_KEYS)
      throw new Unreadable(`The file has an object with more than ${MAX_KEYS} keys`);
    for (const [key, one] of inner) left.push(Array.isArray(value) ? one : key, one);
  }
}

/**
 * Half as large as by a TextDecoder where all characters are of Latin-1.
 * @param {Buffer} bytes
 */
function decode(bytes) {
  if (!isUtf8(bytes)) throw new Unreadable('The file is not valid UTF-8');
  return bytes.toString('utf8').replace(/^\ufeff/, '');
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
      if (values > MAX_VALUES) throw new Unreadable(`The file has more than ${MAX_VALUES} values`);
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

/**
 * @param {string} text
 * @param {number} [linesBefore] where it is a part of a file
 */
function parseYaml(text, linesBefore = 0) {
  try {
    const events = parseEvents(text, { maxDepth: DEEPEST });
    if (events.length > MAX_EVENTS) throw new Unreadable(`The file has more than ${MAX_VALUES} values`);
    let documents = 0;
    for (const event of events) {
      if (event.type === EVENT_ID.DOCUMENT) {
        documents++;
        if (event.directives.length > 0) throw new Unreadable('The file has a directive (`%…`): take it out');
      } else if (event.type === EVENT_ID.ALIAS) refuse('an alias (`*`)', text, event.anchorStart, linesBefore);
      else if (event.type !== EVENT_ID.POP) {
        if (event.anchorStart >= 0) refuse('an anchor (`&`)', text, event.anchorStart, linesBefore);
        if (event.tagStart >= 0) refuse('a tag (`!`)', text, event.tagStart, linesBefore);
      }
    }
    if (documents > 1) throw new Unreadable('The file holds several documents (`---`): give each a file of its own');
    const [value] = constructFromEvents(events, { source: text, maxAliases: 0 });
    return value ?? null;
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const { reason, mark } = error;
    throw new Unreadable(
      `The file is not valid YAML: ${shorten(reason)}${mark ? ` (line ${linesBefore + mark.line + 1})` : ''}`,
    );
  }
}

/**
 * @param {string} what
 * @param {string} text
 * @param {number} at
 * @param {number} linesBefore
 * @returns {never}
 */
function refuse(what, text, at, linesBefore) {
  const line = linesBefore + text.slice(0, at).split('\n').length;
  throw new Unreadable(
    `The file has ${what} in line ${line}: translation files have none. A text that begins so needs quotes`,
  );
}

/** @param {string} text */
function shorten(text) {
  const line = text.replace(/\s+/g, ' ');
  return line.length > MAX_PROBLEM ? `${line.slice(0, MAX_PROBLEM).toWellFormed()}…` : line;
}
