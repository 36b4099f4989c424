import Database, { type Database as Connection } from 'libsql';
import { codeOf } from '../../error-code.ts';
import { readRows } from './sqlite-connection.ts';

const LOCK_WAIT_MS = 1000;
const FIRST_MIGRATION = '0001-foundation';
/** Earlier versions have no such table. */
const WITH_INSTALLATION = '0016-installation';

/** Functions on a database file that no server uses. */

/** Reads the whole file and checks its structure. */
export function isWholeFile(file: string): boolean {
  return withFile(file, (connection) => {
    try {
      const rows = readRows<{ integrity_check: string }>(connection, 'pragma integrity_check(1)');
      return rows[0]?.integrity_check === 'ok';
    } catch {
      return false;
    }
  });
}

/** Returns the names of the migrations in a file, or undefined if it is not a database of Usher. */
export function readMigrations(file: string): string[] | undefined {
  return withFile(file, (connection) => {
    try {
      const rows = readRows<{ name: string }>(connection, 'select name from migrations');
      const names = rows.map(({ name }) => name).filter((name) => name !== '');
      if (names.includes(WITH_INSTALLATION)) connection.prepare('select name, value from installation').all([]);
      return names.includes(FIRST_MIGRATION) ? names : undefined;
    } catch {
      return undefined;
    }
  });
}

/** Returns the Deletions of profiles in a file; none if it is damaged, or of an earlier version. */
export function readDeletions(file: string): { account_id: string; deletion_id: string; profile_hash: string }[] {
  return withFile(file, (connection) => {
    try {
      const query = 'select account_id, id as deletion_id, profile_hash from deletions where profile_hash is not null';
      return readRows(connection, query);
    } catch {
      return [];
    }
  });
}

/**
 * Removes triggers and views, which Usher's own schema does not have: they would run with the first writes, and could keep
 * users from being forgotten. Returns what they are called.
 */
export function removePrograms(file: string): string[] {
  return withFile(file, (connection) => {
    const query = `select type, name from sqlite_master where type in ('trigger', 'view') order by type, name`;
    const found = readRows<{ type: string; name: string }>(connection, query);
    // A trigger of a view is gone with the view.
    for (const { type, name } of found) connection.exec(`drop ${type} if exists "${name.replaceAll('"', '""')}"`);
    return found.map(({ type, name }) => `${type} ${name.replace(/\p{Cc}/gu, ' ')}`);
  });
}

/** Removes the note that everything was moved elsewhere: this is a copy from before, or an operator wants to use it again. */
export function removeMoveNote(file: string): void {
  withFile(file, (connection) => {
    if (readRows(connection, "select 1 from sqlite_schema where name = 'installation'").length > 0)
      connection.exec("delete from installation where name = 'moved_to'");
  });
}

/** Copies the log into the file, so that the file alone is the database. Returns false if someone reads from the log. */
export function emptyLog(file: string): boolean {
  return withFile(file, copyLog);
}

function copyLog(connection: Connection): boolean {
  const [copied] = readRows<{ busy: number }>(connection, 'pragma wal_checkpoint(truncate)');
  return copied?.busy === 0;
}

/**
 * Copies the log into the file, and keeps others from writing to it. Returns undefined if someone else uses it. Nothing
 * depends on the file being closed: libsql closes it only when its statements are collected as garbage.
 */
export function lockStoppedFile(file: string): { release(): void } | undefined {
  const connection = new Database(file, { timeout: LOCK_WAIT_MS });
  try {
    connection.exec('begin immediate; rollback');
    if (!copyLog(connection)) return undefined;
    connection.exec('begin immediate');
    return {
      release: () => {
        connection.exec('rollback');
        connection.close();
      },
    };
  } catch (error) {
    connection.close();
    const code = codeOf(error);
    if (code === 'SQLITE_BUSY' || code === 'SQLITE_LOCKED') return undefined;
    // No one can use a file that is no database: there is nothing to lock.
    if (code === 'SQLITE_NOTADB' || code === 'SQLITE_CORRUPT') return { release: () => {} };
    throw error;
  }
}

function withFile<T>(file: string, use: (connection: Connection) => T): T {
  const connection = new Database(file, { timeout: LOCK_WAIT_MS });
  try {
    return use(connection);
  } finally {
    connection.close();
  }
}
