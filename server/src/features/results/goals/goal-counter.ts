import type { Millis } from '@usher/domain';
import type { AppContext } from '../../../context.ts';
import { anonymous, createContext } from '../../../create-context.ts';
import { experiencesOf } from '../../experiences/queries.ts';
import { loadTimeZone } from '../counts/time-zone.ts';
import { countGoals } from './count-goals.ts';
import { claimGoalRun, endGoalRun, keepGoalRun, storeGoalCounts } from './goal-count-run.ts';
import { reachedBy } from './people-sql.ts';
import { goalsFingerprint, loadSegments, resolveGoals } from './resolve-goals.ts';

declare module '../../../context.ts' {
  interface AppContext {
    /** Counts who met the goals of Experiences, in the background. */
    readonly goalCounter: GoalCounter;
  }
}

/** A request waits so long for the counts: of a few thousand people it has them. */
const WAIT_MS: Millis = 200;
const PROGRESS_MS: Millis = 1000;

export class GoalCounter {
  readonly #runs = new Map<string, Promise<void>>();
  #isStopped = false;
  onError: (error: unknown) => void = () => {};

  /** Counts the goals of an Experience, unless a process does that already. It resolves soon, whether that is done or not. */
  async start(app: AppContext, accountId: string, experienceId: string): Promise<void> {
    if (this.#isStopped) return;
    const key = `${accountId} ${experienceId}`;
    // If it fails, the next request tries again.
    const run =
      this.#runs.get(key) ??
      this.#run(app, accountId, experienceId).catch((error) => {
        // Requests of a database that cannot be written say so themselves.
        if (!app.storage.isUnavailable(error)) this.onError(error);
      });
    this.#runs.set(key, run);
    run.then(() => this.#runs.delete(key));
    const timeout = new Promise<void>((resolve) => setTimeout(resolve, WAIT_MS).unref());
    await Promise.race([run, timeout]);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#runs.values());
  }

  async #run(app: AppContext, accountId: string, experienceId: string): Promise<void> {
    const ctx = createContext(app, { account: { id: accountId }, actor: anonymous });
    const claim = app.newId();
    if (!(await claimGoalRun(ctx, experienceId, claim))) return;
    try {
      const row = await experiencesOf(ctx).where('id', '=', experienceId).executeTakeFirst();
      if (!row) return;
      const counted_at = app.now();
      const started = performance.now();
      const goals = await resolveGoals(ctx, row.draft);
      const segments = await loadSegments(ctx, goals);
      const timeZone = await loadTimeZone(ctx);
      let written = started;
      let total: number | undefined;
      const onProgress = async (seen: number) => {
        if (this.#isStopped) return false;
        if (performance.now() - written < PROGRESS_MS) return true;
        written = performance.now();
        total ??= await countReached(ctx, experienceId);
        return keepGoalRun(ctx, experienceId, claim, Math.min(seen / total, 0.99));
      };
      const counts = await countGoals(ctx, { experienceId, goals, segments, timeZone }, onProgress);
      if (!counts) return;
      const took_ms = Math.round(performance.now() - started);
      const fingerprint = goalsFingerprint(goals, segments, timeZone);
      await storeGoalCounts(ctx, experienceId, claim, counts, { fingerprint, counted_at, took_ms });
    } finally {
      await endGoalRun(ctx, experienceId, claim);
    }
  }
}

async function countReached(ctx: Parameters<typeof reachedBy>[0], experienceId: string): Promise<number> {
  const { count } = await reachedBy(ctx, experienceId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Math.max(Number(count), 1);
}
