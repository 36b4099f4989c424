import { once, setMaxListeners } from 'node:events';
import { statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { type RawBuilder, sql } from 'kysely';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createTestDatabase, engine } from '../../test/engine.ts';
import { createLog } from '../log/log.ts';
import { openAppContext } from '../serve.ts';
import { readSettings } from '../settings/settings.ts';
import { HeavyReader } from './sqlite/heavy-reader.ts';
import { openConnection } from './sqlite/sqlite-connection.ts';
import { kyselyOn } from './sqlite/sqlite-kysely.ts';
import type { Db, Storage } from './storage.ts';

/** A test that closes the storage itself passes this option. */
async function openStorage({ closes = false } = {}): Promise<Storage> {
  const database = await createTestDatabase();
  onTestFinished(() => database.remove());
  const { storage } = await openAppContext(readSettings(database.env), createLog('silent'));
  if (!closes) onTestFinished(() => storage.close());
  return storage;
}

function addAccount(storage: Storage, id: string): Promise<unknown> {
  return storage.write(null, (db) =>
    db.insertInto('accounts').values({ id, name: 'Acme', token: id, updated_at: 1 }).execute(),
  );
}

async function accountIds(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('accounts').select('id').orderBy('id').execute();
  return rows.map((row) => row.id);
}

/** Takes at least a second on any machine. */
const long: RawBuilder<{ answer: number }> =
  engine === 'sqlite'
    ? sql`with recursive n (x) as (select 1 union all select x + 1 from n where x < 6000000)
        select count(*) / 6000000 as answer from n`
    : sql`select 1 as answer from pg_sleep(2)`;

async function readLong(storage: Storage): Promise<unknown> {
  const { rows } = await long.execute(storage.heavyReader(null));
  return rows;
}

function answering(value: unknown): RawBuilder<{ answer: unknown }> {
  return engine === 'sqlite' ? sql`select ${value} as answer` : sql`select ${value}::integer as answer`;
}

describe('heavyReader', () => {
  it('reads a committed row right after the write', async () => {
    const storage = await openStorage();
    const expected: string[] = [];
    for (const id of ['a', 'b', 'c', 'd', 'e']) {
      await addAccount(storage, id);
      expected.push(id);
      expect(await accountIds(storage.heavyReader(null))).toEqual(expected);
    }
  });

  it('does not read a row before its commit', async () => {
    const storage = await openStorage();
    await addAccount(storage, 'a');
    const beside = await storage.write(null, async (db) => {
      await db.insertInto('accounts').values({ id: 'b', name: 'B', token: 'b', updated_at: 1 }).execute();
      return accountIds(storage.heavyReader(null));
    });
    expect(beside).toEqual(['a']);
    expect(await accountIds(storage.heavyReader(null))).toEqual(['a', 'b']);
  });

  it('returns JSON, numbers, text and null like the reader', async () => {
    const storage = await openStorage();
    await addAccount(storage, 'acme');
    const known = { 'ключ "quoted"': ['\u2028', '🦊', 1.5, true, null, { deep: [[]] }] };
    await storage.write('acme', (db) =>
      db
        .insertInto('properties')
        .values({
          account_id: 'acme',
          id: 'p',
          updated_at: Date.UTC(9999, 11, 31),
          name: '007',
          kind: 'profile',
          prop: 'p',
          types: '["string"]',
          samples: JSON.stringify(known),
        })
        .execute(),
    );
    const read = (db: Db) => db.selectFrom('properties').selectAll().where('account_id', '=', 'acme').execute();
    const rows = await read(storage.heavyReader('acme'));
    expect(rows).toEqual(await read(storage.reader('acme')));
    expect(rows).toMatchObject([{ name: '007', types: ['string'], samples: known, description: null }]);
    // The second run uses the prepared statement.
    expect(await read(storage.heavyReader('acme'))).toEqual(rows);
  });

  it('accepts and returns booleans', async () => {
    const storage = await openStorage();
    await storage.write(null, async (db) => {
      await sql`create table switches (name text, position boolean)`.execute(db);
      await sql`insert into switches values ('on', ${true}), ('off', ${false}), ('unknown', ${null})`.execute(db);
    });
    const all = sql`select name, position from switches order by name`;
    expect((await all.execute(storage.heavyReader(null))).rows).toEqual([
      { name: 'off', position: false },
      { name: 'on', position: true },
      { name: 'unknown', position: null },
    ]);
    const found = sql`select name from switches where position = ${true}`;
    expect((await found.execute(storage.heavyReader(null))).rows).toEqual([{ name: 'on' }]);
  });

  it('rejects a query that does not name its account', async () => {
    const storage = await openStorage();
    const count = (db: Db) => db.selectFrom('urls').select(db.fn.countAll().as('count'));
    await expect(count(storage.heavyReader('acme')).execute()).rejects.toThrow(/does not name its account/);
    await expect(
      count(storage.heavyReader('acme')).where('account_id', '=', 'other').executeTakeFirst(),
    ).rejects.toThrow(/does not name its account/);
    const { count: found } = await count(storage.heavyReader('acme'))
      .where('account_id', '=', 'acme')
      .executeTakeFirstOrThrow();
    expect(Number(found)).toBe(0);
  });

  it('fails only the wrong query, and not as unavailable', async () => {
    const storage = await openStorage();
    const wrong = ['select * from nowhere', 'selekt', 'select 1 as answer where'].map((text) =>
      sql.raw(text).execute(storage.heavyReader(null)),
    );
    const right = answering(1).execute(storage.heavyReader(null));
    for (const outcome of await Promise.allSettled(wrong)) {
      const { reason } = outcome as PromiseRejectedResult;
      expect(reason).toBeInstanceOf(Error);
      expect(reason.message).toMatch(/nowhere|syntax|incomplete/);
      expect(reason.code).toEqual(expect.any(String));
      expect(storage.isUnavailable(reason)).toBe(false);
    }
    expect((await right).rows).toEqual([{ answer: 1 }]);
    expect((await answering(2).execute(storage.heavyReader(null))).rows).toEqual([{ answer: 2 }]);
  });

  it('returns to each of many concurrent queries its own rows', async () => {
    const storage = await openStorage();
    const numbers = Array.from({ length: 300 }, (_, index) => index);
    const answers = await Promise.all(
      numbers.map(async (number) => (await answering(number).execute(storage.heavyReader(null))).rows),
    );
    expect(answers).toEqual(numbers.map((answer) => [{ answer }]));
  });

  it('delays neither reads nor writes', async () => {
    const storage = await openStorage();
    await accountIds(storage.heavyReader(null));
    const finished: string[] = [];
    const heavy = readLong(storage).then(() => finished.push('heavy read'));
    await addAccount(storage, 'a');
    finished.push('write');
    expect(await accountIds(storage.reader(null))).toEqual(['a']);
    finished.push('read');
    await heavy;
    expect(finished).toEqual(['write', 'read', 'heavy read']);
  });

  it('lets a short read of another account run before the first of many long ones has ended', async () => {
    const storage = await openStorage();
    await addAccount(storage, 'b');
    const client = new AbortController();
    setMaxListeners(0, client.signal);
    const readAsA = () => long.execute(storage.heavyReader('a', client));
    // From now on it is known to be long.
    await readAsA();
    let ended = 0;
    const reads = Promise.allSettled(Array.from({ length: 20 }, () => readAsA().then(() => ended++)));
    expect(await accountIds(storage.heavyReader('b'))).toEqual(['b']);
    expect(ended).toBe(0);
    client.abort();
    await reads;
  });

  it('gives the turns of a client that has left to others', async () => {
    const storage = await openStorage();
    const client = new AbortController();
    setMaxListeners(0, client.signal);
    const reads = Array.from({ length: 20 }, () => long.execute(storage.heavyReader('a', client)));
    const outcomes = Promise.allSettled(reads);
    await addAccount(storage, 'a');
    client.abort(new Error('left'));
    expect(await accountIds(storage.heavyReader('a'))).toEqual(['a']);
    const failed = (await outcomes).filter((one) => one.status === 'rejected' && one.reason.message === 'left');
    expect(failed.length).toBeGreaterThanOrEqual(16);
  });

  it('finishes running queries before the storage closes, and rejects later ones', async () => {
    const storage = await openStorage({ closes: true });
    const finished: unknown[] = [];
    const heavy = readLong(storage).then((rows) => finished.push(rows));
    await accountIds(storage.reader(null));
    await storage.close();
    finished.push('closed');
    await heavy;
    expect(finished).toEqual([[{ answer: 1 }], 'closed']);
    await expect(accountIds(storage.heavyReader(null))).rejects.toThrow();
  });
});

describe.runIf(engine === 'sqlite')('heavyReader on SQLite', () => {
  /** Collects the threads that start from now on. */
  function watchWorkers(): Worker[] {
    const started: Worker[] = [];
    const note = (worker: Worker) => void started.push(worker);
    process.on('worker', note);
    onTestFinished(() => void process.off('worker', note));
    return started;
  }

  /** Does not use `terminate`: libsql would abort the process if that happened during a query. */
  async function end(worker: Worker | undefined): Promise<void> {
    if (!worker) throw new Error('There is no thread');
    const ended = once(worker, 'exit');
    worker.postMessage(null);
    await ended;
  }

  /** A reader on the file of a storage, whatever the number of cores is here. */
  async function openReader(options: ConstructorParameters<typeof HeavyReader>[1], { closes = false } = {}) {
    const storage = await openStorage();
    const { sqliteFile: file } = storage.address as { sqliteFile: string };
    const reader = new HeavyReader({ file, lockWaitMs: 1000 }, options);
    if (!closes) onTestFinished(() => reader.close());
    return { storage, file, reader, db: kyselyOn(reader.connection('acme')) };
  }

  it('uses its thread again, until the storage closes', async () => {
    const workers = watchWorkers();
    const storage = await openStorage({ closes: true });
    for (const id of ['a', 'b', 'c']) {
      await addAccount(storage, id);
      await accountIds(storage.heavyReader(null));
    }
    // Another one may copy the log.
    expect(workers.length).toBeLessThanOrEqual(2);
    await storage.close();
    expect(workers.map(({ threadId }) => threadId).filter((id) => id !== -1)).toEqual([]);
  });

  it('starts as many threads as are needed, up to a limit, and each reads what was just committed', async () => {
    const { storage, reader, db } = await openReader({ maxThreads: 3 });
    expect(reader.load.threads).toBe(0);
    for (const id of ['a', 'b', 'c']) {
      await addAccount(storage, id);
      const read = await Promise.all([1, 2, 3, 4, 5].map(() => accountIds(db)));
      expect(new Set(read.map((ids) => ids.at(-1)))).toEqual(new Set([id]));
    }
    expect(reader.load).toEqual({ running: 0, waiting: 0, threads: 3 });
  });

  it('ends threads that are idle, and starts them again', async () => {
    const { reader, db } = await openReader({ maxThreads: 2, idleMs: 500 });
    await Promise.all([accountIds(db), accountIds(db)]);
    expect(reader.load.threads).toBe(2);
    await vi.waitFor(() => expect(reader.load.threads).toBe(0), { timeout: 5000 });
    expect(await accountIds(db)).toEqual([]);
  });

  it('closes after what runs and what waits', async () => {
    const { db, reader } = await openReader({ maxThreads: 2 }, { closes: true });
    let done = 0;
    const reads = [1, 2, 3, 4, 5].map(() =>
      answering(1)
        .execute(db)
        .then(() => ++done),
    );
    await reader.close();
    expect([done, reader.load.threads]).toEqual([5, 0]);
    await Promise.all(reads);
    await expect(accountIds(db)).rejects.toThrow('closed');
  });

  it('keeps the log short while reads overlap', async () => {
    const { file, db, reader } = await openReader({ maxThreads: 2 });
    const writer = openConnection(file, 'pragma journal_mode = wal; pragma wal_autocheckpoint = 0');
    onTestFinished(() => void writer.close());
    writer.exec('create table filler (id integer primary key, content blob)');
    let isDone = false;
    const some = sql`with recursive n (x) as (select id from filler union all select x + 1 from n where x < 400000)
      select count(*) from n`;
    const readAgain = async () => {
      while (!isDone) await some.execute(db);
    };
    const reading = [readAgain(), pause(100).then(readAgain)];
    for (let copied = 0; copied < 30; copied += 1) {
      for (const id of [1, 2, 3, 4]) writer.exec(`insert or replace into filler values (${id}, zeroblob(1000000))`);
      await pause(20);
      await reader.copyLog();
    }
    isDone = true;
    await Promise.all(reading);
    expect(statSync(`${file}-wal`).size).toBeLessThan(80_000_000);
  });

  it('finishes a query that was started just before the storage closes', async () => {
    const storage = await openStorage({ closes: true });
    await addAccount(storage, 'a');
    const reads = [1, 2, 3].map(() => accountIds(storage.heavyReader(null)));
    await Promise.all([storage.close(), ...reads]);
    expect(await Promise.all(reads)).toEqual([['a'], ['a'], ['a']]);
  });

  it('does not keep the process alive with an idle thread', async () => {
    const portsInUse = () => process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;
    const storage = await openStorage();
    const before = portsInUse();
    const read = accountIds(storage.heavyReader(null));
    await accountIds(storage.reader(null));
    expect(portsInUse()).toBe(before + 1);
    await read;
    await vi.waitFor(() => expect(portsInUse()).toBe(before));
  });

  it('fails the running query as unavailable when its thread dies, and starts a new thread for the next', async () => {
    const { storage, reader, db } = await openReader({ maxThreads: 1 });
    await addAccount(storage, 'a');
    const workers = watchWorkers();
    await accountIds(db);
    const ended = end(workers[0]);
    const running = await accountIds(db).catch((error) => error);
    expect(storage.isUnavailable(running)).toBe(true);
    await ended;
    expect(await accountIds(db)).toEqual(['a']);
    expect(reader.load.threads).toBe(1);
  });

  it('replaces a thread that died while it was idle', async () => {
    const { reader, db } = await openReader({ maxThreads: 1 });
    const workers = watchWorkers();
    await accountIds(db);
    await end(workers[0]);
    expect(reader.load.threads).toBe(0);
    expect(await accountIds(db)).toEqual([]);
  });

  it('rejects writes', async () => {
    const storage = await openStorage();
    const attempt = storage.heavyReader(null).deleteFrom('accounts').execute();
    await expect(attempt).rejects.toThrow(/readonly/);
    expect(await accountIds(storage.heavyReader(null))).toEqual([]);
  });

  it.each([
    ['an object', { a: 1 }],
    ['undefined', undefined],
    ['a symbol', Symbol('s')],
  ])('rejects %s as a value, and the process survives', async (_name, value) => {
    const storage = await openStorage();
    await expect(answering(sql.val(value)).execute(storage.heavyReader(null))).rejects.toThrow(TypeError);
    expect(await accountIds(storage.heavyReader(null))).toEqual([]);
  });
});
