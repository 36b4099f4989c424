import type { Millis } from '@usher/domain';
import type { Storage } from '../db/storage.ts';
import type { SecretBox } from '../keys/secret-box.ts';
import { type LoadedAccount, loadAccount } from './load-account.ts';
import type { PublishedAccount } from './published-account.ts';

export type { PublishedAccount } from './published-account.ts';
export type { PublishedExperience } from './published-experience.ts';

const MAX_ACCOUNTS = 1000;

/** The accounts whose pages were loaded, those that were asked for last. */
export class PublishedCache {
  readonly #storage: Storage;
  readonly #secretBox: SecretBox;
  readonly #now: () => Millis;
  readonly #most: number;
  /** The one that was asked for last is the last. */
  readonly #accounts = new Map<string, LoadedAccount>();
  #last: LoadedAccount | undefined;
  readonly #loading = new Map<string, Promise<LoadedAccount | undefined>>();
  /** Only of accounts that are there: whatever else is asked for leaves nothing behind. */
  readonly #idByToken = new Map<string, string>();

  constructor(storage: Storage, secretBox: SecretBox, now: () => Millis, most = MAX_ACCOUNTS) {
    this.#storage = storage;
    this.#secretBox = secretBox;
    this.#now = now;
    this.#most = most;
  }

  /** As it was when it was last found to have changed: `fresh` finds out. */
  async account(id: string): Promise<PublishedAccount | undefined> {
    return this.#used(id) ?? this.#load(id);
  }

  async byToken(token: string): Promise<PublishedAccount | undefined> {
    const id = this.#idByToken.get(token) ?? (await this.#findToken(token));
    return id === undefined ? undefined : this.account(id);
  }

  /** As it is at this version, or later. The version is read before this is called. */
  async fresh(id: string, version: number): Promise<PublishedAccount | undefined> {
    const known = this.#used(id);
    if (known?.version === version) return known;
    // What is being loaded may have been read before that version was there.
    const next = await this.#loading.get(id);
    return next?.version === version ? next : this.#load(id);
  }

  /** How many are kept. */
  get size(): number {
    return this.#accounts.size;
  }

  #used(id: string): LoadedAccount | undefined {
    const account = this.#accounts.get(id);
    if (account && account !== this.#last) {
      this.#accounts.delete(id);
      this.#accounts.set(id, account);
      this.#last = account;
    }
    return account;
  }

  #load(id: string): Promise<LoadedAccount | undefined> {
    const underWay = this.#loading.get(id);
    if (underWay) return underWay;
    const loading = loadAccount(this.#storage, this.#secretBox, id, this.#now(), this.#accounts.get(id))
      .then((account) => {
        if (account) this.#keep(account);
        return account;
      })
      .finally(() => this.#loading.delete(id));
    this.#loading.set(id, loading);
    return loading;
  }

  #keep(account: LoadedAccount): void {
    this.#accounts.delete(account.id);
    this.#accounts.set(account.id, account);
    this.#last = account;
    this.#idByToken.set(account.token, account.id);
    const [oldest] = this.#accounts.values();
    if (this.#accounts.size <= this.#most || !oldest) return;
    this.#accounts.delete(oldest.id);
    this.#idByToken.delete(oldest.token);
  }

  async #findToken(token: string): Promise<string | undefined> {
    const query = this.#storage.reader(null).selectFrom('accounts').select('id').where('token', '=', token);
    return (await query.executeTakeFirst())?.id;
  }
}
