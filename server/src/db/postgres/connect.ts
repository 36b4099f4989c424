import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Log } from '../../log/log.ts';
import type { Db, Schema } from '../schema.ts';
import type { ConnectionUse } from '../storage.ts';
import { createClientClass } from './client.ts';
import type { Patience } from './patience.ts';
import { PlainReturning } from './plain-returning.ts';
import { connectWithin, StarvedPools } from './scarce-connections.ts';
import { createWorkingBackends } from './working-backends.ts';

const INT8 = 20;
const CONNECT_MS = 4000;
/** For work that may take a minute: batches, commands, migrations. */
const PATIENT_CONNECT_MS = 15_000;
/** Node repeats the probe every second, ten times. So an idle connection, or one that waits for a long statement, ends after 15 s. */
const KEEP_ALIVE_MS = 5000;
/**
 * PostgreSQL compiles queries that it expects to take long. For a condition with events it expects a lookup for each profile,
 * even if it hashes them: counting 65,000 profiles took 0.98 s to compile, and 0.25 s to run.
 */
const WITHOUT_JIT = 'set jit = off';
/**
 * Without these, PostgreSQL keeps the locks of a client that is gone, for up to two hours: it would notice the loss only
 * when it sends something. With them it gives the connection up after 8 seconds, as Usher does.
 */
const SETUP = `set idle_in_transaction_session_timeout = 60000; set client_connection_check_interval = 2000;
  set tcp_keepalives_idle = 4; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 2; set tcp_user_timeout = 8000;
  ${WITHOUT_JIT}`;
const POOLER_WARNING =
  'a pooler shares connections without tracking prepared statements: they are no longer used, which costs time';

interface ConnectOptions {
  maxConnections: number;
  patience: Patience;
  log: Log;
  /** Left out if there is no other pool. */
  starved?: StarvedPools;
  /** SQL that each connection runs first. */
  setup?: string;
}

interface Connected {
  db: Db;
  countConnections(): ConnectionUse;
  close(): Promise<void>;
}

/** Opens a pool of connections, each when it is needed. */
export function connect(
  url: string,
  { maxConnections, patience, log, starved = new StarvedPools(), setup = '' }: ConnectOptions,
): Connected {
  const onError = (err: Error) => log.warn({ err }, 'a database connection broke');
  const pool = new pg.Pool({
    Client: createClientClass({
      patience,
      isWorking: createWorkingBackends(url, CONNECT_MS),
      onPooler: () => log.warn(POOLER_WARNING),
    }),
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: patience.statementMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    application_name: 'usher',
    types: { getTypeParser: (oid, format) => (oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) },
  });
  // A connection that breaks while it is idle or between two queries is replaced at the next use. Without a listener the
  // event would end the process. The pool repeats the errors of its idle connections.
  pool.on('connect', (client) => {
    client.on('error', onError);
    client.query(`${SETUP}; ${setup}`).catch(onError);
  });
  pool.on('error', () => {});
  const connectToPool = connectWithin(patience.isPatient ? PATIENT_CONNECT_MS : CONNECT_MS, pool, starved);
  const dialect = new PostgresDialect({ pool: { connect: connectToPool, end: () => pool.end() } });
  const db = new Kysely<Schema>({ dialect, plugins: [new PlainReturning()] });
  return {
    db,
    countConnections: () => ({
      busy: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      max: maxConnections,
    }),
    close: () => db.destroy(),
  };
}
