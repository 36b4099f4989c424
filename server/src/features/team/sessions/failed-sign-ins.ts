import type { Millis } from '@usher/domain';
import { takeClock } from '../../../db/account-clock.ts';
import type { Storage } from '../../../db/storage.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { listMemberships } from '../persons/queries.ts';
import { findLastAccount } from './queries.ts';

declare module '../../../context.ts' {
  interface AppContext {
    readonly failedSignIns: FailedSignIns;
  }
}

const PERIOD_MS: Millis = 60_000;
const MAX_NETWORKS = 10;

/** The wrong passwords of one person that are not in the audit log yet. */
interface Failures {
  count: number;
  networks: Set<string>;
  timer: NodeJS.Timeout;
}

/**
 * Records wrong passwords in the audit log. The first is recorded immediately, and those of the following minute
 * together in one entry with their count, so that a stranger who guesses cannot fill the disk. No request waits for this,
 * because otherwise the time of a response would reveal which emails exist. For an unknown email nothing is recorded,
 * because it has no account.
 */
export class FailedSignIns {
  readonly #storage: Storage;
  readonly #now: () => Millis;
  readonly #period: Millis;
  readonly #pending = new Map<string, Failures>();
  readonly #writing = new Set<Promise<void>>();

  constructor(storage: Storage, now: () => Millis, period = PERIOD_MS) {
    this.#storage = storage;
    this.#now = now;
    this.#period = period;
  }

  record(personId: string, network: string): void {
    const pending = this.#pending.get(personId);
    if (pending) {
      pending.count += 1;
      if (pending.networks.size < MAX_NETWORKS) pending.networks.add(network);
    } else {
      this.#wait(personId);
      this.#write(personId, 1, [network]);
    }
  }

  /** Records all pending wrong passwords. Call it before the storage is closed. */
  async flush(): Promise<void> {
    for (const personId of [...this.#pending.keys()]) this.#take(personId);
    await Promise.all(this.#writing);
  }

  #wait(personId: string): void {
    const timer = setTimeout(() => {
      if (this.#take(personId)) this.#wait(personId);
    }, this.#period).unref();
    this.#pending.set(personId, { count: 0, networks: new Set(), timer });
  }

  /** Records the pending wrong passwords of one person. Returns whether there were any. */
  #take(personId: string): boolean {
    const { count = 0, networks = [], timer } = this.#pending.get(personId) ?? {};
    clearTimeout(timer);
    this.#pending.delete(personId);
    if (count > 0) this.#write(personId, count, [...networks]);
    return count > 0;
  }

  #write(personId: string, count: number, networks: string[]): void {
    const writing = this.#insert(personId, count, networks)
      // The sign-in was rejected in any case. If the storage is unavailable, the entry is lost.
      .catch(() => {})
      .finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
  }

  /**
   * Adds an entry to the account in which the person would have signed in. The entry has no user, because it is not known
   * who tried.
   */
  async #insert(personId: string, count: number, networks: string[]): Promise<void> {
    const db = this.#storage.reader(null);
    const memberships = await listMemberships(db, personId);
    const last = await findLastAccount(db, personId);
    const account = memberships.find(({ id }) => id === last) ?? memberships[0];
    if (!account) return;
    const [network = ''] = networks;
    await this.#storage.write(account.id, async (db) => {
      const clock = () => takeClock(this.#storage, db, account.id, this.#now());
      const actor = { id: '', role: 'viewer' } as const;
      const target = { type: 'admin', id: account.admin_id };
      await recordAudit({ db, clock, actor, request: { network } }, 'session.reject', target, { count, networks });
    });
  }
}
