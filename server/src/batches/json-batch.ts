import { isUtf8 } from 'node:buffer';
import { type ApiError, invalid } from '../errors.ts';

/** As for every body: see body.ts. */
const DEEPEST = 64;
/** How many bytes are scanned before others get their turn: half a millisecond's work. */
const SLICE = 16 * 1024;
/** UTF-8 is checked faster than it is scanned. */
const UTF8_SLICE = 32 * SLICE;
/** How many offsets are kept together. */
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
/** With this bit set, `[` is `{` and `]` is `}`, and no other byte is either. */
const BRACE_BIT = 0x20;

/** A body of named parameters in which one, a list, can be long. */
export interface JsonBatch {
  /** Every other parameter. Null prototype. */
  fields: Record<string, unknown>;
  /**
   * How many items the list has; undefined when the body does not have the list, or it is no array (then it is in
   * `fields` as it was given).
   */
  count: number | undefined;
  /** Parses the items from `start` up to, and without, `end`. */
  slice(start: number, end: number): unknown[];
}

/** Lets others have their turn, who waited since this time. */
export type YieldToRequests = (since: number) => Promise<void>;

/** Where the scanner is: it stops at the end of a slice, be it inside a string, and goes on from there. */
interface Scan {
  readonly body: Buffer;
  readonly yieldToRequests: YieldToRequests;
  /** When the slice was begun. */
  since: number;
  at: number;
  /** The end of the slice. */
  limit: number;
  depth: number;
  inString: boolean;
  /** Whether anything so far was nested too deep, even under a key that comes again and so does not count. */
  deep: boolean;
}

/** Millions of numbers in four bytes each, in blocks, so that growing copies nothing. */
interface Offsets {
  blocks: Uint32Array[];
  count: number;
}

interface Items {
  count: number;
  /** Item `i`, with the white space around it, is between the separators `i` and `i + 1`. */
  separators: Offsets;
  deep: boolean;
}

interface Members {
  fields: Record<string, unknown>;
  items: Items | undefined;
}

/**
 * Reads a body as readBody reads JSON, with the same refusals, but in slices between which the event loop turns, and
 * with no more than about a slice of the list in parsed form at any time. All is validated before this returns. The
 * bytes must stay as they are for as long as items are asked for.
 *
 * The scanner knows only strings, brackets and separators. That is enough: valid JSON it cuts in the right places, and
 * in any other some part fails in JSON.parse or has the wrong separator behind it.
 */
export async function readJsonBatch(body: Buffer, list: string, yieldToRequests: YieldToRequests): Promise<JsonBatch> {
  await refuseBrokenUtf8(body, yieldToRequests);
  const scan = startScan(body, yieldToRequests);
  const first = await skipSpace(scan);
  if (first === OPEN_BRACKET) throw await refusalOfArray(scan);
  if (first !== OPEN_BRACE) return readNoContainer(body.toString('utf8', scan.at));
  const members = await readMembers(scan, list);
  await refuseMore(scan);
  if (members.items?.deep || (scan.deep && isDeep(members.fields, 0)))
    throw invalid(`The body is nested deeper than ${DEEPEST} levels`);
  return batchOf(body, members);
}

function batchOf(body: Buffer, { fields, items }: Members): JsonBatch {
  return {
    fields,
    count: items?.count,
    slice(start, end) {
      if (!items || !(start >= 0 && start <= end && end <= items.count))
        throw new RangeError(`There are no items from ${start} to ${end}`);
      if (start === end) return [];
      const [from, to] = [offsetAt(items.separators, start), offsetAt(items.separators, end)];
      return JSON.parse(`[${body.toString('utf8', from + 1, to)}]`) as unknown[];
    },
  };
}

/** First of all, as in readBody, so that it is what a body is refused for that is also malformed. */
async function refuseBrokenUtf8(body: Buffer, yieldToRequests: YieldToRequests): Promise<void> {
  for (let start = 0; start < body.length; ) {
    const since = performance.now();
    const end = endOfCharacter(body, start + UTF8_SLICE);
    if (!isUtf8(body.subarray(start, end))) throw invalid('The body is not valid UTF-8');
    start = end;
    if (start < body.length) await yieldToRequests(since);
  }
}

/** The next place that is inside no character; after three bytes that continue one there is none in valid UTF-8. */
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

/** Nothing at all is no parameters, by the same measure as in readBody, to which more is white space than to JSON. */
function readNoContainer(text: string): JsonBatch {
  if (text.trim() !== '') {
    parse(text);
    throw notAnObject();
  }
  return batchOf(Buffer.alloc(0), { fields: Object.create(null), items: undefined });
}

/** Which refusal it is depends on all of it, and it can be as long as any list. */
async function refusalOfArray(scan: Scan): Promise<ApiError> {
  await readItems(scan);
  await refuseMore(scan);
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

/** Parses what is before the next separator, and steps over that. */
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
 * Finds the items of the array that begins here, and steps over it. They are validated many at a time: for small ones
 * the calls would take far longer than the parsing.
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
  // Where a run begins after the last comma, it is empty, which JSON.parse cannot know to be wrong.
  const endsInComma = count !== separators.count - 1 && !isEmpty;
  if (body[scan.at] !== CLOSE_BRACKET || endsInComma) throw notJson();
  scan.at++;
  scan.depth = 0;
  return { count, separators, deep };
}

/** Goes on to the next comma, colon or closing bracket at this depth; false when the slice ends before it. */
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
      if (++depth > DEEPEST) scan.deep = true;
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

/** Gives the place after the string that goes on here, or after the slice, when that ends first. */
function skipString(scan: Scan, from: number): number {
  const { body, limit } = scan;
  let at = from;
  while (at < limit && body[at] !== QUOTE) at += body[at] === BACKSLASH ? 2 : 1;
  scan.inString = at >= limit;
  return scan.inString ? at : at + 1;
}

/** Goes on to the next byte that is no white space, and gives it; undefined at the end of the body. */
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

/** Lets others have their turn. Whoever asks for more of the body than there is has met something unfinished. */
async function nextSlice(scan: Scan): Promise<void> {
  if (scan.at >= scan.body.length) throw notJson();
  await scan.yieldToRequests(scan.since);
  scan.since = performance.now();
  scan.limit = Math.min(scan.at + SLICE, scan.body.length);
}

async function refuseMore(scan: Scan): Promise<void> {
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
 * Whether a value at this depth is nested too deep. Only asked when the scanner has seen such depth, because a key that
 * comes twice can hide what came first. Without recursion, so that no depth can overflow the stack.
 */
function isDeep(root: object, depth: number): boolean {
  let level: object[] = [root];
  for (let at = depth; level.length > 0; at++) {
    if (at > DEEPEST) return true;
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
