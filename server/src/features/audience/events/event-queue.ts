import { timeOfId, wasSeenBefore } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { ApiError } from '../../../errors.ts';
import { type EventSender, type NewEvent, type StoredEvent, storeEvents } from './store-events.ts';

declare module '../../../context.ts' {
  interface AppContext {
    /** Single events that wait for the next transaction. */
    readonly eventQueue: EventQueue;
  }
}

/** More would make the first event of a group wait noticeably longer. */
const MAX_EVENTS = 100;

interface Entry {
  ctx: Context;
  event: NewEvent;
  resolve(stored: StoredEvent): void;
  reject(error: unknown): void;
}

/** The events of one account and one sender, with one quota. */
interface Lane {
  sender: EventSender;
  waiting: Entry[];
}

/**
 * Stores single events. While a transaction of an account runs, its further events wait and share the next one: the
 * statements and the commit take little longer for many events than for one.
 */
export class EventQueue {
  readonly #lanes = new Map<string, Lane>();

  /** Resolves after the commit. */
  add(ctx: Context, event: NewEvent, sender: EventSender): Promise<StoredEvent> {
    const key = `${ctx.account.id} ${sender.source} ${sender.isUnproven ? quotaOf(ctx, event) : ''}`;
    return new Promise((resolve, reject) => {
      const entry = { ctx, event, resolve, reject };
      const lane = this.#lanes.get(key);
      if (lane) {
        lane.waiting.push(entry);
        return;
      }
      this.#lanes.set(key, { sender, waiting: [entry] });
      // Requests that arrive together are read in one turn of the event loop.
      setImmediate(() => void this.#run(key));
    });
  }

  async #run(key: string): Promise<void> {
    for (let lane = this.#lanes.get(key); lane; lane = this.#lanes.get(key)) {
      await this.#store(lane, lane.waiting.splice(0, MAX_EVENTS));
      if (lane.waiting.length === 0) this.#lanes.delete(key);
    }
  }

  /**
   * Never rejects. If a group fails, each of its events is stored alone, because one of them may be the reason. Returns the error if
   * the storage is unavailable.
   */
  async #store(lane: Lane, entries: readonly Entry[]): Promise<unknown> {
    const [first] = entries;
    if (!first) return;
    const { ctx } = first;
    try {
      const events = entries.map(({ event }) => event);
      const outcomes = await storeEvents(ctx, events, lane.sender);
      for (const [at, { resolve, reject }] of entries.entries()) {
        const outcome = outcomes[at] as StoredEvent | ApiError;
        if (outcome instanceof ApiError) reject(outcome);
        else resolve(outcome);
      }
    } catch (error) {
      if (ctx.app.storage.isUnavailable(error)) {
        // Each event that waits would wait for another timeout of the database.
        rejectAll([...entries, ...lane.waiting.splice(0)], error);
        return error;
      }
      if (entries.length === 1) rejectAll(entries, error);
      else return this.#storeAlone(lane, entries);
    }
  }

  async #storeAlone(lane: Lane, entries: readonly Entry[]): Promise<unknown> {
    for (const [at, entry] of entries.entries()) {
      const unavailable = await this.#store(lane, [entry]);
      if (unavailable === undefined) continue;
      rejectAll(entries.slice(at + 1), unavailable);
      return unavailable;
    }
  }
}

function rejectAll(entries: readonly Entry[], error: unknown): void {
  for (const { reject } of entries) reject(error);
}

/** The new names of known users have a quota of their own, so their events are not stored together with those of new users. */
function quotaOf(ctx: Context, { profile }: NewEvent): string {
  return profile.id !== undefined && wasSeenBefore(timeOfId(profile.id), ctx.now()) ? 'known' : 'new';
}
