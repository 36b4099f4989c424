import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Millis } from '@usher/domain';
import type { AppContext } from '../context.ts';
import type { Log } from '../log/log.ts';
import { backupNames } from './backup-names.ts';
import { describeProblem } from './errors.ts';
import { sizeOfUnfinished } from './remove-leftovers.ts';
import { type BackupState, claimWork, keepClaim, readState, recordOutcome } from './scheduled-state.ts';
import type { BackupStore } from './store.ts';

const WORK = 'scheduled_backup';
const CHECK_MS: Millis = 60_000;
const PROGRESS_MS: Millis = 2000;
/** A server that stops does not wait longer for a storage that does not respond. */
const MAX_STOP_MS: Millis = 30_000;
/** How long a request that forgets someone waits at most for the copy of the deletion log. */
const MAX_PUBLISH_MS: Millis = 1000;

interface SchedulerDependencies {
  app: AppContext;
  store: BackupStore;
  log: Log;
  everyMs: Millis;
  keep: number;
  /** Writes a backup to a file that does not exist yet. */
  make(file: string): Promise<unknown>;
  readDeletionLog(): Promise<string>;
  /** Where the backups are, for people. */
  place: string;
  /** Identifies this node among the nodes with the same store. */
  folder: string;
}

/**
 * Makes backups on time. All nodes check every minute, and the node that claims the next backup in the database makes
 * it. The deletion log is copied to the same place after each change.
 */
export class BackupScheduler {
  readonly #deps: SchedulerDependencies;
  readonly #logName: string;
  #timer: NodeJS.Timeout | undefined;
  #checking: Promise<void> | undefined;
  #publishing: Promise<void> | undefined;
  #isLogChanged = true;
  #stopped = false;

  constructor(deps: SchedulerDependencies) {
    this.#deps = deps;
    const node = createHash('sha256').update(`${hostname()} ${deps.folder}`).digest('hex').slice(0, 12);
    this.#logName = `forgotten-${node}.jsonl`;
  }

  start(): void {
    const { app } = this.#deps;
    app.backups.isScheduled = true;
    const { store, place, everyMs, keep } = this.#deps;
    app.backups.schedule = {
      ...{ place, everyMs, keep },
      list: () => store.list(),
      readState: () => readState(app.storage, WORK),
      start: () => this.#startNow(),
    };
    app.deletionLog.afterAppend = async () => {
      this.#isLogChanged = true;
      await Promise.race([this.publishLog(), pause(MAX_PUBLISH_MS, undefined, { ref: false })]);
    };
    this.#timer = setInterval(() => this.check(), CHECK_MS).unref();
    this.check();
  }

  /** Waits for the backup that is being made. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    const timer = setTimeout(() => this.#deps.store.abort(), MAX_STOP_MS);
    await this.#checking;
    await this.#publishing;
    clearTimeout(timer);
  }

  /** Makes a backup if it is time, and repeats what failed. It never fails. */
  check(): Promise<void> {
    this.#checking ??= this.#check()
      .catch((err) => this.#deps.log.error({ err }, 'backups could not be checked'))
      .finally(() => {
        this.#checking = undefined;
      });
    return this.#checking;
  }

  /** Copies the deletion log to the store. Changes in the meantime are copied after it. It never fails. */
  publishLog(): Promise<void> {
    this.#publishing ??= this.#publishLog().finally(() => {
      this.#publishing = undefined;
    });
    return this.#publishing;
  }

  async #publishLog(): Promise<void> {
    const { store, log, readDeletionLog } = this.#deps;
    while (this.#isLogChanged && !this.#stopped) {
      this.#isLogChanged = false;
      try {
        const content = await readDeletionLog();
        if (content !== '') await store.saveText(this.#logName, content);
      } catch (err) {
        this.#isLogChanged = true;
        log.warn({ err }, 'the deletion log could not be copied to the backups; it is tried again in a minute');
        return;
      }
    }
  }

  async #check(): Promise<void> {
    const { app, everyMs } = this.#deps;
    await this.publishLog();
    this.#show(await readState(app.storage, WORK));
    if (!this.#stopped && (await claimWork(app, WORK, everyMs))) await this.#makeClaimed();
  }

  /** What is being checked at this moment makes no backup too, because it cannot claim it. */
  async #startNow(): Promise<boolean> {
    const { app, log } = this.#deps;
    if (this.#stopped || !(await claimWork(app, WORK, 0))) return false;
    const before = this.#checking;
    this.#checking = this.#makeClaimed()
      .catch((err) => log.error({ err }, 'a backup could not be made'))
      .then(() => before)
      .finally(() => {
        this.#checking = undefined;
      });
    return true;
  }

  async #makeClaimed(): Promise<void> {
    const { app } = this.#deps;
    const claim = setInterval(() => keepClaim(app, WORK).catch(() => {}), CHECK_MS);
    try {
      const last = await this.#backUp();
      this.#show(await recordOutcome(app, WORK, { last: { at: app.now(), ...last } }));
      this.#deps.log.info({ name: last.name, bytes: last.bytes }, 'a backup was made');
      await this.#removeOld(last.name);
    } catch (error) {
      const message = describeProblem(error);
      this.#deps.log.error({ err: error }, 'no backup could be made');
      this.#show(await recordOutcome(app, WORK, { error: { at: app.now(), message } }));
    } finally {
      clearInterval(claim);
    }
  }

  #backUp(): Promise<{ name: string; bytes: number }> {
    const { app, store, make } = this.#deps;
    const end = 'databaseUrl' in app.storage.address ? 'dump' : 'db';
    return store.save(backupNames.create(app.now(), end), async (file) => {
      const showProgress = async () => keepClaim(app, WORK, String(await sizeOfUnfinished(dirname(file))));
      const progress = setInterval(() => showProgress().catch(() => {}), PROGRESS_MS);
      try {
        await make(file);
      } finally {
        clearInterval(progress);
      }
    });
  }

  /**
   * Removes old backups only after a new one is complete. If the clock was set back, the newest backup is not the last
   * by name.
   */
  async #removeOld(newest: string): Promise<void> {
    const { store, keep } = this.#deps;
    const names = (await store.list()).map(({ name }) => name).filter(backupNames.matches);
    const others = names
      .filter((name) => name !== newest)
      .sort()
      .reverse();
    for (const name of others.slice(keep - 1)) await store.remove(name);
  }

  #show({ last, error }: BackupState): void {
    const { backups } = this.#deps.app;
    backups.last = last && { at: last.at, bytes: last.bytes };
    backups.lastError = error;
  }
}
