import { performance } from 'node:perf_hooks';
import type { Millis } from '@usher/domain';
import { type AnyCoalescedWrite, type AnyFound, type AnyItem, runBatched, stampItems } from '../coalesced-write.ts';
import type { Storage } from '../storage.ts';
import { SingleWrites } from './single-writes.ts';
import { sqlStateOf } from './sql-state.ts';

/** While this many statements of an account run, its further items wait for the next one. */
const MAX_GROUPS_PER_ACCOUNT = 2;
const MAX_ITEMS = 64;
/** The same time as other queries wait for a connection. */
const MAX_WAIT_MS = 4000;
/** The reason is a value of one item, which must not affect the others. */
const badValueStates = /^(22|23)/;

interface Entry {
  readonly item: AnyItem;
  readonly since: number;
  readonly now: () => Millis;
  resolve(found: AnyFound): void;
  reject(error: unknown): void;
}

/** Items by their keys. They are written by one statement. */
type Group = Map<string, Entry>;

/** What one account writes with one kind of statement. */
interface Lane {
  readonly accountId: string;
  readonly write: AnyCoalescedWrite;
  /** More items can join these groups. */
  readonly waiting: Group[];
  running: number;
  readonly singles: SingleWrites;
}

/**
 * Collects items while statements of their account run, and writes them with the next statement: the driver, the database
 * and the commit take little longer for many items than for one. Accounts take turns.
 */
export class CoalescedWrites {
  readonly #storage: Storage;
  readonly #maxGroups: number;
  readonly #lanes = new Map<AnyCoalescedWrite, Map<string, Lane>>();
  /** The lanes that may start a group, in the order of their turns. */
  readonly #ready = new Set<Lane>();
  #running = 0;
  #isScheduled = false;

  /** @param maxGroups how many connections the groups of all accounts may use */
  constructor(storage: Storage, maxGroups: number) {
    this.#storage = storage;
    this.#maxGroups = maxGroups;
  }

  write(accountId: string, write: AnyCoalescedWrite, item: AnyItem, now: () => Millis): Promise<AnyFound> {
    return new Promise((resolve, reject) => {
      const lane = this.#laneOf(accountId, write);
      addTo(lane.waiting, write.keyOf(item), { item, since: performance.now(), now, resolve, reject });
      this.#markReady(lane);
      this.#schedule();
    });
  }

  #laneOf(accountId: string, write: AnyCoalescedWrite): Lane {
    const lanes = this.#lanes.get(write) ?? new Map<string, Lane>();
    this.#lanes.set(write, lanes);
    const known = lanes.get(accountId);
    if (known) return known;
    const singles = new SingleWrites(this.#storage, accountId, write);
    const lane: Lane = { accountId, write, waiting: [], running: 0, singles };
    lanes.set(accountId, lane);
    return lane;
  }

  #markReady(lane: Lane): void {
    // The clock of the account lets only one transaction at a time create records.
    const maxRunning = lane.write.stamp ? 1 : MAX_GROUPS_PER_ACCOUNT;
    if (lane.waiting.length > 0 && lane.running < maxRunning) this.#ready.add(lane);
  }

  /** Requests that arrive together are read in one turn of the event loop. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#startGroups();
    });
  }

  #startGroups(): void {
    for (const lane of this.#ready) {
      if (this.#running >= this.#maxGroups) return;
      this.#ready.delete(lane);
      const group = lane.waiting.shift();
      if (!group) continue;
      rejectLate(group);
      if (group.size > 0) void this.#run(lane, group);
      this.#markReady(lane);
    }
  }

  async #run(lane: Lane, group: Group): Promise<void> {
    this.#running++;
    lane.running++;
    const report = await this.#writeGroup(lane, group);
    this.#running--;
    lane.running--;
    this.#markReady(lane);
    // First, so that the database works on the next group while the responses of this one are built.
    this.#startGroups();
    report();
    const isIdle = lane.running === 0 && lane.waiting.length === 0 && lane.singles.isIdle;
    if (isIdle) this.#lanes.get(lane.write)?.delete(lane.accountId);
  }

  /** Never rejects. Returns a function that reports the results. */
  async #writeGroup(lane: Lane, group: Group): Promise<() => void> {
    try {
      const rows = await this.#runStatement(lane, group);
      return () => reportRows(lane, group, rows);
    } catch (error) {
      return () => (badValueStates.test(sqlStateOf(error)) ? runAllAlone(lane, group) : rejectAll(group, error));
    }
  }

  async #runStatement({ accountId, write }: Lane, group: Group): ReturnType<typeof runBatched> {
    const storage = this.#storage;
    const entries = [...group.values()];
    const [first] = entries;
    const items = entries.map(({ item }) => item);
    if (!write.stamp || !first) return runBatched(storage, storage.reader(accountId), accountId, write, items);
    return storage.write(accountId, async (tx) => {
      await stampItems(storage, tx, accountId, write, items, first.now());
      return runBatched(storage, tx, accountId, write, items);
    });
  }
}

/** Joins the first group that has room and no item with the same key. */
function addTo(groups: Group[], key: string, entry: Entry): void {
  const open = groups.find((group) => group.size < MAX_ITEMS && !group.has(key));
  if (open) open.set(key, entry);
  else groups.push(new Map([[key, entry]]));
}

function rejectLate(group: Group): void {
  const latest = performance.now() - MAX_WAIT_MS;
  for (const [key, { since, reject }] of group) {
    if (since >= latest) continue;
    group.delete(key);
    reject(new Error('timeout exceeded while waiting for other writes of the account'));
  }
}

function reportRows(lane: Lane, group: Group, rows: Awaited<ReturnType<typeof runBatched>>): void {
  try {
    for (const row of rows) {
      const { key, found } = row.skipped == null ? lane.write.read(row) : { key: row.skipped };
      const entry = group.get(key) as Entry;
      group.delete(key);
      if (row.skipped == null) entry.resolve(found);
      else runAlone(lane, key, entry);
    }
    for (const { resolve } of group.values()) resolve(undefined);
  } catch (error) {
    rejectAll(group, error);
  }
}

function rejectAll(group: Group, error: unknown): void {
  for (const { reject } of group.values()) reject(error);
}

function runAllAlone(lane: Lane, group: Group): void {
  for (const [key, entry] of group) runAlone(lane, key, entry);
}

function runAlone({ singles }: Lane, key: string, { item, now, resolve, reject }: Entry): void {
  singles.write(key, item, now).then(resolve, reject);
}
