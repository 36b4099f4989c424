import { createHash } from 'node:crypto';

/** @typedef {import('../figures/move.mjs').Usher} Usher */

/** The lists of what moves, with the key of each. */
const lists = [
  ['properties?kind=profile', 'properties'],
  ['properties?kind=company', 'properties'],
  ['event_names?', 'event_names'],
  ['url_groups?', 'url_groups'],
  ['urls?', 'urls'],
  ['tags?', 'tags'],
  ['segments?', 'segments'],
  ['themes?', 'themes'],
  ['experiences?', 'experiences'],
  ['experiences/i18n.json?language=de', 'experiences'],
  ['limit_groups?', 'limit_groups'],
  ['deliveries?', 'deliveries'],
  ['webhooks?', 'webhooks'],
].map(([path = '', key = '']) => ({ path: `/v3/edit/${path}`, key }));
const people = [
  { path: '/v3/analyze/profiles?expand[profile]=all&expand[company]=min', key: 'profiles' },
  { path: '/v3/analyze/companies?', key: 'companies' },
];

/**
 * Reads all records that move, by the API: a hash of each, by its list and ID. What belongs to a server is left out: its addresses, whether
 * webhooks send, the account in the paths of pictures, and the totals of Experiences, which can be larger after a move.
 * @param {Usher} usher
 */
export async function readRecords(usher) {
  /** @type {Map<string, string>} */
  const records = new Map();
  for (const list of [...lists, ...people]) await readList(usher, list, records);
  const { experiences } = JSON.parse(await usher.get('/v3/edit/experiences?limit=500&fields=list'));
  for (const { id, kind } of experiences) {
    await readList(usher, { path: `/v3/analyze/interactions?id=${id}`, key: 'interactions' }, records);
    if (kind === 'survey') await readList(usher, { path: `/v3/analyze/responses?id=${id}`, key: 'responses' }, records);
  }
  return records;
}

/**
 * @param {Usher} usher
 * @param {{ path: string, key: string }} list
 * @param {Map<string, string>} records
 */
async function readList(usher, { path, key }, records) {
  for (let before = ''; ; ) {
    const page = JSON.parse(await usher.get(`${path}&limit=500${before}`));
    for (const { dashboard_url: _, enabled, stats: __, ...record } of page[key]) {
      const own = key === 'webhooks' ? {} : { enabled };
      const text = JSON.stringify(sorted({ ...record, ...own })).replace(/\/media\/[0-9a-f]{24}\//g, '/media/');
      records.set(`${path} ${record.id}`, createHash('sha256').update(text).digest('base64'));
    }
    const next = page.cursor?.before ?? null;
    if (next === null) return;
    before = `&before=${next}`;
  }
}

/**
 * Two engines give the keys of JSON in another order.
 * @param {unknown} value
 * @returns {unknown}
 */
function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, one]) => [name, sorted(one)]));
}

/**
 * Counts the records that are missing, too many or different, and notes the lists that they are of.
 * @param {Map<string, string>} expected
 * @param {Map<string, string>} found
 * @param {(text: string) => void} note
 */
export function compareRecords(expected, found, note) {
  /** @type {Map<string, string[]>} */
  const different = new Map();
  for (const id of new Set([...expected.keys(), ...found.keys()])) {
    if (expected.get(id) === found.get(id)) continue;
    const [list = '', record = ''] = id.split(' ');
    different.set(list, [...(different.get(list) ?? []), record]);
  }
  for (const [list, ids] of different) note(`${list}: ${ids.length} are different, such as ${ids[0]}`);
  note(`compared ${expected.size} records with ${found.size}`);
  return [...different.values()].reduce((sum, { length }) => sum + length, 0);
}
