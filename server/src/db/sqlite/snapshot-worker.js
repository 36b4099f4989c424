import { parentPort, workerData } from 'node:worker_threads';
import Database from 'libsql';

/*
 * The thread of snapshot.ts. This is JavaScript, because Node 20 loads no TypeScript here when the tests run from source.
 */

const { file, target, reason, lockWaitMs } = /** @type {import('./snapshot.ts').SnapshotSettings} */ (workerData);

/** One read transaction copies the rows, so the copy has everything that was committed when it began. */
function copyRows() {
  const connection = new Database(file, { timeout: lockWaitMs });
  try {
    // The shredder cannot use a file with auto-vacuum.
    connection.exec('pragma auto_vacuum = none');
    connection.prepare('vacuum into ?').run([target]);
  } finally {
    connection.close();
  }
}

/** A copy that is put in place, also by hand, does not send webhooks. */
function markAndCheck() {
  const connection = new Database(target);
  try {
    // The first versions have no such table. In a copy of theirs, `usher restore` turns sending off.
    if (reason && connection.prepare("select 1 from sqlite_schema where name = 'installation'").get([])) {
      const insert = connection.prepare('insert or replace into installation (name, value) values (?, ?)');
      insert.run(['sending_paused', reason]);
      insert.run(['sending_paused_at', String(Date.now())]);
    }
    // While `usher compact` runs, the database has a log of changes (change-log.ts).
    const left = "select name from sqlite_schema where type = 'trigger' and name like 'compact\\_%' escape '\\'";
    const triggers = /** @type {{ name: string }[]} */ (connection.prepare(left).all([]));
    for (const { name } of triggers) connection.exec(`drop trigger ${name}`);
    connection.exec('pragma secure_delete = on; drop table if exists compact_changes');
    // The copy has other pages, which no process knows (written-pages.ts).
    connection.exec('pragma user_version = 0');
    const rows = /** @type {{ quick_check: string }[]} */ (connection.prepare('pragma quick_check(1)').all([]));
    if (rows[0]?.quick_check !== 'ok') throw new Error(`the copy is damaged: ${rows[0]?.quick_check}`);
  } finally {
    connection.close();
  }
}

try {
  copyRows();
  markAndCheck();
  parentPort?.postMessage({});
} catch (error) {
  const { message, code } = /** @type {Error & { code?: string }} */ (error);
  parentPort?.postMessage({ error: { message, code } });
}
