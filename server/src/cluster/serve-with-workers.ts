import { fileURLToPath } from 'node:url';
import { recountAccounts } from '../features/results/counts/recount-accounts.ts';
import { announce, createFirst, createInvitation, introduce } from '../first-start.ts';
import { bundleFolder } from '../folders.ts';
import { createLog, type Log, standardOutput } from '../log/log.ts';
import { openAppContext, type Running } from '../serve.ts';
import type { Settings } from '../settings/settings.ts';
import { GroupState } from './group-state.ts';
import { WorkerPlace } from './worker-place.ts';

interface Output {
  print(text: string): void;
  printError(text: string): void;
}

/**
 * Serves with several processes. This process migrates the database, creates the first account, starts the workers and
 * replaces each worker that ends. It serves no requests itself.
 */
export async function serveWithWorkers(settings: Settings, { print, printError }: Output): Promise<Running> {
  const output = standardOutput();
  const log = createLog(settings.logLevel, output);
  const { first, invitation } = await prepareDatabase(settings, log);
  let restarts = 0;
  const places: WorkerPlace[] = [];
  const state = new GroupState(settings, () => renderOwn(places.filter(({ isReady }) => isReady).length, restarts));
  const deps = {
    fork: await prepareFork(settings.workers),
    state,
    log,
    writeLog: (lines: string) => output.write(lines),
    writeError: printError,
    onReplace: () => {
      restarts += 1;
    },
  };
  for (let number = 1; number <= settings.workers; number += 1) places.push(new WorkerPlace(number, deps));
  const stop = async () => {
    await Promise.all(places.map((place) => place.stop()));
    output.flushSync();
  };
  try {
    const [one, ...others] = places as [WorkerPlace, ...WorkerPlace[]];
    // If the first worker cannot start, the others would only repeat its error.
    const address = await one.start();
    await Promise.all(others.map((place) => place.start()));
    print(announce(address, invitation, settings));
    return { address, logUnhandled: (err) => log.error({ err }, 'unhandled rejection'), stop };
  } catch (error) {
    await stop();
    throw error;
  } finally {
    // The secret is shown only once, so it is printed even if the workers cannot listen.
    if (first) print(introduce(first, settings));
  }
}

/** The connections to the database are closed again: the workers divide them. */
async function prepareDatabase(settings: Settings, log: Log) {
  const app = await openAppContext(settings, log);
  try {
    await recountAccounts(app.storage, app.now(), log).catch((err) =>
      log.warn({ err }, 'results could not be counted again'),
    );
    return { first: await createFirst(app, settings), invitation: await createInvitation(app, settings) };
  } finally {
    await app.propertyRegistry.stop();
    await app.pageCounts.stop();
    await app.storage.close();
  }
}

/** The cluster module is loaded only here, because a server of one process does not need it. */
async function prepareFork(workers: number) {
  const { default: cluster } = await import('node:cluster');
  // Each worker accepts connections itself. If this process passed them on, one for a worker that was just killed would stay
  // open and never get a response: 7 of 48 in a test, and now none.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ exec: fileURLToPath(new URL('main.js', bundleFolder)), args: ['serve'], silent: true });
  return (number: number) => cluster.fork({ USHER_WORKERS: String(workers), USHER_WORKER: `${number}/${workers}` });
}

function renderOwn(ready: number, restarts: number): string {
  const { user, system } = process.cpuUsage();
  const values: [name: string, type: string, help: string, value: number][] = [
    ['process_resident_memory_bytes', 'gauge', 'Memory in use.', process.memoryUsage().rss],
    ['process_cpu_seconds_total', 'counter', 'Processor time used.', (user + system) / 1e6],
    ['process_uptime_seconds', 'gauge', 'Time since the start.', process.uptime()],
    ['usher_workers', 'gauge', 'Workers that serve requests.', ready],
    ['usher_worker_restarts_total', 'counter', 'Workers that ended and were replaced.', restarts],
  ];
  return values
    .map(([name, type, help, value]) => `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${name} ${value}\n`)
    .join('');
}
