import { setTimeout as pause } from 'node:timers/promises';
import { CompiledQuery, Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import pg from 'pg';
import type { Log } from '../../log.ts';
import { AccountGuard, guarded } from '../account-guard.ts';
import { stampItems } from '../coalesced-write.ts';
import { createDueWebhooks } from '../due-webhooks.ts';
import { applyMigrations } from '../migrate.ts';
import type { ColumnTypes } from '../migrations/migration.ts';
import { findStatementName } from '../prepared-query.ts';
import { type Schema, tables } from '../schema.ts';
import type { Db, Storage } from '../storage.ts';
import { PlainReturning } from './plain-returning.ts';
import { postgresDialect } from './postgres-dialect.ts';
import { sqlStateOf } from './sql-state.ts';

const types: ColumnTypes = {
  id: 'text collate "C"',
  time: 'bigint',
  json: 'jsonb',
  indexJson: (table, column) => [`create index ${table}_by_${column} on ${table} using gin (${column} jsonb_path_ops)`],
  millisOfId: (id) =>
    `(('x' || substr(${id}, 1, 8))::bit(32)::bigint * 1000 + ('x00000' || substr(${id}, 9, 3))::bit(32)::bigint)`,
  onSqlite: () => [],
  onPostgres: (...all) => all,
};
const INT8 = 20;
/** Connection lost or refused, out of resources, taking too long, shutting down or starting up. */
const unavailableStates = /^(08|53|57|58|XX)/;
const unavailableCodes = /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_AGAIN|ENOENT)/;
const unavailableWords =
  /^(Connection terminated|timeout exceeded|Client has encountered a connection error|Client was closed|The server does not support SSL)/i;
/**
 * A prepared statement is missing, or is there although this client never sent it: between two transactions a pooler
 * has moved the client to another connection of the server.
 */
const STATEMENT_STATES = ['26000', '42P05'];
/**
 * Deadlock and serialization failure: PostgreSQL asks to run the transaction again. A duplicate that was not there when
 * the transaction looked is found when it looks again.
 */
const tryAgainStates = new Set(['40P01', '40001', '23505', ...STATEMENT_STATES]);
/** More than the pool has connections: each duplicate means that another writer got through. */
const TRIES = 25;

const MAX_CONNECTIONS = 20;
/** Each on one core: a search that takes them all would be noticed by everyone. */
const MAX_HEAVY_READS = 4;

export function openPostgres(url: string, log: Log): Storage {
  const db = connect(url, MAX_CONNECTIONS, log);
  const heavyDb = connect(url, MAX_HEAVY_READS, log, 'set max_parallel_workers_per_gather = 0');

  const reader = guarded(db);

  const storage: Storage = {
    dialect: postgresDialect,
    reader,
    heavyReader: guarded(heavyDb),
    write: (accountId, work) => inTransaction(db, (tx) => work(tx.withPlugin(new AccountGuard(accountId)))),
    // One by one: a statement for many would hold the rows of all, and wait for whoever holds one of them.
    writeCoalesced: async (accountId, write, item, now) => {
      const { single, read } = write;
      const run = async (db: Db) => {
        const [row] = await single.run(storage, db, accountId, item as never);
        return row && read(row).found;
      };
      if (!write.stamp) return run(reader(accountId));
      return storage.write(accountId, async (db) => {
        await stampItems(storage, db, accountId, write, [item], now());
        return run(db);
      });
    },
    runSql: async <Row>(on: Db, text: string, values: readonly unknown[]) =>
      (await on.executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows,
    // PostgreSQL's own vacuum does it.
    shred: async () => {},
    isUnavailable,
    dueWebhooks: createDueWebhooks(db, heavyDb),
    address: { databaseUrl: url },
    migrate: async () => {
      await migrate(db);
      // So that the first heavy read need not wait for it.
      await sql`select 1`.execute(heavyDb);
    },
    dumpSchema: () => dumpSchema(db),
    close: async () => {
      await Promise.all([db.destroy(), heavyDb.destroy()]);
    },
  };
  return storage;
}

function connect(url: string, max: number, log: Log, first?: string): Db {
  const onError = (err: Error) => log.warn({ err }, 'a database connection broke');
  const pool = new pg.Pool({
    Client: namingClient(() => log.warn(POOLED)),
    connectionString: url,
    max,
    connectionTimeoutMillis: 4000,
    statement_timeout: 60_000,
    keepAlive: true,
    application_name: 'usher',
    types: { getTypeParser: (oid, format) => (oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) },
  });
  // A connection that breaks, idle or between two queries, is replaced at the next use; unheard, the event would end
  // the process. The pool repeats what its idle ones said.
  pool.on('connect', (client) => {
    client.on('error', onError);
    if (first) client.query(first).catch(onError);
  });
  pool.on('error', () => {});
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }), plugins: [new PlainReturning()] });
}

const POOLED =
  'a pooler shares connections without tracking prepared statements: they are no longer used, which costs time';

/**
 * The client of one pool. It gives a query that is run again and again its name, so that each connection has it planned
 * once, until it notices a pooler that does not keep statements apart by client: from then on nothing in this pool has a
 * name, which always works. The driver gets its callback with the query: where it puts it on later, as it does for a promise, rows that are held when V8 collects young
 * garbage stay until it collects the old. Of every 14 MB that a download took up, 2 MB stayed, and now next to nothing.
 */
function namingClient(onPooled: () => void): typeof pg.Client {
  let named = true;
  return class extends pg.Client {
    // biome-ignore lint/suspicious/noExplicitAny: one of many ways to call it is changed, the others go through
    override query(text: any, ...rest: any[]): any {
      if (typeof text !== 'string' || typeof rest.at(-1) === 'function') return super.query(text, ...rest);
      const query = { name: named ? findStatementName(text) : undefined, text, values: rest[0] };
      return new Promise((resolve, reject) => {
        super.query(query, (error: unknown, result: unknown) => {
          if (!error) return resolve(result);
          if (query.name === undefined || !STATEMENT_STATES.includes(sqlStateOf(error))) return reject(error);
          if (named) onPooled();
          named = false;
          // A transaction has ended by this error, and is run again as a whole.
          if (this.getTransactionStatus() !== 'I') return reject(error);
          resolve(this.query(text, ...rest));
        });
      });
    }
  };
}

async function inTransaction<T>(db: Db, work: (tx: Transaction<Schema>) => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (tried === TRIES || !tryAgainStates.has(sqlStateOf(error))) throw error;
      // A while of its own for each, longer each time: those who collided would only meet again.
      await pause(Math.random() * Math.min(2 ** tried, 100));
    }
  }
}

function isUnavailable(error: unknown): boolean {
  const state = sqlStateOf(error);
  return (
    unavailableStates.test(state) ||
    unavailableCodes.test(state) ||
    (error instanceof Error && unavailableWords.test(error.message))
  );
}

/** Nodes that start together wait on one row, so each migration runs once. */
async function migrate(db: Db): Promise<void> {
  await createMigrationsTable(db);
  await inTransaction(db, async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx);
    await sql`select 1 from migrations where name = '' for update`.execute(tx);
    const citus = await hasCitus(tx);
    if (citus) await sql`set local citus.multi_shard_modify_mode = 'sequential'`.execute(tx);
    await applyMigrations(tx, types, async (table) => {
      if (citus) await distribute(tx, table);
    });
  });
}

/** `if not exists` does not hold between two that create at the same moment: the one that lost looks again. */
async function createMigrationsTable(db: Db): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      await sql`create table if not exists migrations (name text primary key)`.execute(db);
      await sql`insert into migrations (name) values ('') on conflict do nothing`.execute(db);
      return;
    } catch (error) {
      if (tried === TRIES || !['23505', '42P07', '42710', 'XX000'].includes(sqlStateOf(error))) throw error;
    }
  }
}

async function hasCitus(db: Db): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_extension where extname = 'citus'`.execute(db);
  return rows.length > 0;
}

/** Citus: an account's rows live together on one worker; what all accounts share is on every worker. */
async function distribute(db: Db, table: string): Promise<void> {
  if (tables[table as keyof typeof tables] === 'tenant') {
    await sql`select create_distributed_table(${table}, 'account_id')`.execute(db);
  } else {
    await sql`select create_reference_table(${table})`.execute(db);
  }
}

async function dumpSchema(db: Db): Promise<string> {
  const { rows } = await sql<{ line: string }>`
    with lines as (
      select c.relname as place, 1 as part, a.attnum::text as spot,
        format('  %s %s%s%s', quote_ident(a.attname), format_type(a.atttypid, a.atttypmod),
          case when co.collname <> 'default' then format(' collate %I', co.collname) else '' end,
          case when a.attnotnull then ' not null' else '' end) as line
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      left join pg_collation co on co.oid = a.attcollation
      where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
      union all
      select c.relname, 2, conname, format('  constraint %s %s', conname, pg_get_constraintdef(k.oid))
      from pg_constraint k
      join pg_class c on c.oid = k.conrelid -- where Citus hides the shards of its own
      where connamespace = current_schema()::regnamespace and contype <> 'n'
      union all
      select tablename, 3, indexname, format('  %s', regexp_replace(indexdef, ' ON \\S+\\.', ' ON '))
      from pg_indexes where schemaname = current_schema()
      union all
      select relname, 0, '', format('table %s', relname)
      from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'
    )
    select line from lines order by place collate "C", part, lpad(spot, 4), spot collate "C"`.execute(db);
  return `${rows
    .map((row) => row.line)
    .join('\n')
    .replaceAll('\ntable ', '\n\ntable ')}\n`;
}
