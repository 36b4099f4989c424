import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { callServer, createDatabase, type Env, newFolder, run, start, usher } from '../../test/backups.ts';
import { engine } from '../../test/engine.ts';

const hasClient = spawnSync('pg_dump', ['--version']).status === 0;

/** Creates an empty database beside another one, and returns its address. */
async function createBeside(address: string): Promise<string> {
  const url = new URL(address);
  const client = new pg.Client({ connectionString: inject('postgresUrl') });
  const name = `${url.pathname.slice(1)}_copy`;
  await client.connect();
  await client.query(`create database ${name}`);
  onTestFinished(async () => {
    await client.query(`drop database if exists ${name} with (force)`);
    await client.end();
  });
  url.pathname = `/${name}`;
  return url.href;
}

describe.runIf(engine === 'postgres' && hasClient && inject('canCopyDatabases'))('a backup on PostgreSQL', () => {
  it('is restored as a copy that forgets again and does not send, while the original goes on', async () => {
    const env = await createDatabase();
    const original = await start(env);
    for (const uid of ['canary', 'kept']) await callServer(original, 'POST', '/v3/observe/hooks/profiles', { uid });
    const file = join(newFolder(), 'usher.dump');
    await run(env, 'backup', file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await callServer(original, 'DELETE', '/v3/edit/profiles/forget?uid=canary');
    await original.stop();

    const copy: Env = { ...env, DATABASE_URL: await createBeside(env.DATABASE_URL ?? '') };
    const restored = spawnSync('pg_restore', ['--no-owner', '--exit-on-error', `--dbname=${copy.DATABASE_URL}`, file]);
    expect([restored.status, String(restored.stderr)]).toEqual([0, '']);
    const applied = await run(copy, 'deletion', 'apply', join(env.USHER_DATA, 'forgotten.jsonl'), '--json');
    expect(JSON.parse(applied)).toEqual({ entries: 1, forgotten_again: 1 });

    const sendingOf = async (at: Env) => {
      const running = await start(at);
      const { webhook_sending } = await callServer(running, 'GET', '/v3/edit/webhook_sending');
      const { profiles } = await callServer(running, 'GET', '/v3/analyze/profiles?expand.profile=all');
      await running.stop();
      return [webhook_sending.paused, profiles.length];
    };
    expect(await sendingOf(env)).toEqual([false, 1]);
    expect(await sendingOf(copy)).toEqual([true, 1]);
    await run(copy, 'webhooks', 'resume');
    expect(await sendingOf(copy)).toEqual([false, 1]);
  });

  it('says what is missing, and shows no password', async () => {
    const env = await createDatabase();
    const folder = newFolder();
    const wrong = new URL(env.DATABASE_URL ?? '');
    wrong.password = 'the-password';
    wrong.pathname = '/missing';
    const failed = await usher({ ...env, DATABASE_URL: wrong.href }, 'backup', join(folder, 'a.dump'));
    expect(failed.code).toBe(1);
    expect(failed.err).not.toContain('the-password');
    const without = await usher({ ...env, PATH: folder }, 'backup', join(folder, 'b.dump'));
    expect(without).toMatchObject({ code: 1, err: expect.stringContaining('there is no pg_dump on this machine') });
    const restore = await usher(env, 'restore', join(folder, 'a.dump'));
    expect(restore).toMatchObject({ code: 1, err: expect.stringContaining('pg_restore') });
  });
});
