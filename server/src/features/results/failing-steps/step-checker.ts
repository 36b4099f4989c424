import { dayOf, STEP_HEALTH_MS } from '@usher/domain';
import type { AppContext } from '../../../context.ts';
import { forEachAccount } from '../../../db/for-each-account.ts';
import { isLive } from '../../../published/is-live.ts';
import { checkSteps } from './check-steps.ts';

const CHECK_MS = 5 * 60_000;
/** Every hour, all Experiences with findings of the last day are checked: another node may have stopped before it checked them. */
const CHECKS_PER_FULL_CHECK = 12;

/** Checks every few minutes which steps fail. It checks only Experiences that pages have reported about since. */
export class StepChecker {
  readonly #app: AppContext;
  readonly #onError: (error: unknown) => void;
  #checks = 0;
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(app: AppContext, onError: (error: unknown) => void) {
    this.#app = app;
    this.#onError = onError;
  }

  start(): void {
    this.#timer = setInterval(() => this.run(), CHECK_MS).unref();
  }

  /** Runs a check now, unless one is running. */
  run(): Promise<void> {
    this.#running ??= this.#check()
      .catch(this.#onError)
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  async #check(): Promise<void> {
    if (this.#checks++ % CHECKS_PER_FULL_CHECK === 0) await addRecent(this.#app).catch(this.#onError);
    const { stepChecks } = this.#app;
    for (const [accountId, experiences] of stepChecks.take())
      for (const id of experiences) {
        // What is not checked now is checked after the next start.
        if (this.#stopped) return;
        try {
          await checkSteps(this.#app, accountId, id);
        } catch (error) {
          stepChecks.add(accountId, id);
          this.#onError(error);
        }
      }
  }
}

/** Adds the live Experiences with findings of the last day. */
async function addRecent({ storage, stepChecks, now }: AppContext): Promise<void> {
  const firstDay = dayOf(now() - STEP_HEALTH_MS);
  await forEachAccount(storage, async (accountId) => {
    const recent = await storage
      .heavyReader(accountId)
      .selectFrom('experiences')
      .select('id')
      .where('account_id', '=', accountId)
      .where((eb) => isLive(eb, now()))
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('findings')
            .select('findings.day')
            .where('findings.account_id', '=', accountId)
            .whereRef('findings.experience_id', '=', 'experiences.id')
            .where('findings.day', '>=', firstDay),
        ),
      )
      .execute();
    for (const { id } of recent) stepChecks.add(accountId, id);
  });
}
