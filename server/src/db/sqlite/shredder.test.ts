import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database, { type Database as Connection } from 'libsql';
import { describe, expect, it, onTestFinished } from 'vitest';
import { randomRuns } from '../../../../domain/test/random-runs.ts';
import { type Api, startApi } from '../../../test/api.ts';
import { engine } from '../../../test/engine.ts';
import { HeavyReader } from './heavy-reader.ts';
import { createGapMatcher, findGap } from './page-layout.js';
import { Shredder } from './shredder.ts';
import { SqliteConnection } from './sqlite-connection.ts';
import { WrittenPages } from './written-pages.ts';

/** More than the files of these tests have. */
const allPages = Array.from({ length: 20_000 }, (_, at) => at + 1);

function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'usher-shred-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function open(file: string): Connection {
  const connection = new Database(file);
  onTestFinished(() => void connection.close());
  return connection;
}

function integrityOf(file: string): unknown[] {
  const rows = open(file).prepare('pragma integrity_check').all([]) as { integrity_check: string }[];
  return rows.map((row) => row.integrity_check);
}

/** Returns random numbers that are the same in each run. */
function dice(): (sides: number) => number {
  let state = 1;
  return (sides) => {
    state = (state * 48271) % 2147483647;
    return state % sides;
  };
}

/** Creates a database file with all kinds of pages: of tables and indices, full and half empty, overflow and free pages. */
function makeFile(pageSize: number): string {
  const file = join(tempFolder(), 'some.db');
  const db = new Database(file);
  db.exec(`pragma page_size = ${pageSize}; pragma secure_delete = on;
    create table things (id integer primary key, name text, more text);
    create index things_by_name on things (name, id);
    create table pairs (a text, b text, primary key (a, b)) without rowid; begin`);
  const roll = dice();
  const insert = db.prepare('insert into things (name, more) values (?, ?)');
  const pair = db.prepare('insert or replace into pairs values (?, ?)');
  for (let at = 0; at < 6000; at++) {
    insert.run([`name ${roll(100_000)}`, 'm'.repeat(at % 50 === 0 ? 5000 + roll(9000) : roll(60))]);
    pair.run([`${roll(1000)}`, `pair ${roll(100_000)}`]);
  }
  const grow = db.prepare('update things set more = more || ? where id = ?');
  for (let at = 0; at < 1000; at++) grow.run(['g'.repeat(roll(300)), 1 + roll(3000)]);
  db.exec("delete from things where id % 7 = 0; delete from pairs where a like '%3'; commit");
  db.close();
  return file;
}

function pagesOf(bytes: Buffer, pageSize: number): Buffer[] {
  return Array.from({ length: bytes.length / pageSize }, (_, at) => bytes.subarray(at * pageSize, (at + 1) * pageSize));
}

function rowsOf(file: string): string {
  const db = open(file);
  const all = (sql: string) => db.prepare(sql).raw().all([]);
  return JSON.stringify([
    all('select * from things order by id'),
    all('select name, id from things indexed by things_by_name order by name, id'),
    all('select * from pairs order by a, b'),
    all('select * from sqlite_schema'),
  ]);
}

describe.runIf(engine === 'sqlite')('findGap', () => {
  it.each([512, 4096, 65536])('finds bytes that SQLite never reads, with pages of %i bytes', (pageSize) => {
    const file = makeFile(pageSize);
    const before = rowsOf(file);
    const bytes = readFileSync(file);
    const kinds = new Set<number>();
    let overwritten = 0;
    for (const [at, page] of pagesOf(bytes, pageSize).entries()) {
      const gap = findGap(page, at + 1, pageSize);
      if (!gap) continue;
      kinds.add(page[at === 0 ? 100 : 0] ?? 0);
      overwritten += gap.end - gap.start;
      page.fill(0xff, gap.start, gap.end);
    }
    const copy = join(tempFolder(), 'copy.db');
    writeFileSync(copy, bytes);
    expect(integrityOf(copy)).toEqual(['ok']);
    expect(rowsOf(copy)).toBe(before);
    expect([...kinds].sort((a, b) => a - b)).toEqual([2, 5, 10, 13]);
    expect(overwritten).toBeGreaterThan(bytes.length / 20);
  });

  it('finds a gap in every page of a table or an index, and in no other page', () => {
    const file = makeFile(4096);
    const found = pagesOf(readFileSync(file), 4096).flatMap((page, at) =>
      findGap(page, at + 1, 4096) ? [at + 1] : [],
    );
    const trees = open(file)
      .prepare("select pageno from dbstat where pagetype in ('leaf', 'internal') order by pageno")
      .raw()
      .all([])
      .flat();
    const { others } = open(file)
      .prepare("select count(*) as others from dbstat where pagetype = 'overflow'")
      .get([]) as {
      others: number;
    };
    expect(others).toBeGreaterThan(50);
    expect(found).toEqual(trees);
  });

  /** Creates a table leaf page of 512 bytes with two cells, at 400 and 450. */
  function leaf(change: (page: Buffer, header: number) => void = () => {}, header = 0): Buffer {
    const page = Buffer.alloc(512, 0x55);
    page.writeUInt8(13, header);
    page.writeUInt16BE(0, header + 1);
    page.writeUInt16BE(2, header + 3);
    page.writeUInt16BE(400, header + 5);
    page.writeUInt16BE(400, header + 8);
    page.writeUInt16BE(450, header + 10);
    change(page, header);
    return page;
  }

  it('returns the bytes after the list of cells and before the first cell', () => {
    expect(findGap(leaf(), 2, 512)).toEqual({ start: 12, end: 400 });
    expect(findGap(leaf(undefined, 100), 1, 512)).toEqual({ start: 112, end: 400 });
    const interior = leaf((page) => {
      page.writeUInt8(5, 0);
      page.writeUInt16BE(400, 12);
      page.writeUInt16BE(450, 14);
    });
    expect(findGap(interior, 2, 512)).toEqual({ start: 16, end: 400 });
  });

  it('returns the whole of an empty page of 65536 bytes, whose size is stored as 0', () => {
    const page = Buffer.alloc(65536);
    page.writeUInt8(10, 0);
    expect(findGap(page, 2, 65536)).toEqual({ start: 8, end: 65536 });
    expect(findGap(page, 2, 65500)).toBeUndefined();
  });

  it.each<[string, (page: Buffer) => unknown]>([
    ['begins with another byte', (page) => page.writeUInt8(6, 0)],
    ['begins with zero, as overflow and free pages do', (page) => page.writeUInt8(0, 0)],
    ['has more cells than there is room for', (page) => page.writeUInt16BE(300, 3)],
    ['has cells beyond its end', (page) => page.writeUInt16BE(501, 5)],
    ['has a cell before the first', (page) => page.writeUInt16BE(399, 8)],
    ['has a cell in the reserved bytes', (page) => page.writeUInt16BE(500, 10)],
    ['has free room before the first cell', (page) => page.writeUInt16BE(399, 1)],
  ])('returns nothing for a page that %s', (_what, change) => {
    expect(findGap(leaf(), 2, 500)).toBeDefined();
    expect(findGap(leaf(change), 2, 500)).toBeUndefined();
  });

  it('returns nothing for a page that is too short, and for a page 1 without the header of the file', () => {
    expect(findGap(leaf(), 2, 1024)).toBeUndefined();
    expect(findGap(leaf(), 1, 512)).toBeUndefined();
  });
});

describe.runIf(engine === 'sqlite')('createGapMatcher', () => {
  it.each([
    ['CANARY', 'a canary here', true],
    ['canary@ÄCME', 'Canary@ÄCME.test', true],
    ['canary', 'canar y', false],
    ['canary', '', false],
  ])('searches for %j in %j: %s', (text, bytes, found) => {
    expect(createGapMatcher(['other', text])(Buffer.from(bytes))).toBe(found);
  });

  it('matches everything but zeros if there are no texts', () => {
    expect(createGapMatcher([])(Buffer.alloc(1000))).toBe(false);
    expect(createGapMatcher([])(Buffer.alloc(0))).toBe(false);
    expect(createGapMatcher([])(Buffer.alloc(1000).fill(1, 999))).toBe(true);
  });
});

interface User {
  uid: string;
  email: string;
  plan: string;
  pad?: string;
}

const tracesIn = ({ uid, email, plan }: User) => [uid, email, plan];

type Server = Awaited<ReturnType<typeof startOn>>;

async function startOn(folder: string) {
  const api = await startApi({ env: { USHER_DATA: folder } });
  const file = join(folder, 'usher.db');
  const thread = new HeavyReader({ file, lockWaitMs: 1000 });
  onTestFinished(() => thread.close());
  const copies = (texts: string[]) => thread.searchPages({ pages: allPages, usableSize: 4096, texts });
  return { api, file, copies };
}

async function send(api: Api, profiles: User[]): Promise<void> {
  const { body } = await api.post('/v3/observe/hooks/profiles/batch', { profiles });
  expect(body.errors).toBeUndefined();
}

/** Adds users whose rows grow and shrink, and so move between pages, until there are copies of some. */
async function addUsers({ api, copies }: Server, count: number, more: object = {}): Promise<User[]> {
  const users: User[] = Array.from({ length: count }, (_, at) => {
    const tag = `${(at * 7919) % 1009}z${at}`;
    return { uid: `uid ${tag}q`, email: `Mail${tag}q@acme.test`, plan: `the "plan" ${tag}q`, ...more };
  });
  const roll = dice();
  await send(api, users);
  for (let round = 0; round < randomRuns(20) || (await copies(users.flatMap(tracesIn))).length < 3; round++) {
    const some = Array.from({ length: count / 10 }, () => users[roll(count)] as User);
    for (const user of some) user.pad = 'y'.repeat(roll(2) * roll(700));
    await send(api, some);
  }
  return users;
}

const forget = (api: Api, { uid }: User) =>
  api.send('DELETE', `/v3/edit/profiles/forget?uid=${encodeURIComponent(uid)}`);

async function profilesOf(api: Api, users: User[]): Promise<string[]> {
  const found: string[] = [];
  for (const { uid } of users) {
    const { status, text } = await api.get(`/v3/analyze/profile?uid=${encodeURIComponent(uid)}`);
    expect(status).toBe(200);
    found.push(text);
  }
  return found;
}

/** Returns the texts that are still in a file, in any case, as text or within JSON. */
function left(folder: string, users: User[]): string[] {
  const bytes = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1').toLowerCase());
  expect(bytes.length).toBeGreaterThan(1);
  const texts = users.flatMap(tracesIn).flatMap((text) => [text, JSON.stringify(text).slice(1, -1)]);
  return texts.filter((text) => bytes.some((one) => one.includes(text.toLowerCase())));
}

describe.runIf(engine === 'sqlite')('the database files after a deletion', () => {
  it('contain nothing of forgotten users, and everything of the others', async () => {
    const folder = tempFolder();
    const server = await startOn(folder);
    const { api, file, copies } = server;
    const users = await addUsers(server, randomRuns(120));
    // Those of whom a plain deletion would leave copies, and some more.
    const copied: User[] = [];
    for (const user of users) if ((await copies(tracesIn(user))).length > 0) copied.push(user);
    expect(copied.length).toBeGreaterThan(0);
    const gone = [...new Set([...copied, ...users])].slice(0, users.length / 3);
    const kept = users.filter((user) => !gone.includes(user));
    const before = await profilesOf(api, kept);
    for (const user of gone) expect((await forget(api, user)).status).toBe(200);
    expect(left(folder, gone)).toEqual([]);
    expect(integrityOf(file)).toEqual(['ok']);
    expect(await profilesOf(api, kept)).toEqual(before);
  });

  it('contain nothing of forgotten users, and no other copies, when there are more traces than the limit', async () => {
    const folder = tempFolder();
    const server = await startOn(folder);
    const { api, file, copies } = server;
    const gone = await addUsers(server, 150, { company: { uid: 'the company' } });
    const { body } = await api.post('/v3/observe/hooks/profiles', { uid: 'stays', plan: 'stays too' });
    expect(await copies([])).not.toEqual([]);
    const response = await api.send('DELETE', '/v3/edit/company', { query: 'uid=the+company&cascade=profiles' });
    expect(response.body.deletions).toHaveLength(150);
    expect(left(folder, gone)).toEqual([]);
    expect(await copies([])).toEqual([]);
    expect(integrityOf(file)).toEqual(['ok']);
    expect((await api.get(`/v3/analyze/profiles/${body.profile.id}`)).body.profile.plan).toBe('stays too');
  });

  it('are intact and complete when other requests write meanwhile', async () => {
    const folder = tempFolder();
    const server = await startOn(folder);
    const { api, file } = server;
    const users = await addUsers(server, 150);
    const [gone, kept] = [users.slice(0, 30), users.slice(30)];
    const storm = Array.from({ length: 200 }, (_, at) => ({
      ...(at % 2 ? (kept[at % kept.length] as User) : { ...users[0], uid: `new ${at}`, email: `new${at}@acme.test` }),
      plan: `storm ${at}`,
      pad: 's'.repeat(at * 3),
    })) as User[];
    const writes = storm.map((user) => api.post('/v3/observe/hooks/profiles', user));
    const forgets = gone.map((user) => forget(api, user));
    const statuses = (await Promise.all([...writes, ...forgets])).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(integrityOf(file)).toEqual(['ok']);
    expect(left(folder, gone)).toEqual([]);
    const last = new Map([...kept, ...storm].map((user) => [user.uid, user]));
    const stored = (await profilesOf(api, [...last.values()])).map((text) => JSON.parse(text).profile);
    expect(stored).toMatchObject([...last.values()]);
  });
});

describe.runIf(engine === 'sqlite')('Shredder', () => {
  const textOn = (page: number) => `A copy of "someone" on ${page}, who is`;

  /** Creates a file where every gap of a page contains a text. */
  async function fileWithCopies(settings = '') {
    const file = join(tempFolder(), 'some.db');
    const db = open(file);
    db.exec(`${settings}; pragma journal_mode = wal; create table things (id integer primary key, name text); begin`);
    const insert = db.prepare('insert into things (name) values (?)');
    for (let at = 0; at < 1500; at++) insert.run([`name ${at} `.repeat(10 + (at % 30))]);
    const pages = db.prepare('select pgno, data from sqlite_dbpage').all([]) as { pgno: number; data: ArrayBuffer }[];
    const write = db.prepare('update sqlite_dbpage set data = ? where pgno = ?');
    for (const { pgno, data } of pages) {
      const page = Buffer.from(data);
      const gap = findGap(page, pgno, 4096);
      if (!gap || gap.end - gap.start < 40) continue;
      page.write(textOn(pgno), gap.end - 40);
      write.run([page, pgno]);
    }
    db.exec('commit');
    const thread = new HeavyReader({ file, lockWaitMs: 1000 });
    onTestFinished(() => thread.close());
    const search = (texts: string[]) => thread.searchPages({ pages: allPages, usableSize: 4096, texts });
    let failures = 0;
    const failOnce = () => {
      failures = 1;
    };
    const shredder = new Shredder({
      connection: new SqliteConnection(db),
      written: new WrittenPages(file),
      inTransaction: async (work) => {
        db.exec('begin immediate');
        const value = await work();
        db.exec('commit');
        return value;
      },
      searchPages: async (pages) => {
        if (failures-- > 0) throw new Error('The disk is broken');
        return thread.searchPages(pages);
      },
      truncateLog: async () => {},
    });
    return { file, shredder, search, failOnce };
  }

  it('clears the pages that contain one of the traces, and no others', async () => {
    const { file, shredder, search } = await fileWithCopies();
    const before = await search([]);
    expect(before.length).toBeGreaterThan(50);
    const [page = 0, ...others] = before.slice(1);
    await shredder.shred(['nowhere', `"someone" on ${page}, who is`]);
    expect(await search([])).toEqual([before[0], ...others]);
    // The copy of a long text may be cut off.
    const [cut = 0, ...rest] = others;
    await shredder.shred([`a COPY of "someone" on ${cut}, who is gone for good`]);
    expect(await search([])).toEqual([before[0], ...rest]);
    await shredder.shred([]);
    expect(await search([])).toEqual([]);
    expect(integrityOf(file)).toEqual(['ok']);
  });

  it('repeats a failed round with the next one', async () => {
    const { shredder, search, failOnce } = await fileWithCopies();
    const [first = 0, ...others] = await search([]);
    failOnce();
    await expect(shredder.shred([textOn(first)])).rejects.toThrow('The disk is broken');
    expect(await search([])).toEqual([first, ...others]);
    await shredder.shred(['nowhere']);
    expect(await search([])).toEqual(others);
  });

  it('clears the traces of all concurrent calls', async () => {
    const { shredder, search } = await fileWithCopies();
    const [first, ...others] = await search([]);
    await Promise.all(others.map((page) => shredder.shred([textOn(page)])));
    expect(await search([])).toEqual([first]);
  });

  it('does not touch a file with auto-vacuum, where other pages can look like b-tree pages', async () => {
    const { file, shredder, search } = await fileWithCopies('pragma auto_vacuum = full');
    const all = await search([]);
    expect(all).not.toEqual([]);
    await shredder.shred([]);
    expect(await search([])).toEqual(all);
    expect(integrityOf(file)).toEqual(['ok']);
  });
});
