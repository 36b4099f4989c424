import { closeSync, fdatasync, openSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { CompiledQuery } from 'kysely';
import Database, { type Database as Connection } from 'libsql';
import { createPrivately } from '../../data-folder.ts';
import { guarded } from '../account-guard.ts';
import { CoalescedWrites } from '../coalesced-write.ts';
import { createDueWebhooks } from '../due-webhooks.ts';
import { applyMigrations } from '../migrate.ts';
import type { ColumnTypes } from '../migrations/migration.ts';
import { tables } from '../schema.ts';
import type { Db, Storage } from '../storage.ts';
import { SqliteConnection } from './sqlite-connection.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import { kyselyOn } from './sqlite-kysely.ts';
import { ThreadedReader } from './sqlite-reader.ts';
import { Shredder } from './sqlite-shred.ts';
import { GroupCommit, LOCK_WAIT_MS } from './write-queue.ts';
import { WriterPriority } from './writer-priority.ts';

const syncFile = promisify(fdatasync);
const types: ColumnTypes = {
  id: 'text',
  time: 'integer',
  json: 'jsontext',
  indexJson: () => [],
  millisOfId: (id) => `(${numberOfHex(id, 1, 8)} * 1000 + ${numberOfHex(id, 9, 3)})`,
  onSqlite: (...all) => all,
  onPostgres: () => [],
};

/** Digit by digit: SQLite reads hex nowhere but in its own text. */
function numberOfHex(text: string, start: number, digits: number): string {
  const places = Array.from({ length: digits }, (_, at) => {
    const digit = `(instr('0123456789abcdef', substr(${text}, ${start + at}, 1)) - 1)`;
    return `${digit} * ${16 ** (digits - 1 - at)}`;
  });
  return `(${places.join(' + ')})`;
}

/** A heavy read can hold on to the log for some seconds. */
const LOG_WAIT_MS = 60_000;
const LARGE_ACCOUNT = 1_000_000;
/** 64 MB: only when the thread is busy for long does the log become as long, and is then copied by the writer. */
const MAX_LOG_PAGES = 16_384;
const unavailableCodes =
  /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|PERM|AUTH|NOTADB|CORRUPT|PROTOCOL|NOMEM|INTERRUPT)/;

/**
 * SQLite in one file. Two connections: one reads what is committed, one writes; a third, for reads that take long, in a
 * thread of its own. Writes that arrive together share one transaction, and all are answered after its commit.
 */
export function openSqlite(file: string, precedenceOfFirst?: SharedArrayBuffer): Storage {
  createPrivately(file);
  const write = connect(
    file,
    `pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma secure_delete = on;
     pragma wal_autocheckpoint = ${MAX_LOG_PAGES}`,
  );
  const read = connect(file, 'pragma query_only = on');
  // Only the first has it open, and longer than anything else: the system takes all locks of a process on a file away as
  // soon as the process closes that file once.
  const disk = precedenceOfFirst ? undefined : openSync(file, 'r+');
  const heavy = new ThreadedReader({ file, lockWaitMs: LOCK_WAIT_MS });

  const writing = new SqliteConnection(write);
  const reading = new SqliteConnection(read);
  const writer = kyselyOn(writing);
  const reader = kyselyOn(reading);
  const heavyReader = kyselyOn(heavy);
  const connections = new WeakMap<Db, SqliteConnection>();
  const writerOf = guarded(writer, (db) => connections.set(db, writing));
  const readerOf = guarded(reader, (db) => connections.set(db, reading));
  const writerPriority = new WriterPriority(precedenceOfFirst);
  const commits = new GroupCommit(
    write,
    () => writing.written,
    // SQLite itself sees to the disk only when it has copied all, and that does the writer, who would wait for it.
    () => heavy.copyLog().then(() => (disk === undefined ? undefined : syncFile(disk))),
    writerPriority,
  );
  const shredder = new Shredder({
    write,
    inTransaction: (work) => commits.run(work, 'savepoint'),
    searchPages: (search) => heavy.searchPages(search),
    emptyLog: () => emptyLog(file),
  });

  const sharedWrites = new CoalescedWrites(
    (accountId, work) => commits.run(() => work(writerOf(accountId)), 'nothing'),
    () => commits.noteJoined(),
  );

  const storage: Storage = {
    dialect: sqliteDialect,
    reader: readerOf,
    heavyReader: guarded(heavyReader),
    write: (accountId, work) => commits.run(() => work(writerOf(accountId)), 'transaction'),
    writeCoalesced: (accountId, write, item, now) => sharedWrites.write(storage, accountId, write, item, now) as never,
    // Past Kysely, which takes longer for a query than SQLite itself.
    runSql: <Row>(db: Db, sql: string, values: readonly unknown[], one: boolean) =>
      connections.get(db)?.rows<Row>(sql, values, one) ??
      db.executeQuery<Row>(CompiledQuery.raw(sql, [...values])).then(({ rows }) => rows),
    shred: (traces) => shredder.shred(traces),
    isUnavailable: (error) => unavailableCodes.test(String((error as { code?: unknown } | null)?.code ?? '')),
    dueWebhooks: createDueWebhooks(reader, heavyReader),
    address: { sqliteFile: file, writerPriority: writerPriority.shared },
    migrate: async () => {
      await commits.run(async () => {
        write.exec('create table if not exists migrations (name text primary key)');
        await applyMigrations(writer, types);
        describeSizes(write);
      }, 'savepoint');
      // Both have looked at the schema before the sizes were there. Others may be starting too: they are waited for.
      for (const connection of [write, read])
        connection.exec(
          `pragma busy_timeout = ${LOCK_WAIT_MS}; pragma query_only = off; analyze sqlite_schema; pragma busy_timeout = 0`,
        );
      read.exec('pragma query_only = on');
    },
    dumpSchema: async () => {
      const rows = read
        .prepare("select sql from sqlite_schema where sql is not null and name not like 'sqlite_%' order by name")
        .all();
      return rows
        .map((row) => `${(row as { sql: string }).sql.replace(/\n {6}/g, '\n  ').replace(/\n {4}/g, '\n')};\n`)
        .join('\n');
    },
    close: async () => {
      await heavy.close();
      // Last, so that nothing begins in between.
      await commits.finish();
      read.close();
      write.close();
      if (disk !== undefined) closeSync(disk);
    },
  };
  return storage;
}

/** Waits inside SQLite for a process that opens or closes the file at this moment, and later never again. */
function connect(file: string, settings: string): Connection {
  const connection = new Database(file, { timeout: LOCK_WAIT_MS });
  connection.exec(settings);
  connection.exec('pragma busy_timeout = 0');
  return connection;
}

/**
 * What was overwritten in the file is still in the log beside it, until nobody reads from it. Whoever waited in vain
 * gets 503: the rows are gone, and the next deletion takes the rest along.
 */
async function emptyLog(file: string): Promise<void> {
  const connection = connect(file, '');
  try {
    for (const until = Date.now() + LOG_WAIT_MS; ; await pause(5)) {
      const { busy } = connection.prepare('pragma wal_checkpoint(truncate)').get([]) as { busy: number };
      if (busy === 0) return;
      if (Date.now() > until) throw Object.assign(new Error('The log stays in use'), { code: 'SQLITE_BUSY' });
    }
  } finally {
    connection.close();
  }
}

/**
 * Not knowing better, SQLite takes an account for ten rows, and reads the whole of a large one rather than look up a
 * hundred by their key. So it is told that accounts are large, and how far each index narrows one down.
 */
function describeSizes(connection: Connection): void {
  connection.exec('analyze migrations; delete from sqlite_stat1');
  const note = connection.prepare('insert into sqlite_stat1 (tbl, idx, stat) values (?, ?, ?)');
  for (const [table, kind] of Object.entries(tables)) {
    if (kind !== 'tenant') continue;
    const indices = connection.prepare('select name, "unique" from pragma_index_list(?)').all([table]);
    for (const { name, unique } of indices as { name: string; unique: number }[]) {
      const columns = connection.prepare('select name from pragma_index_info(?)').all([name]);
      const narrowed = columns.slice(1).map((_, at) => (unique === 1 && at === columns.length - 2 ? 1 : 20));
      note.run([table, name, [LARGE_ACCOUNT, LARGE_ACCOUNT, ...narrowed].join(' ')]);
    }
  }
}
