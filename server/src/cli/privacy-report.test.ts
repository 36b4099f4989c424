import { readdirSync, readFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { callServer, createDatabase, newFolder, run, start, usher } from '../../test/backups.ts';
import { createEmptyDatabase, engine } from '../../test/engine.ts';
import { stored } from './privacy-report.ts';

it('names every table that says who somebody is', () => {
  const schema = readFileSync(new URL('../db/schema.sqlite.sql', import.meta.url), 'utf8');
  const tables = schema.split(/^CREATE TABLE /m).slice(1);
  const personal = tables
    .filter(
      (table) =>
        /^\s*,?\s*"?(profile_id|uid|email|person_id|network|cells)"? text/m.test(table) ||
        /^(import_pieces|properties)/.test(table),
    )
    .flatMap((table) => /^"?(\w+)/.exec(table)?.[1] ?? [])
    // A tag and a webhook have a uid, too: its name, and its address.
    .filter((name) => !['tags', 'webhooks'].includes(name));
  const named: string[] = stored.flatMap(({ tables }) => tables);
  expect(personal.filter((name) => !named.includes(name))).toEqual([]);
  expect(personal.length).toBeGreaterThan(15);
});

it(`says on ${engine} what is stored, where it is sent, and how many were forgotten, and changes nothing`, async () => {
  const env = { ...(await createDatabase()), USHER_EVENTS_DAYS: '30', USHER_WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8' };
  const running = await start(env);
  await callServer(running, 'POST', '/v3/observe/hooks/profiles', { uid: 'ann', email: 'ann@example.com' });
  await callServer(running, 'DELETE', '/v3/edit/profiles/forget?uid=ann');
  await callServer(running, 'POST', '/v3/edit/webhooks', {
    kind: 'webhook',
    url: 'https://127.0.0.1:9/hook?key=1',
    topics: ['ping'],
  });
  await running.stop();
  const text = await run(env, 'privacy-report');
  expect(text).toContain('| tracked events, one by one | events | 30 days |');
  expect(text).toMatch(/^- Webhooks of .* \(\w{24}\): 127\.0\.0\.1:9$/m);
  expect(text).toMatch(/^- .*: 1 forgotten users and Companies, the last \d{4}-/m);
  expect(text).not.toContain('ann');
  const report = JSON.parse(await run(env, 'privacy-report', '--json'));
  expect(report).toMatchObject({ telemetry: 'none', subprocessors: [], exports: null, pages: { cookies: 'none' } });
});

it('creates no database, and says that there is none', async () => {
  const empty = await createEmptyDatabase();
  onTestFinished(() => empty.remove());
  for (const env of [{ USHER_DATA: newFolder() }, empty.env]) {
    const { code, err } = await usher(env, 'privacy-report');
    expect([code, err]).toEqual([2, expect.stringContaining('there is no database of Usher')]);
    expect(readdirSync(env.USHER_DATA)).toEqual([]);
    expect((await usher(env, 'doctor')).out).not.toContain('The database fits this version');
  }
});
