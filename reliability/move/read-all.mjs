/**
 * Reads an installation by every GET of its API, so that two of them can be compared.
 */

const KINDS = ['tours', 'surveys', 'launchers', 'tooltips', 'embeds'];
/** Of each list, so many records are read by their own endpoints. */
const RECORDS_OF_A_LIST = 3;
/** These describe the server, or the moment, and not what is stored. */
const ofServer = ['/v3/analyze/health', '/v3/edit/webhook_sending', '/openapi.json'];
/** These count events until now. */
const windows = ['last_24_hours', 'last_7_days', 'last_30_days'];
/** A request itself changes these. */
const changing = new Set([
  'last_used_at',
  'counted_at',
  'took_ms',
  'sending_paused',
  'exported_at',
  'events_since',
  'since',
  ...windows,
]);

/** @typedef {{ parameters?: { name: string, in: string, schema?: { enum?: string[] } }[] }} Operation */

/**
 * Returns the status and the canonical JSON of every response, by path.
 * @param {string} base
 * @param {string} secret
 * @returns {Promise<Map<string, string>>}
 */
export async function readAll(base, secret) {
  const headers = { 'x-account-secret': secret };
  const document = await (await fetch(`${base}/openapi.json`, { headers })).json();
  /** @type {[string, Operation][]} */
  const operations = Object.entries(document.paths).flatMap(([path, { get }]) => (get ? [[path, get]] : []));
  const paths = operations
    .flatMap(([path, operation]) => fillWords(path, operation))
    .filter((path) => !ofServer.includes(path))
    .sort((one, other) => countParameters(one) - countParameters(other));
  /** @type {Map<string, string>} */
  const found = new Map();
  /** @type {Map<string, unknown>} */
  const bodies = new Map();
  for (const path of paths)
    for (const filled of fillIds(path, bodies)) {
      const { response, text, body } = await readCounted(base + filled, headers);
      if (body !== undefined && response.ok) bodies.set(filled, body);
      found.set(filled, `${response.status} ${body === undefined ? text : JSON.stringify(body, inOrder)}`);
    }
  return found;
}

/**
 * Reads until the server has counted what it counts in the background.
 * @param {string} url
 * @param {Record<string, string>} headers
 */
async function readCounted(url, headers) {
  for (;;) {
    const response = await fetch(url, { headers });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    const body = isJson ? JSON.parse(text) : undefined;
    if (!body?.results?.counting) return { response, text, body };
  }
}

/**
 * Returns the paths at which two installations respond differently.
 * @param {Map<string, string>} one
 * @param {Map<string, string>} other
 */
export function compareAll(one, other) {
  const paths = new Set([...one.keys(), ...other.keys()]);
  return [...paths]
    .filter((path) => one.get(path) !== other.get(path))
    .map((path) => `${path}: ${describeDifference(one.get(path) ?? '', other.get(path) ?? '')}`);
}

/**
 * @param {string} one
 * @param {string} other
 */
function describeDifference(one, other) {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  const part = (/** @type {string} */ text) => text.slice(Math.max(0, at - 60), at + 60);
  return `${part(one)} | ${part(other)}`;
}

/** @param {string} path */
function countParameters(path) {
  return path.split('{').length;
}

/**
 * @param {string} path
 * @param {Operation} operation
 */
function fillWords(path, { parameters = [] }) {
  let filled = [path];
  for (const { name, in: place, schema } of parameters) {
    if (place !== 'path' || /id$/.test(name)) continue;
    const words = schema?.enum ?? (name === 'kind' ? KINDS : undefined);
    if (words) filled = filled.flatMap((one) => words.map((word) => one.replaceAll(`{${name}}`, word)));
  }
  return filled;
}

/**
 * Fills in IDs of records that were found before: of the list at the path before the parameter.
 * @param {string} path
 * @param {Map<string, unknown>} bodies
 * @returns {string[]}
 */
function fillIds(path, bodies) {
  const [before, name] = /^([^{]*)\/\{(\w+)\}/.exec(path)?.slice(1) ?? [];
  if (before === undefined || name === undefined) return [path];
  const other = before.includes('/edit/')
    ? before.replace('/edit/', '/analyze/')
    : before.replace('/analyze/', '/edit/');
  const body = bodies.get(before) ?? bodies.get(other) ?? bodies.get(parentOf(before));
  const ids = findIds(body, name).slice(0, RECORDS_OF_A_LIST);
  return ids.flatMap((id) => fillIds(path.replace(`{${name}}`, id), bodies));
}

/** @param {string} path */
function parentOf(path) {
  return path.slice(0, path.lastIndexOf('/'));
}

/**
 * @param {unknown} body
 * @param {string} name
 * @returns {string[]}
 */
function findIds(body, name) {
  const records = Object.values(body ?? {}).flatMap((value) => (Array.isArray(value) ? value : [value, value?.steps]));
  const ids = records.flat().map((record) => record?.[name] ?? record?.id);
  return [...new Set(ids.filter((id) => typeof id === 'string'))];
}

/**
 * @param {string} key
 * @param {unknown} value
 */
function inOrder(key, value) {
  if (changing.has(key)) return undefined;
  if (Array.isArray(value)) return value.filter((item) => !isAboutThisMove(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * Reading everything about a user is recorded, and sending is paused after a move.
 * @param {{ action?: string, type?: string } | null} item
 */
function isAboutThisMove(item) {
  return item?.action === 'profile.export' || item?.type === 'sending_paused';
}
