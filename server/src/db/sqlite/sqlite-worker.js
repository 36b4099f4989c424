import { parentPort, workerData } from 'node:worker_threads';
import Database from 'libsql';
import { finderOf, gapOf } from './sqlite-pages.js';

/*
 * The thread of sqlite-reader.ts. In JavaScript, because Node 20 loads no TypeScript here when the tests run from source.
 */

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);
/** Read together: 1 MB. */
const PAGES_AT_ONCE = 256;
/** One by one: for a range SQLite would go through the whole file. */
const READ_PAGES = `with recursive numbers (number) as (select ? union all select number + 1 from numbers where number < ?)
  select pgno, data from numbers cross join sqlite_dbpage on pgno = number`;
/** What the writer copies in less than a millisecond. */
const FEW_PAGES = 32;
const { file, lockWaitMs } = /** @type {import('./sqlite-reader.ts').ReaderSettings} */ (workerData);

/** @typedef {{ statement: import('libsql').Statement, columns: import('./sqlite-kysely.ts').Column[] }} Prepared */

/** @type {import('libsql').Database | undefined} */
let connection;
/** @type {Map<string, Prepared>} */
const prepared = new Map();

port.on('message', (/** @type {import('./sqlite-reader.ts').Question} */ question) => {
  if (question) {
    port.postMessage(answer(question));
    return;
  }
  connection?.close();
  port.close();
});

/**
 * @param {NonNullable<import('./sqlite-reader.ts').Question>} question
 * @returns {import('./sqlite-reader.ts').Answer}
 */
function answer({ id, ...asked }) {
  try {
    if ('pages' in asked) return { id, columns: [], rows: searchPages(asked.pages) };
    if ('log' in asked) return { id, columns: [], rows: copyLog() };
    const { statement, columns } = prepare(asked.sql);
    return { id, columns, rows: /** @type {Record<string, unknown>[]} */ (statement.all(asked.parameters)) };
  } catch (error) {
    const { message, code } = /** @type {Error & { code?: string }} */ (error);
    return { id, error: { message, code } };
  }
}

/** @param {import('./sqlite-reader.ts').PageSearch} search */
function searchPages({ from, to, usableSize, texts }) {
  const isFound = finderOf(texts);
  const { statement } = prepare(READ_PAGES);
  const found = [];
  for (let first = from; first <= to; first += PAGES_AT_ONCE) {
    const pages = statement.all([first, Math.min(to, first + PAGES_AT_ONCE - 1)]);
    for (const { pgno, data } of /** @type {{ pgno: number, data: ArrayBuffer }[]} */ (pages)) {
      const page = Buffer.from(data);
      const gap = gapOf(page, pgno, usableSize);
      if (gap && isFound(page.subarray(gap.start, gap.end))) found.push({ pgno });
    }
    if (pages.length === 0) break;
  }
  return found;
}

/** Again for what was written meanwhile, as long as that is much. */
function copyLog() {
  for (let times = 0; times < 3; times++) {
    const [state] = prepare('pragma wal_checkpoint(passive)').statement.all([]);
    const { log, checkpointed } = /** @type {{ log: number, checkpointed: number }} */ (state);
    if (log - checkpointed <= FEW_PAGES) break;
  }
  return [];
}

/**
 * @param {string} sql
 * @returns {Prepared}
 */
function prepare(sql) {
  const known = prepared.get(sql);
  if (known) return known;
  connection ??= connect();
  const statement = connection.prepare(sql);
  const fresh = { statement, columns: statement.columns().map(({ name, type }) => ({ name, type })) };
  if (prepared.size > 2000) prepared.clear();
  prepared.set(sql, fresh);
  return fresh;
}

/** As in sqlite.ts. When it fails, the next question tries again. */
function connect() {
  const opened = new Database(file, { timeout: lockWaitMs });
  opened.exec('pragma query_only = on');
  opened.exec('pragma busy_timeout = 0');
  return opened;
}
