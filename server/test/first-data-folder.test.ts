import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { newFolder } from './backups.ts';
import { engine } from './engine.ts';
import { root, send, startServer, stopServer } from './run-process.ts';

/*
 * older-data/0.1.tgz is a data folder that version 0.1 has left. Every later version must be able to use it. It is never made again: that would
 * only prove that a version can read what it has written.
 */
const SECRET = 'usher_secret_of_version_0_1_data_folder_0000';
const TOKEN = 'token-of-version-0-1';

it.runIf(engine === 'sqlite')('uses a data folder of version 0.1, with everything that is in it', async () => {
  const folder = newFolder();
  execFileSync('tar', ['xzf', `${root}/server/test/older-data/0.1.tgz`, '-C', folder]);
  const server = await startServer({ USHER_DATA: folder, USHER_DEMO: 'true' });
  const get = async (path: string) => (await (await send(server.url + path, SECRET)).json()) as Record<string, unknown>;

  const experiences = (await get('/v3/edit/experiences?limit=500')).experiences as { state: string }[];
  expect(experiences).toHaveLength(10);
  expect(experiences.filter(({ state }) => state === 'live').length).toBeGreaterThan(4);
  expect((await get('/v3/analyze/profiles/count')).count).toBe(41);
  const profile = (await get('/v3/analyze/profile?uid=18821')).profile as { delivery_ids: string[] };
  expect(profile).toMatchObject({ email: 'ann@example.com', plan: 'pro', percent: 91.33, company: { uid: '931' } });
  expect((await get('/v3/edit/deliveries')).deliveries).toMatchObject([{ id: profile.delivery_ids[0], at: null }]);
  expect((await get('/v3/edit/segments')).segments).toContainEqual(expect.objectContaining({ name: 'Pro' }));
  expect((await get('/v3/edit/webhooks')).webhooks).toMatchObject([{ uid: 'https://example.com/hook' }]);
  expect((await get('/v3/edit/changes?limit=1')).changes).toHaveLength(1);

  const page = { account_token: TOKEN, uid: '18821', href: `${server.url}/demo/`, browser: { x: 800, l: 'en' } };
  const visit = await fetch(`${server.url}/v3/observe/visits`, { method: 'POST', body: JSON.stringify(page) });
  expect(await visit.json()).toMatchObject({ deliveries: [{ id: profile.delivery_ids[0] }] });

  const signIn = await fetch(`${server.url}/v3/session`, {
    method: 'POST',
    headers: { origin: server.url, 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'owner@example.com', password: 'a-password-of-0.1' }),
  });
  expect([signIn.status, signIn.headers.get('set-cookie')]).toEqual([200, expect.stringContaining('HttpOnly')]);
  expect(await stopServer(server)).toBe(0);
});
