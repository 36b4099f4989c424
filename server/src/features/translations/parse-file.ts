import { Worker } from 'node:worker_threads';
import { CompactExperience } from '@usher/domain';
import { type Parsed, readLayout } from './read-layout.ts';

/** The steps as JSON. */
interface LaidOut {
  id: string;
  steps: string;
}

/** What the thread tells: the root, then Experiences, then the end; or what is wrong with the file. */
export type Told =
  | { root: string }
  | { experiences: string }
  | { laidOut: LaidOut[] }
  | { end: true }
  | { problem: string };

const TIME_LIMIT_MS = 5000;
const MEMORY_LIMIT_MB = 96;
/** What lives for a moment only: with more room for it, the thread would take twice as much memory, and as long. */
const MOMENTARY_MB = 8;

/**
 * Reads a file that was laid out anew in a thread, which ends when its time or memory runs out: whatever is in a file, it
 * holds up nobody else. Of a large file a little comes at a time, so that others have their turn in between.
 */
export class FileParser {
  #worker: Worker | undefined;

  async parse(path: string): Promise<Parsed | { problem: string }> {
    const laidOut = await readLayout(path);
    if (laidOut) return laidOut;
    this.#worker ??= new Worker(new URL('./parse-worker.js', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT_MB, maxYoungGenerationSizeMb: MOMENTARY_MB },
    });
    try {
      return await this.#listen(this.#worker, path);
    } catch {
      await this.stop();
      return { problem: 'The file takes too long, or too much memory, to read: give it in parts' };
    }
  }

  #listen(worker: Worker, path: string): Promise<Parsed | { problem: string }> {
    const parsed: Parsed = { root: null, experiences: [] };
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => settle(() => reject(new Error('too long'))), TIME_LIMIT_MS);
      const failed = (error: Error) => settle(() => reject(error));
      const told = (message: Told) => {
        if ('root' in message) parsed.root = JSON.parse(message.root);
        else if ('experiences' in message) parsed.experiences.push(...(JSON.parse(message.experiences) as unknown[]));
        else if ('laidOut' in message)
          for (const { id, steps } of message.laidOut) parsed.experiences.push(new CompactExperience(id, steps));
        else settle(() => resolve('problem' in message ? message : parsed));
      };
      const settle = (how: () => void) => {
        clearTimeout(timer);
        worker.off('message', told).off('error', failed);
        how();
      };
      worker.on('message', told).on('error', failed);
      worker.postMessage(path);
    });
  }

  async stop(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    worker?.on('error', () => {});
    await worker?.terminate();
  }
}
