import { performance } from 'node:perf_hooks';
import type { Engine, Millis } from '@usher/domain';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from './schema.ts';

const DAY: Millis = 24 * 60 * 60_000;

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
  /** How far the clock of the database, or the newest record if they have the same clock, is ahead of ours: negative if behind. */
  ahead: Millis | null;
  /** What SQLite says about its file: `ok`, or the first error. Null if it was not checked. */
  integrity: string | null;
  /** A standby, or a database in which transactions are read-only unless they say otherwise. */
  isReadOnly: boolean;
}

/** Reads only. A database without tables is no error: it has no migrations. */
export async function inspectDatabase(
  db: Db,
  engine: Engine,
  { now, thorough }: { now: Millis; thorough: boolean },
): Promise<DatabaseFindings> {
  const start = performance.now();
  const rows = async <Row>(query: RawBuilder<Row>) => (await query.execute(db)).rows;
  const count = async (query: RawBuilder<{ count: number | string }>) => Number((await rows(query))[0]?.count ?? 0);
  const migrations = await listMigrations(db, engine);
  const nothing: DatabaseFindings = {
    migrations,
    failingWebhooks: 0,
    disabledWebhooks: 0,
    plainKeys: 0,
    masterKey: undefined,
    sendingPaused: undefined,
    installationId: undefined,
    scheduledBackup: undefined,
    ahead: null,
    integrity: null,
    isReadOnly: engine === 'postgres' && (await isReadOnly(db)),
  };
  if (migrations.length === 0) return nothing;
  const installation = new Map(
    (await rows(sql<{ name: string; value: string }>`select name, value from installation`)).map(({ name, value }) => [
      name,
      value,
    ]),
  );
  return {
    ...nothing,
    failingWebhooks: await count(
      sql`select count(*) as count from webhooks where enabled and failing_since < ${now - DAY}`,
    ),
    disabledWebhooks: await count(
      sql`select count(*) as count from webhooks where not enabled and failing_since is not null`,
    ),
    plainKeys: await count(sql`select count(*) as count from accounts
      where coalesce(hash_key, 'sealed.') not like 'sealed.%' or coalesce(visit_key, 'sealed.') not like 'sealed.%'
        or coalesce(uid_secret, 'sealed.') not like 'sealed.%'`),
    masterKey: installation.get('master_key'),
    sendingPaused: installation.get('sending_paused'),
    installationId: installation.get('id'),
    scheduledBackup: installation.get('scheduled_backup'),
    ahead: await compareClocks(db, engine, () => now + performance.now() - start),
    integrity: engine === 'sqlite' && thorough ? await checkIntegrity(db) : null,
  };
}

/** On PostgreSQL, the time that a slow response takes is no difference. */
async function compareClocks(db: Db, engine: Engine, now: () => Millis): Promise<Millis | null> {
  const time =
    engine === 'postgres'
      ? sql<{ time: number | null }>`select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as time`
      : sql<{ time: number | null }>`select max(last_seen_at) as time from urls`;
  const before = now();
  const found = (await time.execute(db)).rows[0]?.time ?? null;
  if (found === null) return null;
  if (engine === 'sqlite') return found - before;
  return found > now() ? found - now() : Math.min(0, found - before);
}

async function isReadOnly(db: Db): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select pg_is_in_recovery()
    or current_setting('default_transaction_read_only')::boolean as found`.execute(db);
  return rows[0]?.found ?? false;
}

async function listMigrations(db: Db, engine: Engine): Promise<string[]> {
  const { rows: tables } =
    engine === 'sqlite'
      ? await sql`select 1 from sqlite_schema where name = 'migrations'`.execute(db)
      : await sql`select 1 where to_regclass('migrations') is not null`.execute(db);
  if (tables.length === 0) return [];
  const { rows } = await sql<{ name: string }>`select name from migrations where name <> '' order by name`.execute(db);
  return rows.map(({ name }) => name);
}

async function checkIntegrity(db: Db): Promise<string> {
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check(1)`.execute(db);
  return rows[0]?.quick_check ?? '';
}
