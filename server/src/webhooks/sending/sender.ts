import { setTimeout as pause } from 'node:timers/promises';
import type { AppContext } from '../../context.ts';
import { Semaphore } from '../../semaphore.ts';
import type { Poster } from './post.ts';
import { WebhookQueue } from './webhook-queue.ts';

/** How often it looks for what is due by the clock, or was put there by another process. */
const LOOKS_EVERY_MS = 2000;
/** How long after it has looked it looks again: who wakes it meanwhile waits so long, and page loads are not held up. */
const REST_MS = 20;
/** Of the connections to the database it takes no more, however many webhooks there are: the rest is for page loads. */
const MAX_QUERIES = 4;

interface Webhook {
  account_id: string;
  id: string;
}

/** Sends what is in the outbox: at once what this process has put there, and all else when it is due. */
export class Sender {
  readonly #app: AppContext;
  readonly #poster: Poster;
  readonly #onError: (error: unknown) => void;
  readonly #queues = new Map<string, WebhookQueue>();
  /** Accounts for which something was put there; null stands for all of them. */
  readonly #woken = new Set<string | null>();
  readonly #turns = new Semaphore(MAX_QUERIES);
  #looking: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(app: AppContext, poster: Poster, onError: (error: unknown) => void = () => {}) {
    this.#app = app;
    this.#poster = poster;
    this.#onError = onError;
  }

  start(): void {
    this.#app.webhooks.wake = (accountId) => this.wake(accountId);
    this.#timer = setInterval(() => this.wake(null), LOOKS_EVERY_MS).unref();
    this.wake(null);
  }

  wake(accountId: string | null): void {
    this.#woken.add(accountId);
    if (!this.#stopped) this.#looking ??= this.#look();
  }

  /** Sends all that is due by now. */
  async drain(): Promise<void> {
    for (;;) {
      const due = await this.#due(null);
      if (due.length === 0) return;
      await Promise.all(due.map((webhook) => this.#run(this.#lineFor(webhook))));
    }
  }

  /** Begins nothing more, and resolves when what is under way has ended and is written down. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    for (const line of this.#queues.values()) line.stop();
    await this.#looking;
    const unfinished = [...this.#queues.values()].filter((line) => !line.isIdle);
    await Promise.all(unfinished.map((line) => line.run().catch(this.#onError)));
    this.#poster.close();
  }

  /** Whoever wakes it meanwhile is served in one go with all others who do. */
  async #look(): Promise<void> {
    try {
      while (this.#woken.size > 0 && !this.#stopped) {
        await new Promise(setImmediate);
        const accounts = this.#woken.has(null) ? [null] : [...this.#woken];
        this.#woken.clear();
        // With what could not be written down before.
        if (accounts[0] === null) for (const key of this.#queues.keys()) this.#run(key).catch(this.#onError);
        for (const account of accounts)
          for (const webhook of await this.#due(account))
            if (!this.#stopped) this.#run(this.#lineFor(webhook)).catch(this.#onError);
        await pause(REST_MS);
      }
    } catch (error) {
      this.#onError(error);
    } finally {
      this.#looking = undefined;
    }
  }

  #due(accountId: string | null): Promise<Webhook[]> {
    return this.#app.storage.dueWebhooks.list(this.#app.now(), accountId);
  }

  #lineFor(webhook: Webhook): string {
    const key = `${webhook.account_id} ${webhook.id}`;
    if (!this.#queues.has(key)) this.#queues.set(key, new WebhookQueue(this.#app, this.#poster, this.#turns, webhook));
    return key;
  }

  async #run(key: string): Promise<void> {
    const line = this.#queues.get(key);
    try {
      await line?.run();
    } finally {
      if (line?.isIdle && this.#queues.get(key) === line) this.#queues.delete(key);
    }
  }
}
