import { isDeleteImport } from '@usher/domain';
import type { BatchThread } from '../../../batches/batch-thread.ts';
import type { AppContext } from '../../../context.ts';
import { anonymous, createContext } from '../../../create-context.ts';
import type { RequestActivity } from '../../../http/request-queues.ts';
import { claimImport, runImport } from './run-import.ts';

/** Imports of other nodes, and imports that are due later, are found by polling. */
const POLL_MS = 2000;
const MAX_RUNNING = 4;

type ImportThread = Pick<BatchThread, 'runImport' | 'stopImports'>;

/**
 * Runs the imports that are due, in every process that serves requests. Imports that store many rows run in the thread of batches.
 * Imports that delete run here, because the deletion log belongs to this thread.
 */
export class ImportRunner {
  readonly #app: AppContext;
  readonly #batchThread: ImportThread;
  readonly #activity: RequestActivity;
  readonly #onError: (error: unknown) => void;
  readonly #running = new Map<string, Promise<void>>();
  #looking: Promise<void> | undefined;
  #isWoken = false;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(
    app: AppContext,
    batchThread: ImportThread,
    activity: RequestActivity,
    onError: (error: unknown) => void,
  ) {
    this.#app = app;
    this.#batchThread = batchThread;
    this.#activity = activity;
    this.#onError = onError;
  }

  start(): void {
    this.#app.importQueue.wake = () => this.#look();
    this.#timer = setInterval(() => this.#look(), POLL_MS).unref();
    this.#look();
  }

  /** Ends after the chunks that are being stored. Another process, or the next start, goes on. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    this.#batchThread.stopImports();
    await this.#looking;
    await Promise.all(this.#running.values());
  }

  #look(): void {
    this.#isWoken = true;
    this.#looking ??= this.#startAllDue()
      .catch((error) => {
        // While the storage is unavailable, requests say so.
        if (!this.#app.storage.isUnavailable(error)) this.#onError(error);
      })
      .finally(() => {
        this.#looking = undefined;
      });
  }

  /** What becomes due meanwhile is found too. */
  async #startAllDue(): Promise<void> {
    while (this.#isWoken && !this.#isStopped) {
      this.#isWoken = false;
      await this.#startDue();
    }
  }

  async #startDue(): Promise<void> {
    const { storage, now, disk } = this.#app;
    if (disk.isNearlyFull) return;
    const due = await storage
      .reader(null)
      .selectFrom('import_queue')
      .select(['account_id', 'import_id'])
      .where('due_at', '<=', now())
      .orderBy('due_at')
      .limit(100)
      .execute();
    const busy = () => new Set([...this.#running.keys()].map((key) => key.split(' ')[0]));
    for (const { account_id, import_id } of due) {
      if (this.#isStopped || this.#running.size >= MAX_RUNNING) return;
      // One import of an account runs at a time in a process, so that they end in their order.
      if (busy().has(account_id)) continue;
      const key = `${account_id} ${import_id}`;
      const run = this.#run(account_id, import_id)
        .catch((error): false => {
          this.#onError(error);
          return false;
        })
        .then((isOver) => {
          this.#running.delete(key);
          if (isOver) this.#look();
        });
      this.#running.set(key, run);
    }
  }

  /** Returns whether this process has run the import. */
  async #run(accountId: string, id: string): Promise<boolean> {
    const app = this.#app;
    const claim = app.newId();
    const row = await claimImport(createContext(app, { account: { id: accountId }, actor: anonymous }), id, claim);
    if (!row) return false;
    if (!isDeleteImport(row.kind)) {
      await this.#batchThread.runImport({ accountId, id, claim });
      return true;
    }
    const pace = {
      isBusy: () => this.#activity.isBusy,
      yieldToRequests: this.#activity.yieldToRequests,
      isStopped: () => this.#isStopped,
      isOwnThread: false,
    };
    await runImport({ app, accountId, id, claim, pace });
    return true;
  }
}
