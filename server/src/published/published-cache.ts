import type { Millis } from '@usher/domain';
import type { Storage } from '../db/storage.ts';
import type { SecretBox } from '../keys/secret-box.ts';
import { type LoadedAccount, loadAccount } from './load-account.ts';
import type { PublishedAccount } from './published-account.ts';

declare module '../context.ts' {
  interface AppContext {
    /** What is published, as page loads read it. */
    readonly publishedCache: PublishedCache;
  }
}

const DEFAULT_MAX_BYTES = 256_000_000;

/** Keeps in memory what page loads read, for the most recently used accounts. One account is kept however large it is. */
export class PublishedCache {
  readonly #storage: Storage;
  readonly #secretBox: SecretBox;
  readonly #now: () => Millis;
  readonly #maxBytes: number;
  #bytes = 0;
  /** The least recently used account is first. */
  readonly #accounts = new Map<string, LoadedAccount>();
  #lastUsed: LoadedAccount | undefined;
  readonly #loading = new Map<string, Promise<LoadedAccount | undefined>>();
  /** Contains only the tokens of accounts in the cache, so that requests with wrong tokens take no memory. */
  readonly #idByToken = new Map<string, string>();

  constructor(storage: Storage, secretBox: SecretBox, now: () => Millis, maxBytes = DEFAULT_MAX_BYTES) {
    this.#storage = storage;
    this.#secretBox = secretBox;
    this.#now = now;
    this.#maxBytes = maxBytes;
  }

  /** Returns the account as it was last loaded. It may have changed since: `atVersion` finds that out. */
  async account(id: string): Promise<PublishedAccount | undefined> {
    return this.#use(id) ?? this.#load(id);
  }

  async byToken(token: string): Promise<PublishedAccount | undefined> {
    const id = this.#idByToken.get(token) ?? (await this.#findToken(token));
    return id === undefined ? undefined : this.account(id);
  }

  /** Returns the account at this published version, or a later one. The caller has read the version before. */
  async atVersion(id: string, version: number): Promise<PublishedAccount | undefined> {
    const known = this.#use(id);
    if (known?.version === version) return known;
    // A load that is under way may have begun before this version was published.
    const loaded = await this.#loading.get(id);
    return loaded?.version === version ? loaded : this.#load(id);
  }

  /** About how much memory they take. */
  get bytes(): number {
    return this.#bytes;
  }

  /** How many accounts are in memory. */
  get size(): number {
    return this.#accounts.size;
  }

  #use(id: string): LoadedAccount | undefined {
    const account = this.#accounts.get(id);
    if (account && account !== this.#lastUsed) {
      this.#accounts.delete(id);
      this.#accounts.set(id, account);
      this.#lastUsed = account;
    }
    return account;
  }

  #load(id: string): Promise<LoadedAccount | undefined> {
    const underWay = this.#loading.get(id);
    if (underWay) return underWay;
    const loading = loadAccount(this.#storage, this.#secretBox, id, this.#now(), this.#accounts.get(id))
      .then((account) => {
        if (account) this.#store(account);
        return account;
      })
      .finally(() => this.#loading.delete(id));
    this.#loading.set(id, loading);
    return loading;
  }

  #store(account: LoadedAccount): void {
    this.#drop(this.#accounts.get(account.id));
    this.#accounts.set(account.id, account);
    this.#bytes += account.bytes;
    this.#lastUsed = account;
    this.#idByToken.set(account.token, account.id);
    for (const oldest of this.#accounts.values()) {
      if (this.#bytes <= this.#maxBytes || oldest === account) break;
      this.#drop(oldest);
    }
  }

  #drop(account: LoadedAccount | undefined): void {
    if (!account) return;
    this.#accounts.delete(account.id);
    this.#idByToken.delete(account.token);
    this.#bytes -= account.bytes;
  }

  async #findToken(token: string): Promise<string | undefined> {
    const query = this.#storage.reader(null).selectFrom('accounts').select('id').where('token', '=', token);
    return (await query.executeTakeFirst())?.id;
  }
}
