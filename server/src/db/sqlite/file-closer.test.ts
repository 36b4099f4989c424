import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openSqlite } from './open-sqlite.ts';
import { openConnection } from './sqlite-connection.ts';

const EXCLUSIVE = `
  import Database from 'libsql';
  const db = new Database(process.argv[1]);
  try {
    db.exec('pragma busy_timeout = 0; pragma locking_mode = exclusive; pragma journal_mode = delete');
    console.log(db.prepare('pragma journal_mode = memory').get().journal_mode);
  } catch (error) {
    console.log(error.code);
  }`;

/** What another process gets that wants the file for itself. */
function tryExclusive(file: string): string {
  const argv = ['--input-type=module', '--eval', EXCLUSIVE, file];
  return execFileSync(process.execPath, argv, { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
}

it('lets another process have the file only while no thread of this process uses it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'usher-closer-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'usher.db');
  const storage = openSqlite(file);
  onTestFinished(() => storage.close());
  await storage.migrate();
  const release = () =>
    storage.fileRelease?.whileReleased(
      async () => tryExclusive(file),
      () => expect.fail(),
    );

  // Such as a backup, which reads in a thread of its own.
  const other = openConnection(file, '');
  other.exec('begin');
  other.prepare('select count(*) from accounts').get();
  expect(await release()).toMatch(/^SQLITE_BUSY/);
  other.exec('commit');
  other.close();
  expect(await storage.reader(null).selectFrom('accounts').select('id').execute()).toEqual([]);
  expect(await release()).toBe('memory');
  expect(await storage.reader(null).selectFrom('accounts').select('id').execute()).toEqual([]);
});
