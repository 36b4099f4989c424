import { readFileSync } from 'node:fs';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { startApi } from '../../../test/api.ts';
import { createCitusStandIn, type StandIn } from '../../../test/citus-stand-in.ts';
import { engine } from '../../../test/engine.ts';
import { openDomain, visit } from '../../../test/visiting.ts';
import { runCommand } from '../../cli/cli.ts';
import type { CreatedAccount } from '../../features/team/accounts/create-account.ts';
import { createLog } from '../../log/log.ts';
import { forEachAccount } from '../for-each-account.ts';
import { migrations } from '../migrations/index.ts';
import type { Migration } from '../migrations/migration.ts';
import { openStorage } from '../open-storage.ts';
import { tables } from '../schema.ts';
import type { Storage } from '../storage.ts';

const tenantTables = Object.keys(tables).filter((name) => tables[name as keyof typeof tables] === 'tenant');

function open({ url }: StandIn): Storage {
  const storage = openStorage({ databaseUrl: url }, createLog('silent'));
  onTestFinished(() => storage.close());
  return storage;
}

async function distributedTables({ run }: StandIn): Promise<string[]> {
  const rows = await run<{ name: string }>(`select logicalrelid::text as name from citus.pg_dist_partition`);
  return rows.map(({ name }) => name).sort();
}

describe.runIf(engine === 'postgres' && inject('canCopyDatabases'))('migrations on Citus', () => {
  it('distribute the tables of accounts and no other, with the schema of PostgreSQL', async () => {
    const database = await createCitusStandIn();
    const storage = open(database);
    await storage.migrate();
    expect(await distributedTables(database)).toEqual([...tenantTables].sort());
    const committed = readFileSync(new URL('../schema.postgres.sql', import.meta.url), 'utf8');
    expect(await storage.dumpSchema()).toBe(committed);
  });

  it('replace the copies that earlier versions have put on every worker', async () => {
    const database = await createCitusStandIn();
    const storage = open(database);
    await storage.migrate();
    const copied = [...Object.keys(tables).filter((name) => !tenantTables.includes(name)), 'published_versions'];
    await database.run(`
      delete from citus.pg_dist_partition where logicalrelid = 'published_versions'::regclass;
      insert into citus.pg_dist_partition select name::regclass, 'n', 't' from unnest('{${copied}}'::text[]) as name;
      alter table urls add constraint urls_account_id_fkey foreign key (account_id) references accounts (id);
      create table other (id text primary key);
      insert into citus.pg_dist_partition values ('other'::regclass, 'n', 't')`);
    await storage.migrate();
    expect(await distributedTables(database)).toEqual(['other', ...tenantTables].sort());
  });

  it('would fail with a statement that Citus rejects', async () => {
    const database = await createCitusStandIn();
    await open(database).migrate();
    for (const statement of [
      'alter table tags add foreign key (account_id) references accounts (id)',
      'alter table links add foreign key (account_id, role) references tags (account_id, id)',
      'create unique index tags_by_id on tags (id)',
      'alter table tags add column color text check (color > $$$$)',
      'create trigger keep before delete on tags for each row execute function suppress_redundant_updates_trigger()',
      'create rule keep as on delete to tags do instead nothing',
      'alter table tags drop column account_id cascade',
    ])
      await expect(database.run(statement), statement).rejects.toThrow(/^Citus rejects/);
  });

  it('would fail with a new table that Citus cannot distribute, and change nothing', async () => {
    const all = { ...migrations };
    onTestFinished(() => setMigrations(all));
    const { '0025-picks': _, '0054-tried-themes': __, ...others } = all;
    const wrong = 'create table picks (account_id text, person_id text references people)';
    setMigrations({ ...others, '9999-wrong': () => [wrong] });
    const database = await createCitusStandIn();
    await expect(open(database).migrate()).rejects.toThrow(/^Citus rejects the foreign keys of picks/);
    expect(await distributedTables(database)).toEqual([]);
  });
});

describe.runIf(engine === 'postgres' && inject('canCopyDatabases'))('a worker of Citus that is unavailable', () => {
  async function startOnWorkers() {
    const database = await createCitusStandIn();
    await open(database).migrate();
    const url = await database.addWorkers();
    const api = await startApi({ env: { DATABASE_URL: url } });
    await database.run(`insert into citus.moved_accounts values ('${api.other.account_id}')`);
    const webhooks: { account_id: string; id: string }[] = [];
    for (const as of [api.account, api.other]) {
      await openDomain(api, as);
      await visit(api, { uid: 'ann' }, { as });
      const { account_id } = as;
      const { body } = await api.post(
        '/v3/edit/webhooks',
        { url: 'https://hook.example.com', topics: ['tour.*'] },
        { as },
      );
      await api.post(`/v3/edit/webhooks/${body.webhook.id}/ping`, undefined, { as });
      webhooks.push({ account_id, id: body.webhook.id });
    }
    const lose = (worker: number) => database.run(`insert into citus.lost_workers values (${worker})`);
    const bringBack = () => database.run('delete from citus.lost_workers');
    return { api, url, webhooks, lose, bringBack };
  }

  it('affects only the accounts on it', async () => {
    const { api, url, webhooks, lose, bringBack } = await startOnWorkers();
    const statusesOf = async (as: CreatedAccount) => [
      (await visit(api, { uid: 'ann' }, { as })).status,
      (await api.patch('/v3/edit/account', { name: `New ${api.app.newId()}` }, { as })).status,
      (await api.get('/v3/analyze/profiles', { as })).status,
    ];
    const due = () => api.app.storage.dueWebhooks.list(Date.now(), null);
    const count = async () => (await api.app.storage.dueWebhooks.count(Date.now())).due;
    const ready = async () => (await api.get('/readyz', { as: null })).body;
    const all = { due: expect.arrayContaining(webhooks), count: 2, ready: { status: 'ready' } };
    expect({ due: await due(), count: await count(), ready: await ready() }).toEqual(all);

    await lose(2);
    expect(await statusesOf(api.account)).toEqual([200, 200, 200]);
    expect(await statusesOf(api.other)).toEqual([503, 503, 503]);
    expect(await due()).toEqual([webhooks[0]]);
    expect(await count()).toBe(1);
    expect(await api.app.storage.dueWebhooks.countDisabled()).toBe(0);
    expect(await ready()).toEqual({ status: 'ready', unavailable: ['database worker 3'] });
    let report = '';
    const print = (text: string) => {
      report += text;
    };
    const env = { ...api.database.env, DATABASE_URL: url };
    await runCommand(['doctor'], env, { print, printError: print, untilStopped: async () => {} });
    expect(report).toMatch(/^problem +storage +The coordinator of Citus cannot reach database worker 3: start it/m);
    const visited: string[] = [];
    const work = async (id: string) => {
      await api.app.storage.reader(id).selectFrom('webhooks').select('id').where('account_id', '=', id).execute();
      visited.push(id);
    };
    await expect(forEachAccount(api.app.storage, work)).rejects.toThrow('connection to the remote node failed');
    expect(visited).toEqual([api.account.account_id]);

    await bringBack();
    expect(await ready()).toEqual({ status: 'ready' });
    expect(await statusesOf(api.other)).toEqual([200, 200, 200]);
    expect({ due: await due(), count: await count(), ready: await ready() }).toEqual(all);
  });

  it('makes the server unready only if no worker is left', async () => {
    const { api, lose } = await startOnWorkers();
    await lose(1);
    expect((await api.get('/readyz', { as: null })).status).toBe(200);
    await lose(2);
    expect((await api.get('/readyz', { as: null })).status).toBe(503);
  });
});

function setMigrations(wanted: Record<string, Migration>): void {
  for (const name of Object.keys(migrations)) delete migrations[name];
  Object.assign(migrations, wanted);
}
