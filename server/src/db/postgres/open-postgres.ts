import { CompiledQuery, sql } from 'kysely';
import type { Log } from '../../log.ts';
import { AccountGuard, guarded } from '../account-guard.ts';
import { createDueWebhooks } from '../due-webhooks.ts';
import type { Db, Storage } from '../storage.ts';
import { CoalescedWrites } from './coalesced-writes.ts';
import { connect } from './connect.ts';
import { postgresDialect } from './postgres-dialect.ts';
import { dumpPostgresSchema, migratePostgres } from './postgres-schema.ts';
import { readPostgresStatus } from './postgres-status.ts';
import { isPostgresUnavailable } from './sql-state.ts';
import { runTransaction } from './transaction.ts';

const MAX_CONNECTIONS = 20;
/** Each uses one core. If they used all cores, every other request would become slow. */
const MAX_HEAVY_READS = 4;

export function openPostgres(url: string, log: Log): Storage {
  const db = connect(url, MAX_CONNECTIONS, log);
  const heavyDb = connect(url, MAX_HEAVY_READS, log, 'set max_parallel_workers_per_gather = 0');
  const reader = guarded(db);

  const storage: Storage = {
    dialect: postgresDialect,
    reader,
    heavyReader: guarded(heavyDb),
    write: (accountId, work) => runTransaction(db, (tx) => work(tx.withPlugin(new AccountGuard(accountId)))),
    writeCoalesced: (...write) => coalesced.write(...write) as never,
    runSql: async <Row>(on: Db, text: string, values: readonly unknown[]) =>
      (await on.executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows,
    // PostgreSQL's own vacuum removes deleted rows from the files.
    shred: async () => {},
    isUnavailable: isPostgresUnavailable,
    dueWebhooks: createDueWebhooks(db, heavyDb),
    address: { databaseUrl: url },
    migrate: async () => {
      await migratePostgres(db);
      // Opens the first connection, so that the first heavy read does not wait for it.
      await sql`select 1`.execute(heavyDb);
    },
    status: () => readPostgresStatus(heavyDb),
    dumpSchema: () => dumpPostgresSchema(db),
    close: async () => {
      await Promise.all([db.destroy(), heavyDb.destroy()]);
    },
  };
  const coalesced = new CoalescedWrites(storage, MAX_CONNECTIONS / 2);
  return storage;
}
