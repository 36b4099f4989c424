import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** A file as JSON, or what is wrong with it. */
export type Parsed = { json: string } | { problem: string };

/** The longest that a valid file of 10 MB took was 0.9 s. */
const TIME_LIMIT_MS = 5000;
const MEMORY_LIMIT_MB = 512;

/**
 * Reads files in a thread, which ends when its time or memory runs out: whatever is in a file, it holds up nobody else.
 */
export class FileParser {
  #worker: Worker | undefined;

  async parse(path: string): Promise<Parsed> {
    this.#worker ??= new Worker(new URL('./parse-worker.js', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT_MB },
    });
    const worker = this.#worker;
    const signal = AbortSignal.timeout(TIME_LIMIT_MS);
    worker.postMessage(path);
    try {
      // Rejects when the thread fails.
      const [parsed] = await once(worker, 'message', { signal });
      return parsed as Parsed;
    } catch {
      await this.stop();
      return { problem: 'The file takes too long, or too much memory, to read: give it in parts' };
    }
  }

  async stop(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    worker?.on('error', () => {});
    await worker?.terminate();
  }
}
