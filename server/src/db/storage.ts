import type { Engine, Millis } from '@usher/domain';
import type { Metric } from '../metrics/metric.ts';
import type { CoalescedWrite } from './coalesced-write.ts';
import type { DueWebhooks } from './due-webhooks.ts';
import type { DatabaseFindings } from './inspect-database.ts';
import type { PoolSizes } from './postgres/divide-connections.ts';
import type { Db } from './schema.ts';
import type { SqlRunner } from './sql-runner.ts';

export type { Db };

/** With more traces than this, searching for each of them takes longer than clearing every possible copy. */
export const MAX_TRACES = 200;

export type StorageAddress =
  | {
      readonly sqliteFile: string;
      readonly writerPriority: SharedArrayBuffer;
      readonly writtenPages: SharedArrayBuffer;
      readonly releaseSignal: SharedArrayBuffer;
    }
  | { readonly databaseUrl: string; readonly pools: PoolSizes; readonly starvedPools: SharedArrayBuffer };

/** What the engine says about itself. It names no files and no addresses. */
export interface StorageStatus {
  engine: Engine;
  version: string;
  bytes: number;
  /** Free space where the files are; null if they are on another machine. */
  freeDiskBytes: number | null;
  /** Connections of all clients to this database; null if there are none to run out of. */
  connections: { open: number; max: number } | null;
}

/** The space for the files of a database. */
export interface DiskFigures {
  freeBytes: number;
  /** Unused parts of the database file, which are written before it grows. */
  reusableBytes: number;
  /** The write-ahead log. */
  logBytes: number;
}

/** The connections of this thread to the database. */
export interface ConnectionUse {
  busy: number;
  idle: number;
  /** How many queries wait for a connection. */
  waiting: number;
  max: number;
}

export interface HeavyReadOptions {
  /** When it is aborted, queries that wait for their turn fail with its reason. One that runs goes on. */
  signal?: AbortSignal | undefined;
  /** Give it if the rows may be some seconds old. Then a replica may be read, and this is called with the age of its data. */
  noteAge?: ((ageMs: number) => void) | undefined;
}

interface FileRelease {
  /**
   * Runs work while this process has closed the database file, and opens what is there then. Requests wait meanwhile.
   * @param onOpenFails called with the error as long as the file cannot be opened
   */
  whileReleased<T>(work: () => Promise<T>, onOpenFails: (error: unknown) => void): Promise<T>;
  /** Removes what an interrupted `usher compact` has left in the database. */
  dropChangeLog(): Promise<void>;
}

/** Everything that the rest of the server knows about a database. */
export interface Storage extends SqlRunner {
  /** Like `reader`, for reads that may take long. Other queries do not wait for them; among themselves, accounts take turns. */
  heavyReader(accountId: string | null, options?: HeavyReadOptions): Db;
  /**
   * Runs the work in one transaction and resolves after its commit. The work may await only queries on the `Db` that
   * it receives, because on SQLite all other writers wait for it. With `isLong` a single statement may take a minute;
   * otherwise it fails after a few seconds, so that requests do not hang when the network breaks.
   */
  write<T>(accountId: string | null, work: (db: Db) => Promise<T>, options?: { isLong?: boolean }): Promise<T>;
  /** Writes an item in its own transaction, or where that is faster in one statement with items of other requests. */
  writeCoalesced<Item extends object, Row, Found>(
    accountId: string,
    write: CoalescedWrite<Item, Row, Found>,
    item: Item,
    now: () => Millis,
  ): Promise<Found | undefined>;
  /**
   * Removes what was deleted from the database files too, where the engine does not do that itself. Traces are texts of
   * the deleted rows, by which copies are recognized. Without traces, or with more than `MAX_TRACES`, everything that
   * may be a copy is removed.
   */
  shred(traces: readonly string[]): Promise<void>;
  /** Prepares `shred`, so that it takes less time. It takes long, and other writes go on. */
  clearGaps(): Promise<void>;
  /**
   * Resolves when every commit so far is on the disk. The thread for batches needs it: it commits without waiting for the
   * disk, so that the other writers do not wait for it either.
   */
  syncToDisk(): Promise<void>;
  /** Lets the engine know how large new tables have become, if it would notice it too late. */
  analyzeNewTables(): Promise<void>;
  /** Whether an error means that the database cannot be reached or written, and not that a query is wrong. */
  isUnavailable(error: unknown): boolean;
  /** Whether an error means that the disk of the database is full. Such an error is `isUnavailable`, too. */
  isFull(error: unknown): boolean;
  /** Whether an error means that the database can only be read, as a standby can. It is `isUnavailable`, too. */
  isReadOnly(error: unknown): boolean;
  /** Names the parts of the database that are unavailable while others can be used. Throws if there is no use of any. */
  listUnavailable(): Promise<string[]>;
  readonly dueWebhooks: DueWebhooks;
  /** What another thread needs to open the same database. */
  readonly address: StorageAddress;
  /** Applies the missing migrations. It says what takes long. */
  migrate(say?: (text: string) => void): Promise<void>;
  /** The names of the migrations that the database has, in their order. */
  appliedMigrations(): Promise<string[]>;
  status(): Promise<StorageStatus>;
  /** Looks at what concerns all accounts. `thorough` reads the whole file of SQLite. */
  inspect(options: { now: Millis; thorough: boolean }): Promise<DatabaseFindings>;
  /** Null if the files are on another machine. */
  readDisk(): Promise<DiskFigures | null>;
  /** Needs no query. Null if there are no connections to run out of. */
  countConnections(): ConnectionUse | null;
  /** Figures about its connections and queues. Runs no query, so it works while the database is unavailable. */
  readMetrics(): Promise<Metric[]>;
  /** How `usher compact` replaces the file while the server runs; null if there is no file. */
  readonly fileRelease: FileRelease | null;
  /** The schema as the engine reports it. */
  dumpSchema(): Promise<string>;
  close(): Promise<void>;
}
