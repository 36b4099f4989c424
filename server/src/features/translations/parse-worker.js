import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { constructFromEvents, EVENT_ID, parseEvents, YAMLException } from 'js-yaml';
import { MAX_KEYS, MAX_TEXT_LENGTH, parseLayout } from './parse-layout.js';

/*
 * The thread of parse-file.ts. It is JavaScript because Node 20 cannot load TypeScript in a thread.
 */

/** A valid file has seven levels. */
const MAX_DEPTH = 16;
const MAX_VALUES = 500_000;
const MAX_EVENTS = 2 * MAX_VALUES;
const MAX_PROBLEM_LENGTH = 300;
/** The number of Experiences in a message. */
const EXPERIENCES_PER_MESSAGE = 20;

class UnreadableFile extends Error {}

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);
port.on('message', (/** @type {string} */ path) => {
  try {
    sendFile(decode(readFileSync(path)));
    send({ end: true });
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    send({
      problem: error instanceof UnreadableFile ? message : `The file cannot be read: ${shorten(message)}`,
    });
  }
});

/** @param {import('./parse-file.ts').ParseMessage} message */
function send(message) {
  port.postMessage(message);
}

/** @param {string} text */
function sendFile(text) {
  const parts = isJson(text) ? undefined : splitFile(text);
  if (!parts) {
    const value = isJson(text) ? parseJson(text) : parseYaml(text);
    checkSizes(value);
    const { experiences, ...root } = isRecord(value) ? value : { experiences: undefined };
    if (!Array.isArray(experiences)) return send({ root: JSON.stringify(value) });
    send({ root: JSON.stringify({ ...root, experiences: [] }) });
    for (let at = 0; at < experiences.length; at += EXPERIENCES_PER_MESSAGE)
      send({ experiences: JSON.stringify(experiences.slice(at, at + EXPERIENCES_PER_MESSAGE)) });
    return;
  }
  const root = parseYaml(parts.root);
  checkSizes(root);
  if (!isRecord(root) || 'experiences' in root) throw new UnreadableFile('The file has the key `experiences` twice');
  send({ root: JSON.stringify({ ...root, experiences: [] }) });
  for (const { text, line } of parts.items) {
    const laidOut = parseLayout(text);
    if (laidOut) send({ laidOut });
    else send({ experiences: JSON.stringify(parseYamlItems(text, line)) });
  }
}

/**
 * @param {string} text
 * @param {number} line
 */
function parseYamlItems(text, line) {
  const items = parseYaml(text, line);
  checkSizes(items);
  return items;
}

/** @param {unknown} value */
function isRecord(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Splits a file into its root and a few Experiences at a time, because parsed YAML takes a hundred times the memory of its
 * text. Returns undefined if the Experiences are not a block list.
 * @param {string} text
 */
function splitFile(text) {
  const start = /^experiences:[ \t]*(?:#.*)?\r?\n/m.exec(text);
  if (!start) return undefined;
  const first = /^(?:[ \t]*(?:#.*)?\r?\n)*( *)- /.exec(
    text.slice(start.index + start[0].length, start.index + start[0].length + 10_000),
  );
  if (!first) return undefined;
  const indent = first[1] ?? '';
  const from = start.index + start[0].length;
  const rest = text.slice(from);
  // A line with less indentation, or with the same and without a dash, belongs to the root again.
  const after = new RegExp(`^(?! {${indent.length}}(?:[ -]))[^\\s#]`, 'm').exec(rest);
  const body = after ? rest.slice(0, after.index) : rest;
  const root = text.slice(0, start.index) + (after ? rest.slice(after.index) : '');
  const items = [];
  const begin = new RegExp(`^${indent}-(?= |$)`, 'gm');
  let at = 0;
  let line = text.slice(0, from).split('\n').length - 1;
  for (let found = begin.exec(body), count = 0; found; count++) {
    found = begin.exec(body);
    if (found && (count + 1) % EXPERIENCES_PER_MESSAGE !== 0) continue;
    const end = found ? found.index : body.length;
    items.push({ text: body.slice(at, end), line });
    line += body.slice(at, end).split('\n').length - 1;
    at = end;
  }
  return { root, items };
}

/**
 * Rejects long texts and large objects, which no valid file has: they would keep the main thread busy.
 * @param {unknown} root
 */
function checkSizes(root) {
  /** @type {unknown[]} */
  const left = [root];
  for (let value = left.pop(); left.length > 0 || value !== undefined; value = left.pop()) {
    if (typeof value === 'string' && value.length > MAX_TEXT_LENGTH)
      throw new UnreadableFile(`The file has a text of more than ${MAX_TEXT_LENGTH} characters`);
    if (typeof value !== 'object' || value === null) continue;
    const inner = Object.entries(value);
    if (!Array.isArray(value) && inner.length > MAX_KEYS)
      throw new UnreadableFile(`The file has an object with more than ${MAX_KEYS} keys`);
    for (const [key, one] of inner) left.push(Array.isArray(value) ? one : key, one);
  }
}

/**
 * A text with only Latin-1 characters takes half the memory that it would from a TextDecoder.
 * @param {Buffer} bytes
 */
function decode(bytes) {
  if (!isUtf8(bytes)) throw new UnreadableFile('The file is not valid UTF-8');
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
    throw new UnreadableFile(`The file is not valid JSON: ${shorten(/** @type {Error} */ (error).message)}`);
  }
  // JSON.parse keeps the last of several equal keys: then there are fewer keys than in the text.
  if (countKeys(value) < countWrittenKeys(text)) throw new UnreadableFile('The file has a key twice in one object');
  return value;
}

/**
 * Counts keys without recursion, so that no depth can overflow the stack.
 * @param {unknown} root
 */
function countKeys(root) {
  let keys = 0;
  let values = 0;
  /** @type {unknown[]} */
  let level = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) throw new UnreadableFile(`The file is nested deeper than ${MAX_DEPTH} levels`);
    /** @type {unknown[]} */
    const next = [];
    for (const item of level) {
      if (typeof item !== 'object' || item === null) continue;
      const inner = Object.values(item);
      values += inner.length;
      if (values > MAX_VALUES) throw new UnreadableFile(`The file has more than ${MAX_VALUES} values`);
      if (!Array.isArray(item)) keys += inner.length;
      for (const one of inner) next.push(one);
    }
    level = next;
  }
  return keys;
}

/** @param {string} text valid JSON */
function countWrittenKeys(text) {
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
 * @param {number} [linesBefore] the number of lines before this part of the file
 */
function parseYaml(text, linesBefore = 0) {
  try {
    const events = parseEvents(text, { maxDepth: MAX_DEPTH });
    if (events.length > MAX_EVENTS) throw new UnreadableFile(`The file has more than ${MAX_VALUES} values`);
    let documents = 0;
    for (const event of events) {
      if (event.type === EVENT_ID.DOCUMENT) {
        documents++;
        if (event.directives.length > 0) throw new UnreadableFile('The file has a directive (`%…`): take it out');
      } else if (event.type === EVENT_ID.ALIAS) reject('an alias (`*`)', text, event.anchorStart, linesBefore);
      else if (event.type !== EVENT_ID.POP) {
        if (event.anchorStart >= 0) reject('an anchor (`&`)', text, event.anchorStart, linesBefore);
        if (event.tagStart >= 0) reject('a tag (`!`)', text, event.tagStart, linesBefore);
      }
    }
    if (documents > 1)
      throw new UnreadableFile('The file holds several documents (`---`): give each a file of its own');
    const [value] = constructFromEvents(events, { source: text, maxAliases: 0 });
    return value ?? null;
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const { reason, mark } = error;
    throw new UnreadableFile(
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
function reject(what, text, at, linesBefore) {
  const line = linesBefore + text.slice(0, at).split('\n').length;
  throw new UnreadableFile(
    `The file has ${what} in line ${line}: translation files have none. A text that begins so needs quotes`,
  );
}

/** @param {string} text */
function shorten(text) {
  const line = text.replace(/\s+/g, ' ');
  return line.length > MAX_PROBLEM_LENGTH ? `${line.slice(0, MAX_PROBLEM_LENGTH).toWellFormed()}…` : line;
}
