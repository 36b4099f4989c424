import { isUtf8 } from 'node:buffer';
import { type ApiError, invalid } from '../errors.ts';
import type { YieldToRequests } from '../http/route.ts';

/** The same limit as for other bodies: see http/body.ts. */
const MAX_DEPTH = 64;
/** How many bytes are scanned between two pauses for other requests: about half a millisecond of work. */
const SLICE = 16 * 1024;
/** This slice is larger, because checking UTF-8 is faster than scanning. */
const UTF8_SLICE = 32 * SLICE;
/** How many offsets are in one block. */
const BLOCK = 16 * 1024;
const BYTE_ORDER_MARK = Buffer.from('\ufeff');
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
/** With this bit set, `[` becomes `{` and `]` becomes `}`, and no other byte does. */
const BRACE_BIT = 0x20;

/** A body of named parameters. One parameter is a list, which can be long. */
export interface JsonBatch {
  /** All other parameters, without a prototype. */
  fields: Record<string, unknown>;
  /** The number of items; undefined if there is no list, or if it is not an array: then it is in `fields`. */
  count: number | undefined;
  /** Parses the items from `start` up to, but not including, `end`. */
  slice(start: number, end: number): unknown[];
  /** Parses the items at these positions. */
  pick(positions: Uint32Array): unknown[];
}

/** The state of the scanner. It stops at the end of a slice, even inside a string, and continues there later. */
interface Scan {
  readonly body: Buffer;
  readonly yieldToRequests: YieldToRequests;
  /** When the current slice was begun. */
  since: number;
  at: number;
  /** The end of the current slice. */
  limit: number;
  depth: number;
  inString: boolean;
  /** Whether anything so far was nested too deep, even below a key that is overwritten later. */
  deep: boolean;
}

/** Millions of numbers in four bytes each, in blocks, so that adding one never copies the others. */
interface Offsets {
  blocks: Uint32Array[];
  count: number;
}

interface Items {
  count: number;
  /** Item `i`, with the whitespace around it, is between the separators `i` and `i + 1`. */
  separators: Offsets;
  deep: boolean;
}

interface Members {
  fields: Record<string, unknown>;
  items: Items | undefined;
}

/**
 * Parses a JSON body like `parseBody`, with the same errors, but in slices with pauses in between, and with only about one
 * slice of the list in parsed form at a time. Everything is validated before this returns. The bytes must not change
 * as long as `slice` is called.
 *
 * The scanner knows only strings, brackets and separators. That is enough: it splits valid JSON in the right places, and
 * of invalid JSON some part fails in JSON.parse or is followed by the wrong separator.
 */
export async function readJsonBatch(body: Buffer, list: string, yieldToRequests: YieldToRequests): Promise<JsonBatch> {
  await rejectInvalidUtf8(body, yieldToRequests);
  const scan = startScan(body, yieldToRequests);
  const first = await skipSpace(scan);
  if (first === OPEN_BRACKET) throw await errorOfArray(scan);
  if (first !== OPEN_BRACE) return parseNonObject(body.toString('utf8', scan.at));
  const members = await readMembers(scan, list);
  await rejectTrailing(scan);
  if (members.items?.deep || (scan.deep && isDeep(members.fields, 0)))
    throw invalid(`The body is nested deeper than ${MAX_DEPTH} levels`);
  return batchOf(body, members);
}

function batchOf(body: Buffer, { fields, items }: Members): JsonBatch {
  const textOf = (start: number, end: number) => {
    if (!items || !(start >= 0 && start <= end && end <= items.count))
      throw new RangeError(`There are no items from ${start} to ${end}`);
    if (start === end) return '';
    const [from, to] = [offsetAt(items.separators, start), offsetAt(items.separators, end)];
    return body.toString('utf8', from + 1, to);
  };
  return {
    fields,
    count: items?.count,
    slice: (start, end) => JSON.parse(`[${textOf(start, end)}]`),
    pick: (positions) => JSON.parse(`[${Array.from(positions, (at) => textOf(at, at + 1)).join()}]`),
  };
}

/**
 * Invalid UTF-8 is rejected first, as in `parseBody`, so that a body with several problems gets the same error there
 * and here.
 */
async function rejectInvalidUtf8(body: Buffer, yieldToRequests: YieldToRequests): Promise<void> {
  for (let start = 0; start < body.length; ) {
    const since = performance.now();
    const end = endOfCharacter(body, start + UTF8_SLICE);
    if (!isUtf8(body.subarray(start, end))) throw invalid('The body is not valid UTF-8');
    start = end;
    if (start < body.length) await yieldToRequests(since);
  }
}

/** The next offset between two characters. Valid UTF-8 has at most three continuation bytes in a row. */
function endOfCharacter(body: Buffer, at: number): number {
  let end = at;
  while (end < at + 3 && ((body[end] ?? 0) & 0xc0) === 0x80) end++;
  return end;
}

function startScan(body: Buffer, yieldToRequests: YieldToRequests): Scan {
  const marked = body.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
  const at = marked ? BYTE_ORDER_MARK.length : 0;
  const limit = Math.min(SLICE, body.length);
  return { body, yieldToRequests, since: performance.now(), at, limit, depth: 0, inString: false, deep: false };
}

/** An empty body has no parameters. As in `parseBody`, more characters count as whitespace here than in JSON. */
function parseNonObject(text: string): JsonBatch {
  if (text.trim() !== '') {
    parse(text);
    throw notAnObject();
  }
  return batchOf(Buffer.alloc(0), { fields: Object.create(null), items: undefined });
}

/**
 * Scans the whole array, because the error depends on whether it is valid, and pauses, because it can be as long as any
 * list.
 */
async function errorOfArray(scan: Scan): Promise<ApiError> {
  await readItems(scan);
  await rejectTrailing(scan);
  return notAnObject();
}

async function readMembers(scan: Scan, list: string): Promise<Members> {
  const fields: Record<string, unknown> = Object.create(null);
  let items: Items | undefined;
  scan.at++;
  if ((await skipSpace(scan)) === CLOSE_BRACE) {
    scan.at++;
    return { fields, items };
  }
  do {
    const key = await readPart(scan);
    if (typeof key !== 'string' || separatorBefore(scan) !== COLON) throw notJson();
    if (key === list && (await skipSpace(scan)) === OPEN_BRACKET) {
      items = await readItems(scan);
      delete fields[key];
      await skipSpace(scan);
      scan.at++;
    } else {
      fields[key] = await readPart(scan);
      if (key === list) items = undefined;
    }
  } while (separatorBefore(scan) === COMMA);
  if (separatorBefore(scan) !== CLOSE_BRACE) throw notJson();
  return { fields, items };
}

/** Parses the value before the next separator, and skips the separator. */
async function readPart(scan: Scan): Promise<unknown> {
  const start = scan.at;
  while (!findSeparator(scan, 0)) await nextSlice(scan);
  const text = scan.body.toString('utf8', start, scan.at);
  scan.at++;
  return parse(text);
}

function separatorBefore(scan: Scan): number | undefined {
  return scan.body[scan.at - 1];
}

/**
 * Finds the items of the array that begins here, and skips it. Many items are validated at a time: for small items, one
 * call for each would take far longer than the parsing.
 */
async function readItems(scan: Scan): Promise<Items> {
  const { body } = scan;
  const separators: Offsets = { blocks: [], count: 0 };
  addOffset(separators, scan.at);
  let start = scan.at + 1;
  let count = 0;
  let deep = false;
  scan.depth = 1;
  do {
    scan.at++;
    while (!findSeparator(scan, 1)) await nextSlice(scan);
    addOffset(separators, scan.at);
    if (body[scan.at] === COMMA && scan.at - start < SLICE) continue;
    const run = parse(`[${body.toString('utf8', start, scan.at)}]`) as unknown[];
    count += run.length;
    deep ||= scan.deep && isDeep(run, 1);
    start = scan.at + 1;
  } while (body[scan.at] === COMMA);
  const isEmpty = count === 0 && separators.count === 2;
  // After a trailing comma the last run is empty, which JSON.parse cannot recognize as an error.
  const endsInComma = count !== separators.count - 1 && !isEmpty;
  if (body[scan.at] !== CLOSE_BRACKET || endsInComma) throw notJson();
  scan.at++;
  scan.depth = 0;
  return { count, separators, deep };
}

/** Moves to the next comma, colon or closing bracket at this depth. Returns false if the slice ends before it. */
function findSeparator(scan: Scan, level: number): boolean {
  const { body, limit } = scan;
  let { at, depth } = scan;
  let found = false;
  if (scan.inString) at = skipString(scan, at);
  for (; at < limit; at++) {
    const byte = body[at] as number;
    if (byte === QUOTE) {
      at = skipString(scan, at + 1) - 1;
    } else if (byte === COMMA || byte === COLON) {
      found = depth === level;
      if (found) break;
    } else if ((byte | BRACE_BIT) === OPEN_BRACE) {
      if (++depth > MAX_DEPTH) scan.deep = true;
    } else if ((byte | BRACE_BIT) === CLOSE_BRACE) {
      found = depth === level;
      if (found) break;
      depth--;
    }
  }
  scan.at = at;
  scan.depth = depth;
  return found;
}

/** Returns the offset after the end of the current string, or after the slice if that ends first. */
function skipString(scan: Scan, from: number): number {
  const { body, limit } = scan;
  let at = from;
  while (at < limit && body[at] !== QUOTE) at += body[at] === BACKSLASH ? 2 : 1;
  scan.inString = at >= limit;
  return scan.inString ? at : at + 1;
}

/** Moves to the next byte that is not whitespace, and returns it; undefined at the end of the body. */
async function skipSpace(scan: Scan): Promise<number | undefined> {
  const { body } = scan;
  for (;;) {
    while (scan.at < scan.limit && isSpace(body[scan.at] as number)) scan.at++;
    if (scan.at < scan.limit || scan.at >= body.length) return body[scan.at];
    await nextSlice(scan);
  }
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** Pauses for other requests. If the body ends here, whatever is being scanned is incomplete. */
async function nextSlice(scan: Scan): Promise<void> {
  if (scan.at >= scan.body.length) throw notJson();
  await scan.yieldToRequests(scan.since);
  scan.since = performance.now();
  scan.limit = Math.min(scan.at + SLICE, scan.body.length);
}

async function rejectTrailing(scan: Scan): Promise<void> {
  if ((await skipSpace(scan)) !== undefined) throw notJson();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notJson();
  }
}

/**
 * Whether a value at this depth is nested too deep. It is only called if the scanner has seen such a depth, which may
 * have been below a key that was overwritten. It does not recurse, so that no depth can overflow the stack.
 */
function isDeep(root: object, depth: number): boolean {
  let level: object[] = [root];
  for (let at = depth; level.length > 0; at++) {
    if (at > MAX_DEPTH) return true;
    const next: object[] = [];
    for (const item of level) {
      for (const value of Object.values(item)) if (typeof value === 'object' && value !== null) next.push(value);
    }
    level = next;
  }
  return false;
}

function notJson(): ApiError {
  return invalid('The body is not valid JSON');
}

function notAnObject(): ApiError {
  return invalid('The body must be a JSON object');
}

function addOffset(offsets: Offsets, offset: number): void {
  const place = offsets.count++ % BLOCK;
  if (place === 0) offsets.blocks.push(new Uint32Array(BLOCK));
  (offsets.blocks.at(-1) as Uint32Array)[place] = offset;
}

function offsetAt(offsets: Offsets, index: number): number {
  return offsets.blocks[Math.floor(index / BLOCK)]?.[index % BLOCK] as number;
}
