import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTestDatabase, engine } from '../../../test/engine.ts';
import { startSilentProxy } from '../../../test/silent-proxy.ts';
import { createLog } from '../../log/log.ts';
import type { Db } from '../storage.ts';
import { openPostgres } from './open-postgres.ts';

const patience = {
  main: { statementMs: 700, silenceMs: 800, isPatient: false },
  long: { statementMs: 60_000, silenceMs: 200, isPatient: true },
};
const pools = { main: 3, heavy: 2, batches: 1 };
const addAccount = (db: Db, id: string) =>
  db.insertInto('accounts').values({ id, name: id, token: id, updated_at: 1 }).execute();

async function open() {
  const database = await createTestDatabase();
  onTestFinished(() => database.remove());
  const url = database.env.DATABASE_URL as string;
  const direct = openPostgres(url, createLog('silent'), { pools, patience });
  await direct.migrate();
  await direct.close();
  const proxy = await startSilentProxy(url);
  onTestFinished(() => proxy.close());
  const storage = openPostgres(proxy.url, createLog('silent'), { pools, patience });
  const ids = async () =>
    (await storage.reader(null).selectFrom('accounts').select('id').execute()).map(({ id }) => id);
  const reasonsOf = async (work: Promise<unknown>[]) =>
    (await Promise.allSettled(work)).map((result) =>
      result.status === 'rejected' && storage.isUnavailable(result.reason) ? 'unavailable' : result.status,
    );
  return { proxy, storage, ids, reasonsOf };
}

describe.runIf(engine === 'postgres')('when the network to PostgreSQL breaks silently', () => {
  it('fails what waits for a response, replaces the connections, and closes', async () => {
    const { proxy, storage, ids, reasonsOf } = await open();
    await Promise.all(Array.from({ length: 6 }, () => ids()));
    expect(storage.countConnections()).toMatchObject({ busy: 0, idle: 3, waiting: 0, max: 5 });
    proxy.loseConnections();
    const reading = reasonsOf(Array.from({ length: 3 }, () => ids()));
    await expect.poll(() => storage.countConnections()).toMatchObject({ busy: 3, idle: 0 });
    // This one waits for a connection, and gets a new one.
    const waiting = ids();
    expect(await reading).toEqual(['unavailable', 'unavailable', 'unavailable']);
    expect(await waiting).toEqual([]);
    proxy.loseConnections();
    await storage.close();
  });

  it('fails a transaction whose commit was lost, does not repeat it, and frees its connection', async () => {
    const { proxy, storage, ids, reasonsOf } = await open();
    let runs = 0;
    const lost = storage.write(null, async (db) => {
      runs += 1;
      await addAccount(db, 'lost');
      proxy.loseConnections();
    });
    expect(await reasonsOf([lost])).toEqual(['unavailable']);
    expect(runs).toBe(1);
    await Promise.all(['a', 'b', 'c', 'd'].map((id) => storage.write(null, (db) => addAccount(db, id))));
    expect((await ids()).sort()).toEqual(['a', 'b', 'c', 'd']);
    await storage.close();
  });

  it('waits for a long statement that PostgreSQL works on, and fails one that was lost', async () => {
    const { proxy, storage, reasonsOf } = await open();
    const long = sql<{ done: number }>`select 1 as done from pg_sleep(0.6)`;
    expect((await long.execute(storage.heavyReader(null))).rows).toEqual([{ done: 1 }]);
    const { rows } = await storage.write(null, (db) => long.execute(db), { isLong: true });
    expect(rows).toEqual([{ done: 1 }]);
    proxy.loseConnections();
    expect(await reasonsOf([sql`select 1`.execute(storage.heavyReader(null))])).toEqual(['unavailable']);
    expect((await long.execute(storage.heavyReader(null))).rows).toEqual([{ done: 1 }]);
    await storage.close();
  });

  it('lets PostgreSQL end a slow statement, and keeps the connection', async () => {
    const { storage, reasonsOf } = await open();
    const backend = async () => (await sql`select pg_backend_pid() as pid`.execute(storage.reader(null))).rows;
    const before = await backend();
    expect(await reasonsOf([sql`select pg_sleep(5)`.execute(storage.reader(null))])).toEqual(['unavailable']);
    expect(await backend()).toEqual(before);
    await storage.close();
  });
});
