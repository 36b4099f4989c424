import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** What the thread receives when it starts. */
export interface SnapshotSettings {
  file: string;
  /** An empty file, or none. */
  target: string;
  /** Why the copy does not send webhooks, if it does not replace the database. */
  reason?: string;
  lockWaitMs: number;
}

/** What the thread sends at its end. */
interface SnapshotResult {
  error?: { message: string; code?: string };
}

const LOCK_WAIT_MS = 4000;

/**
 * Copies the rows of a SQLite database that may be in use into a new file, and checks it. It takes long, so it has its own
 * thread. The copy has neither free pages nor remains of deleted rows.
 */
export async function takeSnapshot(settings: Omit<SnapshotSettings, 'lockWaitMs'>): Promise<void> {
  const workerData: SnapshotSettings = { ...settings, lockWaitMs: LOCK_WAIT_MS };
  const worker = new Worker(new URL('./snapshot-worker.js', import.meta.url), { workerData });
  let result: SnapshotResult = { error: { message: 'the thread that makes the copy ended early' } };
  worker.once('message', (message: SnapshotResult) => {
    result = message;
  });
  await once(worker, 'exit');
  if (result.error) throw Object.assign(new Error(result.error.message), { code: result.error.code });
}
