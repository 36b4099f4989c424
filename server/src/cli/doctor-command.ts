import { accessSync, closeSync, constants, existsSync, openSync } from 'node:fs';
import { type HealthCheck, healthCheckNames, toTimestamp, toTimestampOrNull, worstState } from '@usher/domain';
import { describeProblem } from '../backup/errors.ts';
import { type BackupState, parseState, type ScheduledState } from '../backup/scheduled-state.ts';
import { openStore } from '../backup/store.ts';
import { TOO_FEW_FILES } from '../db/connection-problem.ts';
import { type Inspection, inspectReplica, openForInspection } from '../db/open-for-inspection.ts';
import { codeOf, messageOf } from '../error-code.ts';
import { folderUse } from '../exports/export-names.ts';
import { checkHealth } from '../features/operations/health/check-health.ts';
import { judgeReadiness } from '../features/operations/health/check-page-loads.ts';
import { checkSchema, checkSetup } from '../features/operations/health/check-setup.ts';
import { collectFacts } from '../features/operations/health/collect-facts.ts';
import { toCheck } from '../features/operations/health/judgement.ts';
import type { SetupFacts } from '../features/operations/health/setup-facts.ts';
import { inspectPageUrl, inspectUrl } from '../http/inspect-url.ts';
import { createLog } from '../log/log.ts';
import { WrongSetting } from '../settings/read-setting.ts';
import { readSettings, type Settings } from '../settings/settings.ts';
import { describeUnknownSettings } from '../settings/unknown-settings.ts';
import { version } from '../settings/version.ts';
import { type Figures, toFigures, toReport } from './doctor-report.ts';

const NEEDED_FILES = 10;

interface DoctorTerminal {
  print(text: string): void;
  /** Whether colors are shown. */
  hasColors?: boolean | undefined;
}

/** `usher doctor`: finds what is wrong, without changing anything. Returns the exit code. */
export async function runDoctor(env: NodeJS.ProcessEnv, json: boolean, terminal: DoctorTerminal): Promise<number> {
  const { checks, figures } = await findChecks(env);
  checks.sort((one, other) => healthCheckNames.indexOf(one.name) - healthCheckNames.indexOf(other.name));
  const state = worstState(checks);
  if (json) terminal.print(`${JSON.stringify({ state, version, checks })}\n`);
  else terminal.print(toReport(checks, figures, terminal.hasColors ?? false));
  return state === 'problem' ? 1 : 0;
}

async function findChecks(env: NodeJS.ProcessEnv): Promise<{ checks: HealthCheck[]; figures: Figures }> {
  const settings = readOrExplain(env);
  if (typeof settings === 'string') return { checks: [toCheck('settings', { problem: `${settings}.` })], figures: {} };
  const now = Date.now();
  const unknown = describeUnknownSettings(env);
  const judgement = unknown === undefined ? { good: 'Every setting can be used.' } : { attention: `${unknown}.` };
  const checks = [toCheck('settings', judgement)];
  let facts: SetupFacts = collectFacts(settings, now);
  let figures: Figures = { node: process.versions.node };
  try {
    const inspection = openDatabase(settings);
    try {
      const found = await inspectStorage(inspection, settings, Date.now());
      facts = { ...facts, ...found.facts };
      figures = { ...figures, ...found.figures };
      checks.push(...found.checks, toCheck('schema', checkSchema(facts)), ...(await checkReplica(settings)));
    } catch (error) {
      const lost = await inspection.listUnavailable().catch(() => []);
      if (lost.length === 0) throw error;
      checks.push(toCheck('storage', { problem: explainLost(lost) }));
    } finally {
      await inspection.close();
    }
  } catch (error) {
    checks.push(toCheck('storage', { problem: explainStorage(error, settings) }));
  }
  const url = await inspectUrl(settings.publicUrl, facts.database?.installationId);
  if (url.readiness && url.isSameInstallation) checks.push(toCheck('page_loads', judgeReadiness(url.readiness)));
  const page = await inspectPageUrl(settings, facts.database?.installationId);
  return { checks: [...checks, ...checkSetup({ ...facts, url, page })], figures };
}

async function inspectStorage(inspection: Inspection, settings: Settings, now: number) {
  const { minFreeDisk, explicitPublicUrl } = settings;
  const [status, database, disk] = await Promise.all([
    inspection.status(),
    inspection.inspect(now),
    inspection.readDisk(),
  ]);
  const nothing = new Date(now).toISOString();
  const backups: BackupState = parseState(database.scheduledBackup);
  const exports: ScheduledState<{ at: number }> = parseState(database.scheduledExport);
  const values = {
    version,
    node_version: process.versions.node,
    // A time long ago, because no server is starting: no check may wait for something that a server does at its start.
    started_at: new Date(0).toISOString(),
    engine: status.engine,
    engine_version: status.version,
    schema_version: database.migrations.at(-1) ?? '',
    database_bytes: status.bytes,
    free_disk_bytes: status.freeDiskBytes,
    connections: status.connections,
    webhook_items: { due: 0, waiting: 0, oldest_due_at: null },
    batches: { running: 0, waiting: 0 },
    last_sweep_at: null,
    events_days: 0,
    untrusted_proxies: [],
    slow_checks_at: null,
    sending_paused:
      database.sendingPaused === undefined ? null : { reason: database.sendingPaused, paused_at: nothing },
    backups: {
      is_scheduled: settings.backup !== undefined,
      last_at: toTimestampOrNull(backups.last?.at ?? null),
      last_bytes: backups.last?.bytes ?? null,
      failed_at: null,
    },
    exports: {
      is_scheduled: settings.export !== undefined,
      last_at: toTimestampOrNull(exports.last?.at ?? null),
      last_rows: null,
      failed_at: null,
      progress: exports.claimed_at === undefined ? null : (exports.progress ?? ''),
    },
  };
  const facts = { storage: status, database, disk };
  const isDiskNearlyFull =
    disk !== null && minFreeDisk > 0 && disk.freeBytes + disk.reusableBytes < minFreeDisk + disk.logBytes;
  // The other checks are about a running server.
  const checks = checkHealth(values, {
    now,
    hasNewerSchema: false,
    isDiskNearlyFull,
    isInUse: explicitPublicUrl !== undefined,
    backupIntervalMs: settings.backup?.everyMs,
    exportIntervalMs: settings.export?.everyMs,
  }).filter(({ name }) =>
    ['version', 'engine', 'database', 'disk', 'connections', 'webhooks', 'backups', 'exports'].includes(name),
  );
  if (!values.sending_paused) replace(checks, toCheck('webhooks', { good: 'Sending is not paused.' }));
  const problem = await findBackupProblem(settings, backups);
  if (problem !== undefined) replace(checks, toCheck('backups', { attention: problem }));
  const exportProblem = await findExportProblem(settings, exports);
  if (exportProblem !== undefined) replace(checks, toCheck('exports', { attention: exportProblem }));
  const good =
    database.isReadOnly || database.unusable ? [] : [toCheck('storage', { good: 'The database can be read.' })];
  return {
    facts,
    checks: [...good, ...checks],
    figures: toFigures(values),
  };
}

/** Compares the replica with the database, if there is one. */
async function checkReplica({ databaseUrl, databaseReplicaUrl }: Settings): Promise<HealthCheck[]> {
  if (databaseUrl === undefined || databaseReplicaUrl === undefined) return [];
  const { problem } = await inspectReplica({ databaseUrl, databaseReplicaUrl }, createLog('silent'));
  if (problem === undefined)
    return [toCheck('storage', { good: 'The replica of the database has what was just written.' })];
  const attention = `Heavy reads use the database itself, because its replica cannot be used (${problem}): check USHER_DATABASE_REPLICA_URL, and whether the replica receives the log of the database.`;
  return [toCheck('storage', { attention })];
}

function replace(checks: HealthCheck[], better: HealthCheck): void {
  checks[checks.findIndex(({ name }) => name === better.name)] = better;
}

/** Why the last backup failed, or why the next one would. Unlike the dashboard, it shows names of folders and buckets. */
async function findBackupProblem(settings: Settings, { error }: BackupState): Promise<string | undefined> {
  if (!settings.backup) return undefined;
  try {
    await openStore(settings.backup.to, settings).check();
  } catch (problem) {
    return `No backup can be made: ${describeProblem(problem)}.`;
  }
  return error && `The last backup failed at ${toTimestamp(error.at)}: ${error.message}.`;
}

async function findExportProblem(
  settings: Settings,
  { error }: Pick<BackupState, 'error'>,
): Promise<string | undefined> {
  if (!settings.export) return undefined;
  try {
    await openStore(settings.export.to, settings, folderUse).check();
  } catch (problem) {
    return `Nothing can be exported: ${describeProblem(problem)}.`;
  }
  return error && `The last export failed at ${toTimestamp(error.at)}: ${error.message}.`;
}

function readOrExplain(env: NodeJS.ProcessEnv): Settings | string {
  try {
    return readSettings(env);
  } catch (error) {
    if (error instanceof WrongSetting) return error.message;
    throw error;
  }
}

/** Checks that the file exists, because SQLite would create a missing one. */
function openDatabase({ databaseUrl, sqliteFile, data }: Settings): Inspection {
  if (databaseUrl !== undefined) return openForInspection({ databaseUrl }, createLog('silent'));
  if (!existsSync(sqliteFile)) throw new NoDatabase();
  for (const path of [data, sqliteFile]) requireWritable(path);
  return openForInspection({ sqliteFile }, createLog('silent'));
}

class NoDatabase extends Error {}
class ReadOnly extends Error {}

/** Rejects a read-only database: often it cannot even be read, because SQLite needs to write its log. */
function requireWritable(path: string): void {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
  } catch (error) {
    throw new ReadOnly(`${path} cannot be written: ${describeProblem(error)}`);
  }
}

/** Opens several files, as a database with its log does, and closes them again. */
function canOpenFiles(): boolean {
  const opened: number[] = [];
  try {
    while (opened.length < NEEDED_FILES) opened.push(openSync(process.execPath, 'r'));
    return true;
  } catch {
    return false;
  } finally {
    for (const handle of opened) closeSync(handle);
  }
}

function explainLost(parts: readonly string[]): string {
  return `The coordinator of Citus cannot reach ${parts.join(', ')}: start it, or check the network between them. Accounts on the other workers go on, and the checks that need all of them are left out.`;
}

function explainStorage(error: unknown, { sqliteFile, databaseUrl }: Settings): string {
  if (error instanceof NoDatabase)
    return `There is no database at ${sqliteFile}: check USHER_DATA, or start the server, which creates it.`;
  const first = error instanceof AggregateError ? error.errors[0] : error;
  if (error instanceof ReadOnly)
    return `${error.message}. Give it to the user that runs the server, and mount its disk so that it can be written.`;
  if (!canOpenFiles()) return `The database cannot be opened, because ${TOO_FEW_FILES}.`;
  const reason = messageOf(first) || codeOf(first);
  if (databaseUrl === undefined && /malformed|not a database/.test(reason))
    return `${sqliteFile} is damaged (${reason}): stop the server, keep a copy of the file, and restore the last backup.`;
  return databaseUrl === undefined
    ? `${sqliteFile} cannot be read (${reason}): check its owner, its mode and the disk.`
    : `The database cannot be read (${reason}): check DATABASE_URL and its role, the database server and the network.`;
}
