import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { describe, expect, it } from 'vitest';
import {
  anotherMachine,
  callServer,
  createDatabase,
  type Env,
  newFolder,
  run,
  start,
  usher,
} from '../../test/backups.ts';
import { engine } from '../../test/engine.ts';

describe.runIf(engine === 'sqlite')('a restore on SQLite', () => {
  /** Creates a database, and a backup of an earlier state of it. */
  async function withBackup() {
    const env = await createDatabase();
    const file = join(newFolder(), 'usher.backup');
    const first = await start(env);
    await callServer(first, 'POST', '/v3/edit/urls', { host: 'in-backup.example.com' });
    await run(env, 'backup', file);
    await callServer(first, 'POST', '/v3/edit/urls', { host: 'later.example.com' });
    await first.stop();
    return { env, file };
  }
  const hostsOf = async (env: Env) => {
    const running = await start(env);
    const { urls } = await callServer(running, 'GET', '/v3/edit/urls');
    await running.stop();
    return urls.map(({ host }: { host: string }) => host);
  };
  const filesOf = ({ USHER_DATA }: Env) => readdirSync(USHER_DATA).filter((name) => name.startsWith('usher.db'));

  it('keeps the database that it replaces', async () => {
    const { env, file } = await withBackup();
    await run(env, 'restore', file);
    const kept = filesOf(env).filter((name) => name.includes('before-restore'));
    expect([filesOf(env).length, kept.length]).toEqual([2, 1]);
    expect(await hostsOf(env)).toEqual(['in-backup.example.com']);
    await run(env, 'restore', join(env.USHER_DATA, kept[0] ?? ''));
    expect(await hostsOf(env)).toEqual(['later.example.com', 'in-backup.example.com']);
  });

  it('or a start removes what a restore left that was killed before its last step', async () => {
    const { env, file } = await withBackup();
    const at = (end: string) => join(env.USHER_DATA, `usher.db${end}`);
    const kill = () => {
      for (const end of ['.restoring', '.restoring-wal', '.restoring-shm', '.restored']) writeFileSync(at(end), 'half');
      linkSync(at(''), at('.before-restore-killed'));
    };
    const left = () => filesOf(env).filter((name) => /restoring|restored|killed/.test(name));
    kill();
    expect(await hostsOf(env)).toEqual(['later.example.com', 'in-backup.example.com']);
    expect(left()).toEqual([]);
    kill();
    await run(env, 'restore', file);
    expect(left()).toEqual([]);
    expect(await hostsOf(env)).toEqual(['in-backup.example.com']);
  });

  it('changes nothing while a server runs, or with a file that cannot be used', async () => {
    const { env, file } = await withBackup();
    const folder = newFolder();
    const change = (name: string, edit: (copy: string) => void) => {
      copyFileSync(file, join(folder, name));
      edit(join(folder, name));
      return join(folder, name);
    };
    const inSql = (sql: string) => (copy: string) => {
      const connection = new Database(copy);
      connection.exec(sql);
      connection.close();
    };
    mkdirSync(join(folder, 'folder'));
    writeFileSync(join(folder, 'text'), 'hello');
    writeFileSync(join(folder, 'dump'), 'PGDMP…');
    const failsWith = async (at: Env, name: string, message: string) => {
      expect(await usher(at, 'restore', name)).toMatchObject({ code: 1, err: expect.stringContaining(message) });
    };
    const running = await start(env);
    await failsWith(env, file, 'another server uses the data folder');
    await running.stop();
    const before = filesOf(env);
    for (const [name, message] of [
      [join(folder, 'missing'), 'there is no file'],
      [join(folder, 'folder'), 'is no file'],
      [join(folder, 'text'), 'is no backup of Usher'],
      [join(folder, 'dump'), 'set DATABASE_URL'],
      [change('cut', (copy) => truncateSync(copy, statSync(copy).size / 2)), 'damaged'],
      [change('cut by a byte', (copy) => truncateSync(copy, statSync(copy).size - 1)), 'damaged'],
      [change('cut by a page', (copy) => truncateSync(copy, statSync(copy).size - 4096)), 'damaged'],
      [change('other', inSql('drop table installation')), 'no backup of Usher'],
      [change('newer', inSql(`insert into migrations values ('9999-later')`)), 'newer version'],
    ] as const)
      await failsWith(env, name, message);
    writeFileSync(join(folder, 'key'), Buffer.alloc(32, 7).toString('base64'));
    await failsWith({ ...env, USHER_MASTER_KEY_FILE: join(folder, 'key') }, file, 'encrypted with the master key');
    const empty: Env = { USHER_DATA: join(folder, 'empty') };
    await failsWith(empty, file, 'has none');
    expect(readdirSync(empty.USHER_DATA).filter((name) => !name.startsWith('server.'))).toEqual([]);
    expect(filesOf(env)).toEqual(before);
    expect(await hostsOf(env)).toEqual(['later.example.com', 'in-backup.example.com']);
  });

  it('forgets again who was forgotten after the backup, with the same proof', async () => {
    const env = await createDatabase();
    const folder = newFolder();
    const file = join(folder, 'usher.backup');
    const first = await start(env);
    for (const uid of ['canary-one', 'canary-two', 'kept-user'])
      await callServer(first, 'POST', '/v3/observe/hooks/profiles', { uid, plan: `${uid} plan` });
    await run(env, 'backup', file);
    const forget = async (uid: string) =>
      (await callServer(first, 'DELETE', `/v3/edit/profiles/forget?uid=${uid}`)).deletion.id;
    const ids = [await forget('canary-one'), await forget('canary-two')];
    const log = join(env.USHER_DATA, 'forgotten.jsonl');
    expect(statSync(log).mode & 0o777).toBe(0o600);
    expect(readFileSync(log, 'utf8')).not.toContain('canary');
    await first.stop();

    // This machine restores with its own log; the other machine has a copy of the log beside the backup.
    const other = anotherMachine(env);
    expect(readFileSync(file).includes('canary-one')).toBe(true);
    copyFileSync(log, join(folder, 'forgotten-copy.jsonl'));
    rmSync(log);
    for (const [at, isCopied] of [
      [env, false],
      [other, true],
    ] as const) {
      if (!isCopied) rmSync(join(folder, 'forgotten-copy.jsonl'));
      else copyFileSync(join(env.USHER_DATA, 'forgotten.jsonl'), join(folder, 'forgotten-copy.jsonl'));
      expect(JSON.parse(await run(at, 'restore', file, '--json'))).toMatchObject({ forgotten_again: 2 });
      expect(readFileSync(join(at.USHER_DATA, 'usher.db')).includes('canary')).toBe(false);
      const found = await run(at, 'deletion', 'find', '--uid', 'canary-two', '--json');
      expect(JSON.parse(found)).toMatchObject([{ deletion_id: ids[1] }]);
      const running = await start(at);
      const { profiles } = await callServer(running, 'GET', '/v3/analyze/profiles?expand.profile=all');
      expect(profiles.map(({ uid }: { uid: string }) => uid)).toEqual(['kept-user']);
      await running.stop();
    }
  });

  it('removes triggers, which could keep users from being forgotten or turn sending on', async () => {
    const env = await createDatabase();
    const first = await start(env);
    await callServer(first, 'POST', '/v3/observe/hooks/profiles', { uid: 'canary' });
    const file = join(newFolder(), 'usher.backup');
    await run(env, 'backup', file);
    await callServer(first, 'DELETE', '/v3/edit/profiles/forget?uid=canary');
    await first.stop();
    const connection = new Database(file);
    connection.exec(`
      create trigger "keep ""all""" before delete on profiles begin select raise(ignore); end;
      create trigger send after insert on installation begin delete from installation where name = 'sending_paused'; end;
      create view secrets_of_all as select * from secrets;
      delete from installation where name = 'sending_paused'`);
    connection.close();
    expect(JSON.parse(await run(env, 'restore', file, '--json'))).toMatchObject({
      forgotten_again: 1,
      removed: ['trigger keep "all"', 'trigger send', 'view secrets_of_all'],
    });
    const running = await start(env);
    expect((await callServer(running, 'GET', '/v3/analyze/profiles?expand.profile=all')).profiles).toEqual([]);
    expect((await callServer(running, 'GET', '/v3/analyze/health')).health.sending_paused).not.toBeNull();
    await running.stop();
  });

  it('replaces a database that is no longer one, with its log', async () => {
    const { env, file } = await withBackup();
    writeFileSync(join(env.USHER_DATA, 'usher.db'), 'not a database any more'.repeat(1000));
    writeFileSync(join(env.USHER_DATA, 'usher.db-wal'), 'nor a log');
    await run(env, 'restore', file);
    expect(existsSync(join(env.USHER_DATA, 'usher.db-wal'))).toBe(false);
    expect(await hostsOf(env)).toEqual(['in-backup.example.com']);
  });
});
