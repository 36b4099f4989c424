import type { Millis } from '@usher/domain';
import type { DiskFigures, Storage } from '../db/storage.ts';
import { databaseReadOnly, diskFull } from '../errors.ts';

declare module '../context.ts' {
  interface AppContext {
    /** Whether the disk of the database has room. */
    readonly disk: DiskSpace;
  }
}

const CHECK_INTERVAL_MS = 5000;
/** After so many bytes of requests the space is measured again, without waiting for the interval. */
const CHECK_AFTER_BYTES = 4 * 1024 * 1024;
/** After the storage itself found no space, or can only be read, nothing is tried for so long. */
const RETRY_MS = 5000;
/** Above a limit by so much, it counts as over: otherwise it would change with every sweep and every log. */
const HYSTERESIS = 1.1;

/**
 * Knows whether the disk of the database has room, so that requests are rejected before the engine fails. There are two
 * limits: below the first, nothing is stored that grows the data (`isNearlyFull`); below half of it, page loads are
 * answered without being stored (`isFull`), and the rest is left to the log of SQLite and to deletions. While a database can
 * only be read, page loads are answered in the same way.
 */
export class DiskSpace {
  readonly #storage: Storage;
  readonly minFreeBytes: number;
  readonly #now: () => number;
  #figures: DiskFigures | null = null;
  #nearlyFullSince: Millis | null = null;
  #isFull = false;
  #fullUntil = 0;
  #readOnlyUntil = 0;
  #bytesSinceCheck = 0;
  #checking: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Called when the space becomes too little, and when there is enough again. */
  onChange: (isNearlyFull: boolean) => void = () => {};
  /** Called when the storage could store nothing, and again if that is so at the next attempt. */
  onFailure: (error: unknown) => void = () => {};

  /** @param minFreeBytes 0 turns the limits off */
  constructor(storage: Storage, minFreeBytes: number, now: () => number = () => performance.now()) {
    this.#storage = storage;
    this.minFreeBytes = minFreeBytes;
    this.#now = now;
  }

  /** Less is left than USHER_MIN_FREE_DISK: what would grow the data is rejected. */
  get isNearlyFull(): boolean {
    return this.#nearlyFullSince !== null || this.isFull;
  }

  /** Since when the figures say that; null if they do not. */
  get nearlyFullSince(): Millis | null {
    return this.#nearlyFullSince;
  }

  /** Nothing can be stored: hardly anything is left, or the storage has just failed for want of space, or can only be read. */
  get isFull(): boolean {
    return this.#isFull || this.#now() < this.#fullUntil || this.isReadOnly;
  }

  /** The storage has just rejected a write, because it can only be read. */
  get isReadOnly(): boolean {
    return this.#now() < this.#readOnlyUntil;
  }

  /** Null where the disk is that of another machine. */
  get freeBytes(): number | null {
    return this.#figures?.freeBytes ?? null;
  }

  /** Measures now and every few seconds. */
  async start(): Promise<void> {
    await this.check();
    if (this.#figures === null) return;
    this.#timer = setInterval(() => void this.check(), CHECK_INTERVAL_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Rejects what would grow the data. */
  requireSpace(): void {
    if (this.isReadOnly) throw databaseReadOnly();
    if (this.isNearlyFull) throw diskFull();
  }

  /**
   * Notes whether the storage failed for want of space, whatever the figures say (a quota does not show in them), or because
   * it can only be read. Returns false for any other error.
   */
  noteFailure(error: unknown): boolean {
    const isReadOnly = this.#storage.isReadOnly(error);
    if (!isReadOnly && !this.#storage.isFull(error)) return false;
    if (!this.isFull) this.onFailure(error);
    const until = this.#now() + RETRY_MS;
    if (isReadOnly) this.#readOnlyUntil = until;
    else this.#fullUntil = until;
    void this.check();
    return true;
  }

  /** Call it with the size of what is about to be stored. */
  noteBytes(bytes: number): void {
    this.#bytesSinceCheck += bytes;
    if (this.#bytesSinceCheck >= CHECK_AFTER_BYTES) void this.check();
  }

  /** Measures the space. If that fails, what was known stays. */
  check(): Promise<void> {
    this.#bytesSinceCheck = 0;
    this.#checking ??= this.#measure()
      .catch(() => {})
      .finally(() => {
        this.#checking = undefined;
      });
    return this.#checking;
  }

  async #measure(): Promise<void> {
    const figures = await this.#storage.readDisk();
    this.#figures = figures;
    if (figures === null || this.minFreeBytes === 0) return;
    const { freeBytes, reusableBytes, logBytes } = figures;
    // When the log is copied, the file can grow by as much as the log has.
    const needed = this.minFreeBytes + logBytes;
    const isBelow = (bytes: number, limit: number, was: boolean) => bytes < (was ? HYSTERESIS * limit : limit);
    this.#isFull = isBelow(freeBytes, needed / 2, this.#isFull);
    // What was deleted leaves unused pages in the file, which are written before the file grows.
    const wasNearlyFull = this.#nearlyFullSince !== null;
    const isNearlyFull = this.#isFull || isBelow(freeBytes + reusableBytes, needed, wasNearlyFull);
    if (isNearlyFull === wasNearlyFull) return;
    this.#nearlyFullSince = isNearlyFull ? Date.now() : null;
    this.onChange(isNearlyFull);
  }
}
