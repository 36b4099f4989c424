import { CompiledQuery, sql } from 'kysely';
import { describe, expect, inject, it } from 'vitest';
import { startApi } from '../../test/api.ts';
import { PreparedStatement } from './prepared-statement.ts';

const hosts = new PreparedStatement<{ host: string; enabled: string }, 'host'>(
  'select host, enabled from urls where account_id = :account and host = :host',
);

describe('PreparedStatement', () => {
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
    const find = <Row>(statement: PreparedStatement<Row>) =>
      statement.find(storage, storage.reader(account_id), account_id, {});
    const first = new PreparedStatement('select host from urls where account_id = :account order by id');
    const whole = new PreparedStatement('select * from urls where account_id = :account order by id');
    const none = new PreparedStatement('select id from segments where account_id = :account');
    expect(await find(first)).toEqual({ host: 'a.example.com' });
    expect(await find(none)).toBeUndefined();
    const all = await whole.run(storage, storage.reader(account_id), account_id, {});
    expect(await find(whole)).toEqual(all[0]);
  });

  it('finds a row after the same statement has found none', async () => {
    const { app, account, post } = await startApi();
    const { account_id } = account;
    const values = { host: 'app.example.com' };
    const find = () => hosts.find(app.storage, app.storage.reader(account_id), account_id, values);
    const run = () => hosts.run(app.storage, app.storage.reader(account_id), account_id, values);
    for (const look of [find, run, find]) expect([await look()].flat().filter(Boolean)).toEqual([]);
    await post('/v3/edit/urls', values);
    for (const look of [find, run, find, run])
      expect([await look()].flat()).toEqual([{ host: 'app.example.com', enabled: 'on' }]);
  });

  it('writes after a query builder has run the same SQL', async () => {
    const { app, account, post, get } = await startApi();
    const { storage } = app;
    const { account_id } = account;
    await post('/v3/edit/urls', { host: 'app.example.com' });
    const sqlOf = (sign: string) => `update urls set enabled = ${sign}1 where account_id = ${sign}2`;
    const text = sqlOf(storage.dialect.engine === 'postgres' ? '$' : '?');
    for (const enabled of ['off', 'on', 'off']) {
      await storage.write(account_id, (db) => db.executeQuery(CompiledQuery.raw(text, ['test', account_id])));
      await storage.write(account_id, async (db) => storage.runSql(db, text, [enabled, account_id], false));
      expect((await get('/v3/edit/urls')).body.urls[0].enabled).toBe(enabled);
    }
  });

  it('works after an error', async () => {
    const { app, account } = await startApi();
    const { storage } = app;
    const { account_id } = account;
    const insert = new PreparedStatement<never, 'id' | 'name'>(
      'insert into tags (account_id, id, uid, name, created_at, updated_at) values (:account, :id, :name, :name, 0, 0)',
    );
    const add = (id: string) =>
      storage.write(account_id, (db) => insert.run(storage, db, account_id, { id, name: id }));
    await add('a');
    await expect(add('a')).rejects.toThrow();
    for (const id of ['b', 'c']) await expect(add(id)).resolves.toEqual([]);
  });

  it('writes in the transaction of its caller', async () => {
    const { app, account, post, get } = await startApi();
    const { storage } = app;
    await post('/v3/edit/urls', { host: 'app.example.com' });
    const change = new PreparedStatement<never, 'enabled'>(
      'update urls set enabled = :enabled where account_id = :account',
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
      const all = new PreparedStatement<unknown, 'host'>(
        'select * from urls where account_id = :account and host = :host',
      );
      const kept = await storage.write(null, async (db) => {
        for (const statement of [hosts, all])
          for (const host of ['a', 'b']) await statement.run(storage, db, account_id, { host });
        return sql<{
          statement: string;
        }>`select statement from pg_prepared_statements where statement like '%host = $%'`.execute(db);
      });
      expect(kept.rows.map(({ statement }) => statement)).toEqual([expect.stringContaining('host, enabled')]);
    },
  );

  it('is rejected by the account guard if it does not name its account', async () => {
    const { app, account } = await startApi();
    const { storage } = app;
    const { account_id } = account;
    for (const text of [
      'select * from urls where host = :host',
      'select * from urls where id = :account and host = :host',
      'select * from urls where account_id = :account or host = :host',
      'select * from urls where account_id = :host',
      'select urls.* from urls, tags where urls.account_id = :account and host = :host',
      'select id from tags where account_id = :account and exists (select id from tags where name = :host)',
      'insert into tags (account_id, name) values (:host, :host)',
      'insert into tags (name, account_id) values (:account, :host)',
      'insert into tags (account_id, name) values (:account, :host), (:host, :host)',
      'insert into tags (account_id, name) select :account, :host union select :host, :host',
      'insert into tags (account_id, name) values (:account, :host) on conflict (id) do update set account_id = :host',
    ]) {
      const statement = new PreparedStatement<unknown, 'host'>(text);
      const run = statement.run(storage, storage.reader(account_id), account_id, { host: 'a' });
      await expect(run, text).rejects.toThrow('does not name its account');
    }
  });

  it('is rejected if a param has no value', async () => {
    const { app, account } = await startApi();
    const { storage } = app;
    const statement = new PreparedStatement('select id from urls where account_id = :account and host = :hosst');
    const { account_id } = account;
    await expect(statement.run(storage, storage.reader(account_id), account_id, {})).rejects.toThrow(
      'no value for :hosst',
    );
  });
});
