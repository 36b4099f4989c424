import { performance } from 'node:perf_hooks';
import { type Engine, type Millis, timeOfTick } from '@usher/domain';
import { type RawBuilder, sql } from 'kysely';
import { listAppliedMigrations } from './migrate.ts';
import type { Db } from './schema.ts';
import { CLEARED_BY, MAX_PAGES } from './sqlite/written-pages.ts';
import { findUnusable } from './transfer/transfer-notes.ts';

const DAY: Millis = 24 * 60 * 60_000;

interface OrderedCertificate {
  directory: string;
  domains: string;
  chain: string | null;
  /** Why the latest order failed, and when the next one may begin. */
  error: string | null;
  retry_at: Millis | null;
}

/** What only the rows of all accounts say about an installation. It names no account. */
export interface DatabaseFindings {
  /** The names of the applied migrations, in their order. */
  migrations: string[];
  /** Enabled webhooks whose requests have all failed for more than a day. */
  failingWebhooks: number;
  /** Webhooks that were disabled because they failed. */
  disabledWebhooks: number;
  /** Keys of accounts that are not encrypted. */
  plainKeys: number;
  /** The fingerprint of the master key. */
  masterKey: string | undefined;
  /** Why nothing is sent to webhooks, if it was turned off. */
  sendingPaused: string | undefined;
  installationId: string | undefined;
  /** The state of the scheduled backups, as it is stored. */
  scheduledBackup: string | undefined;
  /** The same of exports for a warehouse. */
  scheduledExport: string | undefined;
  /** The certificates that were ordered by ACME, without their keys. */
  certificates: OrderedCertificate[];
  /** How far the clock of the database server is ahead of ours: negative if behind. Null if both have the same clock. */
  ahead: Millis | null;
  /** The time of the newest record; null if there is none. */
  newestAt: Millis | null;
  /** What SQLite says about its file: `ok`, or the first error. Null if it was not checked. */
  integrity: string | null;
  /** Whether the gaps of all pages of SQLite's file were cleared. Null on PostgreSQL, and where the server cannot do that. */
  hasClearGaps: boolean | null;
  /** Whether SQLite's file is so large that copies of deleted rows can no longer be cleared. */
  isTooLargeToClear: boolean;
  /** A standby, or a database in which transactions are read-only unless they say otherwise. */
  isReadOnly: boolean;
  /** Why no server may use it, because of a move or a restore; null if one may. */
  unusable: string | null;
}

/**
 * Reads only. A database without tables is no error: it has no migrations. Neither is one of an earlier version: what its
 * tables do not have is left out.
 */
export async function inspectDatabase(
  db: Db,
  engine: Engine,
  { now, thorough }: { now: Millis; thorough: boolean },
): Promise<DatabaseFindings> {
  const start = performance.now();
  const rows = async <Row>(query: RawBuilder<Row>) => (await query.execute(db)).rows;
  const columns = await listColumns(db, engine);
  const has = (names: readonly string[]) => names.every((name) => columns.has(name));
  const read = async (needed: readonly string[], query: RawBuilder<{ value: number | string | null }>) =>
    has(needed) ? Number((await rows(query))[0]?.value ?? 0) : 0;
  const installation = new Map(
    has(['installation.name', 'installation.value'])
      ? (await rows(sql<{ name: string; value: string }>`select name, value from installation`)).map(
          ({ name, value }) => [name, value],
        )
      : [],
  );
  const failing = ['webhooks.enabled', 'webhooks.failing_since'];
  const keys = ['hash_key', 'visit_key', 'uid_secret'].filter((key) => columns.has(`accounts.${key}`));
  const isPlain = keys.map((key) => sql`coalesce(${sql.ref(key)}, 'sealed.') not like 'sealed.%'`);
  const newest = [
    timeOfTick(await read(['account_clocks.tick'], sql`select max(tick) as value from account_clocks`)),
    await read(['urls.last_seen_at'], sql`select max(last_seen_at) as value from urls`),
  ];
  const applied = await listAppliedMigrations(db, engine);
  return {
    migrations: applied,
    failingWebhooks: await read(
      failing,
      sql`select count(*) as value from webhooks where enabled and failing_since < ${now - DAY}`,
    ),
    disabledWebhooks: await read(
      failing,
      sql`select count(*) as value from webhooks where not enabled and failing_since is not null`,
    ),
    plainKeys:
      keys.length === 0
        ? 0
        : await read([], sql`select count(*) as value from accounts where ${sql.join(isPlain, sql` or `)}`),
    masterKey: installation.get('master_key'),
    sendingPaused: installation.get('sending_paused'),
    installationId: installation.get('id'),
    scheduledBackup: installation.get('scheduled_backup'),
    scheduledExport: installation.get('scheduled_export'),
    certificates: has(['certificates.chain', 'certificates.retry_at'])
      ? await rows(sql<OrderedCertificate>`select directory, domains, chain, error, retry_at from certificates`)
      : [],
    ahead: engine === 'postgres' ? await compareClocks(db, () => now + performance.now() - start) : null,
    newestAt: Math.max(...newest) || null,
    integrity: engine === 'sqlite' && thorough ? await checkIntegrity(db) : null,
    hasClearGaps: engine === 'sqlite' ? await haveGapsBeenCleared(db, installation.get(CLEARED_BY)) : null,
    isTooLargeToClear: engine === 'sqlite' && (await countPages(db)) >= MAX_PAGES,
    isReadOnly: engine === 'postgres' && (await isReadOnly(db)),
    unusable: (await findUnusable(db, engine, applied)) ?? null,
  };
}

/** Returns `table.column` for everything that this version or an earlier one has created. */
async function listColumns(db: Db, engine: Engine): Promise<ReadonlySet<string>> {
  const { rows } =
    engine === 'sqlite'
      ? await sql<{ name: string }>`select tables.name || '.' || columns.name as name
          from sqlite_schema as tables join pragma_table_info(tables.name) as columns
          where tables.type = 'table'`.execute(db)
      : await sql<{ name: string }>`select table_name || '.' || column_name as name
          from information_schema.columns where table_schema = any(current_schemas(false))`.execute(db);
  return new Set(rows.map(({ name }) => name));
}

/** The time that a slow response takes is no difference. */
async function compareClocks(db: Db, now: () => Millis): Promise<Millis | null> {
  const time = sql<{ time: number }>`select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as time`;
  const before = now();
  const found = (await time.execute(db)).rows[0]?.time ?? null;
  if (found === null) return null;
  return found > now() ? found - now() : Math.min(0, found - before);
}

async function isReadOnly(db: Db): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select pg_is_in_recovery()
    or current_setting('default_transaction_read_only')::boolean as found`.execute(db);
  return rows[0]?.found ?? false;
}

/** The process that has written last is the one that has cleared them, see written-pages.ts. */
async function haveGapsBeenCleared(db: Db, clearedBy: string | undefined): Promise<boolean | null> {
  const { rows: vacuum } = await sql<{ auto_vacuum: number }>`pragma auto_vacuum`.execute(db);
  if (vacuum[0]?.auto_vacuum !== 0) return null;
  const { rows } = await sql<{ user_version: number }>`pragma user_version`.execute(db);
  return String(rows[0]?.user_version) === clearedBy;
}

async function countPages(db: Db): Promise<number> {
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db);
  return rows[0]?.page_count ?? 0;
}

async function checkIntegrity(db: Db): Promise<string> {
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check(1)`.execute(db);
  return rows[0]?.quick_check ?? '';
}
