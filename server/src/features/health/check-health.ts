import type { Health, HealthCheck, HealthCheckName, Millis } from '@usher/domain';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const GIGABYTE = 1_000_000_000;

/** Webhooks are sent within seconds. */
const MAX_DUE_MS = 5 * MINUTE;
/** Old records are removed every hour. */
const MAX_SWEEP_MS = 2 * HOUR;
const MIN_FREE_BYTES = GIGABYTE;
/** Deleted data can be removed from SQLite files of up to 64 GB. */
const MAX_SQLITE_BYTES = 50 * GIGABYTE;
const MAX_CONNECTIONS_SHARE = 0.8;
const MAX_WAITING_BATCHES = 20;
const MIN_POSTGRES = 15;

type Values = Omit<Health, 'checks' | 'state'>;
interface Facts {
  now: Millis;
  /** A newer version of Usher has changed the schema. */
  hasNewerSchema: boolean;
}

/** What each value means, and what to do if it needs attention. */
export function checkHealth(values: Values, facts: Facts): HealthCheck[] {
  const check = (name: HealthCheckName, problem: string | undefined, message: string): HealthCheck =>
    problem === undefined ? { name, state: 'good', message } : { name, state: 'attention', message: problem };
  return [
    check('version', undefined, 'The version that responds now; other nodes can have another one while you update.'),
    check('node', undefined, 'The version of Node that runs it.'),
    check(
      'engine',
      oldEngine(values),
      values.engine === 'sqlite' ? 'All data is in one file.' : 'Several nodes can share it.',
    ),
    check('schema', facts.hasNewerSchema ? newerSchema : undefined, 'The database fits this version.'),
    check('database', largeFile(values), 'Everything that is stored, with indexes.'),
    ...(values.free_disk_bytes === null ? [] : [check('disk', fullDisk(values), 'There is enough space.')]),
    ...(values.connections ? [check('connections', manyConnections(values), 'There are enough connections.')] : []),
    check('webhooks', lateItems(values, facts), 'Items are sent as they come.'),
    check('batches', waitingBatches(values), 'Batches are stored as they come.'),
    check('sweep', lateSweep(values, facts), 'Old records are removed every hour.'),
    check('backups', failedBackup(values), backupsMessage(values)),
  ];
}

const newerSchema = 'A newer version of Usher has changed the schema: update this server to that version.';

function oldEngine({ engine, engine_version }: Values): string | undefined {
  if (engine === 'sqlite' || Number.parseInt(engine_version, 10) >= MIN_POSTGRES) return undefined;
  return `Usher is tested with PostgreSQL ${MIN_POSTGRES} and newer: update the database server.`;
}

function largeFile({ engine, database_bytes }: Values): string | undefined {
  if (engine !== 'sqlite' || database_bytes < MAX_SQLITE_BYTES) return undefined;
  return 'Deleted data can no longer be removed from the file above 64 GB: keep events for fewer days with USHER_EVENTS_DAYS, or move to PostgreSQL.';
}

function fullDisk({ free_disk_bytes, database_bytes }: Values): string | undefined {
  if ((free_disk_bytes ?? 0) >= Math.max(MIN_FREE_BYTES, database_bytes / 10)) return undefined;
  return 'The disk is nearly full, and nothing can be saved when it is: free some space, or move the data to a larger disk.';
}

function manyConnections({ connections }: Values): string | undefined {
  if (!connections || connections.open < MAX_CONNECTIONS_SHARE * connections.max) return undefined;
  return 'Few connections are left, and requests fail when there are none: raise max_connections, or put a pooler in between.';
}

function lateItems({ webhook_items, sending_paused }: Values, { now }: Facts): string | undefined {
  if (sending_paused)
    return `Nothing is sent to webhooks (${sending_paused.reason}): usher webhooks resume sends what waits.`;
  const { oldest_due_at } = webhook_items;
  if (oldest_due_at === null || now - Date.parse(oldest_due_at) < MAX_DUE_MS) return undefined;
  return 'Items wait for longer than five minutes: look for slow receivers among the webhooks, and for errors in the log.';
}

function failedBackup({ backups }: Values): string | undefined {
  return backups.failed_at === null ? undefined : 'The last backup failed: the log says why.';
}

function backupsMessage({ backups }: Values): string {
  return backups.is_scheduled
    ? 'Backups are made automatically.'
    : 'No backups are made automatically: USHER_BACKUP_TO says where to.';
}

function waitingBatches({ batches }: Values): string | undefined {
  if (batches.waiting < MAX_WAITING_BATCHES) return undefined;
  return 'Many batches wait: send them one after the other, with fewer at a time.';
}

function lateSweep({ last_sweep_at, started_at }: Values, { now }: Facts): string | undefined {
  if (now - Date.parse(last_sweep_at ?? started_at) < MAX_SWEEP_MS) return undefined;
  return 'Old records were not removed for two hours: the log says why.';
}
