import { closeSync, existsSync, fstatSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database, { type Database as Connection } from 'libsql';
import { expect, it, onTestFinished } from 'vitest';
import { CompactedCopy, DatabaseChanged } from './compacted-copy.ts';

const tables = ['people', 'pairs', 'notes', 'orders'];

function createFile(): { file: string; copy: string; writing: Connection } {
  const folder = mkdtempSync(join(tmpdir(), 'usher-copy-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'a.db');
  const writing = new Database(file, { timeout: 1000 });
  writing.exec(`pragma journal_mode = wal; pragma foreign_keys = on;
    create table people (id text primary key, name text not null unique, "or""der" int);
    create table pairs (a text, b integer, text text, primary key (b, a)) without rowid;
    create table notes (id integer primary key, person text references people (id) on delete cascade on update cascade, text text);
    create table "orders" ("group" blob primary key, double generated always as (length("group")) virtual)`);
  return { file, copy: `${file}.copy`, writing };
}

function readAll(connection: Connection): object {
  return Object.fromEntries(
    tables.map((name) => [name, connection.prepare(`select * from ${name} order by 1, 2`).all([])]),
  );
}

const below = (count: number) => Math.floor(Math.random() * count);
/** How many rows were written, so that names are unique. */
let written = 0;

function writeAtRandom(writing: Connection, times: number): void {
  for (const end = written + times; written < end; ) {
    const n = written++;
    const [id, name] = [`id'${below(30)}`, `name-${below(30)}`];
    const writes: [string, unknown[]][] = [
      ['insert or ignore into people values (?, ?, 1)', [id, name]],
      [
        'insert into people values (?, ?, 1) on conflict (id) do update set "or""der" = "or""der" + 1',
        [id, `${name}-${n}`],
      ],
      ['update or ignore people set name = ? where id = ?', [name, id]],
      ['update or ignore people set id = ? where name = ?', [id, name]],
      ['delete from people where id = ?', [id]],
      ['insert into notes (person, text) select id, ? from people where id = ?', [`text ${n}`, id]],
      ['delete from notes where id % 7 = ?', [below(7)]],
      ['insert or replace into pairs values (?, ?, ?)', [name, below(5), `${n}`]],
      ['update or ignore pairs set b = b + 1 where a = ?', [name]],
      ['delete from pairs where b = ?', [below(20)]],
      ['insert or ignore into orders ("group") values (?)', [Buffer.from([0, below(40), 255])]],
      ['delete from orders where "group" = ?', [Buffer.from([0, below(40), 255])]],
    ];
    const [sql, values] = writes[below(writes.length)] as [string, unknown[]];
    writing.prepare(sql).run(values);
  }
}

it('has the rows of the file, however they change meanwhile', () => {
  const { file, copy, writing } = createFile();
  writeAtRandom(writing, 300);
  const compacted = new CompactedCopy(file, copy);
  compacted.begin();
  writeAtRandom(writing, 200);
  compacted.fill();
  for (let round = 0; round < 20; round++) {
    writeAtRandom(writing, below(100));
    compacted.catchUp();
  }
  writeAtRandom(writing, 50);
  compacted.check();
  while (compacted.catchUp() > 0);
  const expected = readAll(writing);
  const found = new Database(copy);
  expect(readAll(found)).toEqual(expected);
  expect(found.prepare("select name from sqlite_schema where name like 'compact%'").all([])).toEqual([]);
  found.close();
  compacted.cancel();
  expect(existsSync(copy)).toBe(false);
  expect(writing.prepare("select name from sqlite_schema where name like 'compact%'").all([])).toEqual([]);
  expect(readAll(writing)).toEqual(expected);
});

it('is not locked or put in place while another connection has the file open, or after the schema has changed', () => {
  const { file, copy, writing } = createFile();
  writing.exec("insert into people values ('a', 'b', 1)");
  const compacted = new CompactedCopy(file, copy);
  compacted.begin();
  compacted.fill();
  expect(compacted.lock()).toBe(false);
  // It can go on.
  writing.exec("create table another (id integer primary key); insert into people values ('c', 'd', 1)");
  compacted.catchUp();
  expect(() => compacted.replace()).toThrow(DatabaseChanged);
  compacted.cancel();
  expect(writing.prepare('select count(*) as count from people').all([])).toEqual([{ count: 2 }]);
});

it('leaves nothing for programs that still have the old file open', () => {
  const { file, copy, writing } = createFile();
  writing.exec("insert into people values ('a', 'b', 1)");
  writing.close();
  const compacted = new CompactedCopy(file, copy);
  compacted.begin();
  compacted.fill();
  expect(compacted.lock()).toBe(true);
  // It opens the old file, and waits for the lock.
  const late = new Database(file, { timeout: 0 });
  expect(() => late.exec('select * from people')).toThrow(/locked/);
  const old = openSync(file, 'r');
  compacted.replace();
  compacted.close();
  expect(() => late.exec("insert into people values ('lost', 'lost', 1)")).toThrow(/locked|not a database/);
  expect(readFileSync(old, 'latin1')).toMatch(/^This file was replaced/);
  expect(fstatSync(old).size).toBe(4096);
  closeSync(old);
  const next = new Database(file);
  expect(next.prepare('select id from people').all([])).toEqual([{ id: 'a' }]);
});
