import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '../scripts/postgres.mjs';
import { buildIfNeeded } from '../server/build.js';
import { Cleanup } from './cleanup.mjs';

/**
 * The tools of a figure.
 * @typedef {object} Bench
 * @property {'sqlite' | 'postgres'} engine
 * @property {boolean} quick
 * @property {string} folder that is removed at the end of the run
 * @property {Cleanup} cleanup at the end of the figure
 * @property {() => Promise<string>} postgres the address of a durable PostgreSQL, started on the first call
 * @property {(text: string) => void} note prints the progress
 */

/**
 * One line of the report; `part` distinguishes the lines of a figure.
 * @typedef {{ part?: string, value: number, unit: string, target?: { most?: number, least?: number } }} Result
 */

/** @type {Bench['engine'][]} */
const engines = ['sqlite', 'postgres'];

const afterRun = new Cleanup();
let afterFigure = new Cleanup();
let finishing = false;

/**
 * Measures the figures that the command line selects, prints a line for each result, and ends the process.
 * @param {Record<string, (bench: Bench) => Promise<Result[]>>} figures
 * @param {Bench['engine'][]} [on] the engines to measure on; with only one, it is not part of the names
 */
export async function runFigures(figures, on = engines) {
  const options = readOptions(figures, on);
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.on(signal, () => finish(1, signal));
  process.on('uncaughtException', (error) => finish(1, error));
  await measureAll(options).then(
    () => finish(0),
    (error) => finish(1, error),
  );
}

/**
 * @param {Parameters<typeof runFigures>[0]} figures
 * @param {Bench['engine'][]} on
 */
function readOptions(figures, on) {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { quick: { type: 'boolean', default: false }, only: { type: 'string' }, engine: { type: 'string' } },
    });
    const only = values.only ?? positionals[0] ?? '';
    const known = on.filter((engine) => values.engine === undefined || engine === values.engine);
    if (known.length === 0) throw new Error(`--engine must be sqlite or postgres, not ${values.engine}`);
    const wanted = Object.entries(figures)
      .flatMap(([figure, measure]) =>
        known.map((engine) => ({ name: on.length > 1 ? `${figure}.${engine}` : figure, engine, measure })),
      )
      .filter(({ name }) => name.includes(only));
    if (wanted.length === 0) throw new Error(`No figure has "${only}" in its name`);
    return { quick: values.quick, wanted };
  } catch (error) {
    console.error(/** @type {Error} */ (error).message);
    process.exit(1);
  }
}

/** @param {ReturnType<typeof readOptions>} options */
async function measureAll(options) {
  const folder = mkdtempSync(join(tmpdir(), 'usher-bench-'));
  await afterRun.add(() => rmSync(folder, { recursive: true, force: true }));
  const postgres = postgresIn(folder);
  // The build comes before the first start, so that no start includes it.
  await buildIfNeeded();
  for (const { name, engine, measure } of options.wanted) {
    if (finishing) return;
    const note = (/** @type {string} */ text) => process.stderr.write(`  ${name}: ${text}\n`);
    const cleanup = new Cleanup();
    afterFigure = cleanup;
    note('starts');
    const results = await measure({ engine, quick: options.quick, folder, cleanup, postgres, note });
    for (const result of results) print(name, result);
    await cleanup.run();
  }
}

/**
 * @param {string} folder
 * @returns {Bench['postgres']}
 */
function postgresIn(folder) {
  /** @type {Promise<string> | undefined} */
  let url;
  const start = async () => {
    // PostgreSQL runs as another user, who needs access to its folder in here.
    chmodSync(folder, 0o755);
    process.env.TMPDIR = folder;
    const starting = startPostgres({ durable: true });
    await afterRun.add(async () => {
      const server = await starting.catch(() => undefined);
      await server?.stop();
    });
    return (await starting).url;
  };
  return () => {
    url ??= start();
    return url;
  };
}

/**
 * @param {string} name
 * @param {Result} result
 */
function print(name, { part, value, unit, target }) {
  const digits = Number.isInteger(value) ? 0 : Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  const columns = [(part ? `${name}.${part}` : name).padEnd(28), value.toFixed(digits).padStart(8), unit.padEnd(10)];
  if (!target) columns.push('-');
  else {
    const { most = Number.POSITIVE_INFINITY, least = Number.NEGATIVE_INFINITY } = target;
    const wanted = target.most === undefined ? `≥${least}` : `≤${most}`;
    columns.push(wanted.padEnd(6), value <= most && value >= least ? 'ok' : 'short');
  }
  console.log(columns.join('  '));
}

/**
 * Removes all temporary files and processes, whatever ended the run.
 * @param {number} code
 * @param {unknown} [reason]
 */
async function finish(code, reason) {
  if (finishing) return;
  finishing = true;
  if (reason !== undefined) console.error(reason instanceof Error ? reason.stack : reason);
  await afterFigure.run();
  await afterRun.run();
  process.exit(code);
}
