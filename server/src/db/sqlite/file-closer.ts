import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { HeavyReader } from './heavy-reader.ts';
import type { Shredder } from './shredder.ts';
import type { WriteQueue } from './write-queue.ts';

const RETRY_MS = 5;
const RETRIES_WITHOUT_LOG_MS = 1000;
const LOG_INTERVAL_MS = 10_000;

interface FileCloserDependencies {
  shredder: Shredder;
  heavyReader: HeavyReader;
  queue: WriteQueue;
  /** Closes all connections of this thread. Reads wait from now on. */
  close(): void;
  /** Opens whatever file is there now, and lets reads go on. */
  open(): void;
}

/** Called with the error as long as the file cannot be opened again. */
type OnOpenFails = (error: unknown) => void;

/** Closes the database file in this thread for a moment, so that `usher compact` can replace it. Requests wait meanwhile. */
export class FileCloser {
  readonly #deps: FileCloserDependencies;

  constructor(deps: FileCloserDependencies) {
    this.#deps = deps;
  }

  /** Waits until nothing uses the file. */
  async whileClosed<T>(work: () => Promise<T>, onOpenFails?: OnOpenFails): Promise<T> {
    const { shredder, heavyReader, queue } = this.#deps;
    const closeAndOpen = () => this.#closeAndOpen(work, onOpenFails);
    return shredder.inTurn(() => heavyReader.withoutThreads(() => queue.runAlone(closeAndOpen)));
  }

  async #closeAndOpen<T>(work: () => Promise<T>, onOpenFails?: OnOpenFails): Promise<T> {
    this.#deps.close();
    try {
      await collectGarbage();
      return await work();
    } finally {
      await this.#open(onOpenFails);
    }
  }

  /** Does not give up: nothing works without the file. The command that has locked it ends soon, or was killed. */
  async #open(onOpenFails?: OnOpenFails): Promise<void> {
    for (let nextLog = Date.now() + RETRIES_WITHOUT_LOG_MS; ; await pause(RETRY_MS))
      try {
        this.#deps.open();
        return;
      } catch (error) {
        if (Date.now() < nextLog) continue;
        nextLog = Date.now() + LOG_INTERVAL_MS;
        onOpenFails?.(error);
      }
  }
}

/** libsql closes a file only when all statements of its connection are collected. What collects them runs a moment later. */
async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  collect();
  await new Promise(setImmediate);
  await new Promise(setImmediate);
}
