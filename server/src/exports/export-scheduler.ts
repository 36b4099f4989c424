import type { Millis } from '@usher/domain';
import { describeProblem } from '../backup/errors.ts';
import { claimWork, readState, recordOutcome, releaseClaim, type ScheduledState } from '../backup/scheduled-state.ts';
import type { AppContext } from '../context.ts';
import type { Log } from '../log/log.ts';
import type { ExportResult, ExportTarget } from './run-export.ts';

const WORK = 'scheduled_export';
const CHECK_MS: Millis = 60_000;

type ExportState = ScheduledState<ExportResult & { at: Millis }>;

interface SchedulerDependencies {
  app: AppContext;
  target: ExportTarget;
  /** Where exports run. */
  thread: {
    runExport(target: ExportTarget): Promise<ExportResult>;
    stopExport(): void;
  };
  /** Whether this database is a copy that must not send yet. */
  isPaused(): Promise<boolean>;
  log: Log;
}

/**
 * Exports rows on time, in the thread of batches. All nodes check every minute, and the node that claims the next export in the database
 * makes it. A copy of a database exports nothing until an operator resumes its sending, because the original goes on.
 */
export class ExportScheduler {
  readonly #deps: SchedulerDependencies;
  #timer: NodeJS.Timeout | undefined;
  #checking: Promise<void> | undefined;
  #stopped = false;

  constructor(deps: SchedulerDependencies) {
    this.#deps = deps;
    deps.app.exports.isScheduled = true;
  }

  start(): void {
    this.#timer = setInterval(() => this.#tick(), CHECK_MS).unref();
    this.check();
  }

  #tick(): void {
    if (this.#checking) void this.#refresh().catch(() => {});
    else this.check();
  }

  /** Lets an export end after the rows that are being read. The next one goes on with the rest. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    if (this.#checking) this.#deps.thread.stopExport();
    await this.#checking;
  }

  /** Exports if it is time. It never fails. */
  check(): Promise<void> {
    this.#checking ??= this.#check()
      .catch((err) => this.#deps.log.error({ err }, 'exports could not be checked'))
      .finally(() => {
        this.#checking = undefined;
      });
    return this.#checking;
  }

  async #check(): Promise<void> {
    const { app, target, thread, isPaused, log } = this.#deps;
    await this.#refresh();
    if (this.#stopped || (await isPaused())) return;
    if (!(await claimWork(app, WORK, target.export.everyMs))) return;
    try {
      const result = await thread.runExport(target);
      log.info(result, 'rows were exported');
      this.#show(await recordOutcome(app, WORK, { last: { at: app.now(), ...result } }));
    } catch (error) {
      if (this.#stopped) return void (await releaseClaim(app, WORK));
      log.error({ err: error }, 'rows could not be exported');
      this.#show(await recordOutcome(app, WORK, { error: { at: app.now(), message: describeProblem(error) } }));
    }
  }

  async #refresh(): Promise<void> {
    this.#show(await readState(this.#deps.app.storage, WORK));
  }

  #show({ last, error, claimed_at, progress }: ExportState): void {
    const { exports } = this.#deps.app;
    exports.last = last;
    exports.lastError = error;
    exports.progress = claimed_at === undefined ? undefined : (progress ?? '');
  }
}
