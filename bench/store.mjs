import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import pg from 'pg';

// This is the driver that the server uses.
const openSqlite = createRequire(new URL('../server/package.json', import.meta.url))('libsql');

/**
 * A separate database for one figure.
 * @typedef {object} Store
 * @property {Record<string, string>} env the settings that make Usher use it
 * @property {() => Promise<Connection>} connect direct access; no Usher may write at the same time
 */

/**
 * @typedef {object} Connection
 * @property {(sql: string) => Promise<Record<string, unknown>[]>} run
 * @property {() => Promise<void>} close
 */

/**
 * @param {import('./harness.mjs').Bench} bench
 * @returns {Promise<Store>}
 */
export async function createStore(bench) {
  const folder = mkdtempSync(join(bench.folder, 'data-'));
  await bench.cleanup.add(() => rmSync(folder, { recursive: true, force: true }));
  if (bench.engine === 'sqlite') return storeAt(folder);
  // The database must exist and be empty, because Citus has to be set up in it, which differs from place to place.
  const given = process.env.BENCH_DATABASE_URL;
  if (given) return storeAt(folder, given);
  const server = new URL(await bench.postgres());
  const name = folder.slice(folder.lastIndexOf('data-')).replace('-', '_').toLowerCase();
  const url = new URL(`/${name}`, server).href;
  await runOnce(server.href, `create database ${name}`);
  // If this fails, PostgreSQL has stopped already, and the database is removed with its folder.
  await bench.cleanup.add(() => runOnce(server.href, `drop database ${name} with (force)`).catch(() => {}));
  return storeAt(folder, url);
}

/**
 * @param {string} folder
 * @param {string} [url] of a PostgreSQL database, instead of SQLite in the folder
 * @returns {Store}
 */
export function storeAt(folder, url) {
  if (url === undefined)
    return { env: { USHER_DATA: folder }, connect: async () => connectSqlite(join(folder, 'usher.db')) };
  return { env: { USHER_DATA: folder, DATABASE_URL: url }, connect: () => connectPostgres(url) };
}

/**
 * @param {string} file
 * @returns {Connection}
 */
function connectSqlite(file) {
  const database = new openSqlite(file);
  database.exec('pragma synchronous = off');
  // Large tables are filled many times faster if their indexes fit into the cache.
  database.exec('pragma cache_size = -500000');
  return {
    run: async (sql) => {
      const statement = database.prepare(sql);
      if (statement.reader) return statement.all();
      statement.run();
      return [];
    },
    close: async () => {
      database.exec('pragma wal_checkpoint(truncate)');
      database.close();
    },
  };
}

/**
 * @param {string} url
 * @returns {Promise<Connection>}
 */
async function connectPostgres(url) {
  const client = new pg.Client({ connectionString: url });
  // A broken connection fails its query anyway; without a listener, the event would end the process.
  client.on('error', () => {});
  await client.connect();
  return { run: async (sql) => (await client.query(sql)).rows, close: () => client.end() };
}

/**
 * @param {string} url
 * @param {string} sql
 */
async function runOnce(url, sql) {
  const connection = await connectPostgres(url);
  try {
    await connection.run(sql);
  } finally {
    await connection.close();
  }
}
