import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Log } from '../../log.ts';
import { findStatementName } from '../prepared-query.ts';
import type { Db, Schema } from '../schema.ts';
import { PlainReturning } from './plain-returning.ts';
import { sqlStateOf, statementStates } from './sql-state.ts';

const INT8 = 20;
const POOLER_WARNING =
  'a pooler shares connections without tracking prepared statements: they are no longer used, which costs time';

/** Opens a pool of connections. Each connection runs `setup` first. */
export function connect(url: string, maxConnections: number, log: Log, setup?: string): Db {
  const onError = (err: Error) => log.warn({ err }, 'a database connection broke');
  const pool = new pg.Pool({
    Client: createClientClass(() => log.warn(POOLER_WARNING)),
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: 4000,
    statement_timeout: 60_000,
    keepAlive: true,
    application_name: 'usher',
    types: { getTypeParser: (oid, format) => (oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) },
  });
  // A connection that breaks while it is idle or between two queries is replaced at the next use. Without a listener the
  // event would end the process. The pool repeats the errors of its idle connections.
  pool.on('connect', (client) => {
    client.on('error', onError);
    if (setup) client.query(setup).catch(onError);
  });
  pool.on('error', () => {});
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }), plugins: [new PlainReturning()] });
}

/**
 * Creates the client class of one pool. It gives prepared queries a name, so that each connection plans them once. When it
 * detects a pooler that does not track prepared statements by client, nothing in this pool gets a name any more, which
 * always works.
 *
 * The driver gets its callback together with the query. For a promise it would set the callback later, and rows that are
 * referenced during a collection of young garbage would stay until the next full collection: 2 of every 14 MB of a
 * download stayed, and now next to nothing.
 */
function createClientClass(onPooler: () => void): typeof pg.Client {
  let usesNames = true;
  return class extends pg.Client {
    // biome-ignore lint/suspicious/noExplicitAny: only one of many overloads changes, the others are passed on
    override query(text: any, ...rest: any[]): any {
      if (typeof text !== 'string' || typeof rest.at(-1) === 'function') return super.query(text, ...rest);
      const query = { name: usesNames ? findStatementName(text) : undefined, text, values: rest[0] };
      return new Promise((resolve, reject) => {
        super.query(query, (error: unknown, result: unknown) => {
          if (!error) return resolve(result);
          if (query.name === undefined || !statementStates.includes(sqlStateOf(error))) return reject(error);
          if (usesNames) onPooler();
          usesNames = false;
          // Inside a transaction this error has ended the transaction, and all of it runs again.
          if (this.getTransactionStatus() !== 'I') return reject(error);
          resolve(this.query(text, ...rest));
        });
      });
    }
  };
}
