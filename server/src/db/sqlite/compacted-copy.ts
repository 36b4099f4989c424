import {
  chmodSync,
  chownSync,
  closeSync,
  ftruncateSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import Database, { type Database as Connection } from 'libsql';
import { codeOf } from '../../error-code.ts';
import { createPrivately } from '../../settings/data-folder.ts';
import {
  CHANGE_LOG,
  createChangeLog,
  dropChangeLog,
  keyColumn,
  type LoggedTable,
  listTables,
  quote,
  type ReadAll,
} from './change-log.ts';
import { LOCK_WAIT_MS, readRows } from './sqlite-connection.ts';
import { syncPath } from './sync-path.ts';
import { newOwner } from './written-pages.ts';

const CHANGES_PER_STEP = 20_000;
/** What is left of the replaced file, so that a program that still has it open gets an error. */
const REMAINS = Buffer.alloc(4096, 'This file was replaced by usher compact. ');

/**
 * A copy of the rows of a database file that others write to meanwhile, without unused pages. Triggers note the keys of
 * rows that change, and these rows are copied again. At the end the copy replaces the file, while no one has the file open.
 *
 * It has one connection to the file: closing another one would release its locks.
 */
export class CompactedCopy {
  readonly #file: string;
  readonly #copy: string;
  readonly #connection: Connection;
  readonly #read: ReadAll;
  readonly #inode: number;
  #tables: LoggedTable[] = [];
  /** Other processes change the schema only if they are of another version, or clear up. */
  #schemaVersion: number | undefined;
  #applied = 0;
  #oldFile: number | undefined;
  #isInPlace = false;

  constructor(file: string, copy: string) {
    this.#file = file;
    this.#copy = copy;
    this.#inode = statSync(file).ino;
    this.#connection = new Database(file, { timeout: LOCK_WAIT_MS });
    this.#connection.exec('pragma foreign_keys = off; pragma secure_delete = on; pragma synchronous = full');
    this.#read = (sql) => readRows(this.#connection, sql);
  }

  /** From here on, changes are noted. */
  begin(): void {
    this.#tables = listTables(this.#read);
    this.#change(() => {
      dropChangeLog(this.#read, (sql) => this.#connection.exec(sql));
      createChangeLog(this.#tables, (sql) => this.#connection.exec(sql));
    });
    this.#schemaVersion = this.#readSchemaVersion();
  }

  /** Copies all rows. It takes long, and blocks this thread. */
  fill(): void {
    removeCopy(this.#copy);
    createPrivately(this.#copy);
    const { uid, gid } = statSync(this.#file);
    if (uid !== statSync(this.#copy).uid) chownSync(this.#copy, uid, gid);
    // The shredder cannot use a file with auto-vacuum.
    this.#connection.exec('pragma auto_vacuum = none');
    this.#connection.prepare('vacuum into ?').run([this.#copy]);
    this.#connection.prepare('attach ? as copy').run([this.#copy]);
    // If this is interrupted, the copy is thrown away.
    this.#connection.exec(
      'pragma copy.journal_mode = memory; pragma copy.synchronous = off; pragma copy.secure_delete = on',
    );
    this.#applied = this.#lastChange('copy');
    this.#connection.exec('begin');
    dropChangeLog(this.#read, (sql) => this.#connection.exec(sql), 'copy');
    // The copy has other pages, which no process knows (written-pages.ts).
    this.#connection.exec(`pragma copy.user_version = ${newOwner()}; commit`);
  }

  /** Copies rows that have changed since. Returns how many changes are left. */
  catchUp(): number {
    const run = (sql: string, values: unknown[]) => this.#connection.prepare(sql).run(values);
    this.#connection.exec('begin');
    try {
      const last = this.#lastChange('main');
      const to = Math.min(last, this.#applied + CHANGES_PER_STEP);
      const noted = `from main.${CHANGE_LOG} where id > ${this.#applied} and id <= ${to}`;
      const changed = this.#read<{ tbl: string }>(`select distinct tbl ${noted}`);
      for (const { tbl } of changed) {
        const { name, key, columns } = this.#tables.find((table) => table.name === tbl) as LoggedTable;
        const isChanged = `(${key.map(quote).join(', ')}) in (select ${key.map(keyColumn).join(', ')} ${noted} and tbl = ?)`;
        const all = columns.map(quote).join(', ');
        run(`delete from copy.${quote(name)} where ${isChanged}`, [tbl]);
        // A row that is in the way was changed later, so it is copied again too.
        run(
          `insert or replace into copy.${quote(name)} (${all}) select ${all} from main.${quote(name)} where ${isChanged}`,
          [tbl],
        );
      }
      this.#connection.exec('commit');
      this.#applied = to;
      return last - to;
    } catch (error) {
      // After some errors, such as a full disk, SQLite has done it already.
      if (this.#connection.inTransaction) this.#connection.exec('rollback');
      throw error;
    }
  }

  /** Reads the whole copy. */
  check(): void {
    const [row] = this.#read<{ quick_check: string }>('pragma copy.quick_check(1)');
    if (row?.quick_check !== 'ok') throw new Error(`the copy is damaged: ${row?.quick_check}`);
  }

  /** Waits until the copy is on the disk, so that little is left for the moment in which requests wait. */
  sync(): void {
    syncPath(this.#copy);
  }

  /** Returns false if another connection, of any process, has the file open. Otherwise none can open it any more. */
  lock(): boolean {
    try {
      this.#connection.exec(
        'pragma busy_timeout = 0; pragma main.locking_mode = exclusive; pragma main.journal_mode = delete',
      );
      const [{ journal_mode: mode } = { journal_mode: '' }] = this.#read<{ journal_mode: string }>(
        'pragma main.journal_mode = memory',
      );
      if (mode === 'memory') return true;
    } catch (error) {
      if (!/^SQLITE_(BUSY|LOCKED)/.test(codeOf(error))) throw error;
    }
    this.#unlock();
    return false;
  }

  /** Puts the copy in place of the locked file. Returns its size. */
  replace(): number {
    if (statSync(this.#file).ino !== this.#inode || this.#readSchemaVersion() !== this.#schemaVersion)
      throw new DatabaseChanged();
    while (this.catchUp() > 0);
    this.#connection.exec('detach copy');
    chmodSync(this.#copy, 0o600);
    syncPath(this.#copy);
    this.#oldFile = openSync(this.#file, 'r+');
    // They are empty. SQLite would apply them to the other file.
    for (const end of ['-wal', '-shm', '-journal']) rmSync(this.#file + end, { force: true });
    // From here on the new file is in use, whenever the process ends.
    renameSync(this.#copy, this.#file);
    this.#isInPlace = true;
    syncPath(dirname(this.#file));
    // A program that opened the old file a moment ago would use the new log for it.
    writeSync(this.#oldFile, REMAINS, 0, REMAINS.length, 0);
    ftruncateSync(this.#oldFile, REMAINS.length);
    return statSync(this.#file).size;
  }

  /** Removes the copy, and everything that `begin` has added. */
  cancel(): void {
    if (this.#isInPlace) return;
    this.#unlock();
    if (this.#read("select 1 from pragma_database_list where name = 'copy'").length > 0)
      this.#connection.exec('detach copy');
    removeCopy(this.#copy);
    this.#change(() => dropChangeLog(this.#read, (sql) => this.#connection.exec(sql)));
  }

  /** Releases the old file. */
  close(): void {
    this.#connection.close();
    if (this.#oldFile !== undefined) closeSync(this.#oldFile);
  }

  #unlock(): void {
    this.#connection.exec(`pragma main.locking_mode = normal; pragma busy_timeout = ${LOCK_WAIT_MS}`);
    this.#read('pragma main.journal_mode = wal');
  }

  #change(run: () => void): void {
    this.#connection.exec('begin immediate');
    try {
      run();
      // The server notices that another process has written (written-pages.ts).
      this.#connection.exec(`pragma main.user_version = ${newOwner()}; commit`);
    } catch (error) {
      if (this.#connection.inTransaction) this.#connection.exec('rollback');
      throw error;
    }
  }

  #readSchemaVersion(): number | undefined {
    return this.#read<{ schema_version: number }>('pragma main.schema_version')[0]?.schema_version;
  }

  #lastChange(schema: 'main' | 'copy'): number {
    return this.#read<{ id: number | null }>(`select max(id) as id from ${schema}.${CHANGE_LOG}`)[0]?.id ?? 0;
  }
}

export class DatabaseChanged extends Error {}

export function removeCopy(copy: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(copy + end, { force: true });
}
