import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createTestDatabase, engine } from '../../../test/engine.ts';
import { startPooler } from '../../../test/pooler.ts';
import { createLog } from '../../log/log.ts';
import { statementName } from '../prepared-statement.ts';
import type { Storage } from '../storage.ts';

const ACCOUNT = 'acme';

/** Loads the storage code as another process would: the two share no state. */
async function startProcess(databaseUrl: string) {
  vi.resetModules();
  const { PreparedStatement } = await import('../prepared-statement.ts');
  const { openStorage } = await import('../open-storage.ts');
  const storage: Storage = openStorage({ databaseUrl }, createLog('silent'));
  onTestFinished(() => storage.close());
  const hosts = new PreparedStatement<{ host: string }, 'host'>(
    'select host from urls where account_id = :account and host = :host',
  );
  const tags = new PreparedStatement<{ name: string }, 'uid'>(
    'select name from tags where account_id = :account and uid = :uid',
  );
  const reader = storage.reader(ACCOUNT);
  return {
    storage,
    findHost: (db = reader) => hosts.run(storage, db, ACCOUNT, { host: 'app.example.com' }),
    findTag: (db = reader) => tags.run(storage, db, ACCOUNT, { uid: 'vip' }),
  };
}

async function fill(storage: Storage): Promise<void> {
  await storage.migrate();
  await storage.write(ACCOUNT, async (db) => {
    await db.insertInto('accounts').values({ id: ACCOUNT, name: 'Acme', token: ACCOUNT, updated_at: 1 }).execute();
    const own = { account_id: ACCOUNT, updated_at: 1 };
    const url = { id: 'u', host: 'app.example.com', domain: 'example.com', enabled: 'on' as const };
    await db
      .insertInto('urls')
      .values({ ...own, ...url })
      .execute();
    await db
      .insertInto('tags')
      .values({ ...own, id: 't', uid: 'vip', name: 'VIP' })
      .execute();
  });
}

describe('statementName', () => {
  it('returns the same name for the same SQL, and different names for different SQL', () => {
    const texts = Array.from({ length: 1000 }, (_, number) => `select ${number}`);
    expect(new Set(texts.map(statementName)).size).toBe(1000);
    expect(texts.map(statementName)).toEqual(texts.map(statementName));
    expect(statementName('select 1')).toBe('usher_822ae07d4783158bc1912bb623e5107cc9002d51');
  });
});

describe.runIf(engine === 'postgres')('behind a pooler in transaction mode', () => {
  it.each([1, 2])(
    'returns to two processes the rows of their own statements over %i connections',
    async (connections) => {
      const database = await createTestDatabase();
      onTestFinished(() => database.remove());
      const url = database.env.DATABASE_URL as string;
      await fill((await startProcess(url)).storage);
      const pooler = await startPooler(url, connections);
      onTestFinished(() => pooler.close());
      const [one, other] = [await startProcess(pooler.url), await startProcess(pooler.url)];
      const host = [{ host: 'app.example.com' }];
      const tag = [{ name: 'VIP' }];
      // Each prepares its first statement in another order than the other.
      expect(await one.findHost()).toEqual(host);
      expect(await other.findTag()).toEqual(tag);
      for (let round = 0; round < 4; round++) {
        // An odd number: each now runs on the connection where the other has prepared its first.
        expect(await one.findHost()).toEqual(host);
        expect(await one.findHost()).toEqual(host);
        expect(await other.findTag()).toEqual(tag);
        expect(await one.findTag()).toEqual(tag);
        expect(await other.findHost()).toEqual(host);
        expect(await one.findHost()).toEqual(host);
        expect(await other.findTag()).toEqual(tag);
      }
    },
  );

  it('retries a transaction whose prepared statement is missing on its connection', async () => {
    const database = await createTestDatabase();
    onTestFinished(() => database.remove());
    const url = database.env.DATABASE_URL as string;
    await fill((await startProcess(url)).storage);
    const pooler = await startPooler(url, 2);
    onTestFinished(() => pooler.close());
    const { storage, findHost, findTag } = await startProcess(pooler.url);
    const both = () =>
      storage.write(ACCOUNT, async (db) => [...(await findHost(db)), ...(await findTag(db))] as unknown[]);
    for (let round = 0; round < 4; round++)
      expect(await both()).toEqual([{ host: 'app.example.com' }, { name: 'VIP' }]);
  });
});
