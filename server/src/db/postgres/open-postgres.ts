import { CompiledQuery, sql } from 'kysely';
import type { Log } from '../../log/log.ts';
import { AccountGuard, guarded } from '../account-guard.ts';
import { createDueWebhooks } from '../due-webhooks.ts';
import { inspectDatabase } from '../inspect-database.ts';
import { listAppliedMigrations } from '../migrate.ts';
import type { ConnectionUse, Db, Storage } from '../storage.ts';
import { heavyReadMetric, Turns } from '../turns.ts';
import { analyzeNewTables } from './analyze-new-tables.ts';
import { tolerateLostWorkers } from './citus-due-webhooks.ts';
import { CitusWorkers } from './citus-workers.ts';
import { CoalescedWrites } from './coalesced-writes.ts';
import { connect } from './connect.ts';
import type { PoolSizes } from './divide-connections.ts';
import { takingTurns } from './heavy-reads.ts';
import { forLongWork, forMigrations, forRequests, type Patience } from './patience.ts';
import { postgresDialect } from './postgres-dialect.ts';
import { postgresMetrics } from './postgres-metrics.ts';
import { dumpPostgresSchema, migratePostgres } from './postgres-schema.ts';
import { readPostgresStatus } from './postgres-status.ts';
import { Replica, type ReplicaOptions } from './replica.ts';
import { StarvedPools } from './scarce-connections.ts';
import { isPostgresFull, isPostgresReadOnly, isPostgresUnavailable } from './sql-state.ts';
import { runTransaction } from './transaction.ts';

/** Each heavy read uses one core. */
const ONE_CORE = 'set max_parallel_workers_per_gather = 0';

interface PostgresOptions {
  pools: PoolSizes;
  /** The memory of the main thread's starved pools; left out on the main thread itself. */
  starvedPools?: SharedArrayBuffer | undefined;
  /** The address of a standby, for heavy reads that may be some seconds old. */
  replicaUrl?: string | undefined;
  /** How the standby is checked. */
  replicaLimits?: Pick<ReplicaOptions, 'maxAgeMs' | 'intervalMs'>;
  /** Of the main pool and of the one for long work. */
  patience?: { main: Patience; long: Patience };
}

const patienceOfServer = { main: forRequests, long: forLongWork };

export function openPostgres(
  url: string,
  log: Log,
  { pools, starvedPools, replicaUrl, replicaLimits, patience = patienceOfServer }: PostgresOptions,
): Storage {
  const starved = new StarvedPools(starvedPools);
  const main = connect(url, { maxConnections: pools.main, patience: patience.main, log, starved });
  const long =
    pools.heavy > 0
      ? connect(url, { maxConnections: pools.heavy, patience: patience.long, log, starved, setup: ONE_CORE })
      : main;
  const [db, heavyDb] = [main.db, long.db];
  const reader = guarded(db);
  const turns = new Turns(pools.heavy || pools.main);
  const standby =
    replicaUrl === undefined
      ? undefined
      : connect(replicaUrl, { maxConnections: (pools.heavy || 1) + 1, patience: patience.long, log, setup: ONE_CORE });
  const replica = standby && new Replica({ primary: db, replica: standby.db, log, ...replicaLimits });
  let retried = 0;
  const workers = new CitusWorkers(db, (unavailable) => {
    if (unavailable.length === 0) log.info('all workers of the database are available again');
    else log.warn({ workers: unavailable }, 'workers of the database are unavailable, and so are the accounts on them');
  });

  const storage: Storage = {
    dialect: postgresDialect,
    reader,
    heavyReader: takingTurns(heavyDb, turns, replica),
    write: (accountId, work, { isLong = false } = {}) =>
      runTransaction(
        isLong ? heavyDb : db,
        (tx) => work(tx.withPlugin(new AccountGuard(accountId))),
        () => {
          retried += 1;
        },
      ),
    writeCoalesced: (...write) => coalesced.write(...write),
    runSql: async <Row>(on: Db, text: string, values: readonly unknown[]) =>
      (await on.executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows,
    // PostgreSQL's own vacuum removes deleted rows from the files.
    shred: async () => {},
    clearGaps: async () => {},
    // A commit has waited for the disk.
    syncToDisk: async () => {},
    analyzeNewTables: () => analyzeNewTables(heavyDb),
    isUnavailable: isPostgresUnavailable,
    isFull: isPostgresFull,
    isReadOnly: isPostgresReadOnly,
    listUnavailable: () => workers.listUnavailable(),
    dueWebhooks: tolerateLostWorkers(createDueWebhooks('postgres', db, heavyDb), workers),
    address: {
      databaseUrl: url,
      pools: { main: pools.batches, heavy: 0, batches: 0 },
      starvedPools: starved.shared,
    },
    migrate: async () => {
      const migrating = connect(url, { maxConnections: 1, patience: forMigrations, log, starved });
      await migratePostgres(migrating.db).finally(migrating.close);
      // Opens the first connection, so that the first heavy read does not wait for it.
      await sql`select 1`.execute(heavyDb);
    },
    appliedMigrations: () => listAppliedMigrations(db, 'postgres'),
    status: () => readPostgresStatus(heavyDb),
    inspect: (options) => inspectDatabase(heavyDb, 'postgres', options),
    readDisk: async () => null,
    countConnections: () => addUp([...new Set([main, long])].map((pool) => pool.countConnections())),
    readMetrics: async () => [
      heavyReadMetric(turns.count),
      ...postgresMetrics(storage.countConnections(), retried, replica),
    ],
    fileRelease: null,
    dumpSchema: () => dumpPostgresSchema(db),
    close: async () => {
      await replica?.close();
      await standby?.close();
      await Promise.all([...new Set([main, long])].map((pool) => pool.close()));
    },
  };
  const coalesced = new CoalescedWrites(storage, Math.ceil(pools.main / 2));
  return storage;
}

function addUp(pools: readonly ConnectionUse[]): ConnectionUse {
  const sum = (key: keyof ConnectionUse) => pools.reduce((total, pool) => total + pool[key], 0);
  return { busy: sum('busy'), idle: sum('idle'), waiting: sum('waiting'), max: sum('max') };
}
