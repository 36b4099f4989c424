import { firstIdAt, type InstallationEntryKind, type InstallationOutcome, type Millis } from '@usher/domain';
import { forEachAccount } from '../db/for-each-account.ts';
import type { Storage } from '../db/storage.ts';
import type { PublishedAccount } from '../published/published-account.ts';

declare module '../context.ts' {
  interface AppContext {
    /** What pages do while an administrator watches. */
    readonly installationLog: InstallationLog;
  }
}

const FLUSH_DELAY_MS = 250;
/** How many entries of an account wait for the next flush. If there are more, the oldest are dropped. */
const MAX_PENDING = 50;
/** How many entries an account keeps. */
const MAX_ENTRIES = 200;
const RETENTION_MS: Millis = 60 * 60_000;
const MAX_PATH = 500;
const MAX_TEXT = 255;
const MAX_LIST = 20;

export interface PageAction {
  kind: InstallationEntryKind;
  host: string | undefined;
  /** The address of the page. Only its path is kept. */
  href?: unknown;
  profileId?: string | undefined;
  /** The uid that the page sent, if no profile was found or created. */
  uid?: unknown;
  userAgent: string | undefined;
  name?: unknown;
  fields?: readonly string[];
  outcome: InstallationOutcome;
  messages?: readonly string[];
}

/**
 * Whether an administrator watches what the pages of the account do. If none watches, a page load costs only this
 * comparison.
 */
export function isWatched({ watchedUntil }: Pick<PublishedAccount, 'watchedUntil'>, now: Millis): boolean {
  return watchedUntil > now;
}

/**
 * Records what pages do while an administrator watches. No page load waits for the log: entries are written a moment
 * later. The log keeps names, never values, and only the path of an address, because queries and hashes can hold
 * secrets.
 */
export class InstallationLog {
  readonly #storage: Storage;
  readonly #now: () => Millis;
  readonly #newId: () => string;
  readonly #pending = new Map<string, Entry[]>();
  readonly #writing = new Map<string, Promise<void>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(storage: Storage, now: () => Millis, newId: () => string) {
    this.#storage = storage;
    this.#now = now;
    this.#newId = newId;
  }

  add(accountId: string, action: PageAction): void {
    const entries = this.#pending.get(accountId) ?? [];
    entries.push(toEntry(this.#newId(), action));
    this.#pending.set(accountId, entries.slice(-MAX_PENDING));
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#flushAll();
    }, FLUSH_DELAY_MS).unref();
  }

  /** Everything added before the call is written when it resolves, or lost if that fails. */
  flush(accountId: string): Promise<void> {
    const before = this.#writing.get(accountId) ?? Promise.resolve();
    const writing = before.catch(() => {}).then(() => this.#write(accountId));
    this.#writing.set(accountId, writing);
    return writing.finally(() => {
      if (this.#writing.get(accountId) === writing) this.#writing.delete(accountId);
    });
  }

  /** Deletes entries that are older than an hour. */
  async sweep(): Promise<void> {
    const end = firstIdAt(this.#now() - RETENTION_MS);
    await forEachAccount(this.#storage, (id) =>
      this.#storage.write(
        id,
        (db) => db.deleteFrom('installation_entries').where('account_id', '=', id).where('id', '<', end).execute(),
        { isLong: true },
      ),
    );
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#flushAll();
  }

  async #write(account_id: string): Promise<void> {
    const entries = this.#pending.get(account_id) ?? [];
    if (entries.length === 0) return;
    this.#pending.delete(account_id);
    await this.#storage.write(account_id, async (db) => {
      await db
        .insertInto('installation_entries')
        .values(entries.map((entry) => ({ account_id, ...entry })))
        .execute();
      const tooOld = await db
        .selectFrom('installation_entries')
        .select('id')
        .where('account_id', '=', account_id)
        .orderBy('id', 'desc')
        .offset(MAX_ENTRIES)
        .limit(1)
        .executeTakeFirst();
      if (tooOld)
        await db
          .deleteFrom('installation_entries')
          .where('account_id', '=', account_id)
          .where('id', '<=', tooOld.id)
          .execute();
    });
  }

  async #flushAll(): Promise<void> {
    await Promise.allSettled([...this.#pending.keys(), ...this.#writing.keys()].map((id) => this.flush(id)));
  }
}

function toEntry(id: string, action: PageAction) {
  const { kind, host, href, profileId, uid, userAgent = '', name, fields = [], outcome, messages = [] } = action;
  return {
    id,
    kind,
    host: host ?? null,
    path: pathOf(href),
    profile_id: profileId ?? null,
    uid: toText(uid),
    user_agent: userAgent.replace(/[^\x20-\x7e]/g, '?').slice(0, MAX_TEXT),
    name: toText(name),
    fields: toJson(fields),
    outcome,
    messages: toJson(messages),
  };
}
type Entry = ReturnType<typeof toEntry>;

function pathOf(href: unknown): string | null {
  if (typeof href !== 'string' || !URL.canParse(href)) return null;
  return new URL(href).pathname.slice(0, MAX_PATH);
}

/**
 * Turns a value of a rejected request, which can be anything, into a text that PostgreSQL stores: without null
 * characters and lone surrogates.
 */
function toText(value: unknown): string | null {
  const isText = typeof value === 'string' || typeof value === 'number';
  return isText ? clean(String(value)) : null;
}

function toJson(texts: readonly string[]): string {
  return JSON.stringify(texts.slice(0, MAX_LIST).map(clean));
}

function clean(text: string): string {
  return text.slice(0, MAX_TEXT).replaceAll('\0', '').toWellFormed();
}
