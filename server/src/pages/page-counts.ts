import { byteShares, dayOf, isOneOf, type MeasuredKind, type Millis, type QuotaName, recordOf } from '@usher/domain';
import { forEachAccount } from '../db/for-each-account.ts';
import type { Storage } from '../db/storage.ts';

declare module '../context.ts' {
  interface AppContext {
    /** Counts of what pages did, by account and day. */
    readonly pageCounts: PageCounts;
  }
}

const FLUSH_DELAY_MS = 1000;
const RETENTION_DAYS = 30;
/** How much of the room of a kind the public page of one survey may take in a day, so that the product and other surveys keep theirs. */
const SURVEY_SHARE = 0.25;

/**
 * Counts what pages do, by account and day. A page load only increments a number in memory. The numbers are written
 * once a second, and each write returns the totals of all nodes. A crash loses at most one second.
 */
export class PageCounts {
  readonly #storage: Storage;
  readonly #now: () => Millis;
  readonly #quotas: Quotas;
  /** The counts that are not written yet, by account, then by day and name. */
  readonly #pending = new Map<string, Map<string, Count>>();
  /** The counts that are being written: they are not pending any more, and not yet in the totals. */
  readonly #sent = new Map<string, Map<string, Count>>();
  /** Today's totals of all nodes, as of the last write. */
  readonly #written = new Map<string, number>();
  #day = 0;
  readonly #writing = new Map<string, Promise<void>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(storage: Storage, now: () => Millis, quotas: Quotas) {
    this.#storage = storage;
    this.#now = now;
    this.#quotas = quotas;
  }

  add(accountId: string, what: string, times = 1): void {
    this.#add(accountId, { day: this.#today(), what, count: times });
    this.#flushSoon();
  }

  #add(accountId: string, { day, what, count }: Count): void {
    const counts = this.#pending.get(accountId) ?? new Map<string, Count>();
    this.#pending.set(accountId, counts);
    const key = `${day} ${what}`;
    counts.set(key, { day, what, count: count + (counts.get(key)?.count ?? 0) });
  }

  /** Counts records that were stored, and the room that they take. */
  addStored(accountId: string, what: QuotaName, { records, bytes }: Stored): void {
    if (records > 0) this.add(accountId, what, records);
    if (bytes > 0) this.add(accountId, `${what}_bytes`, bytes);
  }

  /** Returns today's count, as far as this node knows. */
  countToday(accountId: string, what: string): number {
    const key = `${this.#today()} ${what}`;
    const pending = this.#pending.get(accountId)?.get(key)?.count ?? 0;
    const sent = this.#sent.get(accountId)?.get(key)?.count ?? 0;
    return pending + sent + (this.#written.get(`${accountId} ${what}`) ?? 0);
  }

  /** Whether the quotas of the account allow one more today. `unwritten` is what the caller has stored and not counted yet. */
  hasRoom(accountId: string, what: QuotaName, unwritten: Stored = nothing): boolean {
    const quota = what === 'reports' ? 0 : this.#quotas[what];
    if (quota !== 0 && this.countToday(accountId, what) + unwritten.records >= quota) return false;
    return !isMeasured(what) || this.hasBytes(accountId, what, unwritten.bytes);
  }

  /** Whether records of this kind may take more room today. */
  hasBytes(accountId: string, what: MeasuredKind, unwritten = 0): boolean {
    const { bytes } = this.#quotas;
    if (bytes === 0) return true;
    return this.countToday(accountId, `${what}_bytes`) + unwritten < bytes * byteShares[what];
  }

  /** Counts the room that answers on the public page of a survey take, besides that of the account. */
  addBytesOfSurvey(accountId: string, what: MeasuredKind, surveyId: string, bytes: number): void {
    if (bytes > 0) this.add(accountId, bytesOfSurvey(what, surveyId), bytes);
  }

  /** Whether answers on the public page of a survey may take more room today. */
  hasBytesOfSurvey(accountId: string, what: MeasuredKind, surveyId: string): boolean {
    const { bytes } = this.#quotas;
    return (
      bytes === 0 || this.countToday(accountId, bytesOfSurvey(what, surveyId)) < bytes * byteShares[what] * SURVEY_SHARE
    );
  }

  /** Like `hasRoom`, but it also counts each rejection, which the account can see. */
  allows(accountId: string, what: QuotaName): boolean {
    const isAllowed = this.hasRoom(accountId, what);
    if (!isAllowed) this.add(accountId, `${what}_quota`);
    return isAllowed;
  }

  /** Returns the sums of the last 30 days. */
  async sums<What extends string>(accountId: string, names: readonly What[]): Promise<Record<What, number>> {
    await this.flush(accountId);
    const rows = await this.#storage
      .reader(accountId)
      .selectFrom('page_counts')
      .select(['what', 'count'])
      .where('account_id', '=', accountId)
      .where('day', '>', this.#today() - RETENTION_DAYS)
      .execute();
    const sums = recordOf(names, () => 0);
    for (const { what, count } of rows) if (isOneOf(names, what)) sums[what] += count;
    return sums;
  }

  /** Deletes counts that are older than 30 days. */
  async sweep(): Promise<void> {
    await forEachAccount(this.#storage, (id) =>
      this.#storage.write(id, (db) =>
        db
          .deleteFrom('page_counts')
          .where('account_id', '=', id)
          .where('day', '<=', this.#today() - RETENTION_DAYS)
          .execute(),
      ),
    );
  }

  /** Writes of one account run one after the other. Everything counted before the call is written when it resolves. */
  flush(accountId: string): Promise<void> {
    const before = this.#writing.get(accountId) ?? Promise.resolve();
    const writing = before.catch(() => {}).then(() => this.#write(accountId));
    this.#writing.set(accountId, writing);
    return writing.finally(() => {
      if (this.#writing.get(accountId) === writing) this.#writing.delete(accountId);
    });
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#flushAll();
  }

  async #write(accountId: string): Promise<void> {
    const sent = this.#pending.get(accountId);
    if (!sent) return;
    this.#pending.delete(accountId);
    this.#sent.set(accountId, sent);
    const counts = [...sent.values()];
    // All nodes write in the same order, so that they cannot deadlock.
    counts.sort((one, other) => (one.what < other.what ? -1 : 1));
    try {
      const rows = await this.#storage.write(accountId, (db) =>
        db
          .insertInto('page_counts')
          .values(counts.map((count) => ({ account_id: accountId, ...count })))
          .onConflict((known) =>
            known
              .columns(['account_id', 'day', 'what'])
              .doUpdateSet((eb) => ({ count: eb('page_counts.count', '+', eb.ref('excluded.count')) })),
          )
          .returning(['day', 'what', 'count'])
          .execute(),
      );
      for (const { day, what, count } of rows)
        if (day === this.#today()) this.#written.set(`${accountId} ${what}`, count);
    } catch (error) {
      for (const count of counts) this.#add(accountId, count);
      this.#flushSoon();
      throw error;
    } finally {
      this.#sent.delete(accountId);
    }
  }

  async #flushAll(): Promise<void> {
    await Promise.allSettled(
      [...new Set([...this.#pending.keys(), ...this.#writing.keys()])].map((id) => this.flush(id)),
    );
  }

  #flushSoon(): void {
    this.#timer ??= setTimeout(async () => {
      await this.#flushAll();
      this.#timer = undefined;
      if (this.#pending.size > 0) this.#flushSoon();
    }, FLUSH_DELAY_MS).unref();
  }

  #today(): number {
    const day = dayOf(this.#now());
    if (day !== this.#day) this.#written.clear();
    this.#day = day;
    return day;
  }
}

/**
 * The limits per day: of records of each kind, and of the bytes of all records. 0 means no limit. Reports are limited
 * by bytes only.
 */
export type Quotas = Record<Exclude<QuotaName, 'reports'> | 'bytes', number>;

/** What was stored by one request. */
export interface Stored {
  records: number;
  bytes: number;
}

const nothing: Stored = { records: 0, bytes: 0 };

function bytesOfSurvey(what: MeasuredKind, surveyId: string): string {
  return `survey ${surveyId} ${what}_bytes`;
}

function isMeasured(what: QuotaName): what is MeasuredKind {
  return Object.hasOwn(byteShares, what);
}

interface Count {
  day: number;
  what: string;
  count: number;
}
