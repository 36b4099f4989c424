import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'libsql';
import { describe, expect, it, vi } from 'vitest';
import { createDatabase, type Env, usher as runHere, SECRET, untilItHappens } from '../../test/backups.ts';
import { engine } from '../../test/engine.ts';
import { runForJson, type Server, startServer, stopServer, usher } from '../../test/run-process.ts';

const TOKEN = 'the-token-of-these-tests';
const HREF = 'https://app.example.com/dashboard';
const fileOf = ({ USHER_DATA }: Env) => join(USHER_DATA, 'usher.db');
const settings = { USHER_LOG_LEVEL: 'warn', USHER_BOOTSTRAP_SECRET: SECRET, USHER_BOOTSTRAP_TOKEN: TOKEN };

async function call({ url }: Server, method: string, path: string, content?: object) {
  const headers = { 'x-account-secret': SECRET, 'content-type': 'application/json' };
  const response = await fetch(url + path, { method, headers, ...(content && { body: JSON.stringify(content) }) });
  const text = await response.text();
  expect([response.ok, text]).toEqual([true, text]);
  return JSON.parse(text);
}

/** A server with many rows. Most of its file is unused. */
async function startLarge(): Promise<{ env: Env; server: Server }> {
  const env = { ...(await createDatabase()), ...settings };
  const first = await startServer(env);
  await call(first, 'POST', '/v3/edit/urls', { host: 'app.example.com', enabled: 'on' });
  const profiles = Array.from({ length: 2000 }, (_, n) => ({ uid: `old-${n}`, text: 'x'.repeat(500) }));
  await call(first, 'POST', '/v3/observe/hooks/profiles/batch', { profiles });
  await stopServer(first);
  const db = new Database(fileOf(env));
  db.exec(`create table large (id integer primary key, text text);
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 50000)
    insert into large select n, hex(randomblob(300)) from numbers; drop table large; pragma wal_checkpoint(truncate)`);
  db.close();
  return { env, server: await startServer(env) };
}

/** Everything that was acknowledged, by what a user has sent. */
interface Expected {
  /** By uid, the last value. */
  profiles: Map<string, number>;
  forgotten: Set<string>;
  events: Map<string, number>;
  waits: number[];
}

/** Sends until it is stopped. Each sender has its own users, so that it knows what the last value of each is. */
function sendAtRandom(server: Server, senders: number) {
  const expected: Expected = { profiles: new Map(), forgotten: new Set(), events: new Map(), waits: [] };
  const running = { isStopped: false };
  const one = async (sender: number) => {
    for (let n = 0; !running.isStopped; n++) {
      const uid = `user-${sender}-${Math.floor(Math.random() * 20)}`;
      const kind = Math.random();
      if (expected.forgotten.has(uid)) continue;
      if (kind < 0.4) {
        await call(server, 'POST', '/v3/observe/hooks/profiles', { uid, count: n, canary: `canary-${uid}` });
        expected.profiles.set(uid, n);
      } else if (kind < 0.6) {
        const started = performance.now();
        await call(server, 'POST', '/v3/observe/visits', { account_token: TOKEN, href: HREF, uid });
        expected.waits.push(performance.now() - started);
        if (!expected.profiles.has(uid)) expected.profiles.set(uid, -1);
      } else if (kind < 0.8) {
        const events = [1, 2, 3].map(() => ({ uid, name: 'Saved', canary: `canary-${uid}` }));
        await call(server, 'POST', '/v3/observe/hooks/events/batch', { events });
        if (!expected.profiles.has(uid)) expected.profiles.set(uid, -1);
        expected.events.set(uid, (expected.events.get(uid) ?? 0) + events.length);
      } else if (kind < 0.82 && expected.profiles.has(uid)) {
        await call(server, 'DELETE', `/v3/edit/profiles/forget?uid=${uid}`);
        expected.forgotten.add(uid);
        expected.profiles.delete(uid);
        expected.events.delete(uid);
      } else await call(server, 'GET', '/v3/analyze/profile?uid=old-1');
      await pause(2);
    }
  };
  const done = Promise.all(Array.from({ length: senders }, (_, sender) => one(sender)));
  const stop = async () => {
    running.isStopped = true;
    await done;
    return expected;
  };
  return { stop, expected };
}

/** Opens the file of a stopped server. */
function readStored(env: Env): Pick<Expected, 'profiles' | 'events'> & { integrity: unknown; left: unknown[] } {
  const db = new Database(fileOf(env));
  const all = (sql: string) => db.prepare(sql).all([]) as Record<string, string | number>[];
  const rows = all("select id, uid, json_extract(custom, '$.count') as count from profiles where uid like 'user-%'");
  const profiles = new Map(rows.map(({ uid, count }) => [String(uid), Number(count ?? -1)]));
  const counted =
    all(`select uid, count(*) as count from events join profiles on profiles.account_id = events.account_id
    and profiles.id = events.profile_id where uid like 'user-%' group by uid`);
  const result = {
    profiles,
    events: new Map(counted.map(({ uid, count }) => [String(uid), Number(count)])),
    integrity: all('pragma integrity_check'),
    left: all("select name from sqlite_schema where name like 'compact%'"),
  };
  db.close();
  return result;
}

function expectAll(env: Env, expected: Expected): void {
  const { profiles, events, integrity, left } = readStored(env);
  expect(integrity).toEqual([{ integrity_check: 'ok' }]);
  expect(left).toEqual([]);
  expect(new Map([...profiles].sort())).toEqual(new Map([...expected.profiles].sort()));
  expect(new Map([...events].sort())).toEqual(new Map([...expected.events].sort()));
}

const namesIn = ({ USHER_DATA }: Env) => readdirSync(USHER_DATA).filter((name) => /compact/.test(name));

describe.runIf(engine === 'sqlite')('usher compact beside a server', () => {
  it('leaves a small file with everything that was acknowledged, and no request fails', {
    timeout: 60_000,
  }, async () => {
    const { env, server } = await startLarge();
    const load = sendAtRandom(server, 8);
    await pause(500);
    const { bytes_before, bytes } = await runForJson(['compact'], env);
    await pause(500);
    const expected = await load.stop();
    expect(bytes_before).toBeGreaterThan(30_000_000);
    expect(bytes).toBeLessThan(10_000_000);
    // On an idle machine it is less than a second: bench/figures/beside.mjs.
    expect(Math.max(...expected.waits)).toBeLessThan(8000);
    expect(namesIn(env)).toEqual(['compact.lock']);
    await vi.waitFor(async () => {
      const doctor = JSON.parse((await runHere(env, 'doctor', '--json')).out);
      const check = doctor.checks.find(({ name }: { name: string }) => name === 'deleted_data');
      expect(check.message).toContain('Nothing is left of it');
    }, untilItHappens);
    await stopServer(server);
    expectAll(env, expected);
    const content = readFileSync(fileOf(env), 'latin1');
    expect(expected.forgotten.size).toBeGreaterThan(0);
    for (const uid of expected.forgotten) expect(content).not.toMatch(new RegExp(`${uid}(?!\\d)`));
    expect(server.err()).toBe('');
  });

  it('leaves the database as it was when it is killed, and the server clears up', { timeout: 120_000 }, async () => {
    const { env, server } = await startLarge();
    const load = sendAtRandom(server, 4);
    const signal = (name: string) => () => existsSync(join(env.USHER_DATA, name));
    const { ino } = statSync(fileOf(env));
    const moments = [
      signal('compact.hello'),
      signal('usher.db.compacting'),
      signal('compact.request'),
      signal('compact.released'),
      () => statSync(fileOf(env)).ino !== ino,
    ];
    for (const hasCome of moments) {
      const { child, ended } = usher(['compact'], env);
      while (!hasCome() && child.exitCode === null) await pause(1);
      child.kill('SIGKILL');
      expect(await ended).toBeNull();
      await vi.waitFor(() => expect(namesIn(env)).toEqual(['compact.lock']), untilItHappens);
    }
    const expected = await load.stop();
    await stopServer(server);
    expectAll(env, expected);
    expect(statSync(fileOf(env)).size).toBeLessThan(10_000_000);
    expect(server.err()).toBe('');
  });

  it.each(['usher.db.compacting', 'compact.released'])(
    'loses nothing when the server is killed at %s, and the next start clears up',
    { timeout: 60_000 },
    async (name) => {
      const { env, server } = await startLarge();
      const load = sendAtRandom(server, 1);
      await pause(300);
      const expected = await load.stop();
      const compacting = usher(['compact'], env);
      while (!existsSync(join(env.USHER_DATA, name)) && compacting.child.exitCode === null) await pause(1);
      server.child.kill('SIGKILL');
      await server.ended;
      compacting.child.kill('SIGKILL');
      await compacting.ended;
      const next = await startServer(env);
      await vi.waitFor(() => expect(namesIn(env)).toEqual(['compact.lock']), untilItHappens);
      await call(next, 'GET', '/v3/analyze/profile?uid=old-1');
      await stopServer(next);
      expectAll(env, expected);
    },
  );

  it('waits for another program that has the database open', { timeout: 60_000 }, async () => {
    const { env, server } = await startLarge();
    const other = new Database(fileOf(env));
    other.exec('select * from migrations');
    const compacting = usher(['compact', '--json'], env);
    const released = join(env.USHER_DATA, 'compact.released');
    while (!existsSync(released) && compacting.child.exitCode === null) await pause(1);
    await call(server, 'POST', '/v3/observe/hooks/profiles', { uid: 'user-1', count: 1 });
    other.close();
    expect(await compacting.ended).toBe(0);
    expect(JSON.parse(compacting.out()).bytes).toBeLessThan(10_000_000);
    await call(server, 'POST', '/v3/observe/hooks/profiles', { uid: 'user-1', count: 2 });
    await stopServer(server);
    expect(readStored(env).profiles).toEqual(new Map([['user-1', 2]]));
  });

  it('runs once at a time', { timeout: 60_000 }, async () => {
    const { env, server } = await startLarge();
    const first = usher(['compact'], env);
    await vi.waitFor(() => expect(namesIn(env)).toContain('usher.db.compacting'), untilItHappens);
    const { code, err } = await runHere(env, 'compact');
    expect([code, err]).toEqual([1, expect.stringContaining('another “usher compact” works on this database')]);
    expect(await first.ended).toBe(0);
    await stopServer(server);
  });
});
