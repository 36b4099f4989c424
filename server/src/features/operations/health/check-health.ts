import type { Health, HealthCheck, HealthCheckName, Millis } from '@usher/domain';
import { judgePageLoads } from './check-page-loads.ts';
import { toCheck } from './judgement.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const GIGABYTE = 1_000_000_000;

/** Webhooks are sent within seconds, so an item that is due for longer is a problem. */
const MAX_DUE_MS = 5 * MINUTE;
/** Old records are removed every hour, so a longer pause is a problem. */
const MAX_SWEEP_MS = 2 * HOUR;
/** The first backup is made at the start, so it is missed only after this time. */
const FIRST_BACKUP_MS = 10 * MINUTE;
const MIN_FREE_BYTES = GIGABYTE;
/** Deleted data can be removed only from SQLite files of up to 64 GB, so the check warns before that. */
const MAX_SQLITE_BYTES = 50 * GIGABYTE;
const MAX_CONNECTIONS_SHARE = 0.8;
const MAX_WAITING_BATCHES = 20;
const MIN_POSTGRES = 15;

type Check = (name: HealthCheckName, problem: string | undefined, message: string) => HealthCheck;
type Values = Omit<Health, 'checks' | 'state'>;
interface Facts {
  now: Millis;
  /** Whether a newer version of Usher has changed the schema. */
  hasNewerSchema: boolean;
  /** Whether writes are rejected already. */
  isDiskNearlyFull?: boolean;
  /** Whether the public URL is set: then the installation is not just tried out. */
  isInUse?: boolean;
  backupIntervalMs?: number | undefined;
  exportIntervalMs?: number | undefined;
  /** Accounts whose page loads keep failing. */
  failingAccounts?: number;
}

/** Judges each value: what it means, and what to do if it needs attention. */
export function checkHealth(values: Values, facts: Facts): HealthCheck[] {
  const check: Check = (name, problem, message) =>
    problem === undefined ? { name, state: 'good', message } : { name, state: 'attention', message: problem };
  return [
    check('version', undefined, 'The version that responds now; other nodes can have another one while you update.'),
    check(
      'engine',
      oldEngine(values),
      values.engine === 'sqlite' ? 'All data is in one file.' : 'Several nodes can share it.',
    ),
    check('schema', facts.hasNewerSchema ? newerSchema : undefined, 'The database fits this version.'),
    check('database', largeFile(values), 'Everything that is stored, with indexes.'),
    ...(values.free_disk_bytes === null ? [] : [checkDisk(values, facts, check)]),
    ...(values.connections ? [check('connections', manyConnections(values), 'There are enough connections.')] : []),
    toCheck('page_loads', judgePageLoads(facts.failingAccounts)),
    check('webhooks', lateItems(values, facts), 'Items are sent as they come.'),
    check('batches', waitingBatches(values), 'Batches are stored as they come.'),
    check('sweep', lateSweep(values, facts), 'Old records are removed every hour.'),
    check('backups', findBackupProblem(values, facts), backupsMessage(values)),
    ...(values.exports.is_scheduled
      ? [check('exports', findExportProblem(values, facts), exportsMessage(values))]
      : []),
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

function checkDisk(values: Values, { isDiskNearlyFull }: Facts, check: Check): HealthCheck {
  if (isDiskNearlyFull) return { name: 'disk', state: 'problem', message: rejectedWrites };
  return check('disk', fullDisk(values), 'There is enough space.');
}

const rejectedWrites =
  'The disk is nearly full: nothing new is saved until you free some space or enlarge it. Page loads go on.';

function fullDisk({ free_disk_bytes, database_bytes }: Values): string | undefined {
  if ((free_disk_bytes ?? 0) >= Math.max(MIN_FREE_BYTES, database_bytes / 10)) return undefined;
  return 'The disk is nearly full, and nothing can be saved when it is: free some space, or move the data to a larger disk.';
}

function manyConnections({ connections }: Values): string | undefined {
  if (!connections || connections.open < MAX_CONNECTIONS_SHARE * connections.max) return undefined;
  return 'Few connections are left, and requests fail when there are none: raise max_connections or the limit of the role, or put a pooler in between.';
}

function lateItems({ webhook_items, sending_paused }: Values, { now }: Facts): string | undefined {
  if (sending_paused)
    return `Nothing is sent to webhooks (${sending_paused.reason}). What is to be sent waits: “usher webhooks resume” sends it.`;
  const { oldest_due_at } = webhook_items;
  if (oldest_due_at === null || now - Date.parse(oldest_due_at) < MAX_DUE_MS) return undefined;
  return 'Items wait for longer than five minutes: look for slow receivers among the webhooks, and for errors in the log.';
}

function findBackupProblem(
  { backups, started_at }: Values,
  { now, isInUse, backupIntervalMs }: Facts,
): string | undefined {
  const { is_scheduled, last_at, failed_at } = backups;
  if (failed_at !== null) return 'The last backup failed: the log says why.';
  if (!is_scheduled && isInUse)
    return 'No backups are made automatically: set USHER_BACKUP_TO, unless you make them in another way.';
  if (!is_scheduled)
    return 'No backups are made automatically: set USHER_BACKUP_TO before this is in use, or run “usher backup FILE” regularly.';
  if (last_at === null && now - Date.parse(started_at) >= FIRST_BACKUP_MS)
    return 'No automatic backup was made yet: start the server, which makes the first one; if it runs, its log says why.';
  if (last_at !== null && backupIntervalMs !== undefined && now - Date.parse(last_at) > 2 * backupIntervalMs)
    return 'The last backup is older than twice the interval: the log says why.';
  return undefined;
}

function backupsMessage({ backups }: Values): string {
  return backups.last_at === null ? 'The first backup is being made.' : 'Backups are made automatically.';
}

function findExportProblem({ exports, sending_paused }: Values, { now, exportIntervalMs }: Facts): string | undefined {
  const { last_at, failed_at, progress } = exports;
  if (sending_paused)
    return 'Nothing is exported for the warehouse while sending is paused, because the original of this copy may do it: “usher webhooks resume” turns both on.';
  if (failed_at !== null) return 'The last export for the warehouse failed: the log says why.';
  const isLate = last_at !== null && exportIntervalMs !== undefined && now - Date.parse(last_at) > 2 * exportIntervalMs;
  return isLate && progress === null
    ? 'The last export for the warehouse is older than twice the interval: the log says why.'
    : undefined;
}

function exportsMessage({ exports: { last_at, progress } }: Values): string {
  if (progress !== null) return `An export for the warehouse is running (${progress || 'it has just begun'}).`;
  return last_at === null ? 'The first export for the warehouse is being made.' : 'Rows are exported automatically.';
}

function waitingBatches({ batches }: Values): string | undefined {
  if (batches.waiting < MAX_WAITING_BATCHES) return undefined;
  return 'Many batches wait: send them one after the other, with fewer at a time.';
}

function lateSweep({ last_sweep_at, started_at }: Values, { now }: Facts): string | undefined {
  if (now - Date.parse(last_sweep_at ?? started_at) < MAX_SWEEP_MS) return undefined;
  return 'Old records were not removed for two hours: the log says why.';
}
