import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Millis, readNetwork } from '@usher/domain';
import { createApp } from './app.ts';
import { scheduleBackups } from './backup/schedule-backups.ts';
import { type AppContext, createAppContext } from './context.ts';
import { protectDataFolder } from './data-folder.ts';
import { openStorage } from './db/open-storage.ts';
import { lockServer } from './db/sqlite/server-lock.ts';
import type { Storage } from './db/storage.ts';
import { type CreatedAccount, createFirstAccount, FIRST_EMAIL } from './features/accounts/create-account.ts';
import { type DemoExperience, setUpDemo } from './features/demo/set-up-demo.ts';
import { sweepEvents } from './features/events/sweep-events.ts';
import { StepChecker } from './features/failing-steps/step-checker.ts';
import { createSetupLink } from './features/links/create-setup-link.ts';
import { linkUrl } from './features/links/queries.ts';
import { sweepPicks } from './features/picks/sweep-picks.ts';
import { createPropertyRegistry } from './features/properties/property-registry.ts';
import { sweepSessions } from './features/sessions/sweep-sessions.ts';
import { demoFolder } from './folders.ts';
import { sweepUploads } from './http/upload.ts';
import { unlockSecrets } from './keys/master-key.ts';
import { createLog, type Log } from './log.ts';
import { type Settings, WrongSetting } from './settings.ts';
import { pauseCopy } from './webhooks/sending/pause-copy.ts';
import { Poster } from './webhooks/sending/post.ts';
import { Sender } from './webhooks/sending/sender.ts';
import { sweepWebhooks } from './webhooks/sending/sweep.ts';

/** For how long idle connections stay open after the last new one. A client that is busy sends a request within this time. */
const IDLE_GRACE_MS = 250;
const SWEEP_INTERVAL_MS = 60 * 60_000;
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
  options?: { isPatient: boolean },
): Promise<AppContext> {
  return withStorage(
    settings,
    log,
    async (storage) => {
      const secretBox = await unlockSecrets(storage, settings.masterKey);
      const app = createAppContext(storage, secretBox, settings.publicUrl, createPropertyRegistry, now, {
        allowNetworks: settings.webhookAllowNetworks.flatMap((network) => readNetwork(network) ?? []),
        denyNetworks: settings.webhookDenyNetworks.flatMap((network) => readNetwork(network) ?? []),
        sourceAddresses: settings.webhookSourceAddresses,
        pageQuotas: settings.pageQuotas,
        signInsPerMinute: settings.limitSignIns,
        eventsDays: settings.eventsDays,
        hasDemo: settings.demo,
        deletionLogFile: join(settings.data, DELETION_LOG),
        minFreeDisk: settings.minFreeDisk,
      });
      await app.disk.start();
      return app;
    },
    options,
  );
}

/** Opens and migrates the storage, and passes it to `use`. If that fails, the storage is closed. Commands are patient: no
 * request waits for them. */
export async function withStorage<T>(
  settings: Settings,
  log: Log,
  use: (storage: Storage) => Promise<T>,
  options?: { isPatient: boolean },
): Promise<T> {
  const { data, databaseUrl, masterKey, sqliteFile } = settings;
  if (databaseUrl === undefined || (masterKey.keys === undefined && existsSync(data))) protectDataFolder(data);
  const storage = openStorage(databaseUrl === undefined ? { sqliteFile } : { databaseUrl }, log, {
    connections: settings.databaseConnections,
    ...options,
  });
  try {
    await storage.migrate();
    return await use(storage);
  } catch (error) {
    await storage.close();
    throw error;
  }
}

export async function serve(settings: Settings, print: (text: string) => void): Promise<Running> {
  const unlock = lockDataFolder(settings);
  try {
    return await startServer(settings, print, unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

/** On SQLite, a second server would have its own limits and caches, and the two would wait for each other's writes. */
function lockDataFolder({ databaseUrl, data }: Settings): () => void {
  if (databaseUrl !== undefined) return () => {};
  protectDataFolder(data);
  return lockServer(data);
}

async function startServer(settings: Settings, print: (text: string) => void, unlock: () => void): Promise<Running> {
  const log = createLog(settings.logLevel);
  const app = await openAppContext(settings, log);
  const logDisk = (isNearlyFull: boolean) =>
    isNearlyFull
      ? log.error('the disk is nearly full: nothing is stored that grows the data')
      : log.info('the disk has enough space again');
  app.disk.onChange = logDisk;
  if (app.disk.isNearlyFull) logDisk(true);
  const httpApp = createApp(app, settings, log);
  app.deletionLog.onError = (err) => log.error({ err }, 'the deletion log could not be written');
  const { allowNetworks: allowed, denyNetworks: denied, sourceAddresses: sources } = app.webhooks;
  const poster = new Poster({ allowed, denied, sources, ownUrl: app.publicUrl });
  const sender = new Sender(app, poster, (err) => log.warn({ err }, 'webhooks could not be sent'));
  const backups = scheduleBackups(app, settings, log, join(settings.data, DELETION_LOG));
  const stepChecker = new StepChecker(app, (err) => log.warn({ err }, 'failing steps could not be checked'));
  const sweepFiles = () => sweepUploads().catch((err) => log.warn({ err }, 'old uploads could not be removed'));
  const markTestUsers = () =>
    app.testUserMarker.resume().catch((err) => log.warn({ err }, 'test users could not be marked'));
  const sweeping = setInterval(() => Promise.all([sweep(app, log), markTestUsers()]), SWEEP_INTERVAL_MS).unref();
  const stop = async () => {
    clearInterval(sweeping);
    await Promise.all([httpApp.close(IDLE_GRACE_MS), sender.stop(), stepChecker.stop(), backups?.stop()]);
    await app.storage.close();
    unlock();
    log.flush();
  };
  let first: CreatedAccount | undefined;
  try {
    await sweepFiles();
    const account = { name: 'Usher', email: FIRST_EMAIL, ...settings.bootstrap };
    first = await createFirstAccount(app, account, (created) => keepFirstSecret(created, settings));
    if (first && settings.demo) await setUpDemo(app, first, demoExperiences());
    const address = await httpApp.listen({ host: settings.host, port: settings.port });
    poster.ownPort = Number(new URL(address).port);
    if (await pauseCopy(app)) log.warn('this database is a copy, so webhooks are paused: see docs/backup.md');
    sender.start();
    stepChecker.start();
    backups?.start();
    markTestUsers();
    app.deletionLog.addAll();
    const invitation = await inviteFirstPerson(app, settings, address);
    print(`Usher is ready at ${address}\n${invitation}`);
    const drainAndStop = async () => {
      httpApp.announceStop();
      await pause(settings.drainTime);
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

/** Removes what is too old. Each kind is removed even if another one fails. */
async function sweep(app: AppContext, log: Log): Promise<void> {
  const sweeps: [what: string, done: Promise<void>][] = [
    ['uploads', sweepUploads()],
    ['events', sweepEvents(app, app.activity.eventsDays)],
    ['webhook items', sweepWebhooks(app)],
    ['sessions', sweepSessions(app)],
    ['entries of the installation log', app.installationLog.sweep()],
    ['counts of pages', app.pageCounts.sweep()],
    ['paths', app.visitedPaths.sweep()],
    ['picks', sweepPicks(app)],
  ];
  // Deletions of other nodes, and those that could not be written before.
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
  if (results.every((done) => done)) app.activity.lastSweepAt = app.now();
}

function demoExperiences(): DemoExperience[] {
  return JSON.parse(readFileSync(join(demoFolder, 'experiences.json'), 'utf8'));
}

/** Called before the account is committed: if the file cannot be written, there is no account either. */
function keepFirstSecret({ account_secret }: CreatedAccount, { bootstrap, firstSecretFile: file }: Settings): void {
  if (file === undefined || bootstrap.secret) return;
  try {
    writeFileSync(file, `${account_secret}\n`, { flag: 'wx', mode: 0o600, flush: true });
    chmodSync(file, 0o600);
  } catch (error) {
    const exists = (error as NodeJS.ErrnoException).code === 'EEXIST';
    throw new WrongSetting(
      `USHER_FIRST_SECRET_FILE names a file that ${exists ? 'exists, and is not overwritten' : 'cannot be written'}: ${file}`,
    );
  }
}

/** As long as nobody can sign in, each start prints a new link to do so. It lets in whoever has it, so it is no log line. */
async function inviteFirstPerson(app: AppContext, settings: Settings, address: string): Promise<string> {
  const { explicitPublicUrl, firstSecretFile } = settings;
  // Whoever keeps secrets out of the output keeps this one out too.
  if (firstSecretFile !== undefined) return '';
  const token = await createSetupLink(app);
  if (token === undefined) return '';
  const local = address.replace(/^(https?:\/\/)(0\.0\.0\.0|\[::\])/, '$1127.0.0.1');
  const url = linkUrl(explicitPublicUrl ?? local, 'setup', token);
  return `\nNobody can sign in yet. Open this link within 24 hours, it works once:\n  ${url}\n\n`;
}

/** The text that is shown once. Secrets that the operator has set are not repeated. */
function introduce(
  { account_id, account_token, account_secret }: CreatedAccount,
  { bootstrap, demo, firstSecretFile, publicUrl }: Settings,
): string {
  const kept =
    firstSecretFile === undefined ? `${account_secret}   (shown only now: keep it)` : `in ${firstSecretFile}`;
  const secret = bootstrap.secret ? 'as set in USHER_BOOTSTRAP_SECRET' : kept;
  const site = demo ? `  demo site       ${publicUrl}/demo/   (one Experience of each kind is published for it)\n` : '';
  return `
The first account was created.
  account id      ${account_id}
  account token   ${account_token}
  account secret  ${secret}
${site}
`;
}
