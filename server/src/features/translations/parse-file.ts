import { Worker } from 'node:worker_threads';
import { CompactExperience } from '@usher/domain';
import { type ParsedFile, readLayout } from './read-layout.ts';

interface LaidOut {
  id: string;
  steps: string;
}

/** A message of the thread: first the root, then Experiences, then the end; or the problem of the file. */
export type ParseMessage =
  | { root: string }
  | { experiences: string }
  | { laidOut: LaidOut[] }
  | { end: true }
  | { problem: string };

const TIME_LIMIT_MS = 5000;
const MEMORY_LIMIT_MB = 96;
/** The memory for short-lived objects. With more of it, the thread takes twice the memory and is not faster. */
const YOUNG_GENERATION_MB = 8;

/**
 * Parses translation files. A file in another layout than that of a download is parsed in a thread, which is ended when it
 * takes too long or too much memory, so no file can block the server. The thread sends a few Experiences at a time.
 */
export class FileParser {
  #worker: Worker | undefined;

  async parse(path: string): Promise<ParsedFile | { problem: string }> {
    const laidOut = await readLayout(path);
    if (laidOut) return laidOut;
    this.#worker ??= new Worker(new URL('./parse-worker.js', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT_MB, maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    try {
      return await this.#parseInThread(this.#worker, path);
    } catch {
      await this.stop();
      return { problem: 'The file takes too long, or too much memory, to read: give it in parts' };
    }
  }

  #parseInThread(worker: Worker, path: string): Promise<ParsedFile | { problem: string }> {
    const parsed: ParsedFile = { root: null, experiences: [] };
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => finish(() => reject(new Error('too long'))), TIME_LIMIT_MS);
      const onError = (error: Error) => finish(() => reject(error));
      const onMessage = (message: ParseMessage) => {
        if ('root' in message) parsed.root = JSON.parse(message.root);
        else if ('experiences' in message) parsed.experiences.push(...JSON.parse(message.experiences));
        else if ('laidOut' in message)
          for (const { id, steps } of message.laidOut) parsed.experiences.push(new CompactExperience(id, steps));
        else finish(() => resolve('problem' in message ? message : parsed));
      };
      const finish = (report: () => void) => {
        clearTimeout(timer);
        worker.off('message', onMessage).off('error', onError);
        report();
      };
      worker.on('message', onMessage).on('error', onError);
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
