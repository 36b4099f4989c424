import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import Database from 'libsql';
import { describe, expect, it, onTestFinished } from 'vitest';
import { randomRuns } from '../../../../domain/test/random-runs.ts';
import { engine } from '../../../test/engine.ts';
import type { Storage } from '../storage.ts';
import { openSqlite } from './open-sqlite.ts';

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'usher-pages-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'some.db');
}

function openStorage(file: string, shared?: Parameters<typeof openSqlite>[1]): Storage {
  const storage = openSqlite(file, shared);
  onTestFinished(() => storage.close().catch(() => {}));
  return storage;
}

const run = (storage: Storage, ...statements: string[]) =>
  storage.write(null, async (db) => {
    for (const statement of statements) await sql.raw(statement).execute(db);
  });

const areGapsClear = async (storage: Storage) =>
  (await storage.inspect({ now: Date.now(), thorough: false })).hasClearGaps;

async function setUp(pageSize = 4096): Promise<{ file: string; storage: Storage }> {
  const file = newFile();
  const db = new Database(file);
  db.exec(`pragma page_size = ${pageSize}; create table installation (name text primary key, value text not null)`);
  db.close();
  const storage = openStorage(file);
  await run(
    storage,
    'create table things (id integer primary key, name text, more text)',
    'create index things_by_name on things (name)',
    'create table pairs (name text, more text, primary key (name, more)) without rowid',
  );
  return { file, storage };
}

function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state * 48271) % 2147483647;
    return state % sides;
  };
}

/** Writes rows that grow, shrink and go, and remembers which words are in a row. */
class Words {
  readonly roll: (sides: number) => number;
  readonly #ids = new Map<number, string>();
  readonly #gone: string[] = [];
  #last = 0;

  constructor(seed: number) {
    this.roll = dice(seed);
  }

  write(): string[] {
    const id = 1 + this.roll(700);
    const old = this.#ids.get(id);
    const deletion = old === undefined ? [] : [`delete from pairs where name = '${old}'`];
    if (old !== undefined) this.#gone.push(old);
    if (this.roll(3) === 0) {
      this.#ids.delete(id);
      return [...deletion, `delete from things where id = ${id}`];
    }
    const word = `w${((++this.#last * 7919) % 100_003).toString(36)}x${this.#last.toString(36)}z`;
    const more = 'm'.repeat(this.roll(20) === 0 ? this.roll(3000) : this.roll(90));
    this.#ids.set(id, word);
    return [
      ...deletion,
      `insert or replace into things values (${id}, '${word}', '${more}')`,
      `insert into pairs values ('${word}', '${more.slice(0, 300)}')`,
    ];
  }

  /** Returns the words that are in no row, and still in a file. */
  left(file: string): string[] {
    const bytes = ['', '-wal'].map((end) => (existsSync(file + end) ? readFileSync(file + end, 'latin1') : ''));
    return this.#gone.filter((word) => bytes.some((one) => one.includes(word)));
  }
}

function integrityOf(file: string): unknown {
  const db = new Database(file);
  onTestFinished(() => void db.close());
  return (db.prepare('pragma integrity_check').get([]) as { integrity_check: string }).integrity_check;
}

describe.runIf(engine === 'sqlite')('the pages that were written since the last time', () => {
  it.each([512, 4096])('are the only ones with copies of deleted rows, with pages of %i bytes', async (pageSize) => {
    const { file, storage } = await setUp(pageSize);
    const batches = openStorage(file, storage.address as Parameters<typeof openSqlite>[1]);
    const words = new Words(pageSize);
    await storage.clearGaps();
    expect(await areGapsClear(storage)).toBe(true);
    let copies = 0;
    for (let round = 0; round < randomRuns(8); round++) {
      for (let at = 0; at < 12; at++)
        await run(words.roll(4) === 0 ? batches : storage, ...Array.from({ length: 10 }, () => words.write()).flat());
      // Sometimes the log is overwritten in between.
      if (words.roll(2) === 0) await new Promise((done) => setTimeout(done, 120));
      if (words.roll(3) === 0) await storage.clearGaps();
      copies += words.left(file).length;
      // The trace is nowhere, so that a search of the whole file would find nothing.
      await storage.shred(['nowhere']);
      expect(words.left(file)).toEqual([]);
    }
    expect(copies).toBeGreaterThan(10);
    expect(await areGapsClear(storage)).toBe(true);
    expect(integrityOf(file)).toBe('ok');
  });

  it('are known to the next process, if this one ends properly', async () => {
    const { file, storage } = await setUp(512);
    const words = new Words(1);
    await storage.clearGaps();
    for (let at = 0; at < 100; at++) await run(storage, ...Array.from({ length: 10 }, () => words.write()).flat());
    await storage.close();
    expect(words.left(file)).not.toEqual([]);
    const next = openStorage(file);
    expect(await areGapsClear(next)).toBe(true);
    await next.shred(['nowhere']);
    expect(words.left(file)).toEqual([]);
    expect(await areGapsClear(next)).toBe(true);
  });

  it('are not known after a process was killed, and all pages are swept', async () => {
    const { file, storage } = await setUp(512);
    const words = new Words(2);
    await storage.clearGaps();
    for (let at = 0; at < 100; at++) await run(storage, ...Array.from({ length: 10 }, () => words.write()).flat());
    const copy = newFile();
    for (const end of ['', '-wal']) copyFileSync(file + end, copy + end);
    const next = openStorage(copy);
    await run(next, 'create table other (id integer)');
    expect(await areGapsClear(next)).toBe(false);
    await next.shred(['nowhere']);
    expect(words.left(copy)).not.toEqual([]);
    await next.clearGaps();
    await next.shred(['nowhere']);
    expect(words.left(copy)).toEqual([]);
    expect(await areGapsClear(next)).toBe(true);
  });

  it('are not known when another process writes beside the server', async () => {
    const { file, storage } = await setUp(512);
    const words = new Words(3);
    await storage.clearGaps();
    const command = openSqlite(file);
    for (let at = 0; at < 100; at++) await run(command, ...Array.from({ length: 10 }, () => words.write()).flat());
    await command.close();
    await run(storage, ...words.write());
    expect(await areGapsClear(storage)).toBe(false);
    await storage.clearGaps();
    await storage.shred(['nowhere']);
    expect(words.left(file)).toEqual([]);
    expect(await areGapsClear(storage)).toBe(true);
  });

  it('stay known when another process only reads', async () => {
    const { file, storage } = await setUp();
    await storage.clearGaps();
    const command = openSqlite(file);
    await command.inspect({ now: Date.now(), thorough: true });
    await run(command, 'select count(*) from things');
    await command.close();
    await run(storage, 'insert into things (name) values (1)');
    expect(await areGapsClear(storage)).toBe(true);
    expect(readdirSync(join(file, '..')).every((name) => name.startsWith('some.db'))).toBe(true);
  });
});

describe.runIf(engine === 'sqlite')('a deletion that shares its transaction with a write that fails', () => {
  it('still sweeps all written pages', async () => {
    const { file, storage } = await setUp(512);
    const words = new Words(4);
    await storage.clearGaps();
    for (let at = 0; at < 100; at++) await run(storage, ...Array.from({ length: 10 }, () => words.write()).flat());
    const shredded = storage.shred(['nowhere']);
    // The write joins the transaction after the shredder, whose work runs again when the write fails.
    for (let tick = 0; tick < 10; tick++) await Promise.resolve();
    const fails = run(storage, 'insert into things (name) values (1)', 'insert into missing values (1)');
    await expect(fails).rejects.toThrow('no such table');
    await shredded;
    expect(words.left(file)).toEqual([]);
  });
});
