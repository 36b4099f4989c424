import type { Millis } from '@usher/domain';
import type { AppContext } from '../../../context.ts';
import { anonymous, createContext } from '../../../create-context.ts';
import { segmentsOf } from '../filters/segments.ts';
import { countSegments } from './count-segments.ts';
import { claimRun, endRun, keepRun } from './segment-count-run.ts';
import { storeSegmentCounts } from './stored-counts.ts';

declare module '../../../context.ts' {
  interface AppContext {
    /** Counts who is in each Segment, in the background. */
    readonly segmentCounter: SegmentCounter;
  }
}

/** A request waits so long for the counts: in a small account it has them. */
const WAIT_MS: Millis = 300;
/** Segments with thousands of values take long. Then the counts are estimates. */
const MAX_RUN_MS: Millis = 5 * 60_000;
const PROGRESS_MS: Millis = 1000;

export class SegmentCounter {
  readonly #runs = new Map<string, Promise<void>>();
  #isStopped = false;
  onError: (error: unknown) => void = () => {};

  /** Counts the Segments of an account, unless a process does that already. It resolves soon, whether that is done or not. */
  async start(app: AppContext, accountId: string): Promise<void> {
    if (this.#isStopped) return;
    // If it fails, the next request tries again.
    const run =
      this.#runs.get(accountId) ??
      this.#run(app, accountId).catch((error) => {
        // Requests of a database that cannot be written say so themselves.
        if (!app.storage.isUnavailable(error)) this.onError(error);
      });
    this.#runs.set(accountId, run);
    const timeout = new Promise<void>((resolve) => setTimeout(resolve, WAIT_MS).unref());
    await Promise.race([run, timeout]);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#runs.values());
  }

  async #run(app: AppContext, accountId: string): Promise<void> {
    try {
      const ctx = createContext(app, { account: { id: accountId }, actor: anonymous });
      const claim = app.newId();
      if (!(await claimRun(ctx, claim))) return;
      const started = performance.now();
      let written = started;
      const onProgress = async (share: number) => {
        if (this.#isStopped) return false;
        if (performance.now() - written < PROGRESS_MS) return true;
        written = performance.now();
        return keepRun(ctx, claim, share);
      };
      try {
        const segments = await segmentsOf(ctx).execute();
        const counted = await countSegments(ctx, segments, MAX_RUN_MS, onProgress);
        if (counted) await storeSegmentCounts(ctx, segments, counted, performance.now() - started);
      } finally {
        await endRun(ctx, claim);
      }
    } finally {
      this.#runs.delete(accountId);
    }
  }
}
