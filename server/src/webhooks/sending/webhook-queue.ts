import { setTimeout as pause } from 'node:timers/promises';
import type { Millis } from '@usher/domain';
import { type AppContext, anonymous, type Context, createContext } from '../../context.ts';
import type { Semaphore } from '../../semaphore.ts';
import type { ItemRow, WebhookRow } from '../queries.ts';
import { type Claimed, claimItems } from './claim-items.ts';
import { composeRequest } from './compose-request.ts';
import { fanOut, hasWebhookEvents } from './fan-out.ts';
import { type Outcome, wasSent } from './outcome.ts';
import type { Poster } from './post.ts';
import { type Ended, recordAttempts, recordOutcomes } from './record-outcomes.ts';

/** To one webhook. */
const MAX_CONCURRENT = 16;
/** While many are under way, those that end within this time are settled in one transaction. */
const TOGETHER_MS = 5;

const nothing: Claimed = { items: [], more: false };

/**
 * What is sent to one webhook, some items at a time. Each webhook has a line of its own, so that none waits for
 * another's receiver.
 */
export class WebhookQueue {
  readonly #app: AppContext;
  readonly #poster: Poster;
  readonly #turns: Semaphore;
  readonly #ctx: Context;
  readonly #webhookId: string;
  readonly #underWay = new Set<string>();
  #ended: Ended[] = [];
  #running: Promise<void> | undefined;
  #woken = false;
  #stopped = false;
  #goOn: () => void = () => {};

  constructor(app: AppContext, poster: Poster, turns: Semaphore, webhook: { account_id: string; id: string }) {
    this.#app = app;
    this.#poster = poster;
    this.#turns = turns;
    this.#ctx = createContext(app, { account: { id: webhook.account_id }, actor: anonymous });
    this.#webhookId = webhook.id;
  }

  /** Whether nothing is under way or still to be written down. */
  get isIdle(): boolean {
    return !this.#running && this.#underWay.size === 0 && this.#ended.length === 0;
  }

  /** Sends all that is due, and resolves when that is written down. */
  run(): Promise<void> {
    this.#woken = true;
    this.#goOn();
    this.#running ??= this.#run();
    return this.#running;
  }

  /** Begins nothing more. */
  stop(): void {
    this.#stopped = true;
    this.#goOn();
  }

  async #run(): Promise<void> {
    for (;;) {
      // Before the claim: what is put into the outbox from now on calls for another.
      this.#woken = false;
      const ended = this.#ended.splice(0);
      const { webhook, items, more } = await this.#turns
        .run(() => this.#round(ended))
        .catch((error) => {
          // It is written down when the storage is back, or sent again when the lease is over.
          this.#ended.unshift(...ended);
          this.#running = undefined;
          throw error;
        });
      for (const item of items) this.#send(webhook as WebhookRow, item);
      if (more && this.#free > 0) continue;
      while (this.#ended.length === 0 && !(this.#woken && this.#free > 0)) {
        if (this.#underWay.size === 0) {
          // At once, so that whoever wakes it from now on makes it run anew.
          this.#running = undefined;
          return;
        }
        await new Promise<void>((resolve) => {
          this.#goOn = resolve;
        });
      }
      if (this.#underWay.size > MAX_CONCURRENT / 2) await pause(TOGETHER_MS);
    }
  }

  get #free(): number {
    return this.#stopped ? 0 : MAX_CONCURRENT - this.#underWay.size;
  }

  /** One transaction for both: what has ended is settled, and what is due is claimed. */
  #round(ended: readonly Ended[]): Promise<Claimed & { webhook: WebhookRow | undefined }> {
    return this.#ctx.transaction(async (ctx) => {
      const webhook = await this.#holdWebhook(ctx);
      const tried = webhook && ended.length > 0 ? await recordOutcomes(ctx, webhook, ended) : [];
      const claimed = webhook?.enabled && this.#free > 0 ? await this.#claim(ctx) : nothing;
      if (webhook) await recordAttempts(ctx, webhook, tried);
      return { webhook, ...claimed };
    });
  }

  /** What was told is spread when there is room for it: where nobody answers, nobody pays for rows of all webhooks. */
  async #claim(ctx: Context): Promise<Claimed> {
    const what = { most: this.#free, except: this.#underWay };
    // Before the claim: it finds what another has spread until then, and what another spreads from then on calls for a further one.
    const isTold = await hasWebhookEvents(ctx);
    const { items, more } = await claimItems(ctx, this.#webhookId, what);
    const spreads = isTold && items.length < what.most;
    if (spreads) await fanOut(ctx);
    return { items, more: more || spreads };
  }

  /** So that nothing is put behind an item that another process settles at this moment. */
  #holdWebhook(ctx: Context): Promise<WebhookRow | undefined> {
    const query = ctx.db
      .selectFrom('webhooks')
      .selectAll()
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', this.#webhookId);
    return ctx.dialect.lockRows(query).executeTakeFirst();
  }

  async #send(webhook: WebhookRow, item: ItemRow): Promise<void> {
    this.#underWay.add(item.id);
    const at = this.#app.now();
    try {
      const outcome = await this.#attempt(webhook, item, at);
      if (outcome) this.#app.webhooks.attempts[wasSent(outcome) ? 'sent' : 'failed'] += 1;
      this.#ended.push({ item, at, outcome });
    } catch {
      // The storage is away: it is due again when the lease is over.
    } finally {
      this.#underWay.delete(item.id);
      this.#goOn();
    }
  }

  async #attempt(webhook: WebhookRow, item: ItemRow, at: Millis): Promise<Outcome | undefined> {
    try {
      const request = await this.#turns.run(() => composeRequest(this.#app, webhook, item, at));
      return request && (await this.#poster.post(webhook.uid, request.headers, request.body));
    } catch (error) {
      if (this.#app.storage.isUnavailable(error)) throw error;
      return { error: 'it could not be put together', ms: 0 };
    }
  }
}
