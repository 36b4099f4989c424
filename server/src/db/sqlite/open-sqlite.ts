import { closeSync, fdatasync, fstatSync, openSync, statSync } from 'node:fs';
import { promisify } from 'node:util';
import { codeOf } from '../../error-code.ts';
import { createPrivately } from '../../settings/data-folder.ts';
import { createDueWebhooks } from '../due-webhooks.ts';
import { heavyReaderOn } from '../heavy-reader-on.ts';
import { inspectDatabase } from '../inspect-database.ts';
import { applyMigrations, listAppliedMigrations } from '../migrate.ts';
import type { Storage } from '../storage.ts';
import { dropChangeLog } from './change-log.ts';
import { CoalescedWrites } from './coalesced-writes.ts';
import { FileCloser } from './file-closer.ts';
import { HeavyReader } from './heavy-reader.ts';
import { ReleaseSignal } from './release-signal.ts';
import { Shredder } from './shredder.ts';
import { LOCK_WAIT_MS, openConnection, SqliteConnection } from './sqlite-connection.ts';
import { SqliteDatabases } from './sqlite-databases.ts';
import { readSqliteDisk } from './sqlite-disk.ts';
import { kyselyOn } from './sqlite-kysely.ts';
import { readSqliteMetrics } from './sqlite-metrics.ts';
import { dumpSqliteSchema, isUpToDate, sqliteColumnTypes, writeTableStatistics } from './sqlite-schema.ts';
import { readSqliteStatus } from './sqlite-status.ts';
import { SqliteWriter } from './sqlite-writer.ts';
import { syncLog, truncateLog, WalCheckpoint } from './wal-checkpoint.ts';
import { WriteQueue } from './write-queue.ts';
import { WriterPriority } from './writer-priority.ts';
import { WrittenPages } from './written-pages.ts';

const syncFile = promisify(fdatasync);
/** 64 MB. The log grows that long only if the thread that copies it is busy for long. Then SQLite copies it in a commit. */
const MAX_LOG_PAGES = 16_384;
const WRITE_SETTINGS = `pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on;
  pragma secure_delete = on; pragma wal_autocheckpoint = ${MAX_LOG_PAGES}`;
/**
 * 16 MB for the thread of batches. A chunk of a batch changes up to some thousand pages. If they do not fit into the cache, SQLite writes
 * some of them more than once. It is 2 MB by default. Its commits do not wait for the disk while they have the lock: `syncToDisk` does
 * before a batch is answered.
 */
const BATCH_SETTINGS = `${WRITE_SETTINGS}; pragma cache_size = -16000; pragma synchronous = normal`;
const READ_SETTINGS = 'pragma query_only = on';
const unavailableCodes =
  /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|PERM|AUTH|NOTADB|CORRUPT|PROTOCOL|NOMEM|INTERRUPT)/;

interface SharedMemory {
  writerPriority: SharedArrayBuffer;
  writtenPages: SharedArrayBuffer;
  releaseSignal: SharedArrayBuffer;
}

/**
 * Opens SQLite in one file: one connection reads committed rows, one writes, and each thread for heavy reads has its own. A
 * write goes down through coalesced-writes (only `writeCoalesced`), write-queue, sqlite-writer, and from there to wal-checkpoint and writer-priority. None of them knows the one above it.
 * @param sharedByMain the memory of the main thread's writer priority and written pages; left out on the main thread itself
 */
export function openSqlite(file: string, sharedByMain?: SharedMemory): Storage {
  createPrivately(file);
  const writeSettings = sharedByMain ? BATCH_SETTINGS : WRITE_SETTINGS;
  const writing = new SqliteConnection(openConnection(file, writeSettings));
  const reading = new SqliteConnection(openConnection(file, READ_SETTINGS));
  const heavyReader = new HeavyReader({ file, lockWaitMs: LOCK_WAIT_MS });
  // Only the main thread opens the file again, and closes it last, because the system releases all locks of a process on a
  // file when the process closes that file.
  let fileHandle = sharedByMain ? undefined : openSync(file, 'r+');

  const priority = new WriterPriority(sharedByMain?.writerPriority);
  const written = new WrittenPages(file, sharedByMain?.writtenPages);
  const copyLog = async () => {
    await heavyReader.copyLog();
    // SQLite syncs the file only after the last copy, which the writer makes, and would have to wait for.
    if (fileHandle !== undefined) await syncFile(fileHandle);
  };
  const checkpoint = new WalCheckpoint(writing, copyLog, () => priority.workerWrote());
  const queue = new WriteQueue(new SqliteWriter(writing, priority, checkpoint, written));
  const databases = new SqliteDatabases(reading, writing);
  const coalescedWrites = new CoalescedWrites(queue, databases);
  const shredder = new Shredder({
    connection: writing,
    written,
    inTransaction: (work) => queue.add(work),
    searchPages: (search) => heavyReader.searchPages(search),
    // While reads overlap, the log would always be in use.
    truncateLog: () =>
      truncateLog(file, written, (attempt) => heavyReader.turns.run({ account: '', name: '', isAlone: true }, attempt)),
  });

  const fileCloser = new FileCloser({
    shredder,
    heavyReader,
    queue,
    close: () => {
      // `fileHandle` stays open: closing it would release the locks of other threads that still use the file.
      for (const connection of [reading, writing]) connection.pause();
      // Someone else may write, and begin the log again.
      if (sharedByMain) written.close();
      else written.startAgain();
    },
    open: () => {
      // The lock of another process is tried again later: waiting for it here would block every request.
      const opened: ReturnType<typeof openConnection>[] = [];
      try {
        for (const settings of [writeSettings, READ_SETTINGS]) opened.push(openConnection(file, settings, 0));
        if (fileHandle !== undefined) fileHandle = reopenIfReplaced(file, fileHandle);
      } catch (error) {
        for (const connection of opened) connection.close();
        throw error;
      }
      for (const connection of [reading, writing]) connection.resume(opened.pop() as (typeof opened)[number]);
    },
  });
  const dropChanges = (): void => {
    dropChangeLog(
      (sql) => writing.query(sql, []),
      (sql) => writing.exec(sql),
    );
  };
  const releaseSignal = new ReleaseSignal(sharedByMain?.releaseSignal);
  if (sharedByMain) void releaseSignal.listen((until) => fileCloser.whileClosed(until));

  return {
    dialect: databases.dialect,
    reader: databases.reader,
    heavyReader: heavyReaderOn((accountId, { signal }) => kyselyOn(heavyReader.connection(accountId, signal))),
    write: (accountId, work) => queue.add(() => work(databases.writer(accountId))),
    writeCoalesced: (accountId, write, item, now) => coalescedWrites.write(accountId, write, item, now),
    runSql: databases.runSql,
    shred: (traces) => shredder.shred(traces),
    clearGaps: () => shredder.clearGaps(),
    syncToDisk: () => syncLog(file),
    // The migrations write the statistics of all tables.
    analyzeNewTables: async () => {},
    isUnavailable: (error) => unavailableCodes.test(codeOf(error)),
    isFull: (error) => codeOf(error) === 'SQLITE_FULL',
    // A database file becomes read-only only if somebody changes its permissions, and that must be an error.
    isReadOnly: () => false,
    listUnavailable: async () => [],
    dueWebhooks: createDueWebhooks('sqlite', kyselyOn(reading), kyselyOn(heavyReader.connection(null))),
    address: {
      sqliteFile: file,
      writerPriority: priority.shared,
      writtenPages: written.shared,
      releaseSignal: releaseSignal.shared,
    },
    migrate: async (say) => {
      if (isUpToDate(reading, await listAppliedMigrations(kyselyOn(reading), 'sqlite'))) return;
      await queue.add(async () => {
        writing.exec('create table if not exists migrations (name text primary key)');
        // A migration cannot change tables that have triggers of a killed `usher compact`.
        dropChanges();
        await applyMigrations(kyselyOn(writing), sqliteColumnTypes, say && { say });
        writeTableStatistics(writing);
      });
      // Begins a transaction, which reads from the log what the migrations have written, before anything overwrites it.
      await queue.add(async () => {});
      for (const connection of [writing, reading]) reloadStatistics(connection);
      reading.exec('pragma query_only = on');
    },
    appliedMigrations: () => listAppliedMigrations(kyselyOn(reading), 'sqlite'),
    status: () => readSqliteStatus(file, reading),
    inspect: (options) => inspectDatabase(kyselyOn(heavyReader.connection(null)), 'sqlite', options),
    readDisk: () => readSqliteDisk(file, reading),
    countConnections: () => null,
    readMetrics: () => readSqliteMetrics(file, queue, heavyReader.turns),
    dumpSchema: async () => dumpSqliteSchema(reading),
    fileRelease: {
      whileReleased: (work, onOpenFails) =>
        releaseSignal.whileReleased(() => fileCloser.whileClosed(work, onOpenFails)),
      dropChangeLog: () => queue.add(async () => dropChanges()),
    },
    close: async () => {
      releaseSignal.stopListening();
      await shredder.close();
      await heavyReader.close();
      // The connections close in the same tick in which the queue is empty, so that no other write can begin.
      await queue.finish();
      reading.close();
      if (!sharedByMain) written.save(writing);
      writing.close();
      written.close();
      if (fileHandle !== undefined) closeSync(fileHandle);
    },
  };
}

/** Closing a handle releases the locks of the process on its file, so the handle of a file that is still in use stays. */
function reopenIfReplaced(file: string, handle: number): number {
  if (fstatSync(handle).ino === statSync(file).ino) return handle;
  const opened = openSync(file, 'r+');
  closeSync(handle);
  return opened;
}

/** Both connections have loaded the schema before the statistics were written. Another process may be starting too. */
function reloadStatistics(connection: SqliteConnection): void {
  connection.exec(
    `pragma busy_timeout = ${LOCK_WAIT_MS}; pragma query_only = off; analyze sqlite_schema; pragma busy_timeout = 0`,
  );
}
