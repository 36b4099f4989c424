import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../../log/log.ts';
import type { Storage } from '../storage.ts';
import { compactSignals, copyOf } from './compact-names.ts';
import { removeCopy } from './compacted-copy.ts';
import { tryLock } from './server-lock.ts';

const LOOK_INTERVAL_MS = 500;
const RETRY_CLEAR_UP_MS = 60_000;
/** The command needs some milliseconds. If it has died, requests have waited for so long. */
const MAX_RELEASED_MS = 1000;

/** The server's part of `usher compact`: closes the database file when the command asks for it, and clears up after it. */
export class CompactWatch {
  readonly #file: string;
  readonly #storage: Storage;
  readonly #log: Log;
  readonly #signals: ReturnType<typeof compactSignals>;
  /** A command may be running, or may have been killed since the last start. */
  #isExpected = true;
  /** If it fails, it is not tried again immediately. */
  #clearUpAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;

  constructor(file: string, storage: Storage, log: Log) {
    this.#file = file;
    this.#storage = storage;
    this.#log = log;
    this.#signals = compactSignals(dirname(file));
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#looking ??= this.#look()
        .catch((err) => this.#log.warn({ err }, 'the database could not be compacted'))
        .finally(() => {
          this.#looking = undefined;
        });
    }, LOOK_INTERVAL_MS).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
  }

  async #look(): Promise<void> {
    const { hello, request } = this.#signals;
    if (existsSync(hello)) {
      this.#isExpected = true;
      rmSync(hello, { force: true });
    } else if (existsSync(request)) await this.#release();
    else if (this.#isExpected) await this.#clearUp();
  }

  async #release(): Promise<void> {
    const { request, released } = this.#signals;
    const before = statSync(this.#file).ino;
    const onOpenFails = (err: unknown) =>
      this.#log.error({ err }, 'the database cannot be opened again, so requests wait: does “usher compact” hang?');
    await this.#storage.fileRelease?.whileReleased(async () => {
      // The command may have given up meanwhile.
      if (!existsSync(request)) return;
      renameSync(request, released);
      for (const deadline = Date.now() + MAX_RELEASED_MS; existsSync(released) && Date.now() < deadline; )
        await pause(1);
      rmSync(released, { force: true });
    }, onOpenFails);
    if (statSync(this.#file).ino === before) return;
    this.#log.info('the database file was compacted');
    // Copies of deleted rows may be in it. The first call may only finish what began with the old file.
    const clearGaps = () => this.#storage.clearGaps();
    clearGaps()
      .then(clearGaps)
      .catch((err) => this.#log.warn({ err }, 'copies of deleted rows could not be cleared'));
  }

  /** Removes what a command has left that was killed. */
  async #clearUp(): Promise<void> {
    // The command has never run here.
    if (!existsSync(this.#signals.lock)) this.#isExpected = false;
    const isDue = this.#isExpected && Date.now() >= this.#clearUpAt;
    const unlock = isDue && tryLock(this.#signals.lock);
    if (!unlock) return;
    this.#clearUpAt = Date.now() + RETRY_CLEAR_UP_MS;
    try {
      removeCopy(copyOf(this.#file));
      for (const file of [this.#signals.hello, this.#signals.request, this.#signals.released])
        rmSync(file, { force: true });
      await this.#storage.fileRelease?.dropChangeLog();
      this.#isExpected = false;
      this.#clearUpAt = 0;
    } finally {
      unlock();
    }
  }
}
