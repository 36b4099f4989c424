import { sql } from 'kysely';
import { describe, expect, inject, it } from 'vitest';
import { startApi } from '../../test/api.ts';
import { PreparedQuery } from './prepared-query.ts';

const hosts = new PreparedQuery((db, account, param: (name: 'host') => never) =>
  db.selectFrom('urls').select(['host', 'enabled']).where('account_id', '=', account).where('host', '=', param('host')),
);

describe('PreparedQuery', () => {
  it('runs with the values and the account of each caller', async () => {
    const api = await startApi();
    const { storage } = api.app;
    await api.post('/v3/edit/urls', { host: 'app.example.com' });
    await api.post('/v3/edit/urls', { host: 'app.example.com', enabled: 'off' }, { as: api.other });
    const run = ({ account_id }: { account_id: string }, host: string) =>
      hosts.run(storage, storage.reader(account_id), account_id, { host });
    expect(await run(api.account, 'app.example.com')).toEqual([{ host: 'app.example.com', enabled: 'on' }]);
    expect(await run(api.other, 'app.example.com')).toEqual([{ host: 'app.example.com', enabled: 'off' }]);
    expect(await run(api.account, 'other.example.com')).toEqual([]);
    expect(await run(api.account, `' or 1=1 --`)).toEqual([]);
  });

  it('returns only the first row with find, with the types of its columns', async () => {
    const { app, account, post } = await startApi();
    const { storage } = app;
    const { account_id } = account;
    for (const host of ['a.example.com', 'b.example.com']) await post('/v3/edit/urls', { host });
    const find = <Row>(query: PreparedQuery<Row, string>) =>
      query.find(storage, storage.reader(account_id), account_id, {});
    const first = new PreparedQuery((db, id) =>
      db.selectFrom('urls').select('host').where('account_id', '=', id).orderBy('id'),
    );
    const whole = new PreparedQuery((db, id) =>
      db.selectFrom('urls').selectAll().where('account_id', '=', id).orderBy('id'),
    );
    const none = new PreparedQuery((db, id) => db.selectFrom('segments').select('id').where('account_id', '=', id));
    expect(await find(first)).toEqual({ host: 'a.example.com' });
    expect(await find(none)).toBeUndefined();
    const all = await whole.run(storage, storage.reader(account_id), account_id, {});
    expect(await find(whole)).toEqual(all[0]);
  });

  it('writes in the transaction of its caller', async () => {
    const { app, account, post, get } = await startApi();
    const { storage } = app;
    await post('/v3/edit/urls', { host: 'app.example.com' });
    const change = new PreparedQuery((db, id, param: (name: 'enabled') => never) =>
      db
        .updateTable('urls')
        .set({ enabled: param('enabled') })
        .where('account_id', '=', id),
    );
    const { account_id } = account;
    const enabled = async () => (await get('/v3/edit/urls')).body.urls[0].enabled;
    const failing = storage.write(account_id, async (db) => {
      await change.run(storage, db, account_id, { enabled: 'off' });
      throw new Error('not this time');
    });
    await expect(failing).rejects.toThrow('not this time');
    expect(await enabled()).toBe('on');
    await storage.write(account_id, (db) => change.run(storage, db, account_id, { enabled: 'off' }));
    expect(await enabled()).toBe('off');
  });

  it.runIf(inject('engine') === 'postgres')(
    'is planned once by PostgreSQL, unless it selects all columns',
    async () => {
      const { app, account } = await startApi();
      const { storage } = app;
      const { account_id } = account;
      const all = new PreparedQuery((db, id, param: (name: 'host') => never) =>
        db.selectFrom('urls').selectAll().where('account_id', '=', id).where('host', '=', param('host')),
      );
      const kept = await storage.write(null, async (db) => {
        for (const query of [hosts, all])
          for (const host of ['a', 'b']) await query.run(storage, db, account_id, { host });
        return sql<{
          statement: string;
        }>`select statement from pg_prepared_statements where statement like '%"host"%'`.execute(db);
      });
      expect(kept.rows.map(({ statement }) => statement)).toEqual([expect.stringContaining('"host", "enabled"')]);
    },
  );

  it('is rejected by the account guard if it does not name its account', async () => {
    const { app, account } = await startApi();
    const { storage } = app;
    const all = new PreparedQuery((db, _account, param: (name: 'host') => never) =>
      db.selectFrom('urls').selectAll().where('host', '=', param('host')),
    );
    const { account_id } = account;
    await expect(all.run(storage, storage.reader(account_id), account_id, { host: 'a' })).rejects.toThrow(
      'does not name its account',
    );
  });
});
