import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { startApi } from '../../test/api.ts';
import { engine } from '../../test/engine.ts';

it.runIf(engine === 'sqlite')('finds hundreds of users by their keys without reading the account', async () => {
  const { app } = await startApi();
  const names = Array.from({ length: 300 }, (_, n) => `user-${n}`);
  for (const key of ['id', 'uid', 'email_key']) {
    const query = sql<{ detail: string }>`explain query plan
      select id, custom from profiles where account_id = ${'a'} and ${sql.ref(key)} in (${sql.join(names)})`;
    // The reader is bound to the account that the query names.
    const { rows } = await query.execute(app.storage.reader('a'));
    expect(rows.map(({ detail }) => detail)).toEqual([expect.stringContaining(`(account_id=? AND ${key}=?)`)]);
  }
});

it('looks up and writes more rows than a statement can have parameters', async () => {
  const { app, account } = await startApi();
  const { storage } = app;
  const upsert = {
    table: 'companies' as const,
    columns: { id: 'text', uid: 'text', updated_at: 'bigint', custom: 'jsonb' } as const,
    changes: ['updated_at', 'custom'],
  };
  const rows = Array.from({ length: 2000 }, (_, n) => ({
    id: n.toString(16).padStart(24, '0'),
    uid: `it's "${n}" \\ 😀`,
    updated_at: n,
    custom: JSON.stringify({ n, text: `'"\\\n😀${n}` }),
  }));
  await storage.write(account.account_id, (db) => storage.dialect.upsert(db, account.account_id, upsert, rows));
  await storage.write(account.account_id, (db) =>
    storage.dialect.upsert(db, account.account_id, upsert, [
      { ...rows[7], updated_at: 99, custom: '{}' } as (typeof rows)[0],
    ]),
  );
  const wanted = { table: 'companies' as const, key: 'uid', columns: ['id', 'uid', 'custom'] as const };
  const found = await storage.write(account.account_id, (db) =>
    storage.dialect.lookUp<{ id: string; uid: string; custom: unknown }>(db, account.account_id, {
      ...wanted,
      names: [...rows.map(({ uid }) => uid), 'nobody'],
    }),
  );
  const expected = rows.map(({ id, uid, custom }, n) => ({ id, uid, custom: n === 7 ? {} : JSON.parse(custom) }));
  const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);
  expect(found.sort(byId)).toEqual(expected);
});

it('finds no rows of another account', async () => {
  const { app, account, other, post } = await startApi();
  await post('/v3/observe/hooks/companies', { uid: 'acme' }, { as: other });
  const wanted = { table: 'companies' as const, key: 'uid', names: ['acme'], columns: ['id'] as const };
  const found = await app.storage.write(account.account_id, (db) =>
    app.storage.dialect.lookUp<{ id: string }>(db, account.account_id, wanted),
  );
  expect(found).toEqual([]);
});
