import type { Millis } from '@usher/domain';
import { type AnyCoalescedWrite, type AnyFound, type AnyItem, runBatched, stampItems } from '../coalesced-write.ts';
import type { SqliteDatabases } from './sqlite-databases.ts';
import type { WriteQueue } from './write-queue.ts';

/** Items by their keys. They are written by one statement. */
type Items = Map<string, AnyItem>;
type Results = Map<string, AnyFound>;

interface Group {
  items: Items;
  written: Promise<Results>;
}

/**
 * Collects items that wait for the same transaction and writes them with one statement: passing values to the driver and
 * reading the row back costs as much as the write itself.
 */
export class CoalescedWrites {
  readonly #queue: WriteQueue;
  readonly #databases: SqliteDatabases;
  /** The groups that wait in the queue, by account. More items can join them. */
  readonly #groups = new Map<AnyCoalescedWrite, Map<string, Group>>();

  constructor(queue: WriteQueue, databases: SqliteDatabases) {
    this.#queue = queue;
    this.#databases = databases;
  }

  async write(accountId: string, write: AnyCoalescedWrite, item: AnyItem, now: () => Millis): Promise<AnyFound> {
    const key = write.keyOf(item);
    const group = this.#join(accountId, write, key, item) ?? this.#start(accountId, write, key, item, now);
    return (await group.written).get(key);
  }

  #join(accountId: string, write: AnyCoalescedWrite, key: string, item: AnyItem): Group | undefined {
    const group = this.#groups.get(write)?.get(accountId);
    if (!group || group.items.has(key)) return undefined;
    group.items.set(key, item);
    this.#queue.noteArrival();
    return group;
  }

  #start(accountId: string, write: AnyCoalescedWrite, key: string, item: AnyItem, now: () => Millis): Group {
    const groups = this.#groups.get(write) ?? new Map<string, Group>();
    this.#groups.set(write, groups);
    const items: Items = new Map([[key, item]]);
    const close = () => {
      if (groups.get(accountId)?.items === items) groups.delete(accountId);
    };
    const written = this.#queue.add(() => {
      close();
      return this.#writeItems(accountId, write, items, now());
    });
    // If the transaction could not begin, the work did not run. Later items must not join the group that failed.
    written.catch(close);
    const group = { items, written };
    groups.set(accountId, group);
    return group;
  }

  async #writeItems(accountId: string, write: AnyCoalescedWrite, items: Items, now: Millis): Promise<Results> {
    const db = this.#databases.writer(accountId);
    await stampItems(this.#databases, db, accountId, write, items.values(), now);
    const rows = await runBatched(this.#databases, db, accountId, write, items.values());
    const results: Results = new Map();
    for (const row of rows) {
      const { key, found } = write.read(row);
      results.set(key, found);
    }
    return results;
  }
}
