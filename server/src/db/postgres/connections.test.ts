import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { startApi } from '../../../test/api.ts';
import { createTestDatabase, engine, type TestDatabase } from '../../../test/engine.ts';
import { createLog } from '../../log/log.ts';
import { openStorage } from '../open-storage.ts';
import { connect } from './connect.ts';
import { divideConnections } from './divide-connections.ts';
import { forRequests } from './patience.ts';
import { StarvedPools } from './scarce-connections.ts';

describe('divideConnections', () => {
  it('uses the whole number and no more, with some for each part', () => {
    for (let total = 4; total <= 200; total++) {
      const { main, heavy, batches } = divideConnections(total);
      expect(main + heavy + batches).toBe(total);
      expect([main >= 2, heavy >= 1, batches >= 1]).toEqual([true, true, true]);
    }
    expect(divideConnections(24)).toEqual({ main: 17, heavy: 4, batches: 3 });
    expect(divideConnections(4)).toEqual({ main: 2, heavy: 1, batches: 1 });
  });
});

describe.runIf(engine === 'postgres')('USHER_DATABASE_CONNECTIONS', () => {
  it('is enough for everything at its least, and is never exceeded', async () => {
    const api = await startApi({ env: { USHER_DATABASE_CONNECTIONS: '4' } });
    onTestFinished(() => api.stop());
    const many = <T>(count: number, work: (n: number) => T) => Array.from({ length: count }, (_, n) => work(n));
    const profiles = (batch: number) => many(600, (n) => ({ uid: `u${batch}-${n}`, plan: 'pro' }));
    const responses = await Promise.all([
      ...many(2, (n) => api.post('/v3/observe/hooks/profiles/batch', { profiles: profiles(n) })),
      ...many(40, (n) => api.post('/v3/edit/urls', { host: `app${n}.example.com` })),
      ...many(2, () => api.get('/v3/analyze/profiles/count')),
    ]);
    const open = sql<{ open: string }>`
      select count(*) as open from pg_stat_activity
      where application_name = current_setting('application_name') and backend_type = 'client backend'`;
    const { rows } = await open.execute(api.app.storage.reader(null));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 201, 202]));
    expect(Number(rows[0]?.open)).toBeLessThanOrEqual(4);
    expect(api.app.storage.countConnections()).toMatchObject({ max: 3, waiting: 0 });
    const forgotten = await api.send('DELETE', '/v3/edit/profiles/forget', { query: 'uid=u0-0' });
    expect(forgotten.status).toBe(200);
  });
});

it.runIf(engine === 'postgres')('heavy reads are not compiled, which would take longer than running them', async () => {
  const api = await startApi({});
  onTestFinished(() => api.stop());
  const { rows } = await sql<{ jit: string }>`show jit`.execute(api.app.storage.heavyReader(null));
  expect(rows).toEqual([{ jit: 'off' }]);
});

/** A database whose role may have only so many connections at a time. */
async function createScarceDatabase(connections: number): Promise<TestDatabase & { url: string }> {
  const database = await createTestDatabase();
  const { USHER_DATA, DATABASE_URL } = database.env as { USHER_DATA: string; DATABASE_URL: string };
  const role = new URL(DATABASE_URL).pathname.slice(1);
  const owner = new pg.Client({ connectionString: DATABASE_URL });
  await owner.connect();
  await owner.query(`create role ${role} login password 'secret' connection limit ${connections};
    grant all on schema public to ${role}; grant all on all tables in schema public to ${role};
    grant all on all sequences in schema public to ${role}`);
  const url = Object.assign(new URL(DATABASE_URL), { username: role, password: 'secret' }).href;
  return {
    url,
    env: { USHER_DATA, DATABASE_URL: url },
    remove: async () => {
      await owner.query(`drop owned by ${role}; drop role ${role}`);
      await owner.end();
      await database.remove();
    },
  };
}

describe.runIf(engine === 'postgres' && inject('canCopyDatabases'))('a role that may have few connections', () => {
  const many = <T>(count: number, work: (n: number) => T) => Array.from({ length: count }, (_, n) => work(n));

  it('serves page loads, searches and batches with three, also at the same time', async () => {
    const api = await startApi({ database: await createScarceDatabase(3) });
    const visit = (n: number) => {
      const page = { account_token: api.account.account_token, uid: `u${n}`, href: 'http://localhost/' };
      return api.post('/v3/observe/visits', page, { as: null });
    };
    const batch = (n: number) =>
      api.post('/v3/observe/hooks/profiles/batch', { profiles: many(50, (m) => ({ uid: `b${n}-${m}` })) });
    const statusesOf = async (requests: Promise<{ status: number }>[]) =>
      new Set((await Promise.all(requests)).map(({ status }) => status));
    // All three connections are open before the thread of batches wants its first.
    expect(await statusesOf([...many(30, visit), ...many(10, () => api.get('/v3/analyze/profiles'))])).toEqual(
      new Set([200]),
    );
    expect((await batch(0)).status).toBe(202);
    const mixed = [...many(40, visit), batch(1), batch(2), api.get('/v3/analyze/profiles/count')];
    expect(await statusesOf(mixed)).toEqual(new Set([200, 202]));
  }, 60_000);

  it('is reported with its own limit, and not with the one of the server', async () => {
    const database = await createScarceDatabase(3);
    const storage = openStorage({ databaseUrl: database.url }, createLog('silent'));
    onTestFinished(async () => {
      await storage.close();
      await database.remove();
    });
    expect((await storage.status()).connections).toEqual({ open: 1, max: 3 });
  });

  it('gives what one pool has left idle to another, which would fail after four seconds', async () => {
    const database = await createScarceDatabase(3);
    const starved = new StarvedPools();
    const pools = many(2, () =>
      connect(database.url, { maxConnections: 4, patience: forRequests, log: createLog('silent'), starved }),
    );
    onTestFinished(async () => {
      await Promise.all(pools.map((pool) => pool.close()));
      await database.remove();
    });
    for (const { db } of [...pools, ...pools]) {
      const responses = await Promise.all(many(4, () => sql`select pg_sleep(0.05)`.execute(db)));
      expect(responses.length).toBe(4);
    }
  }, 60_000);
});
