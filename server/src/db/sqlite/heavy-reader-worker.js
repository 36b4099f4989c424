import { parentPort, workerData } from 'node:worker_threads';
import Database from 'libsql';
import { createGapMatcher, findGap } from './page-layout.js';

/*
 * The thread of heavy-reader.ts. This is JavaScript, because Node 20 loads no TypeScript here when the tests run from
 * source.
 */

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);
/** 1 MB. */
const PAGES_PER_READ = 256;
/** Selects each page by its number, because for a range of numbers SQLite would read the whole file. */
const READ_PAGES = 'select pgno, data from json_each(?) as numbers cross join sqlite_dbpage on pgno = numbers.value';
/** The writer copies so many pages in less than a millisecond. */
const FEW_PAGES = 32;
const MAX_PREPARED = 2000;
const { file, lockWaitMs } = /** @type {import('./heavy-reader.ts').ReaderSettings} */ (workerData);

/** @typedef {{ statement: import('libsql').Statement, columns: import('./sqlite-kysely.ts').Column[] }} Prepared */

/** @type {import('libsql').Database | undefined} */
let connection;
/** @type {Map<string, Prepared>} */
const prepared = new Map();

port.on('message', (/** @type {import('./heavy-reader.ts').ReaderRequest} */ request) => {
  if (request) {
    port.postMessage(handle(request));
    return;
  }
  connection?.close();
  port.close();
});

/**
 * @param {NonNullable<import('./heavy-reader.ts').ReaderRequest>} request
 * @returns {import('./heavy-reader.ts').ReaderResponse}
 */
function handle(task) {
  try {
    if ('search' in task) return { columns: [], rows: searchPages(task.search) };
    if ('log' in task) return { columns: [], rows: copyLog(task.log) };
    const { statement, columns } = prepare(task.sql);
    return { columns, rows: /** @type {Record<string, unknown>[]} */ (statement.all(task.parameters)) };
  } catch (error) {
    const { message, code } = /** @type {Error & { code?: string }} */ (error);
    return { error: { message, code } };
  }
}

/** @param {import('./heavy-reader.ts').PageSearch} search */
function searchPages({ pages, usableSize, texts }) {
  const matches = createGapMatcher(texts);
  const { statement } = prepare(READ_PAGES);
  const found = [];
  for (let first = 0; first < pages.length; first += PAGES_PER_READ) {
    const rows = statement.all([JSON.stringify(pages.slice(first, first + PAGES_PER_READ))]);
    for (const { pgno, data } of /** @type {{ pgno: number, data: ArrayBuffer }[]} */ (rows)) {
      const page = Buffer.from(data);
      const gap = findGap(page, pgno, usableSize);
      if (gap && matches(page.subarray(gap.start, gap.end))) found.push({ pgno });
    }
  }
  return found;
}

/**
 * Copies again what was written meanwhile, as long as that is much. Returns how long the log is.
 * @param {'most' | 'all'} what
 */
function copyLog(what) {
  const maxMissing = what === 'all' ? 0 : FEW_PAGES;
  let pages = 0;
  for (let times = 0; times < 3; times++) {
    const [state] = prepare('pragma wal_checkpoint(passive)').statement.all([]);
    const { log, checkpointed } = /** @type {{ log: number, checkpointed: number }} */ (state);
    pages = log;
    if (log - checkpointed <= maxMissing) break;
  }
  return [{ pages }];
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
  if (prepared.size > MAX_PREPARED) prepared.clear();
  prepared.set(sql, fresh);
  return fresh;
}

/** Does the same as `openConnection`. If it fails, the next request tries again. */
function connect() {
  const opened = new Database(file, { timeout: lockWaitMs });
  opened.exec('pragma query_only = on');
  opened.exec('pragma busy_timeout = 0');
  return opened;
}
