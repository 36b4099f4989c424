import { parentPort, workerData } from 'node:worker_threads';
import Database from 'libsql';

/*
 * The thread of sqlite-reader.ts. In JavaScript, because Node 20 loads no TypeScript here when the tests run from source.
 */

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);
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
function answer({ id, sql, parameters }) {
  try {
    const { statement, columns } = prepare(sql);
    return { id, columns, rows: /** @type {Record<string, unknown>[]} */ (statement.all(parameters)) };
  } catch (error) {
    const { message, code } = /** @type {Error & { code?: string }} */ (error);
    return { id, error: { message, code } };
  }
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
