import { setTimeout as pause } from 'node:timers/promises';
import type { Millis } from '@usher/domain';
import type { AppContext, Context } from '../../context.ts';
import { anonymous, createContext } from '../../create-context.ts';
import type { Semaphore } from '../../semaphore.ts';
import { type ItemRow, type WebhookRow, webhooksOf } from '../queries.ts';
import { claimItems } from './claim-items.ts';
import { composeRequest } from './compose-request.ts';
import { fanOut, hasWebhookEvents } from './fan-out.ts';
import { isSuccess, type Outcome } from './outcome.ts';
import { isPausedIn } from './paused.ts';
import type { Poster } from './post.ts';
import { type FinishedItem, recordAttempts, recordOutcomes } from './record-outcomes.ts';

/** Limits the open requests to one webhook. */
const MAX_CONCURRENT = 16;
/** While many requests are open, the outcomes of this time are recorded in one transaction. */
const COLLECT_MS = 5;

interface Round {
  webhook: WebhookRow | undefined;
  items: ItemRow[];
  /** Whether more items may be due. */
  more: boolean;
  /** Whether there is room for more items, and webhook events to make them from. */
  canFanOut: boolean;
}

/**
 * Sends the items of one webhook, some at a time. Each webhook has its own queue, so that none waits for the receiver
 * of another.
 */
export class WebhookQueue {
  readonly #app: AppContext;
  readonly #poster: Poster;
  readonly #querySlots: Semaphore;
  readonly #ctx: Context;
  readonly #webhookId: string;
  readonly #inFlight = new Set<string>();
  /** Items whose outcome is not stored yet. */
  #finished: FinishedItem[] = [];
  #running: Promise<void> | undefined;
  #woken = false;
  #stopped = false;
  #resume: () => void = () => {};

  constructor(app: AppContext, poster: Poster, querySlots: Semaphore, webhook: { account_id: string; id: string }) {
    this.#app = app;
    this.#poster = poster;
    this.#querySlots = querySlots;
    this.#ctx = createContext(app, { account: { id: webhook.account_id }, actor: anonymous });
    this.#webhookId = webhook.id;
  }

  /** Whether no request is open and every outcome is stored. */
  get isIdle(): boolean {
    return !this.#running && this.#inFlight.size === 0 && this.#finished.length === 0;
  }

  /** Sends everything that is due, and resolves when the outcomes are stored. */
  run(): Promise<void> {
    this.#woken = true;
    this.#resume();
    this.#running ??= this.#run();
    return this.#running;
  }

  /** Starts no more requests. */
  stop(): void {
    this.#stopped = true;
    this.#resume();
  }

  async #run(): Promise<void> {
    let fansOut = false;
    for (;;) {
      // The flag is reset before the claim, because an event that is recorded after the claim needs another round.
      this.#woken = false;
      const round: Round = await (fansOut ? this.#fanOutRound() : this.#recordRound()).catch((error) => {
        this.#running = undefined;
        throw error;
      });
      for (const item of round.items) this.#send(round.webhook as WebhookRow, item);
      fansOut = round.canFanOut && this.#room > 0;
      if (fansOut || (round.more && this.#room > 0)) continue;
      while (this.#finished.length === 0 && !(this.#woken && this.#room > 0)) {
        if (this.#inFlight.size === 0) {
          // There is no await before the return, so a later wake-up starts a new run.
          this.#running = undefined;
          return;
        }
        await new Promise<void>((resolve) => {
          this.#resume = resolve;
        });
      }
      if (this.#inFlight.size > MAX_CONCURRENT / 2) await pause(COLLECT_MS);
    }
  }

  get #room(): number {
    return this.#stopped ? 0 : MAX_CONCURRENT - this.#inFlight.size;
  }

  /** Records the outcomes and claims the next items in one transaction, which costs one commit. */
  async #recordRound(): Promise<Round> {
    const finished = this.#finished.splice(0);
    try {
      return await this.#transaction(async (ctx, webhook) => {
        const attempts = finished.length > 0 ? await recordOutcomes(ctx, webhook, finished) : [];
        const claimed = await this.#claim(ctx, webhook);
        await recordAttempts(ctx, webhook, attempts);
        return claimed;
      });
    } catch (error) {
      // The outcomes are recorded when the storage is back, or the items are sent again after the lease.
      this.#finished.unshift(...finished);
      throw error;
    }
  }

  /**
   * Fans out and claims the new items. No attempt is recorded here, because that takes the account clock. A transaction
   * that records an event has the clock first, and waits for rows with the same `repeat_key` that are deleted here: with
   * the clock last, each would wait for the other.
   */
  #fanOutRound(): Promise<Round> {
    return this.#transaction(async (ctx, webhook) => {
      if (webhook.enabled && this.#room > 0) await fanOut(ctx);
      return this.#claim(ctx, webhook);
    });
  }

  /** Locks the webhook, so that no item is blocked by one that another process finishes at the same time. */
  #transaction(work: (ctx: Context, webhook: WebhookRow) => Promise<Omit<Round, 'webhook'>>): Promise<Round> {
    return this.#querySlots.run(() =>
      this.#ctx.transaction(async (ctx) => {
        const query = webhooksOf(ctx).where('id', '=', this.#webhookId);
        const webhook = await ctx.dialect.lockRows(query).executeTakeFirst();
        const result = webhook ? await work(ctx, webhook) : { items: [], more: false, canFanOut: false };
        return { webhook, ...result };
      }),
    );
  }

  /** Events are fanned out only when there is room: while no receiver responds, an event costs one row, not one per webhook. */
  async #claim(ctx: Context, webhook: WebhookRow): Promise<Omit<Round, 'webhook'>> {
    const limit = this.#room;
    if (!webhook.enabled || limit === 0 || (await isPausedIn(ctx.db)))
      return { items: [], more: false, canFanOut: false };
    // The events are looked for before the claim. The claim finds what others have fanned out by then; later events
    // need another round.
    const hasEvents = await hasWebhookEvents(ctx);
    const { items, more } = await claimItems(ctx, this.#webhookId, { limit, except: this.#inFlight });
    return { items, more, canFanOut: hasEvents && items.length < limit };
  }

  async #send(webhook: WebhookRow, item: ItemRow): Promise<void> {
    this.#inFlight.add(item.id);
    const at = this.#app.now();
    try {
      const outcome = await this.#attempt(webhook, item, at);
      if (outcome) this.#app.webhooks.attempts[isSuccess(outcome) ? 'sent' : 'failed'] += 1;
      this.#finished.push({ item, at, outcome });
    } catch {
      // The storage is unavailable: the item is due again after the lease.
    } finally {
      this.#inFlight.delete(item.id);
      this.#resume();
    }
  }

  async #attempt(webhook: WebhookRow, item: ItemRow, at: Millis): Promise<Outcome | undefined> {
    try {
      const request = await this.#querySlots.run(() => composeRequest(this.#app, webhook, item, at));
      return request && (await this.#poster.post(webhook.uid, request.headers, request.body));
    } catch (error) {
      if (this.#app.storage.isUnavailable(error)) throw error;
      return { error: 'it could not be put together', ms: 0 };
    }
  }
}
