import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import pg from 'pg';
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { compareAll, readAll } from '../../../../reliability/move/read-all.mjs';
import { callServer, createDatabase, type Env, newFolder, run, SECRET, start, usher } from '../../../test/backups.ts';
import { engine } from '../../../test/engine.ts';
import { usher as usherProcess } from '../../../test/run-process.ts';
import { addUserRows } from '../../../test/user-rows.ts';
import { describeProgress } from '../../cli/move-progress.ts';
import { createLog } from '../../log/log.ts';
import { openAppContext } from '../../serve.ts';
import { readSettings } from '../../settings/settings.ts';
import { openStorage } from '../open-storage.ts';
import { tables } from '../schema.ts';

const names = Object.keys(tables);
/** What moves to a JSON column, and has what the engines store differently. */
const json = {
  ...{ zz: 1, a: [1.5, 1e21, 5e-324, -0.1, 12345678901234567000, true, null], 10: 'ten', 9: 'nine', '': 'empty' },
  ...{ 'ünï "q" \\': 'line\nbreak \u0001 😀 \u2028', nested: { b: { d: [], c: {} }, a: '{"x": 1}' } },
};

/** Creates a SQLite database without an account. */
async function createSqlite(): Promise<Env> {
  const folder = newFolder();
  const storage = openStorage({ sqliteFile: join(folder, 'usher.db') }, createLog('silent'));
  await storage.migrate();
  await storage.close();
  return { USHER_DATA: folder };
}

function open({ USHER_DATA }: Env): Database.Database {
  const connection = new Database(join(USHER_DATA, 'usher.db'));
  onTestFinished(() => {
    connection.close();
  });
  return connection;
}

interface Column {
  name: string;
  type: string;
}

function columnsOf(connection: Database.Database, table: string): Column[] {
  return connection.prepare('select name, type from pragma_table_info(?)').all([table]) as Column[];
}

/** Inserts rows into every table, with a value in every column. IDs of the n-th row are those of the n-th row of all tables. */
function fill(env: Env, rows: number): void {
  const connection = open(env);
  connection.exec('begin');
  for (const table of names) {
    const columns = columnsOf(connection, table);
    const insert = connection.prepare(
      `insert into "${table}" (${columns.map(({ name }) => `"${name}"`)}) values (${columns.map(() => '?')})`,
    );
    for (let n = 0; n < rows; n++) insert.run(columns.map((column) => fillerOf(column, n)));
  }
  connection.exec('commit');
}

function fillerOf({ name, type }: Column, n: number) {
  const kind = type.toLowerCase();
  if (kind === 'jsontext') return JSON.stringify({ ...json, n, list: Array.from({ length: n }, (_, at) => at) });
  if (kind === 'boolean') return n % 2;
  if (kind === 'blob') return Buffer.from(Array.from({ length: 256 }, (_, at) => (at + n) % 256));
  if (kind === 'bigint') return BigInt('9007199254740993') + BigInt(n);
  if (kind === 'double precision') return [0.1 + 0.2, 1e21, 1 / 3][n % 3];
  if (kind === 'integer') return n < 3 ? 2_000_000_000 + n : n;
  return /(^|_)id$|^created_by$/.test(name) ? `r${n}` : `${name} {"${n}",\\ 'ü😀'\n`;
}

/** Reads every row with the database's own functions, and not with the code that moves rows. */
function readAllRows(env: Env): Record<string, unknown[]> {
  const connection = open(env);
  return Object.fromEntries(
    names.map((table) => {
      const columns = columnsOf(connection, table);
      const selected = columns.map(({ name, type }) =>
        /int/i.test(type) ? `cast("${name}" as text) as "${name}"` : `"${name}"`,
      );
      const rows = connection.prepare(`select ${selected} from "${table}"`).all([]) as Record<string, unknown>[];
      const isOwn = ({ name }: Record<string, unknown>) =>
        table !== 'installation' || !/^(sending_paused|moved_|gaps_|database_id)/.test(String(name));
      const parsed = rows.filter(isOwn).map((row) =>
        columns.map(({ name, type }) => {
          const value = row[name];
          if (type === 'jsontext' && typeof value === 'string') return JSON.parse(value);
          return Buffer.isBuffer(value) ? value.toString('hex') : value;
        }),
      );
      return [table, parsed.sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))];
    }),
  );
}

const move = async (env: Env, ...argv: string[]) => JSON.parse(await run(env, 'move', ...argv, '--json'));
const doctorOf = async (env: Env) => (await usher(env, 'doctor')).out;
const failsWith = async (env: Env, message: string, ...argv: string[]) => {
  const failed = await usher(env, ...argv);
  expect([failed.code > 0, failed.err]).toEqual([true, expect.stringContaining(message)]);
};
const queryPostgres = async (url: string, text: string) => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
};

describe.runIf(engine === 'postgres' && inject('canCopyDatabases'))('usher move', { timeout: 240_000 }, () => {
  const urlOf = ({ DATABASE_URL = '' }: Env) => DATABASE_URL;

  it('brings every row of every table to PostgreSQL and back', async () => {
    const original = await createSqlite();
    const rows = 120;
    fill(original, rows);
    const postgres = await createDatabase();
    const there = await move(original, '--to', urlOf(postgres));
    expect(there).toMatchObject({ tables: names.length, rows: expect.any(Number) });
    expect(there.rows).toBeGreaterThanOrEqual(names.length * rows);
    expect(there.replaced).toBeUndefined();
    const counts = await queryPostgres(
      urlOf(postgres),
      names.map((name) => `select '${name}' as name, count(*)::int as count from ${name}`).join(' union all '),
    );
    expect(counts.filter(({ count }) => count < rows)).toEqual([]);

    const folder = join(newFolder(), 'new');
    await move({ ...postgres, USHER_DATA: newFolder() }, '--to', folder);
    expect(readAllRows({ USHER_DATA: folder })).toEqual(readAllRows(original));
  });

  it('keeps servers and commands from the original, until the move is canceled', async () => {
    const original = await createSqlite();
    await (await start(original)).stop();
    const postgres = await createDatabase();
    await move(original, '--to', urlOf(postgres));
    await failsWith(original, 'was moved to postgres://', 'account', 'list');
    await expect(start(original)).rejects.toThrow('was moved to postgres://');
    expect(await doctorOf(original)).toContain('Everything in this database was moved to postgres://');
    await failsWith(original, 'was moved to postgres://', 'move', '--to', urlOf(postgres));
    const withKey = { ...postgres, USHER_DATA: original.USHER_DATA };
    expect(await run(withKey, 'webhooks', 'pause')).toContain('moved from');
    expect(await run(withKey, 'account', 'list')).toContain('Usher');
    expect(await run(original, 'move', 'cancel')).toContain('since');
    expect(await run(original, 'webhooks', 'pause')).toContain('moved to postgres://');
    await failsWith(original, 'there is nothing to cancel', 'move', 'cancel');

    const folder = newFolder();
    await move(withKey, '--to', folder);
    await failsWith(withKey, 'was moved to', 'account', 'list');
    await expect(queryPostgres(urlOf(postgres), 'create table other (id int)')).rejects.toThrow('read-only');
    expect(await doctorOf(withKey)).toContain(`Everything in this database was moved to ${folder}`);
    expect(await run({ USHER_DATA: folder }, 'account', 'list')).toContain('Usher');
    expect(readFileSync(join(folder, 'master.key'))).toEqual(readFileSync(join(original.USHER_DATA, 'master.key')));
    await run(withKey, 'move', 'cancel');
    expect(await run(withKey, 'account', 'list')).toContain('Usher');
    await queryPostgres(urlOf(postgres), 'create table other (id int)');
  });

  it('changes nothing when it cannot begin', async () => {
    const original = await createSqlite();
    const running = await start(original);
    const postgres = await createDatabase();
    await failsWith(original, 'another server uses the data folder', 'move', '--to', urlOf(postgres));
    await running.stop();
    await failsWith(original, 'in SQLite already', 'move', '--to', newFolder());
    await failsWith(postgres, 'on PostgreSQL already', 'move', '--to', urlOf(postgres));
    await failsWith(original, 'give the new database', 'move');
    await failsWith(original, 'give the new database', 'move', 'there');
    await failsWith({ USHER_DATA: newFolder() }, 'there is no database', 'move', '--to', urlOf(postgres));
    await queryPostgres(urlOf(postgres), 'create table other (id int)');
    await failsWith(original, 'is not empty', 'move', '--to', urlOf(postgres));
    const used = await createDatabase();
    await run(used, 'account', 'create', '--name', 'Acme', '--email', 'ann@acme.test');
    await failsWith(original, 'is not empty', 'move', '--to', urlOf(used));
    const folder = newFolder();
    writeFileSync(join(folder, 'master.key'), Buffer.alloc(32, 7).toString('base64'));
    await failsWith(used, 'is another master key', 'move', '--to', folder);
    expect(existsSync(join(folder, 'usher.db'))).toBe(false);
    const full = await createSqlite();
    fill(full, 1);
    copyFileSync(join(used.USHER_DATA, 'master.key'), join(full.USHER_DATA, 'master.key'));
    await failsWith(used, 'is not empty', 'move', '--to', full.USHER_DATA);
    expect(await run(original, 'account', 'list')).toContain('Usher');
    expect(await run(used, 'account', 'list')).toContain('Acme');
  });

  it('says which texts PostgreSQL cannot store, and replaces only those characters', async () => {
    const original = await createSqlite();
    fill(original, 2);
    const connection = open(original);
    const custom = '{"a":"x\\u0000y","b":"\\ud83d","c":"\\ud83d\\ude00","d":"\\\\u0000"}';
    connection.prepare(`update events set custom = ? where id = 'r0'`).run([custom]);
    connection.prepare(`update answers set input = 'a' || char(0) || 'b' where response_id = 'r1'`).run([]);
    const postgres = await createDatabase();
    const { replaced } = await move(original, '--to', urlOf(postgres));
    expect(replaced).toContain('answers.input (1)');
    expect(replaced).toContain('events.custom (2)');
    const [event] = await queryPostgres(urlOf(postgres), `select custom from events where id = 'r0'`);
    expect(event.custom).toEqual({ a: 'x\uFFFDy', b: '\uFFFD', c: '😀', d: '\\u0000' });
    const [answer] = await queryPostgres(urlOf(postgres), `select input from answers where response_id = 'r1'`);
    expect(answer.input).toBe('a\uFFFDb');
  });

  it('says that the databases differ when a row was changed in the new one', async () => {
    const original = await createSqlite();
    fill(original, 3);
    const postgres = await createDatabase();
    // A trigger is what could change rows on the way.
    await queryPostgres(
      urlOf(postgres),
      `create function change() returns trigger language plpgsql as $$ begin new.name := new.name || '!'; return new; end $$;
       create trigger change before insert on tags for each row execute function change()`,
    );
    await failsWith(original, 'differ in tags (3 and 3 rows)', 'move', '--to', urlOf(postgres));
    await failsWith(original, 'is being moved to', 'account', 'list');
    await failsWith({ ...postgres, USHER_DATA: original.USHER_DATA }, 'is not complete', 'account', 'list');
    await run(original, 'move', 'cancel');
    await failsWith(original, 'is not empty', 'move', '--to', urlOf(postgres));
  });
});

describe.runIf(engine === 'postgres' && inject('canCopyDatabases'))(
  'an installation that was moved',
  { timeout: 400_000 },
  () => {
    const readStopped = async (env: Env) => {
      const running = await start(env);
      const found = await readAll(running.address, SECRET);
      await running.stop();
      return found;
    };

    it('answers every GET of the API as before, on PostgreSQL and back on SQLite', async () => {
      const original = await createSqlite();
      const running = await start(original);
      await callServer(running, 'POST', '/v3/edit/sample_data');
      const { profile } = await callServer(running, 'POST', '/v3/observe/hooks/profiles', {
        uid: 'ann',
        ünï: ['a', 1e21],
      });
      const webhook = { url: 'http://127.0.0.1:9/hook', topics: ['tour.*'] };
      await callServer(running, 'POST', '/v3/edit/webhooks', webhook);
      await callServer(running, 'POST', '/v3/edit/languages', { code: 'de' });
      await running.stop();
      const app = await openAppContext(readSettings(original), createLog('silent'));
      const [account] = await app.storage.reader(null).selectFrom('accounts').select('id').execute();
      await addUserRows(app, account?.id ?? '', profile.id, (place) => `canary ${place}`);
      await app.storage.close();
      const expected = await readStopped(original);
      const answered = [...expected.values()].filter((text) => text.startsWith('200'));
      expect(answered.length).toBeGreaterThan(100);

      const postgres: Env = { ...(await createDatabase()), USHER_DATA: original.USHER_DATA };
      await run(original, 'move', '--to', postgres.DATABASE_URL ?? '');
      expect(compareAll(expected, await readStopped(postgres))).toEqual([]);
      const folder = newFolder();
      await run(postgres, 'move', '--to', folder);
      expect(compareAll(expected, await readStopped({ USHER_DATA: folder }))).toEqual([]);
    });

    it('has every row once, however often the move was killed', async () => {
      const original = await createSqlite();
      fill(original, 150);
      const postgres = await createDatabase();
      const url = postgres.DATABASE_URL ?? '';
      const folder = newFolder();
      /** Kills the command as soon as so many tables are in the new database. */
      const killAt = async (
        env: Env,
        to: string,
        tablesThere: number,
        readState: () => Promise<string | undefined>,
      ) => {
        const moving = usherProcess(['move', '--to', to], env);
        await vi.waitFor(
          async () => {
            const state = await readState().catch(() => undefined);
            if (moving.child.exitCode !== null) throw new Error(`The command ended: ${moving.err()}`);
            if (JSON.parse(state ?? '{"tables":-1}').tables < tablesThere) throw new Error('not yet');
          },
          { timeout: 200_000, interval: 5 },
        );
        moving.child.kill('SIGKILL');
        expect(await moving.ended).toBe(null);
      };
      const note = `select value from installation where name = 'unfinished_move'`;
      const inPostgres = async () => (await queryPostgres(url, note))[0]?.value;
      const inSqlite = async () => (open({ USHER_DATA: folder }).prepare(note).get([]) as { value: string }).value;
      for (const place of [0, 17, 60]) await killAt(original, url, place, inPostgres);
      await run(original, 'move', '--to', url);
      for (const place of [1, 40]) await killAt(postgres, folder, place, inSqlite);
      await run(postgres, 'move', '--to', folder);
      expect(readAllRows({ USHER_DATA: folder })).toEqual(readAllRows(original));
    });
  },
);

describe('the progress of a move', () => {
  it('has rows, percent and the time that is left', () => {
    const progress = { what: 'copying', table: 'events', rows: 3000, total: 10_000, from: 1000, elapsedMs: 20_000 };
    expect(describeProgress(progress)).toBe('copying events: 3,000 of 10,000 rows, 30 %, about 70 s left');
    expect(describeProgress({ ...progress, elapsedMs: 2_000_000 })).toContain('about 2 h left');
    expect(describeProgress({ ...progress, elapsedMs: 500 })).toMatch(/30 %$/);
  });
});
