import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../test/api.ts';
import { usher } from '../../test/run-process.ts';
import { runCommand } from './cli.ts';

let source: Api;
let target: Api;
beforeAll(async () => {
  source = await startApi({ inTest: false });
  target = await startApi({ inTest: false });
  await fillSource();
});
afterAll(async () => {
  await source.stop();
  await target.stop();
});

const PEOPLE = 3000;

async function fillSource(): Promise<void> {
  const profiles = Array.from({ length: PEOPLE }, (_, n) => ({ uid: `user ${n}`, plan: n % 2 ? 'pro' : 'free' }));
  expect((await source.post('/v3/observe/hooks/profiles/batch', { profiles })).status).toBe(202);
  for (let n = 0; n < 20; n++) {
    const tour = { name: `Tour ${n}`, steps: [{ title: 'Hello', buttons: [{ text: 'Next' }] }], published_at: '$now' };
    expect((await source.post('/v3/edit/tours', tour)).status).toBe(201);
  }
}

const fromSource = () => ['--from', source.url, '--secret', source.account.account_secret];
const toTarget = () => ['--account', target.account.account_id];
const quickly = ['--requests-per-minute', '100000'];

async function run(words: string[], env: Record<string, string> = {}) {
  const output = { out: '', err: '', bar: '' };
  const to = (where: keyof typeof output) => (text: string) => {
    output[where] += text;
  };
  const code = await runCommand(
    ['import', ...words, ...toTarget()],
    { ...target.database.env, ...env },
    {
      print: to('out'),
      printError: to('err'),
      progress: to('bar'),
      untilStopped: async () => {},
    },
  );
  return { code, ...output };
}

const countPeople = async () => (await target.post('/v3/analyze/profiles/count', {})).body.count;

async function all(api: Api, path: string, key: string): Promise<object[]> {
  const records: object[] = [];
  for (let before = ''; ; ) {
    const { body } = await api.get(`${path}?limit=500${before}`);
    records.push(...body[key].map(({ dashboard_url: _, ...record }: Record<string, unknown>) => record));
    if (body.cursor.before === null) return records;
    before = `&before=${body.cursor.before}`;
  }
}

describe('usher import', () => {
  it('says what is missing or wrong', async () => {
    expect(await run(['v3'])).toMatchObject({ code: 2, err: expect.stringContaining('give --from') });
    expect(await run(['v3', '--from', source.url])).toMatchObject({
      code: 2,
      err: expect.stringContaining('SOURCE_SECRET'),
    });
    expect(await run(['v3', ...fromSource(), '--only', 'cats'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--only does not know cats'),
    });
    expect(await run(['v3', ...fromSource(), '--webhook-secret', 'x'])).toMatchObject({ code: 2 });
    expect(await run(['v3', ...fromSource(), '--requests-per-minute', '0'])).toMatchObject({ code: 2 });
    expect(await run(['later'])).toMatchObject({ code: 2, err: expect.stringContaining('give v3, status or release') });
    const wrong = await run(['v3', '--from', source.url], { SOURCE_SECRET: 'wrong' });
    expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('rejects the secret') });
    expect((await run(['status'])).code).toBe(1);
  });

  it('stores nothing in a dry run, and prints what would come', async () => {
    const { code, out, err } = await run(['v3', ...fromSource(), '--dry-run', ...quickly]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('A dry run: nothing was stored.');
    expect(out).toMatch(/Profiles +3000\n/);
    expect(out).toMatch(/Experiences +20\n/);
    expect(out).toContain('Everything can be imported as it is.');
    expect(await countPeople()).toBe(0);
    expect((await target.get('/v3/edit/move')).body.move).toBeNull();
  });

  it('has everything at the end when it was killed on the way', async () => {
    for (let kill = 1; kill <= 3; kill++) {
      const child = usher(['import', 'v3', ...fromSource(), ...toTarget(), ...quickly], target.database.env);
      // It is killed at different places: after some pages, or while it ends.
      const wanted = kill * 500;
      for (let stored = 0; stored < wanted && child.child.exitCode === null; ) {
        stored = await countPeople();
        await pause(5);
      }
      child.child.kill('SIGKILL');
      if (child.child.exitCode === null && child.child.signalCode === null) await once(child.child, 'exit');
      // The next process may continue when the claim of this one has ended.
      const { account_id } = target.account;
      await target.app.storage.write(account_id, (db) =>
        db.updateTable('moves').set({ claimed_at: 0 }).where('account_id', '=', account_id).execute(),
      );
    }
    const { code, out, err, bar } = await run(['v3', ...fromSource(), ...quickly]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('finished');
    expect(bar).toMatch(/Totals|Profiles/);
    for (const [path, key] of [
      ['/v3/analyze/profiles', 'profiles'],
      ['/v3/edit/tours', 'tours'],
    ] as const)
      expect(await all(target, path, key)).toEqual(await all(source, path, key));
    expect((await run(['status'])).out).toMatch(/Profiles +3000\n/);
    expect((await run(['release'])).out).toContain('Released');
  }, 120_000);
});
