import type { Millis } from '@usher/domain';
import { Semaphore } from '../../semaphore.ts';
import { type AnyCoalescedWrite, type AnyFound, type AnyItem, stampItems } from '../coalesced-write.ts';
import type { Db, Storage } from '../storage.ts';

/** Each write may wait for a locked row, and holds a connection meanwhile. */
const MAX_RUNNING = 4;

/** Writes items of one account with a statement for each, those with the same key one after the other. */
export class SingleWrites {
  readonly #storage: Storage;
  readonly #accountId: string;
  readonly #write: AnyCoalescedWrite;
  readonly #semaphore = new Semaphore(MAX_RUNNING);
  /** The last write of each key. */
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(storage: Storage, accountId: string, write: AnyCoalescedWrite) {
    this.#storage = storage;
    this.#accountId = accountId;
    this.#write = write;
  }

  get isIdle(): boolean {
    return this.#last.size === 0;
  }

  async write(key: string, item: AnyItem, now: () => Millis): Promise<unknown> {
    const earlier = this.#last.get(key);
    const written = this.#writeAfter(earlier, item, now);
    const ended = written.catch(() => {});
    this.#last.set(key, ended);
    try {
      return await written;
    } finally {
      if (this.#last.get(key) === ended) this.#last.delete(key);
    }
  }

  /** Waits for the earlier one without a place, so that many page loads of one locked user take one place. */
  async #writeAfter(earlier: Promise<unknown> | undefined, item: AnyItem, now: () => Millis): Promise<unknown> {
    await earlier;
    return this.#semaphore.run(() => this.#writeItem(item, now));
  }

  async #writeItem(item: AnyItem, now: () => Millis): Promise<AnyFound> {
    const storage = this.#storage;
    const accountId = this.#accountId;
    const write = this.#write;
    const run = async (db: Db) => {
      const [row] = await write.single.run(storage, db, accountId, item);
      return row && write.read(row).found;
    };
    if (!write.stamp) return run(storage.reader(accountId));
    return storage.write(accountId, async (tx) => {
      await stampItems(storage, tx, accountId, write, [item], now());
      return run(tx);
    });
  }
}
