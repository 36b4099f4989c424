import { jsonInKeyOrder } from '../../json-in-key-order.ts';

/** The types of columns that both engines have, whatever they are called there. */
export type ColumnType = 'text' | 'integer' | 'double' | 'boolean' | 'json' | 'bytes';

/**
 * A value as the text that is the same on both engines: whole numbers as digits, because a JavaScript number would round
 * large ones; JSON with its keys in order, because PostgreSQL sorts them in its own way; bytes in base64.
 */
export type CanonicalValue = string | null;

const declaredTypes: Readonly<Record<string, ColumnType>> = {
  text: 'text',
  integer: 'integer',
  bigint: 'integer',
  'double precision': 'double',
  boolean: 'boolean',
  json: 'json',
  jsonb: 'json',
  jsontext: 'json',
  blob: 'bytes',
  bytea: 'bytes',
};

/** @param declared the type as the engine calls it */
export function columnTypeOf(declared: string, place: string): ColumnType {
  const type = declaredTypes[declared.toLowerCase()];
  if (type === undefined) throw new Error(`The column ${place} has the type ${declared}, which no move knows`);
  return type;
}

/** @param onReplaced called if the text has characters that PostgreSQL cannot store */
export function toCanonical(value: unknown, type: ColumnType, onReplaced: () => void): CanonicalValue {
  if (value === null || value === undefined) return null;
  if (Buffer.isBuffer(value)) {
    if (type === 'bytes') return value.toString('base64');
    return toStorableText(value.toString(), onReplaced);
  }
  if (type === 'double') return String(Number(value));
  const text = String(value);
  if (type === 'json') return canonicalJson(text, onReplaced);
  return type === 'text' ? toStorableText(text, onReplaced) : text;
}

/** Escapes of NUL and of one half of a surrogate pair, and NUL itself: most texts have none, and are not searched further. */
const suspicious = /\\u0000|\\ud[89a-f]|\0/i;

function canonicalJson(text: string, onReplaced: () => void): string {
  const parsed = JSON.parse(text) as unknown;
  return jsonInKeyOrder(suspicious.test(text) ? replaceIn(parsed, onReplaced) : parsed);
}

function replaceIn(value: unknown, onReplaced: () => void): unknown {
  if (typeof value === 'string') return toStorableText(value, onReplaced);
  if (Array.isArray(value)) return value.map((item) => replaceIn(item, onReplaced));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [toStorableText(key, onReplaced), replaceIn(item, onReplaced)]),
  );
}

/** The API accepts neither of them, but earlier versions, or an operator, may have stored some in SQLite. */
function toStorableText(text: string, onReplaced: () => void): string {
  if (!text.includes('\0') && text.isWellFormed()) return text;
  onReplaced();
  return text.replaceAll('\0', '\uFFFD').toWellFormed();
}
