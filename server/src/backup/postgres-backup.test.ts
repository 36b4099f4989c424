import { spawnSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { callServer, createDatabase, type Env, newFolder, run, start, usher } from '../../test/backups.ts';
import { engine } from '../../test/engine.ts';

const hasClient = spawnSync('pg_dump', ['--version']).status === 0;

/** Creates an empty database beside another one, and returns its address. */
async function createBeside(address: string): Promise<string> {
  const url = new URL(address);
  url.searchParams.delete('application_name');
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

describe.runIf(engine === 'postgres' && hasClient && inject('canCopyDatabases'))(
  'a backup on PostgreSQL',
  { timeout: 120_000 },
  () => {
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
      const restored = spawnSync('pg_restore', [
        '--no-owner',
        '--exit-on-error',
        `--dbname=${copy.DATABASE_URL}`,
        file,
      ]);
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
    });

    /** Creates a database, and a backup of an earlier state of it. One user was forgotten after the backup. */
    async function withBackup() {
      const env = await createDatabase();
      const file = join(newFolder(), 'usher.dump');
      const running = await start(env);
      for (const uid of ['canary', 'kept']) await callServer(running, 'POST', '/v3/observe/hooks/profiles', { uid });
      await run(env, 'backup', file);
      await callServer(running, 'DELETE', '/v3/edit/profiles/forget?uid=canary');
      await callServer(running, 'POST', '/v3/observe/hooks/profiles', { uid: 'later' });
      await running.stop();
      return { env, file };
    }
    const uidsOf = async (env: Env) => {
      const running = await start(env);
      const { profiles } = await callServer(running, 'GET', '/v3/analyze/profiles?expand.profile=all');
      await running.stop();
      return profiles.map(({ uid }: { uid: string }) => uid).sort();
    };
    const failsWith = async (env: Env, message: string, ...argv: string[]) => {
      const failed = await usher(env, 'restore', ...argv);
      expect([failed.code > 0, failed.err]).toEqual([true, expect.stringContaining(message)]);
    };

    it('is restored into an empty database, where it forgets again and does not send', async () => {
      const { env, file } = await withBackup();
      const copy: Env = { ...env, DATABASE_URL: await createBeside(env.DATABASE_URL ?? '') };
      const restored = JSON.parse(await run(copy, 'restore', file, '--json'));
      expect(restored).toMatchObject({
        restored: file,
        forgotten_again: 1,
        webhooks: expect.stringContaining('paused'),
      });
      expect(await run(copy, 'webhooks', 'pause')).toContain('restored at');
      expect(await uidsOf(copy)).toEqual(['kept']);
      expect(await uidsOf(env)).toEqual(['kept', 'later']);
    });

    it('replaces what is in the database only with --force', async () => {
      const { env, file } = await withBackup();
      await failsWith(env, 'is not empty', file);
      const running = await start(env);
      await failsWith(env, 'is in use', file, '--force');
      await running.stop();
      expect(await uidsOf(env)).toEqual(['kept', 'later']);
      const restored = JSON.parse(await run(env, 'restore', file, '--force', '--json'));
      expect(restored).toMatchObject({ forgotten_again: 1, replaced: expect.stringContaining('gone') });
      expect(await uidsOf(env)).toEqual(['kept']);
      const client = new pg.Client({ connectionString: env.DATABASE_URL });
      await client.connect();
      expect((await client.query(`select 1 from pg_namespace where nspname like 'usher%'`)).rows).toEqual([]);
      expect((await client.query('show default_transaction_read_only')).rows[0]).toEqual({
        default_transaction_read_only: 'off',
      });
      await client.end();
    });

    it('goes on after it was killed, and until then no server uses a part of the data', async () => {
      const { env, file } = await withBackup();
      const client = new pg.Client({ connectionString: env.DATABASE_URL });
      await client.connect();
      // A restore that is killed leaves what it replaces in this schema, and the role of Usher can only read.
      await client.query(`create schema usher_before_restore;
        do $$ declare name text; begin
          for name in select tablename from pg_tables where schemaname = current_schema() loop
            execute format('alter table %I set schema usher_before_restore', name);
          end loop;
        end $$`);
      const { rows } = await client.query<{ name: string }>('select current_database() as name');
      await client.query(
        `alter role current_user in database "${rows[0]?.name}" set default_transaction_read_only = on`,
      );
      await client.end();
      for (const command of [['serve'], ['webhooks', 'pause'], ['migrate'], ['move', '--to', newFolder()]])
        expect((await usher(env, ...command)).err).toContain('a restore into this database was interrupted');
      const found = await usher(env, 'doctor');
      expect(found.out).toContain('A restore into this database was interrupted: run “usher restore”');
      expect(found.out).not.toContain('default_transaction_read_only');
      expect(JSON.parse(await run(env, 'restore', file, '--force', '--json'))).toMatchObject({ restored: file });
      await run(env, 'webhooks', 'pause');
    });

    it('leaves the database as it was if it cannot be restored', async () => {
      const { env, file } = await withBackup();
      const folder = newFolder();
      const content = readFileSync(file);
      const write = (name: string, bytes: Buffer | string) => {
        writeFileSync(join(folder, name), bytes);
        return join(folder, name);
      };
      await failsWith(env, 'there is no file', join(folder, 'missing'), '--force');
      await failsWith(env, 'no backup of Usher', write('text', 'hello'), '--force');
      await failsWith(env, 'cannot be read', write('header', content.subarray(0, 200)), '--force');
      await failsWith(env, 'pg_restore failed', write('cut', content.subarray(0, content.length - 60)), '--force');
      await failsWith({ ...env, PATH: folder }, 'there is no pg_restore', file, '--force');
      const key = write('key', Buffer.alloc(32, 7).toString('base64'));
      await failsWith({ ...env, USHER_MASTER_KEY_FILE: key }, 'encrypted with the master key', file, '--force');
      await failsWith({ USHER_DATA: folder }, 'set DATABASE_URL', file);
      expect(await uidsOf(env)).toEqual(['kept', 'later']);
    });
  },
);
