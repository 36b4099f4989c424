import { sql } from 'kysely';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createEmptyDatabase, engine, type TestDatabase } from '../../test/engine.ts';
import type { AppContext } from '../context.ts';
import { recountAccounts } from '../features/results/counts/recount-accounts.ts';
import { createAuthenticate } from '../features/team/accounts/authenticate.ts';
import { createFirstAccount } from '../features/team/accounts/create-account.ts';
import { hashSecret } from '../features/team/secrets/secret.ts';
import { createLog } from '../log/log.ts';
import { openAppContext } from '../serve.ts';
import { readSettings } from '../settings/settings.ts';
import { kindOfTable, splitForeignKeys } from './migrate.ts';
import { migrations } from './migrations/index.ts';
import type { Migration, MigrationStep } from './migrations/migration.ts';
import { requireSpace } from './migrations/require-space.ts';
import { tables } from './schema.ts';
import { sqliteColumnTypes } from './sqlite/sqlite-schema.ts';
import type { Storage } from './storage.ts';

const NODES = 8;

async function testDatabase(): Promise<TestDatabase> {
  const database = await createEmptyDatabase();
  onTestFinished(() => database.remove());
  return database;
}

/** Starts a node: its storage is open and migrated. */
async function startNode(database: TestDatabase): Promise<AppContext> {
  const app = await openAppContext(readSettings(database.env), createLog('silent'));
  onTestFinished(() => app.storage.close());
  return app;
}

function startNodes(database: TestDatabase): Promise<AppContext[]> {
  return Promise.all(Array.from({ length: NODES }, () => startNode(database)));
}

async function appliedTo(storage: Storage): Promise<string[]> {
  const rows = await storage.reader(null).selectFrom('migrations').select('name').orderBy('name').execute();
  return rows.map((row) => row.name).filter((name) => name !== '');
}

async function tablesOf(storage: Storage): Promise<string[]> {
  const query =
    engine === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'`
      : sql<{ name: string }>`select tablename as name from pg_tables where schemaname = current_schema()`;
  const { rows } = await query.execute(storage.reader(null));
  return rows.map((row) => row.name).sort();
}

async function addAccount(storage: Storage): Promise<void> {
  await storage.write(null, (db) =>
    db.insertInto('accounts').values({ id: 'kept', name: 'Kept', token: 'kept', updated_at: 1 }).execute(),
  );
}

/** Adds a migration for one test only. */
function addMigration(name: string, steps: MigrationStep[]): void {
  migrations[name] = () => steps;
  onTestFinished(() => {
    delete migrations[name];
  });
}

describe('migrate', () => {
  it('runs once when many nodes start together on an empty database', async () => {
    const nodes = await startNodes(await testDatabase());
    expect(nodes).toHaveLength(NODES);
    for (const { storage } of nodes) expect(await appliedTo(storage)).toEqual(Object.keys(migrations));
  });

  it('changes nothing the second time', async () => {
    const { storage } = await startNode(await testDatabase());
    await addAccount(storage);
    const before = { applied: await appliedTo(storage), schema: await storage.dumpSchema() };
    await storage.migrate();
    await storage.migrate();
    expect({ applied: await appliedTo(storage), schema: await storage.dumpSchema() }).toEqual(before);
    expect(await storage.reader(null).selectFrom('accounts').select('name').execute()).toEqual([{ name: 'Kept' }]);
  });

  it('rolls back a step that fails, and applies all of it the next time', async () => {
    const { storage } = await startNode(await testDatabase());
    const before = { applied: await appliedTo(storage), tables: await tablesOf(storage) };
    addMigration('9998-fine', ['create table fine (id text)']);
    addMigration('9999-broken', ['create table half (id text)', 'create table broken (']);
    await expect(storage.migrate()).rejects.toThrow();
    expect({ applied: await appliedTo(storage), tables: await tablesOf(storage) }).toEqual(before);
    addMigration('9999-broken', ['create table half (id text)', 'create table mended (id text)']);
    await storage.migrate();
    expect(await appliedTo(storage)).toEqual([...before.applied, '9998-fine', '9999-broken']);
    expect(await tablesOf(storage)).toEqual([...before.tables, 'fine', 'half', 'mended'].sort());
  });

  it('is rejected when a newer version has changed the schema, and changes nothing', async () => {
    const { storage } = await startNode(await testDatabase());
    await storage.write(null, (db) => db.insertInto('migrations').values({ name: '9999-later' }).execute());
    const setVersion = (value: string) =>
      storage.write(null, (db) =>
        db.updateTable('installation').set({ value }).where('name', '=', 'schema_version').execute(),
      );
    addMigration('9998-own', ['create table own (id text)']);
    const before = { applied: await appliedTo(storage), tables: await tablesOf(storage) };
    await expect(storage.migrate()).rejects.toThrow(
      /^this is Usher \S+, and a newer version .* \(9999-later\): start the version that it ran with or a newer one/,
    );
    await setVersion('987.6.5');
    await expect(storage.migrate()).rejects.toThrow('start 987.6.5 or a newer one');
    expect({ applied: await appliedTo(storage), tables: await tablesOf(storage) }).toEqual(before);
  });

  it('applies only missing steps, and each once, when many nodes start together', async () => {
    const nodes = await startNodes(await testDatabase());
    addMigration('9999-counted', ['create table counted (id text)', "insert into counted (id) values ('once')"]);
    await Promise.all(nodes.map(({ storage }) => storage.migrate()));
    for (const { storage } of nodes) {
      const { rows } = await sql`select id from counted`.execute(storage.reader(null));
      expect(rows).toEqual([{ id: 'once' }]);
    }
  });
});

it('migration 0006 turns numbers of showings into times', async () => {
  const { storage } = await startNode(await testDatabase());
  const { '0006-script': step } = migrations;
  const [visit, of] = [Date.UTC(2029, 3, 7), { account_id: 'kept', profile_id: 'ann', experience_id: 'tour' }];
  const updates =
    step?.({
      id: 'text',
      time: 'bigint',
      json: 'text',
      bytes: 'bytea',
      indexJson: () => [],
      millisOfId: String,
      onSqlite: () => [],
      onPostgres: () => [],
    }) ?? [];
  await storage.write('kept', async (db) => {
    const who = {
      account_id: 'kept',
      id: 'ann',
      updated_at: 1,
      uid: 'ann',
      percent: 1,
      custom: '{}',
      delivery_ids: '[]',
    };
    await db.insertInto('profiles').values(who).execute();
    const moments = { showing_from: 0, showing_to: visit * 1000 + 2, displayed_to: visit * 1000 };
    await db
      .insertInto('interactions')
      .values({ ...of, id: 'one', updated_at: 1, state: 'started', ...moments })
      .execute();
    const answer = { ...of, id: 'one', updated_at: 1, showing_from: visit * 1000 + 1 };
    await db.insertInto('responses').values(answer).execute();
  });
  addMigration(
    '9999-again',
    updates.filter((one) => typeof one === 'string' && one.startsWith('update')),
  );
  await storage.migrate();
  const reader = storage.reader('kept');
  const [interaction] = await reader
    .selectFrom('interactions')
    .select(['showing_from', 'showing_to', 'displayed_to'])
    .where('account_id', '=', 'kept')
    .execute();
  expect(interaction).toEqual({ showing_from: 0, showing_to: visit + 2, displayed_to: visit });
  const answers = reader.selectFrom('responses').select('showing_from').where('account_id', '=', 'kept');
  expect(await answers.execute()).toEqual([{ showing_from: visit + 1 }]);
});

it('migration 0013 turns the answers of one user and showing into one Response', async () => {
  // The index of answers needs their table.
  const { '0013-responses': step, ...others } = migrations;
  const setMigrations = (all: Record<string, Migration>) => {
    for (const name of Object.keys(migrations)) delete migrations[name];
    Object.assign(migrations, Object.fromEntries(Object.entries(all).sort()));
  };
  if (!step) throw new Error('the migration has another name');
  onTestFinished(() => setMigrations({ ...others, '0013-responses': step }));
  // Later ones need the table of answers.
  setMigrations(Object.fromEntries(Object.entries(others).filter(([name]) => name < '0037')));
  const { storage } = await startNode(await testDatabase());
  const who = {
    account_id: 'kept',
    id: 'ann',
    updated_at: 1,
    uid: 'ann',
    percent: 1,
    custom: '{}',
    delivery_ids: '[]',
  };
  await storage.write('kept', async (db) => {
    await db.insertInto('profiles').values(who).execute();
    const of = { account_id: 'kept', profile_id: 'ann', updated_at: 1 };
    const ended = { ...of, id: '1', experience_id: 'asks', completed_at: 70, showing_from: 50 };
    await db
      .insertInto('interactions')
      .values([
        { ...ended, state: 'completed' },
        { ...of, id: '2', experience_id: 'goes on', state: 'started', showing_from: 0 },
      ])
      .execute();
  });
  const columns = `account_id, profile_id, experience_id, id, updated_at, showing_from, step_id, button_id, button_index,
    value, input`;
  const stored = [
    "'asks', '1', 11, 0, 'a', 'good', 1, null, 'Because'",
    "'asks', '2', 12, 0, 'b', null, 9, '9', null",
    "'asks', '3', 10, 0, 'c', null, 0, 'Ads', null",
    "'asks', '4', 60, 50, 'a', 'bad', 0, null, null",
    "'goes on', '5', 80, 0, 'x', null, null, null, 'Text'",
  ].map((values) => `insert into responses (${columns}) values ('kept', 'ann', ${values})`);
  setMigrations({ ...others, '0012-zzz': () => stored, '0013-responses': step });
  await storage.migrate();
  const reader = storage.reader('kept');
  const responses = reader.selectFrom('responses').where('account_id', '=', 'kept').orderBy('id');
  expect(await responses.select(['id', 'updated_at', 'finished_at', 'showing_from']).execute()).toEqual([
    { id: '1', updated_at: 12, finished_at: 12, showing_from: 0 },
    { id: '4', updated_at: 60, finished_at: 70, showing_from: 50 },
    { id: '5', updated_at: 80, finished_at: null, showing_from: 0 },
  ]);
  const answers = reader
    .selectFrom('answers')
    .where('account_id', '=', 'kept')
    .orderBy('response_id')
    .orderBy('step_id');
  const rows = await answers.selectAll().execute();
  expect(rows.map((row) => [row.response_id, row.question_order, row.button_text, row.value, row.input])).toEqual([
    ['1', 0, null, null, 'Because'],
    ['1', 1, '9', '9', null],
    ['1', 2, null, 'Ads', null],
    ['4', 0, null, null, null],
    ['5', 0, null, null, 'Text'],
  ]);
  expect(rows[0]).toMatchObject({ profile_id: 'ann', experience_id: 'asks', button_id: 'good', button_index: 1 });
});

/** Starts a node of an earlier version. Its `upgrade` runs statements, then the migrations from `first` on. */
async function startBefore(first: string) {
  const all = { ...migrations };
  const setMigrations = (wanted: Record<string, Migration>) => {
    for (const name of Object.keys(migrations)) delete migrations[name];
    Object.assign(migrations, wanted);
  };
  onTestFinished(() => setMigrations(all));
  const earlier = Object.fromEntries(Object.entries(all).filter(([name]) => name < first));
  setMigrations(earlier);
  const app = await startNode(await testDatabase());
  const upgrade = async (statements: string[]) => {
    setMigrations({ ...earlier, [`${Object.keys(earlier).at(-1)}-zzz`]: () => statements, ...all });
    await app.storage.migrate();
  };
  return { app, upgrade };
}

it('migration 0018 turns administrators with the same email into one person, and keeps their secrets', async () => {
  const { app, upgrade } = await startBefore('0018');
  const { storage } = app;
  const [first, second] = ['1'.repeat(24), '2'.repeat(24)];
  const ids = ['a', 'b', 'c', 'd', 'e'].map((letter) => letter.repeat(24));
  const secret = 'usher_secret_of_an_earlier_version';
  const admins = [
    `('${ids[0]}', '${first}', 'ann', 'Ann@Acme.test', 'owner', null, 7)`,
    `('${ids[1]}', '${second}', 'Ann Lee', 'ann@acme.TEST', 'viewer', 'scrypt$1$a$b', 8)`,
    `('${ids[2]}', '${second}', 'bob', 'bob@acme.test', 'owner', 'scrypt$1$c$d', 9)`,
    // An account could have one email in two spellings.
    `('${ids[3]}', '${first}', 'ann2', 'ann@acme.test', 'editor', null, 9)`,
    `('${ids[4]}', '${first}', 'ann3', 'ANN@acme.test', 'viewer', null, 9)`,
  ];
  await upgrade([
    `insert into accounts (id, name, token, updated_at) values ('${first}', 'One', 'one', 1), ('${second}', 'Two', 'two', 1)`,
    `insert into admins (id, account_id, name, email, role, password_hash, updated_at) values ${admins.join(', ')}`,
    `insert into secrets (id, account_id, admin_id, name, hash, updated_at)
      values ('${'9'.repeat(24)}', '${first}', '${ids[3]}', 'old', '${hashSecret(secret)}', 3)`,
  ]);
  const db = storage.reader(null);
  const people = await db.selectFrom('people').selectAll().orderBy('id').execute();
  expect(
    people.map(({ id, name, email, email_key, password_hash }) => [id, name, email, email_key, password_hash]),
  ).toEqual([
    [ids[0], 'ann', 'Ann@Acme.test', 'ann@acme.test', 'scrypt$1$a$b'],
    [ids[2], 'bob', 'bob@acme.test', 'bob@acme.test', 'scrypt$1$c$d'],
    [ids[3], 'ann2', 'ann@acme.test', 'ann@acme.test 2', null],
    [ids[4], 'ann3', 'ANN@acme.test', 'ann@acme.test 3', null],
  ]);
  const rows = await db.selectFrom('admins').selectAll().orderBy('id').execute();
  expect(
    rows.map(({ id, account_id, person_id, role, removed_at }) => [id, account_id, person_id, role, removed_at]),
  ).toEqual([
    [ids[0], first, ids[0], 'owner', null],
    [ids[1], second, ids[0], 'viewer', null],
    [ids[2], second, ids[2], 'owner', null],
    [ids[3], first, ids[3], 'editor', null],
    [ids[4], first, ids[4], 'viewer', null],
  ]);
  const caller = await createAuthenticate(app)(secret);
  expect(caller).toMatchObject({
    account: { id: first },
    actor: { id: ids[3], role: 'editor', secret: { scope: 'all' } },
  });
  const account = await db.selectFrom('accounts').select('who_may_publish').where('id', '=', first).executeTakeFirst();
  expect(account).toEqual({ who_may_publish: 'editors' });
});

it('migration 0024 lists what the draft of each Experience names, once', async () => {
  const { app, upgrade } = await startBefore('0024');
  const draft = (named: object) =>
    JSON.stringify({ segment_ids: [], excluded_segment_ids: [], url_group_ids: [], tag_ids: [], ...named });
  const drafts: [id: string, kind: string, draft: string][] = [
    [
      'tour',
      'tour',
      draft({ segment_ids: ['pro', 'new'], excluded_segment_ids: ['pro'], tag_ids: ['red'], steps: [] }),
    ],
    ['menu', 'launcher', draft({ url_group_ids: ['live'], items: [{ segment_id: 'pro' }, { segment_id: null }, {}] })],
    ['bare', 'tour', draft({ items: null })],
  ];
  await upgrade(
    drafts.map(
      ([id, kind, json]) =>
        `insert into experiences (account_id, id, updated_at, kind, draft, captures) values ('kept', '${id}', 1, '${kind}', '${json}', '{}')`,
    ),
  );
  const uses = await app.storage
    .reader('kept')
    .selectFrom('experience_uses')
    .select(['experience_id', 'used_id'])
    .where('account_id', '=', 'kept')
    .orderBy('experience_id')
    .orderBy('used_id')
    .execute();
  expect(uses.map(({ experience_id, used_id }) => `${experience_id} ${used_id}`)).toEqual([
    'menu live',
    'menu pro',
    'tour new',
    'tour pro',
    'tour red',
  ]);
});

describe('splitForeignKeys', () => {
  const types = {
    id: 'text',
    time: 'bigint',
    json: 'jsonb',
    bytes: 'bytea',
    indexJson: () => [],
    millisOfId: String,
    onSqlite: () => [],
    onPostgres: () => [],
  };
  const creates = Object.values(migrations)
    .flatMap((steps) => steps(types))
    .filter((step) => typeof step === 'string')
    .filter((statement) => statement.startsWith('create table '));

  it('creates every table without its own foreign keys, and adds each of them afterwards', () => {
    const count = (text: string) => text.split('foreign key').length - 1;
    const keys = creates.map((statement) => {
      const { create, foreignKeys } = splitForeignKeys(statement, false);
      expect(count(create), create).toBe(0);
      expect(foreignKeys).toHaveLength(count(statement));
      for (const key of foreignKeys) expect(statement).toContain(key);
      return foreignKeys;
    });
    expect(keys.flat()).toContain('foreign key (account_id, profile_id) references profiles (account_id, id)');
  });

  it('keeps what follows a foreign key and its options', () => {
    const table = `create table orders (
      account_id text not null references accounts (id),
      constraint by_user foreign key (account_id, user_id) references users (account_id, id) on delete cascade,
      primary key (account_id)
    )`;
    const foreignKeys = [
      'constraint by_user foreign key (account_id, user_id) references users (account_id, id) on delete cascade',
    ];
    const create = (references: string) => `create table orders (
      account_id text not null${references},
      primary key (account_id)
    )`;
    expect(splitForeignKeys(table, false)).toEqual({ create: create(' references accounts (id)'), foreignKeys });
    expect(splitForeignKeys(table, true)).toEqual({ create: create(''), foreignKeys });
  });

  it('keeps column references of global tables to global tables only', () => {
    const kept = creates.flatMap((statement) => {
      const name = /^create table (\w+)/.exec(statement)?.[1] ?? '';
      const isTenant = kindOfTable(name) === 'tenant';
      const { create } = splitForeignKeys(statement, isTenant);
      return Array.from(create.matchAll(/references (\w+)/g), ([, to = '']) => ({ name, isTenant, to }));
    });
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.filter(({ isTenant, to }) => isTenant || kindOfTable(to) !== 'global')).toEqual([]);
  });
});

describe('the first account', () => {
  it('is created once by nodes that start together, with the secret that was printed', async () => {
    const database = await testDatabase();
    const started = await Promise.all(
      Array.from({ length: NODES }, async (_, index) => {
        const app = await startNode(database);
        return { app, account: await createFirstAccount(app, { name: `Node ${index}`, email: 'owner@localhost' }) };
      }),
    );
    const created = started.flatMap(({ account }) => account ?? []);
    expect(created).toHaveLength(1);
    for (const { app } of started) {
      const reader = app.storage.reader(null);
      expect(await reader.selectFrom('accounts').select('id').execute()).toEqual([{ id: created[0]?.account_id }]);
      expect(await reader.selectFrom('admins').select('id').execute()).toEqual([{ id: created[0]?.user_id }]);
      expect(await reader.selectFrom('secrets').select('id').execute()).toHaveLength(1);
      const caller = await createAuthenticate(app)(created[0]?.account_secret);
      expect(caller.account.id).toBe(created[0]?.account_id);
    }
  });

  it('is not created if there is one already', async () => {
    const app = await startNode(await testDatabase());
    await addAccount(app.storage);
    expect(await createFirstAccount(app, { name: 'Second', email: 'owner@localhost' })).toBeUndefined();
    expect(await app.storage.reader(null).selectFrom('accounts').select('id').execute()).toEqual([{ id: 'kept' }]);
  });
});

it('lists every table as a tenant table or a global table', async () => {
  const { storage } = await startNode(await testDatabase());
  const listed = [...Object.keys(tables), 'migrations'].sort();
  expect(await tablesOf(storage)).toEqual(listed);
});

describe.runIf(engine === 'postgres')("the schema in PostgreSQL's catalogs", () => {
  interface Key {
    table: string;
    kind: 'primary' | 'unique' | 'foreign';
    columns: string[];
    target: string | null;
  }
  const tenantTables = Object.keys(tables).filter((name) => tables[name as keyof typeof tables] === 'tenant');
  let keys: Key[];

  beforeAll(async () => {
    const database = await createEmptyDatabase();
    const { storage } = await openAppContext(readSettings(database.env), createLog('silent'));
    const { rows } = await sql<Key>`
      select i.indrelid::regclass::text as table, case when i.indisprimary then 'primary' else 'unique' end as kind,
        array(select coalesce(a.attname::text, '(expression)') from unnest(i.indkey) with ordinality as k (attnum, place)
          left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum order by k.place) as columns,
        null as target
      from pg_index i join pg_class c on c.oid = i.indrelid
      where i.indisunique and c.relnamespace = current_schema()::regnamespace
      union all
      select conrelid::regclass::text, 'foreign',
        array(select a.attname::text from unnest(conkey) with ordinality as k (attnum, place)
          join pg_attribute a on a.attrelid = conrelid and a.attnum = k.attnum order by k.place),
        confrelid::regclass::text
      from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace`.execute(
      storage.reader(null),
    );
    keys = rows;
    await storage.close();
    await database.remove();
  });

  it.each(tenantTables)('%s: primary and unique keys start with account_id', (table) => {
    const unique = keys.filter((key) => key.table === table && key.kind !== 'foreign');
    expect(unique.filter((key) => key.kind === 'primary')).toHaveLength(1);
    expect(unique.filter((key) => key.columns[0] !== 'account_id')).toEqual([]);
  });

  it.each(tenantTables)('%s: foreign keys include account_id, and none is to a global table', (table) => {
    const foreign = keys.filter((key) => key.table === table && key.kind === 'foreign');
    expect(foreign.filter((key) => !key.columns.includes('account_id'))).toEqual([]);
    expect(foreign.filter((key) => kindOfTable(key.target ?? '') !== 'tenant')).toEqual([]);
  });

  it('no global table references a tenant table', () => {
    const wrong = keys.filter(
      (key) => key.kind === 'foreign' && tenantTables.includes(key.target ?? '') && !tenantTables.includes(key.table),
    );
    expect(wrong).toEqual([]);
  });
});

it.runIf(engine === 'sqlite')(
  'migration 0037 needs space for the tables that are written again, before it begins',
  async () => {
    const { storage } = await startNode(await testDatabase());
    await storage.write(null, async (db) => {
      const [first] = migrations['0037-counts']?.(sqliteColumnTypes) ?? [];
      expect(typeof first).toBe('function');
      const check = (...names: string[]) => requireSpace(db, names, () => 5000);
      await check();
      await expect(check('activities')).rejects.toThrow(
        /needed for a while, and 1 MB are free\. Free some space, or move the backup/,
      );
    });
  },
);

it('migrations 0039 and 0042 keep all rows', async () => {
  const { app, upgrade } = await startBefore('0039');
  await addAccount(app.storage);
  const keys = Array.from({ length: 300 }, (_, at) => ({ at, id: `${(at * 7919) % 1009}`.padStart(24, '0') }));
  const who = `insert into profiles (account_id, id, updated_at, uid, percent, custom) values ('kept', 'ann', 1, 'ann', 1, '{}')`;
  const rows: [table: string, columns: string, values: (at: number, id: string) => string][] = [
    ['profile_events', 'profile_id, name, count, first_at, last_at', (at, id) => `'ann', '${id}', ${at}, 1, 2`],
    [
      'events',
      'profile_id, id, name, custom, idempotency_key',
      (at, id) => `'ann', '${id}', 'n', '{"a":1}', 'k ${at}'`,
    ],
    [
      'findings',
      'profile_id, experience_id, day, part_id, path, finding, at, browser',
      (at, id) => `'ann', '${id}', ${at}, 'p', '/', 'seen', 3, 'Firefox'`,
    ],
    ['change_properties', 'property, change_id, experience_id', (at, id) => `'p', '${id}', '${at}'`],
    ['experience_uses', 'used_id, experience_id', (at, id) => `'${id}', '${at}'`],
    ['visited_paths', 'day, host, path, count, last_seen_at', (at, id) => `${at}, 'h', '/${id}', 4, 5`],
    ['page_counts', 'day, what, count', (at, id) => `${at}, '${id}', 6`],
  ];
  const insert = rows.flatMap(([table, columns, values]) =>
    keys.map(({ at, id }) => `insert into ${table} (account_id, ${columns}) values ('kept', ${values(at, id)})`),
  );
  await upgrade([who, ...insert]);
  for (const [table, columns, values] of rows) {
    const expected = keys.map(({ at, id }) => `(${columns}) = (${values(at, id)})`);
    const found = sql<{
      count: number;
    }>`select count(*) as count from ${sql.table(table)} where account_id = ${'kept'}`;
    const reader = app.storage.reader('kept');
    expect(Number((await found.execute(reader)).rows[0]?.count)).toBe(300);
    const last = sql.raw(expected.at(-1) ?? '');
    expect(Number((await sql<{ count: number }>`${found} and ${last}`.execute(reader)).rows[0]?.count)).toBe(1);
  }
  if (engine === 'sqlite')
    expect(await app.storage.dumpSchema()).toMatch(
      /CREATE TABLE events \([^;]*primary key \(account_id, profile_id, id\),[^;]*\) without rowid;/,
    );
});

it('migration 0037 keeps what users did, and the next start counts it', async () => {
  const { app, upgrade } = await startBefore('0037');
  const { storage } = app;
  const [ann, bob, test] = ['a', 'b', 'c'].map((letter) => letter.repeat(24));
  const did = [
    [ann, 10, 'started'],
    [ann, 12, 'started'],
    [ann, 12, 'displayed'],
    [bob, 12, 'started'],
    [test, 12, 'started'],
  ];
  const at = `00000e10${'0'.repeat(16)}`;
  await upgrade([
    "insert into accounts (id, name, token, updated_at) values ('kept', 'Kept', 'kept', 1)",
    ...[ann, bob, test].map(
      (id) => `insert into profiles (account_id, id, updated_at, uid, percent, custom, is_test)
        values ('kept', '${id}', 1, '${id}', 1, '{}', ${id === test})`,
    ),
    ...did.map(
      ([id, day, what]) => `insert into activities (account_id, experience_id, day, what, part_id, profile_id)
        values ('kept', 'tour', ${day}, '${what}', '', '${id}')`,
    ),
    `insert into interactions (account_id, id, updated_at, experience_id, profile_id, state, started_at)
      values ('kept', '1', 1, 'tour', '${ann}', 'started', 7)`,
    `insert into answers (account_id, response_id, step_id, profile_id, experience_id, question_order, value)
      values ('kept', '${at}', 'nps', '${ann}', 'survey', 0, '9')`,
  ]);
  const read = (table: 'activities' | 'activity_counts' | 'score_counts' | 'experience_counts') =>
    storage
      .reader('kept')
      .selectFrom(table as 'activity_counts')
      .selectAll()
      .where('account_id', '=', 'kept')
      .execute();
  expect(await read('activities')).toHaveLength(did.length);
  await recountAccounts(storage, Date.now(), createLog('silent'));
  const counts = (await read('activity_counts')).map((row) => [row.day, row.previous_day, row.what, row.count]);
  expect(counts.sort()).toEqual(
    [
      [10, -1, 'started', 1],
      [12, -1, 'started', 1],
      [12, 10, 'started', 1],
      [12, -1, 'displayed', 1],
      [10, -1, 'shown', 1],
      [12, -1, 'shown', 1],
      [12, 10, 'shown', 1],
    ].sort(),
  );
  expect(await read('score_counts')).toMatchObject([{ step_id: 'nps', value: '9', day: 0, count: 1 }]);
  expect(await read('experience_counts')).toMatchObject([{ started_count: 1, last_started_at: 7, exited_count: 0 }]);
  // On PostgreSQL, nodes of the version before may still store what is not counted.
  const { recount_at } = await storage
    .reader(null)
    .selectFrom('accounts')
    .select('recount_at')
    .executeTakeFirstOrThrow();
  expect(recount_at !== null).toBe(engine === 'postgres');
});
