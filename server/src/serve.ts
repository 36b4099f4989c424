import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Millis, readNetwork } from '@usher/domain';
import { type App, createApp } from './app.ts';
import { backUpBeforeUpdate, deleteOldUpdateBackup, type Say } from './backup/back-up-before-update.ts';
import { removeUnfinishedRestore } from './backup/replace-database.ts';
import { scheduleBackups } from './backup/schedule-backups.ts';
import type { CertificateKeeper } from './certificates/certificate-keeper.ts';
import type { AppContext } from './context.ts';
import { createAppContext } from './create-app-context.ts';
import { migrations } from './db/migrations/index.ts';
import { openStorage } from './db/open-storage.ts';
import { CompactWatch } from './db/sqlite/compact-watch.ts';
import { lockServer } from './db/sqlite/server-lock.ts';
import type { Storage } from './db/storage.ts';
import { requireUsable } from './db/transfer/transfer-notes.ts';
import { sweepEvents } from './features/audience/events/sweep-events.ts';
import { sweepImports } from './features/audience/import-files/sweep-files.ts';
import { sweepAnonymous } from './features/audience/merges/sweep-anonymous.ts';
import { createPropertyRegistry } from './features/audience/properties/property-registry.ts';
import { checkAlerts } from './features/delivery/alerts/check-alerts.ts';
import { sweepPicks } from './features/experiences/picks/sweep-picks.ts';
import { sweepPictures } from './features/experiences/pictures/sweep-pictures.ts';
import { sweepActivities } from './features/experiences/sweep-activities.ts';
import { sweepChanges } from './features/experiences/sweep-changes.ts';
import { sweepFindings } from './features/experiences/sweep-findings.ts';
import { describeFutureRecord } from './features/operations/health/check-setup.ts';
import { recountAccounts } from './features/results/counts/recount-accounts.ts';
import { StepChecker } from './features/results/failing-steps/step-checker.ts';
import type { CreatedAccount } from './features/team/accounts/create-account.ts';
import { sweepSessions } from './features/team/sessions/sweep-sessions.ts';
import { announce, createFirst, createInvitation, introduce } from './first-start.ts';
import type { Group } from './group.ts';
import { sweepIdempotencyKeys } from './http/run-once.ts';
import { sweepUploads } from './http/upload.ts';
import { findInstallationId } from './keys/installation-id.ts';
import { unlockSecrets } from './keys/master-key.ts';
import { createLog, type Log } from './log/log.ts';
import { onceADay } from './once-a-day.ts';
import { protectDataFolder } from './settings/data-folder.ts';
import { WrongSetting } from './settings/read-setting.ts';
import type { Settings } from './settings/settings.ts';
import { pauseCopy } from './webhooks/sending/pause-copy.ts';
import { Poster } from './webhooks/sending/post.ts';
import { Sender } from './webhooks/sending/sender.ts';
import { sweepWebhooks } from './webhooks/sending/sweep.ts';

/** For how long idle connections stay open after the last new one. A client that is busy sends a request within this time. */
const IDLE_GRACE_MS = 500;
const SWEEP_INTERVAL_MS = 60 * 60_000;
const ANALYZE_INTERVAL_MS = 5000;
/** A deletion looks at the pages that were written since: at 50 page loads a second about 10,000, in a tenth of a second. */
const CLEAR_GAPS_INTERVAL_MS = 5 * 60_000;
/** In the data folder. */
export const DELETION_LOG = 'forgotten.jsonl';

export interface Running {
  /** The URL that it listens at. */
  address: string;
  /** Logs the reason of a rejected promise that nothing handled. Such a bug concerns one request or task: we keep serving. */
  logUnhandled(reason: unknown): void;
  /** Waits for the time of USHER_DRAIN, stops accepting requests, finishes those in progress, then closes the storage. */
  stop(): Promise<void>;
}

/** Opens the storage, migrates its schema, unlocks its secrets, and creates the context of the app. */
export async function openAppContext(
  settings: Settings,
  log: Log,
  now?: () => Millis,
  options: OpenOptions & { group?: Group | undefined } = {},
): Promise<AppContext> {
  const { group, ...opening } = options;
  return withStorage(
    settings,
    log,
    async (storage) => {
      const secretBox = await unlockSecrets(storage, settings.masterKey, (file) =>
        log.info(`a master key was created: ${file}. Keep a copy of it, in another place than the backups`),
      );
      const app = createAppContext(storage, secretBox, settings.publicUrl, createPropertyRegistry, now, {
        allowNetworks: settings.webhookAllowNetworks.flatMap((network) => readNetwork(network) ?? []),
        denyNetworks: settings.webhookDenyNetworks.flatMap((network) => readNetwork(network) ?? []),
        sourceAddresses: settings.webhookSourceAddresses,
        pageQuotas: settings.pageQuotas,
        signInsPerMinute: settings.limitSignIns,
        eventsDays: settings.eventsDays,
        hasDemo: settings.demo,
        group,
        deletionLogFile: join(settings.data, DELETION_LOG),
        minFreeDisk: settings.minFreeDisk,
        publishedCacheBytes: settings.publishedCacheBytes,
        pictureBytes: settings.pictureBytes,
        importBytes: settings.importBytes,
        hasDashboardTour: settings.dashboardTour,
        pageUrl: settings.pageUrl,
        streams: settings.streams,
        setup: { ...settings, installationId: await findInstallationId(storage) },
      });
      await app.disk.start();
      return app;
    },
    // The primary process of a group has migrated it.
    { ...opening, isMigrated: group !== undefined },
  );
}

interface OpenOptions {
  /** Commands are patient: no request waits for them. */
  isPatient?: boolean;
  isMigrated?: boolean;
  /** For a command that changes nothing: the database is neither created nor updated. */
  isReading?: boolean;
  /** A restore prepares the database that it has not completed. */
  isRestoring?: boolean;
  /** Says that the schema is updated. By default it is logged. */
  say?: Say;
}

/** Opens and migrates the storage, and passes it to `use`. If that fails, the storage is closed. */
export async function withStorage<T>(
  settings: Settings,
  log: Log,
  use: (storage: Storage) => Promise<T>,
  {
    isMigrated = false,
    isReading = false,
    isRestoring = false,
    say = (level, text) => log[level](text),
    ...options
  }: OpenOptions = {},
): Promise<T> {
  const { data, databaseUrl, masterKey, sqliteFile } = settings;
  if (isReading && databaseUrl === undefined && !existsSync(sqliteFile)) throw noDatabase();
  if (databaseUrl === undefined || (masterKey.keys === undefined && existsSync(data))) protectDataFolder(data);
  const storage = openStorage(databaseUrl === undefined ? { sqliteFile } : { databaseUrl }, log, {
    connections: settings.databaseConnections,
    replicaUrl: settings.databaseReplicaUrl,
    ...options,
  });
  try {
    const { engine } = storage.dialect;
    await requireUsable(storage.reader(null), engine, await storage.appliedMigrations(), { isRestoring });
    if (isReading) requireCurrentSchema(await storage.appliedMigrations());
    else if (!isMigrated) await update(storage, settings, say);
    return await use(storage);
  } catch (error) {
    await storage.close();
    throw error;
  }
}

const noDatabase = () => new WrongSetting('there is no database of Usher: check USHER_DATA and DATABASE_URL');

function requireCurrentSchema(applied: readonly string[]): void {
  if (applied.length === 0) throw noDatabase();
  if (applied.join() !== Object.keys(migrations).sort().join())
    throw new WrongSetting('the schema of the database is of another version of Usher: run usher migrate first');
}

/** Brings the schema up to date. Of an existing database it says what is missing, and makes a backup before. */
async function update(storage: Storage, settings: Settings, say: Say): Promise<void> {
  const applied = await storage.appliedMigrations();
  const missing = Object.keys(migrations).filter((name) => !applied.includes(name));
  const isNewer = applied.some((name) => !Object.hasOwn(migrations, name));
  if (applied.length > 0 && missing.length > 0 && !isNewer) {
    await backUpBeforeUpdate(settings, say);
    say('info', `the schema of the database is updated: ${missing.join(', ')}`);
  }
  await storage.migrate((text) => say('info', text));
}

/** Starts the server, or one of its workers, which share the group. */
export async function serve(settings: Settings, print: (text: string) => void, group?: Group): Promise<Running> {
  const unlock = lockDataFolder(settings);
  try {
    return await startServer(settings, print, unlock, group);
  } catch (error) {
    unlock();
    throw error;
  }
}

/** On SQLite, a second server would have its own limits and caches, and the two would wait for each other's writes. */
function lockDataFolder({ databaseUrl, data, sqliteFile }: Settings): () => void {
  if (databaseUrl !== undefined) return () => {};
  protectDataFolder(data);
  const unlock = lockServer(data);
  removeUnfinishedRestore(sqliteFile);
  return unlock;
}

async function startServer(
  settings: Settings,
  print: (text: string) => void,
  unlock: () => void,
  group: Group | undefined,
): Promise<Running> {
  const log = createLog(settings.logLevel, undefined, group && { worker: group.worker });
  const app = await openAppContext(settings, log, undefined, { group });
  const logDisk = (isNearlyFull: boolean) =>
    isNearlyFull
      ? log.error('the disk is nearly full: nothing is stored that grows the data')
      : log.info('the disk has enough space again');
  app.disk.onChange = logDisk;
  app.disk.onFailure = (err) =>
    log.error({ err }, 'the storage rejects writes: page loads are answered without being stored');
  if (app.disk.isNearlyFull) logDisk(true);
  const httpApp = createApp(app, settings, log);
  app.deletionLog.onError = (err) => log.error({ err }, 'the deletion log could not be written');
  const { allowNetworks: allowed, denyNetworks: denied, sourceAddresses: sources } = app.webhooks;
  const poster = new Poster({ allowed, denied, sources, ownUrl: app.publicUrl });
  const sender = new Sender(app, poster, (err) => log.warn({ err }, 'webhooks could not be sent'));
  const backups = scheduleBackups(app, settings, log, join(settings.data, DELETION_LOG));
  const compactWatch = app.storage.fileRelease && new CompactWatch(settings.sqliteFile, app.storage, log);
  const certificates = await createCertificateKeeper(app, settings, log, httpApp);
  const stepChecker = new StepChecker(app, (err) => log.warn({ err }, 'failing steps could not be checked'));
  const sweepFiles = () => sweepUploads().catch((err) => log.warn({ err }, 'old uploads could not be removed'));
  const markTestUsers = () =>
    app.testUserMarker.resume().catch((err) => log.warn({ err }, 'test users could not be marked'));
  const recount = () =>
    recountAccounts(app.storage, app.now(), log).catch((err) =>
      log.warn({ err }, 'results could not be counted again'),
    );
  // These look at all rows.
  const daily = {
    events: onceADay(app, () => sweepEvents(app, settings.eventsDays)),
    activities: onceADay(app, () => sweepActivities(app, settings.activitiesDays)),
    pictures: onceADay(app, () => sweepPictures(app)),
    anonymous: onceADay(app, () => sweepAnonymous(app)),
  };
  const alert = () => checkAlerts(app).catch((err) => log.warn({ err }, 'alert groups could not be checked'));
  const runHourly = () => Promise.all([sweep(app, log, settings, daily), markTestUsers(), recount(), alert()]);
  const sweeping = isFirst(group) ? setInterval(runHourly, SWEEP_INTERVAL_MS).unref() : undefined;
  // If it fails, the next attempt is soon, and requests say why.
  const analyze = () => app.storage.analyzeNewTables().catch(() => {});
  const analyzing = isFirst(group) ? setInterval(analyze, ANALYZE_INTERVAL_MS).unref() : undefined;
  const clearGaps = () =>
    app.storage.clearGaps().catch((err) => log.warn({ err }, 'copies of deleted rows could not be cleared'));
  const clearing = isFirst(group) ? setInterval(clearGaps, CLEAR_GAPS_INTERVAL_MS).unref() : undefined;
  group?.onBroadcast('swept', (time) => {
    app.activity.lastSweepAt = time as Millis;
  });
  const stop = async () => {
    clearInterval(sweeping);
    clearInterval(analyzing);
    clearInterval(clearing);
    await certificates?.stop();
    await Promise.all([
      httpApp.close(IDLE_GRACE_MS),
      sender.stop(),
      stepChecker.stop(),
      backups?.stop(),
      compactWatch?.stop(),
    ]);
    await app.storage.close();
    unlock();
    log.flush();
  };
  let first: CreatedAccount | undefined;
  try {
    if (isFirst(group)) await sweepFiles();
    // The primary process of a group has done this before it started the workers.
    if (!group) {
      await recount();
      first = await createFirst(app, settings);
    }
    // Before requests arrive: what happens from then on is new, and not given up with what waited in the copy.
    if (await pauseCopy(app))
      log.warn(
        'this database is a copy of another one, so webhooks are paused: “usher webhooks resume” turns them on, if the original does not run any more (docs/backup.md)',
      );
    if (isFirst(group)) await warnOfClock(app, log);
    const address = await httpApp.listen({ host: settings.host, port: settings.port });
    await certificates?.start();
    poster.ownPort = Number(new URL(address).port);
    sender.start();
    stepChecker.start();
    backups?.start();
    compactWatch?.start();
    if (isFirst(group)) {
      markTestUsers();
      clearGaps();
      app.deletionLog.addAll();
    }
    if (!group) print(announce(address, await createInvitation(app, settings), settings));
    const drainAndStop = async () => {
      if (settings.drainTime > 0) {
        httpApp.announceStop();
        await pause(settings.drainTime);
      }
      // Without a drain, the last responses are announced and the listener is closed together: the connection of a client that
      // connects again in between would be reset.
      await stop();
    };
    return { address, logUnhandled: (err) => log.error({ err }, 'unhandled rejection'), stop: drainAndStop };
  } catch (error) {
    await stop();
    throw error;
  } finally {
    // The secret is shown only once, so it is printed even if the server cannot listen.
    if (first) print(introduce(first, settings));
  }
}

/** What gets certificates is loaded only if the server has to get one. */
async function createCertificateKeeper(
  app: AppContext,
  { certificates }: Settings,
  log: Log,
  { useCertificate: use }: App,
): Promise<CertificateKeeper | undefined> {
  if (!certificates) return undefined;
  const { CertificateKeeper } = await import('./certificates/certificate-keeper.ts');
  return new CertificateKeeper({ app, settings: certificates, use, mayOrder: isFirst(app.group), log });
}

/** A record from the future is no reason not to start, and neither is a part of the database that cannot be read. */
async function warnOfClock({ storage, now }: AppContext, log: Log): Promise<void> {
  const found = await storage.inspect({ now: now(), thorough: false }).catch(() => undefined);
  const wrong = describeFutureRecord(found?.newestAt ?? null, now());
  if (wrong !== undefined) log.warn(wrong);
}

/** Whether this process does what one process of a server does for all of them. */
function isFirst(group: Group | undefined): boolean {
  return group === undefined || group.worker === 1;
}

/** Removes what is too old. Each kind is removed even if another one fails. */
async function sweep(
  app: AppContext,
  log: Log,
  kept: Pick<Settings, 'findingsDays' | 'changesDays'>,
  daily: Record<'events' | 'activities' | 'pictures' | 'anonymous', () => Promise<void>>,
): Promise<void> {
  const sweeps: [what: string, done: Promise<void>][] = [
    ['uploads', sweepUploads()],
    ['events', daily.events()],
    ['activities', daily.activities()],
    ['findings', sweepFindings(app, kept.findingsDays)],
    ['Changes', sweepChanges(app, kept.changesDays)],
    ['webhook items', sweepWebhooks(app)],
    ['sessions', sweepSessions(app)],
    ['entries of the installation log', app.installationLog.sweep()],
    ['counts of pages', app.pageCounts.sweep()],
    ['paths', app.visitedPaths.sweep()],
    ['picks', sweepPicks(app)],
    ['idempotency keys', sweepIdempotencyKeys(app)],
    ['pictures', daily.pictures()],
    ['files of imports', sweepImports(app)],
    ['anonymous profiles', daily.anonymous()],
    ['backups of updates', deleteOldUpdateBackup(app.storage.address, Date.now())],
  ];
  // This adds Deletions of other nodes, and Deletions that could not be written before.
  app.deletionLog.addAll();
  const results = await Promise.all(
    sweeps.map(([what, done]) =>
      done.then(
        () => true,
        (err) => {
          log.warn({ err }, `old ${what} could not be removed`);
          return false;
        },
      ),
    ),
  );
  if (!results.every((done) => done)) return;
  app.activity.lastSweepAt = app.now();
  app.group?.broadcast('swept', app.activity.lastSweepAt);
}
