import { setTimeout as pause } from 'node:timers/promises';
import type { AppContext } from '../../context.ts';
import { Semaphore } from '../../semaphore.ts';
import { isSendingPaused } from './paused.ts';
import type { Poster } from './post.ts';
import { WebhookQueue } from './webhook-queue.ts';

/** Items become due with time, and other processes store events. Both are found by polling. */
const POLL_MS = 2000;
/**
 * The sender pauses between two searches for due items, so that page loads are not slowed down. A wake-up waits for the
 * end of the pause.
 */
const PAUSE_MS = 20;
/** All queues together use this many database connections at most: the others are for page loads. */
const MAX_QUERIES = 4;

interface Webhook {
  account_id: string;
  id: string;
}

/** Sends the items of the outbox: those of events of this process immediately, all others when they are due. */
export class Sender {
  readonly #app: AppContext;
  readonly #poster: Poster;
  readonly #onError: (error: unknown) => void;
  readonly #queues = new Map<string, WebhookQueue>();
  /** Accounts with new events; null stands for all accounts. */
  readonly #woken = new Set<string | null>();
  readonly #querySlots = new Semaphore(MAX_QUERIES);
  #checking: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(app: AppContext, poster: Poster, onError: (error: unknown) => void = () => {}) {
    this.#app = app;
    this.#poster = poster;
    this.#onError = onError;
  }

  start(): void {
    this.#app.webhooks.wake = (accountId) => this.wake(accountId);
    this.#timer = setInterval(() => this.wake(null), POLL_MS).unref();
    this.wake(null);
  }

  wake(accountId: string | null): void {
    this.#woken.add(accountId);
    // On a full disk, sent items could not be recorded as sent, and would be sent again and again.
    if (!this.#stopped && !this.#app.disk.isFull) this.#checking ??= this.#runDueQueues();
  }

  /** Sends everything that is due now. */
  async drain(): Promise<void> {
    for (;;) {
      const due = await this.#listDue(null);
      if (due.length === 0) return;
      await Promise.all(due.map((webhook) => this.#run(this.#queueKey(webhook))));
    }
  }

  /** Starts no more requests, and resolves when the open ones have ended and their outcomes are stored. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    for (const queue of this.#queues.values()) queue.stop();
    await this.#checking;
    const unfinished = [...this.#queues.values()].filter((queue) => !queue.isIdle);
    await Promise.all(unfinished.map((queue) => queue.run().catch(this.#onError)));
    this.#poster.close();
  }

  /** Several wake-ups in the meantime are served together. */
  async #runDueQueues(): Promise<void> {
    try {
      while (this.#woken.size > 0 && !this.#stopped) {
        await new Promise(setImmediate);
        const accounts = this.#woken.has(null) ? [null] : [...this.#woken];
        this.#woken.clear();
        // This also stores outcomes that could not be stored before.
        if (accounts[0] === null) for (const key of this.#queues.keys()) this.#run(key).catch(this.#onError);
        for (const account of accounts) await this.#startDue(account).catch(this.#onError);
        await pause(PAUSE_MS);
      }
    } catch (error) {
      this.#onError(error);
    } finally {
      this.#checking = undefined;
    }
  }

  async #startDue(accountId: string | null): Promise<void> {
    for (const webhook of await this.#listDue(accountId))
      if (!this.#stopped) this.#run(this.#queueKey(webhook)).catch(this.#onError);
  }

  async #listDue(accountId: string | null): Promise<Webhook[]> {
    if (await isSendingPaused(this.#app.storage)) return [];
    return this.#app.storage.dueWebhooks.list(this.#app.now(), accountId);
  }

  #queueKey(webhook: Webhook): string {
    const key = `${webhook.account_id} ${webhook.id}`;
    if (!this.#queues.has(key))
      this.#queues.set(key, new WebhookQueue(this.#app, this.#poster, this.#querySlots, webhook));
    return key;
  }

  async #run(key: string): Promise<void> {
    const queue = this.#queues.get(key);
    try {
      await queue?.run();
    } finally {
      if (queue?.isIdle && this.#queues.get(key) === queue) this.#queues.delete(key);
    }
  }
}
