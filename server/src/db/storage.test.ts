import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import Database from 'libsql';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { createTestDatabase, engine, type TestDatabase } from '../../test/engine.ts';
import { speedUpClock } from '../../test/fast-clock.ts';
import { createLog } from '../log/log.ts';
import { openAppContext } from '../serve.ts';
import { readSettings } from '../settings/settings.ts';
import { openStorage as openStorageAt } from './open-storage.ts';
import type { Db, Storage } from './storage.ts';

async function testDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  onTestFinished(() => database.remove());
  return database;
}

async function openStorage(database: TestDatabase): Promise<Storage> {
  const { storage } = await openAppContext(readSettings(database.env), createLog('silent'));
  onTestFinished(() => storage.close());
  return storage;
}

/** Opens one database with two nodes that do not share anything else. */
async function twoNodes(): Promise<{ storage: Storage; elsewhere: Storage; database: TestDatabase }> {
  const database = await testDatabase();
  return { database, storage: await openStorage(database), elsewhere: await openStorage(database) };
}

function sqliteFile(database: TestDatabase): string {
  return join(database.env.USHER_DATA, 'usher.db');
}

/** Runs SQL on another connection, without the storage. */
async function directly(database: TestDatabase, text: string): Promise<void> {
  if (database.env.DATABASE_URL === undefined) {
    const connection = new Database(sqliteFile(database));
    connection.exec(text);
    connection.close();
    return;
  }
  const client = new pg.Client({ connectionString: database.env.DATABASE_URL });
  await client.connect();
  await client.query(text);
  await client.end();
}

const property = { account_id: 'acme', id: 'p', updated_at: 1, name: 'P', kind: 'profile', prop: 'p' } as const;

function addAccount(db: Db, id: string, token = id) {
  return db.insertInto('accounts').values({ id, name: 'Acme', token, updated_at: 1 }).execute();
}

async function accountIds(storage: Storage): Promise<string[]> {
  const rows = await storage.reader(null).selectFrom('accounts').select('id').orderBy('id').execute();
  return rows.map((row) => row.id);
}

function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `a${String(index).padStart(4, '0')}`);
}

describe('write', () => {
  it('resolves after the commit, when every other connection can read it', async () => {
    const { storage, elsewhere } = await twoNodes();
    const missed: string[] = [];
    await Promise.all(
      numbered(60).map(async (id) => {
        await storage.write(null, (db) => addAccount(db, id));
        if (!(await accountIds(elsewhere)).includes(id)) missed.push(id);
      }),
    );
    expect(missed).toEqual([]);
    expect(await accountIds(elsewhere)).toHaveLength(60);
  });

  it('resolves with what the work returns', async () => {
    const storage = await openStorage(await testDatabase());
    const results = await Promise.all(numbered(5).map((id) => storage.write(null, async () => id)));
    expect(results).toEqual(numbered(5));
  });

  it('commits all of a work or nothing of it, and a work that throws does not affect others', async () => {
    const storage = await openStorage(await testDatabase());
    const outcomes = await Promise.allSettled(
      numbered(40).map((id, index) =>
        storage.write(null, async (db) => {
          await addAccount(db, id);
          await addAccount(db, `${id}-second`);
          if (index % 2 === 1) throw new Error(`${id} changed its mind`);
        }),
      ),
    );
    expect(outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.message : 'kept'))).toEqual(
      numbered(40).map((id, index) => (index % 2 === 1 ? `${id} changed its mind` : 'kept')),
    );
    const kept = numbered(40).filter((_, index) => index % 2 === 0);
    expect(await accountIds(storage)).toEqual(kept.flatMap((id) => [id, `${id}-second`]));
  });

  it('fails only the work whose statement the database rejects', async () => {
    const storage = await openStorage(await testDatabase());
    const outcomes = await Promise.allSettled(
      numbered(20).map((id, index) =>
        storage.write(null, async (db) => {
          await addAccount(db, id, index % 4 === 3 ? 'taken' : id);
          if (index === 5) await sql`select * from nowhere`.execute(db);
        }),
      ),
    );
    const failed = outcomes.flatMap((outcome, index) => (outcome.status === 'rejected' ? [index] : []));
    // Five writes want the same token, and the first one gets it.
    expect(failed).toHaveLength(5);
    expect(failed).toContain(5);
    expect(await accountIds(storage)).toEqual(numbered(20).filter((_, index) => !failed.includes(index)));
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(storage.isUnavailable(outcome.reason)).toBe(false);
  });

  it('runs a work once, unless another one of its transaction fails after a write', async () => {
    const storage = await openStorage(await testDatabase());
    const runs = new Map<string, number>();
    const write = (id: string, fail: 'before' | 'after' | 'never') =>
      storage.write(null, async (db) => {
        runs.set(id, (runs.get(id) ?? 0) + 1);
        if (fail === 'before') throw new Error('before');
        await addAccount(db, id);
        if (fail === 'after') throw new Error('after');
        return id;
      });
    const settled = await Promise.allSettled(
      numbered(6).map((id, index) => write(id, index % 2 === 1 ? 'before' : 'never')),
    );
    expect(settled.map(({ status }) => status)).toEqual(numbered(3).flatMap(() => ['fulfilled', 'rejected']));
    expect([...runs.values()]).toEqual([1, 1, 1, 1, 1, 1]);

    const outcomes = await Promise.allSettled([write('b0', 'never'), write('b1', 'after'), write('b2', 'never')]);
    expect(
      outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason.message)),
    ).toEqual(['b0', 'after', 'b2']);
    expect(await accountIds(storage)).toEqual(['a0000', 'a0002', 'a0004', 'b0', 'b2']);
    // On SQLite they were in the same transaction.
    expect(runs.get('b0')).toBe(engine === 'sqlite' ? 2 : 1);
  });

  it('undoes a write of a statement that also returns rows', async () => {
    const storage = await openStorage(await testDatabase());
    const add = (id: string) => (db: Db) =>
      db.insertInto('accounts').values({ id, name: 'Acme', token: id, updated_at: 1 }).returning('id').execute();
    const failing = storage.write(null, async (db) => {
      await add('a')(db);
      throw new Error('not this time');
    });
    const outcomes = await Promise.allSettled([failing, storage.write(null, add('b'))]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(await accountIds(storage)).toEqual(['b']);
  });

  it('lets a failed work run again', async () => {
    const storage = await openStorage(await testDatabase());
    await expect(
      storage.write(null, async (db) => {
        await addAccount(db, 'a');
        throw new TypeError('wrong');
      }),
    ).rejects.toThrow(TypeError);
    await storage.write(null, (db) => addAccount(db, 'a'));
    expect(await accountIds(storage)).toEqual(['a']);
  });

  it('accepts more works than fit into one transaction', async () => {
    const storage = await openStorage(await testDatabase());
    const ids = numbered(1300);
    await Promise.all(ids.map((id) => storage.write(null, (db) => addAccount(db, id))));
    expect(await accountIds(storage)).toEqual(ids);
  });

  it('reads its own rows before the commit, and others do not', async () => {
    const { storage, elsewhere } = await twoNodes();
    const seen = await storage.write(null, async (db) => {
      await addAccount(db, 'a');
      return {
        inside: (await db.selectFrom('accounts').select('id').execute()).length,
        beside: (await accountIds(storage)).length,
        elsewhere: (await accountIds(elsewhere)).length,
      };
    });
    expect(seen).toEqual({ inside: 1, beside: 0, elsewhere: 0 });
    expect(await accountIds(storage)).toEqual(['a']);
    expect(await accountIds(elsewhere)).toEqual(['a']);
  });

  it('loses no update when rows are locked before they are changed', async () => {
    const { storage, elsewhere } = await twoNodes();
    await storage.write(null, (db) => addAccount(db, 'acme'));
    await storage.write('acme', (db) =>
      db
        .insertInto('properties')
        .values({ ...property, name: '0', types: '[]', samples: '[]' })
        .execute(),
    );
    const increment = (node: Storage) =>
      node.write('acme', async (db) => {
        const query = db.selectFrom('properties').select('name').where('account_id', '=', 'acme').where('id', '=', 'p');
        const { name } = await node.dialect.lockRows(query).executeTakeFirstOrThrow();
        await db
          .updateTable('properties')
          .set({ name: String(Number(name) + 1) })
          .where('account_id', '=', 'acme')
          .where('id', '=', 'p')
          .execute();
      });
    await Promise.all(numbered(50).map((_, index) => increment(index % 2 === 0 ? storage : elsewhere)));
    const { name } = await storage
      .reader('acme')
      .selectFrom('properties')
      .select('name')
      .where('account_id', '=', 'acme')
      .executeTakeFirstOrThrow();
    expect(name).toBe('50');
  });
});

describe('values', () => {
  let database: TestDatabase;
  let storage: Storage;

  beforeAll(async () => {
    database = await createTestDatabase();
    storage = (await openAppContext(readSettings(database.env), createLog('silent'))).storage;
    await storage.write(null, (db) => addAccount(db, 'acme'));
  });
  afterAll(async () => {
    await storage.close();
    await database.remove();
  });

  it.each([
    ['an empty list', []],
    ['a list of scalars', ['text', 1.5, true, null]],
    ['an object', { 'ключ "quoted"': ['\u2028', '🦊', { deep: [[]] }] }],
    ['a text', 'text'],
    ['a text that looks like a number', '007'],
    ['a number', 5],
    ['null', null],
  ])('stores %s as JSON text and returns it parsed', async (id, document) => {
    const returned = await storage.write('acme', (db) =>
      db
        .insertInto('properties')
        .values({ ...property, id, prop: id, types: '["string"]', samples: JSON.stringify(document) })
        .returning(['types', 'samples as known'])
        .executeTakeFirst(),
    );
    expect(returned).toEqual({ types: ['string'], known: document });
    const read = await storage
      .reader('acme')
      .selectFrom('properties')
      .select(['types', 'samples', 'description'])
      .where('account_id', '=', 'acme')
      .where('id', '=', id)
      .executeTakeFirst();
    expect(read).toEqual({ types: ['string'], samples: document, description: null });
  });

  it('stores times as whole milliseconds, beyond 32 bits too', async () => {
    const times = [0, 1, 2 ** 31, Date.UTC(2026, 0, 1), Date.UTC(9999, 11, 31)];
    await storage.write(null, async (db) => {
      for (const [index, updated_at] of times.entries())
        await db
          .insertInto('accounts')
          .values({ id: `time${index}`, name: 'A', token: `time${index}`, updated_at })
          .execute();
    });
    const rows = await storage
      .reader(null)
      .selectFrom('accounts')
      .select('updated_at')
      .where('id', 'like', 'time%')
      .orderBy('id')
      .execute();
    expect(rows.map((row) => row.updated_at)).toEqual(times);
  });

  it('stores null for a column that is left out', async () => {
    const group = { account_id: 'acme', id: 'g', updated_at: 1, name: 'G' };
    await storage.write('acme', (db) => db.insertInto('url_groups').values(group).execute());
    const row = await storage
      .reader('acme')
      .selectFrom('url_groups')
      .select(['archived_at', 'description'])
      .where('account_id', '=', 'acme')
      .executeTakeFirst();
    expect(row).toEqual({ archived_at: null, description: null });
  });

  it('returns booleans as booleans', async () => {
    await directly(database, 'create table switches (name text, position boolean)');
    const positions = { on: true, off: false, unknown: null };
    await storage.write(null, async (db) => {
      for (const [name, position] of Object.entries(positions))
        await sql`insert into switches (name, position) values (${name}, ${position})`.execute(db);
    });
    const read = sql<{ name: string; position: boolean | null }>`select name, position from switches`;
    const { rows } = await read.execute(storage.reader(null));
    expect(Object.fromEntries(rows.map((row) => [row.name, row.position]))).toEqual(positions);
    const found = sql<{ name: string }>`select name from switches where position = ${true}`;
    expect((await found.execute(storage.reader(null))).rows).toEqual([{ name: 'on' }]);
  });

  it('returns text unchanged', async () => {
    const texts = ['', ' ', "'; drop table accounts; --", '\\', 'é e\u0301', '🦊', '\u202e', 'x'.repeat(100_000)];
    await storage.write(null, async (db) => {
      for (const [index, name] of texts.entries())
        await db
          .insertInto('accounts')
          .values({ id: `text${index}`, name, token: `text${index}`, updated_at: 1 })
          .execute();
    });
    const rows = await storage
      .reader(null)
      .selectFrom('accounts')
      .select('name')
      .where('id', 'like', 'text%')
      .orderBy('id')
      .execute();
    expect(rows.map((row) => row.name)).toEqual(texts);
  });

  it('returns the number of changed rows', async () => {
    const { changed, removed } = await storage.write(null, async (db) => {
      for (const id of ['n1', 'n2', 'n3']) await addAccount(db, id);
      const changed = await db
        .updateTable('accounts')
        .set({ name: 'B' })
        .where('id', 'in', ['n1', 'n3'])
        .executeTakeFirst();
      const removed = await db.deleteFrom('accounts').where('id', '=', 'nobody').executeTakeFirst();
      return { changed: changed.numUpdatedRows, removed: removed.numDeletedRows };
    });
    expect({ changed, removed }).toEqual({ changed: 2n, removed: 0n });
  });
});

describe.runIf(engine === 'sqlite')('storage on SQLite', () => {
  /** Every commit ends in a frame of the write-ahead log that contains the size of the database. */
  function countCommits(database: TestDatabase): number {
    const log = readFileSync(`${sqliteFile(database)}-wal`);
    const frame = 24 + log.readUInt32BE(8);
    let commits = 0;
    for (let at = 32; at + frame <= log.length; at += frame) if (log.readUInt32BE(at + 4) !== 0) commits++;
    return commits;
  }

  it('commits a hundred concurrent writes in a few transactions', async () => {
    const database = await testDatabase();
    const storage = await openStorage(database);
    const before = countCommits(database);
    for (const id of numbered(10)) await storage.write(null, (db) => addAccount(db, id));
    const afterTenAlone = countCommits(database);
    expect(afterTenAlone - before).toBe(10);
    await Promise.all(numbered(100).map((id) => storage.write(null, (db) => addAccount(db, `b${id}`))));
    expect(await accountIds(storage)).toHaveLength(110);
    expect(countCommits(database) - afterTenAlone).toBeLessThanOrEqual(3);
  });

  it('uses a write-ahead log and syncs every commit to the disk', async () => {
    const storage = await openStorage(await testDatabase());
    const read = (db: Db, name: string) => sql.raw<Record<string, unknown>>(`pragma ${name}`).execute(db);
    const settings = await storage.write(null, async (db) => [
      ...(await read(db, 'journal_mode')).rows,
      ...(await read(db, 'synchronous')).rows,
      ...(await read(db, 'foreign_keys')).rows,
    ]);
    expect(settings).toEqual([{ journal_mode: 'wal' }, { synchronous: 2 }, { foreign_keys: 1 }]);
    expect((await read(storage.reader(null), 'query_only')).rows).toEqual([{ query_only: 1 }]);
  });

  it('lets the thread for batches commit without waiting for the disk, and waits before the batch is answered', async () => {
    const database = await testDatabase();
    const storage = await openStorage(database);
    const ofThread = openStorageAt(storage.address, createLog('silent'), { isPatient: true });
    onTestFinished(() => ofThread.close());
    const { rows } = await ofThread.write(null, async (db) => {
      await addAccount(db, 'a');
      return sql<{ synchronous: number }>`pragma synchronous`.execute(db);
    });
    expect(rows).toEqual([{ synchronous: 1 }]);
    await ofThread.syncToDisk();
    expect(await accountIds(storage)).toEqual(['a']);
  });

  it('rejects writes on a reader', async () => {
    const storage = await openStorage(await testDatabase());
    await expect(addAccount(storage.reader(null), 'a')).rejects.toThrow(/readonly/);
    expect(await accountIds(storage)).toEqual([]);
  });

  it.each([
    ['an object', { a: 1 }],
    ['a list', [1]],
    ['a date', new Date(0)],
    ['undefined', undefined],
    ['a symbol', Symbol('s')],
    ['a function', () => 1],
    ['bytes that are no buffer', new Uint8Array(1)],
  ])('rejects %s as a value, and the process survives', async (_name, value) => {
    const storage = await openStorage(await testDatabase());
    const attempt = storage.write(null, (db) => sql`update accounts set name = ${sql.val(value)}`.execute(db));
    await expect(attempt).rejects.toThrow(TypeError);
    await storage.write(null, (db) => addAccount(db, 'a'));
    expect(await accountIds(storage)).toEqual(['a']);
  });

  it('stores whole numbers of up to 64 bits, and rejects larger ones', async () => {
    const database = await testDatabase();
    const storage = await openStorage(database);
    await directly(database, 'create table numbers (n integer)');
    const limits = [2n ** 63n - 1n, -(2n ** 63n)];
    await storage.write(null, async (db) => {
      for (const n of limits) await sql`insert into numbers (n) values (${n})`.execute(db);
    });
    const { rows } = await sql<{ text: string }>`select cast(n as text) as text from numbers`.execute(
      storage.reader(null),
    );
    expect(rows.map((row) => BigInt(row.text))).toEqual(limits);
    for (const beyond of [2n ** 63n, -(2n ** 63n) - 1n]) {
      const attempt = storage.write(null, (db) => sql`insert into numbers (n) values (${beyond})`.execute(db));
      await expect(attempt).rejects.toThrow(RangeError);
    }
  });

  it('waits with writes while another process has the lock, but not with reads', async () => {
    const database = await testDatabase();
    const storage = await openStorage(database);
    await storage.write(null, (db) => addAccount(db, 'before'));
    const blocker = new Database(sqliteFile(database));
    onTestFinished(() => void blocker.close());
    blocker.exec('begin exclusive');
    let isDone = false;
    const write = storage
      .write(null, (db) => addAccount(db, 'waiting'))
      .then(() => {
        isDone = true;
      });
    for (let reads = 0; reads < 100; reads++) {
      expect(await accountIds(storage)).toEqual(['before']);
      await new Promise(setImmediate);
    }
    expect(isDone).toBe(false);
    blocker.exec('commit');
    await write;
    expect(await accountIds(storage)).toEqual(['before', 'waiting']);
  });

  it('rejects writes when the lock is taken for long, and accepts them when it is free', async () => {
    const database = await testDatabase();
    const storage = await openStorage(database);
    const blocker = new Database(sqliteFile(database));
    onTestFinished(() => void blocker.close());
    blocker.exec('begin exclusive');
    speedUpClock();
    const outcomes = await Promise.allSettled(numbered(3).map((id) => storage.write(null, (db) => addAccount(db, id))));
    expect(outcomes.map((outcome) => outcome.status === 'rejected' && storage.isUnavailable(outcome.reason))).toEqual([
      true,
      true,
      true,
    ]);
    expect(await accountIds(storage)).toEqual([]);
    blocker.exec('rollback');
    await storage.write(null, (db) => addAccount(db, 'after'));
    expect(await accountIds(storage)).toEqual(['after']);
  });

  it('rejects writes as unavailable when the disk is full, and accepts them when there is room', async () => {
    const storage = await openStorage(await testDatabase());
    const limit = (pages: number) =>
      storage.write(null, (db) => sql.raw(`pragma max_page_count = ${pages}`).execute(db));
    await limit(1);
    const large = storage.write(null, (db) => addAccount(db, 'x'.repeat(500_000)));
    await expect(large).rejects.toSatisfy((error) => storage.isUnavailable(error));
    expect(await accountIds(storage)).toEqual([]);
    await limit(1_000_000);
    await storage.write(null, (db) => addAccount(db, 'x'.repeat(500_000)));
    expect(await accountIds(storage)).toHaveLength(1);
  });

  it('finishes running writes before it closes', async () => {
    const database = await testDatabase();
    const { storage } = await openAppContext(readSettings(database.env), createLog('silent'));
    const writes = numbered(30).map((id) => storage.write(null, (db) => addAccount(db, id)));
    await storage.close();
    await Promise.all(writes);
    expect(await accountIds(await openStorage(database))).toEqual(numbered(30));
  });
});

describe.runIf(engine === 'postgres')('storage on PostgreSQL', () => {
  it('fails only the work whose connection breaks, as unavailable', async () => {
    const database = await testDatabase();
    const storage = await openStorage(database);
    const attempt = storage.write(null, async (db) => {
      await addAccount(db, 'lost');
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
      await directly(database, `select pg_terminate_backend(${rows[0]?.pid}, 5000)`);
      await addAccount(db, 'lost too');
    });
    await expect(attempt).rejects.toSatisfy((error) => storage.isUnavailable(error));
    await storage.write(null, (db) => addAccount(db, 'after'));
    expect(await accountIds(storage)).toEqual(['after']);
  });

  it.runIf(inject('canCopyDatabases'))('analyzes a new table that has grown, once', async () => {
    const storage = await openStorage(await testDatabase());
    await storage.write(null, (db) => sql`alter table accounts set (autovacuum_enabled = false)`.execute(db));
    const analyzedAt = async () => {
      await storage.analyzeNewTables();
      const { rows } = await sql<{ name: string; last_analyze: Date | null }>`
        select relname as name, last_analyze from pg_stat_user_tables
        where relname in ('accounts', 'installation') order by name`.execute(storage.reader(null));
      return rows.map(({ last_analyze }) => last_analyze);
    };
    expect(await analyzedAt()).toEqual([null, null]);
    for (const id of numbered(3))
      await storage.write(null, (db) =>
        sql`insert into accounts (id, updated_at, name, token)
          select ${id} || n, 1, '', ${id} || n from generate_series(1, 300) as n`.execute(db),
      );
    await expect.poll(analyzedAt).toEqual([expect.any(Date), null]);
    const first = await analyzedAt();
    expect(await analyzedAt()).toEqual(first);
  });

  it('replaces connections that broke while they were idle', async () => {
    const database = await testDatabase();
    const storage = await openStorage(database);
    await Promise.all(numbered(10).map((id) => storage.write(null, (db) => addAccount(db, id))));
    await directly(
      database,
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity
        where application_name = current_setting('application_name') and pid <> pg_backend_pid()`,
    );
    await expect.poll(() => accountIds(storage).catch(() => [])).toEqual(numbered(10));
  });

  it('retries deadlocked works until all succeed', async () => {
    const storage = await openStorage(await testDatabase());
    await storage.write(null, async (db) => {
      await addAccount(db, 'a');
      await addAccount(db, 'b');
    });
    let arrived = 0;
    let open = () => {};
    const bothHaveOne = new Promise<void>((resolve) => {
      open = resolve;
    });
    const add = (db: Db, id: string) =>
      sql`update accounts set updated_at = updated_at + 1 where id = ${id}`.execute(db);
    const inOrder = (first: string, second: string) =>
      storage.write(null, async (db) => {
        await add(db, first);
        if (++arrived === 2) open();
        await bothHaveOne;
        await add(db, second);
      });
    await Promise.all([inOrder('a', 'b'), inOrder('b', 'a')]);
    const rows = await storage.reader(null).selectFrom('accounts').select('updated_at').execute();
    expect(rows).toEqual([{ updated_at: 3 }, { updated_at: 3 }]);
    expect(arrived).toBe(3);
  });
});

describe('a storage that was closed', () => {
  it('rejects reads and writes, and the process survives', async () => {
    const { env, remove } = await createTestDatabase();
    const { storage } = await openAppContext(readSettings(env), createLog('silent'));
    await storage.close();
    await expect(storage.reader(null).selectFrom('accounts').select('id').execute()).rejects.toThrow();
    await expect(storage.heavyReader(null).selectFrom('accounts').select('id').execute()).rejects.toThrow();
    await expect(storage.write(null, (db) => addAccount(db, 'late'))).rejects.toThrow();
    await remove();
  });
});
