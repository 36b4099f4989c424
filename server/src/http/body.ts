import { invalid } from '../errors.ts';
import { parseQueryString } from './query-string.ts';

const MAX_DEPTH = 64;
/** Every multipart body begins with a dash. */
const DASH = '-'.charCodeAt(0);
/** The limit of fields and files together. */
const MAX_PARTS = 200;
const MAX_PART_HEADERS = 16 * 1024;
const BRACE = '{'.charCodeAt(0);
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Parses a body into named parameters. What its text looks like counts more than its media type. */
export async function parseBody(body: Buffer | undefined, mediaType: string): Promise<object> {
  if (!body || body.length === 0) return {};
  if (body[0] === DASH && /^multipart\/form-data/i.test(mediaType)) return parseMultipart(body, mediaType);
  const text = decodeText(body);
  if (/^\s*[{[]/.test(text) || /^application\/([\w.-]+\+)?json/i.test(mediaType)) return parseJson(text);
  if (text.trim() === '') return {};
  if (text.includes('=') || /^application\/x-www-form-urlencoded/i.test(mediaType))
    return parseQueryString(text.trim());
  throw invalid('The body must be a JSON object or a form');
}

/** Whether a valid body is JSON. */
export function isJson(body: Buffer | undefined): boolean {
  return body !== undefined && (body[0] === BRACE || /^\ufeff?\s*\{/.test(body.toString('utf8')));
}

function decodeText(body: Buffer): string {
  try {
    return utf8.decode(body);
  } catch {
    throw invalid('The body is not valid UTF-8');
  }
}

function parseJson(text: string): object {
  if (text.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid('The body is not valid JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid('The body must be a JSON object');
  rejectDeepNesting(value);
  return value;
}

/** Does not recurse, so that no depth can overflow the stack. */
function rejectDeepNesting(root: object): void {
  let level: object[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) throw invalid(`The body is nested deeper than ${MAX_DEPTH} levels`);
    const next: object[] = [];
    for (const item of level) {
      for (const value of Object.values(item)) if (typeof value === 'object' && value !== null) next.push(value);
    }
    level = next;
  }
}

/** Parses the fields of a form. Its files are ignored: endpoints that accept files parse forms themselves. */
async function parseMultipart(body: Buffer, mediaType: string): Promise<object> {
  const boundary = boundaryOf(mediaType);
  if (boundary === undefined) throw notAForm();
  rejectManyParts(body, `--${boundary}`);
  // The boundary is set again, so that the parser uses the one that the parts were counted by.
  const headers = { 'content-type': `multipart/form-data; boundary="${boundary}"` };
  let form: FormData;
  try {
    form = await new Response(new Uint8Array(body), { headers }).formData();
  } catch {
    throw notAForm();
  }
  const pairs = [...form].filter((pair): pair is [string, string] => typeof pair[1] === 'string');
  return parseQueryString(pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&'));
}

function boundaryOf(mediaType: string): string | undefined {
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]*)"|([^\s;"]+))/i.exec(mediaType) ?? [];
  const boundary = quoted ?? bare ?? '';
  return /^[\w'()+,./:=? -]{1,70}$/.test(boundary) ? boundary : undefined;
}

/** Counts the parts before they are parsed, because parsing takes far longer than counting. */
function rejectManyParts(body: Buffer, delimiter: string): void {
  let parts = 0;
  for (let at = body.indexOf(delimiter); at >= 0; at = body.indexOf(delimiter, at)) {
    at += delimiter.length;
    // This delimiter ends the form.
    if (body[at] === DASH && body[at + 1] === DASH) continue;
    parts += 1;
    if (parts > MAX_PARTS) throw invalid(`A multipart form has ${MAX_PARTS} fields and files at most`);
    const beginning = body.subarray(at, at + MAX_PART_HEADERS);
    if (beginning.length === MAX_PART_HEADERS && !beginning.includes('\r\n\r\n'))
      throw invalid('The headers of a part of a multipart form are larger than 16 KB');
  }
}

function notAForm() {
  return invalid('The body is not a valid multipart form');
}
