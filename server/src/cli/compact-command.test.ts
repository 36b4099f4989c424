import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'libsql';
import { describe, expect, it } from 'vitest';
import { callServer, createDatabase, type Env, run, start, usher } from '../../test/backups.ts';
import { engine } from '../../test/engine.ts';
import { usher as spawnUsher } from '../../test/run-process.ts';
import { findGap } from '../db/sqlite/page-layout.js';
import { lockServer } from '../db/sqlite/server-lock.ts';

const fileOf = ({ USHER_DATA }: Env) => join(USHER_DATA, 'usher.db');
const filesOf = ({ USHER_DATA }: Env) => readdirSync(USHER_DATA).filter((name) => name.startsWith('usher.db'));

/** A stopped server with many deleted rows. */
async function createLargeFile(settings = ''): Promise<Env> {
  const env = await createDatabase();
  const running = await start(env);
  await callServer(running, 'POST', '/v3/observe/hooks/profiles', { uid: 'ann', plan: 'gold' });
  await running.stop();
  const db = new Database(fileOf(env));
  db.exec(`${settings}; create table large (id integer primary key, text text);
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 20000)
    insert into large select n, hex(randomblob(300)) from numbers; drop table large; pragma wal_checkpoint(truncate)`);
  db.close();
  expect(statSync(fileOf(env)).size).toBeGreaterThan(10_000_000);
  return env;
}

async function planOfAnn(env: Env): Promise<unknown> {
  const running = await start(env);
  const { profile } = await callServer(running, 'GET', '/v3/analyze/profile?uid=ann');
  await running.stop();
  return profile.plan;
}

function pragma(env: Env, name: string): unknown {
  const db = new Database(fileOf(env));
  const row = db.prepare(`pragma ${name}`).get([]) as object;
  db.close();
  return Object.values(row)[0];
}

describe.runIf(engine === 'sqlite')('usher compact', () => {
  it('leaves a small file with all rows, and without copies in the gaps of its pages', async () => {
    const env = await createLargeFile();
    const { bytes_before, bytes } = JSON.parse(await run(env, 'compact', '--json'));
    expect(bytes_before).toBeGreaterThan(10_000_000);
    expect(bytes).toBeLessThan(2_000_000);
    expect(filesOf(env)).toEqual(['usher.db']);
    expect(statSync(fileOf(env))).toMatchObject({ size: bytes });
    expect(statSync(fileOf(env)).mode & 0o777).toBe(0o600);
    const file = readFileSync(fileOf(env));
    for (let page = 1; page * 4096 <= file.length; page++) {
      const content = file.subarray((page - 1) * 4096, page * 4096);
      const gap = findGap(content, page, 4096);
      if (gap) expect(content.subarray(gap.start, gap.end).some((byte) => byte !== 0)).toBe(false);
    }
    expect(pragma(env, 'integrity_check')).toBe('ok');
    const doctor = JSON.parse((await usher(env, 'doctor', '--json')).out);
    const check = doctor.checks.find(({ name }: { name: string }) => name === 'deleted_data');
    expect(check.message).toContain('Nothing is left of it');
    expect(await planOfAnn(env)).toBe('gold');
  });

  it('turns auto-vacuum off, with which deleted rows cannot be cleared', async () => {
    const env = await createLargeFile('pragma auto_vacuum = incremental; vacuum');
    expect(pragma(env, 'auto_vacuum')).toBe(2);
    expect((await usher(env, 'doctor')).out).toContain('auto-vacuum: run “usher compact”');
    await run(env, 'compact');
    expect(pragma(env, 'auto_vacuum')).toBe(0);
    expect(await planOfAnn(env)).toBe('gold');
  });

  it('changes nothing while a server of an earlier version runs', async () => {
    const env = await createLargeFile();
    const unlock = lockServer(env.USHER_DATA);
    const { code, err } = await usher(env, 'compact');
    expect([code, err]).toEqual([1, expect.stringContaining('stop it, compact, and start it again')]);
    unlock();
    expect(await planOfAnn(env)).toBe('gold');
    expect(statSync(fileOf(env)).size).toBeGreaterThan(10_000_000);
  });

  it.each(['.restoring', '.restored', ''])('leaves a whole database when it is killed at usher.db%s', async (end) => {
    const env = await createLargeFile();
    const { ino } = statSync(fileOf(env));
    const hasCome = () => (end === '' ? statSync(fileOf(env)).ino !== ino : existsSync(fileOf(env) + end));
    const { child, ended } = spawnUsher(['compact'], env);
    while (!hasCome() && child.exitCode === null) await pause(1);
    child.kill('SIGKILL');
    await ended;
    expect(await planOfAnn(env)).toBe('gold');
    expect(pragma(env, 'integrity_check')).toBe('ok');
    expect(filesOf(env).filter((name) => /restor/.test(name))).toEqual([]);
    await run(env, 'compact');
    expect(await planOfAnn(env)).toBe('gold');
  });
});

describe.runIf(engine === 'postgres')('usher compact', () => {
  it('says that PostgreSQL needs no such command', async () => {
    const { code, err } = await usher(await createDatabase(), 'compact');
    expect([code, err]).toEqual([1, expect.stringContaining('nothing to compact')]);
  });
});
