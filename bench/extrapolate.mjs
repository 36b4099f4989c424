// Says what breaks first with more users, from the figures that `npm run -s bench:large > figures.txt` has printed.
//
// node bench/extrapolate.mjs figures.txt                      500 million profiles
// node bench/extrapolate.mjs --profiles 5e7 figures.txt
//
// Costs are taken as a fixed part and a part for each profile, from the small and the large installation. What takes less
// than 1.3 times as long in the large one is left out, because the rest may be noise.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

/** Above this size deleted data can no longer be removed from a SQLite file. */
const MAX_SQLITE_BYTES = 64 * 2 ** 30;
const LEAST_RATIO = 1.3;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { profiles: { type: 'string', default: '5e8' } },
});
const profiles = Number(values.profiles);
if (positionals.length === 0 || !(profiles > 0)) {
  console.error('usage: node bench/extrapolate.mjs [--profiles 5e8] FILE…');
  process.exit(2);
}
const lines = positionals.flatMap((file) => readFileSync(file, 'utf8').split('\n'));

for (const engine of ['sqlite', 'postgres']) {
  const figures = readFigures(lines, engine);
  const [small, large] = [figures.get('profiles.small'), figures.get('profiles')];
  if (small === undefined || large === undefined) continue;
  console.log(
    `\n| ${engine}, measured with ${whole(small)} and ${whole(large)} profiles | with ${whole(large)} | with ${whole(profiles)} | limit | from about |`,
  );
  console.log('|---|---|---|---|---|');
  const rows = [...costRows(figures, small, large), ...sizeRows(figures, engine, large)];
  for (const { cells } of rows.sort((one, other) => one.from - other.from)) console.log(`| ${cells.join(' | ')} |`);
}

/**
 * @param {Map<string, number>} figures
 * @param {number} small
 * @param {number} large
 */
function costRows(figures, small, large) {
  const rows = [];
  for (const [name, cost] of figures) {
    const operation = name.endsWith('.cpu') ? name.slice(0, -'.cpu'.length) : undefined;
    const ratio = operation === undefined ? undefined : figures.get(operation);
    if (ratio === undefined || !(ratio >= LEAST_RATIO)) continue;
    const each = (cost - cost / ratio) / (large - small);
    const fixed = Math.max(0, cost - each * large);
    const from = (1000 - fixed) / each;
    const cells = [operation, time(cost), time(fixed + each * profiles), '1 s of a core', `${count(from)} profiles`];
    rows.push({ from, cells });
  }
  return rows;
}

/**
 * @param {Map<string, number>} figures
 * @param {string} engine
 * @param {number} large
 */
function sizeRows(figures, engine, large) {
  const rows = [];
  for (const [name, part] of Object.entries({ bytes: 'database', 'bytes.profiles': 'profiles alone' })) {
    const each = Number(figures.get(name));
    const isLimited = engine === 'sqlite' && name === 'bytes';
    const from = isLimited ? MAX_SQLITE_BYTES / each : Number.POSITIVE_INFINITY;
    const size = (/** @type {number} */ of) => bytes(each * of);
    const limit = isLimited ? ['64 GB', `${count(from)} profiles`] : ['the disk of a node', ''];
    rows.push({ from, cells: [`${part}, ${each} bytes each`, size(large), size(profiles), ...limit] });
  }
  return rows;
}

/**
 * @param {string[]} lines
 * @param {string} engine
 */
function readFigures(lines, engine) {
  /** @type {Map<string, number>} */
  const found = new Map();
  for (const line of lines) {
    const [name, value] = line.split(/ {2,}/);
    if (name?.startsWith(`large.${engine}.`)) found.set(name.slice(`large.${engine}.`.length), Number(value));
  }
  return found;
}

/** @param {number} value */
function whole(value) {
  return Math.round(value).toLocaleString('en-US');
}

/** Two digits are as much as such a number can say. @param {number} value */
function count(value) {
  return value > 0 ? whole(Number(value.toPrecision(2))) : 'fewer';
}

/** @param {number} value */
function bytes(value) {
  return value < 1e9 ? `${whole(value / 1e6)} MB` : `${whole(value / 1e9)} GB`;
}

/** @param {number} ms */
function time(ms) {
  if (ms < 1000) return `${Number(ms.toPrecision(2))} ms`;
  const seconds = ms / 1000;
  if (seconds < 120) return `${Number(seconds.toPrecision(2))} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}
