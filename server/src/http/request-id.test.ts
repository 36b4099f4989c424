import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Api, startApi } from '../../test/api.ts';
import { openDomain, PAGE, visit } from '../../test/visiting.ts';
import { createApp } from '../app.ts';
import { createLog } from '../log/log.ts';
import { readSettings } from '../settings/settings.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
afterAll(() => api.stop());

const generated = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const idOf = async (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  (await api.send(method, path, { headers })).headers.get('X-Request-Id');

it('is in every response, also in errors', async () => {
  const paths = [
    '/',
    '/v3/edit/urls',
    '/v3/edit/nothing',
    '/v3/edit/urls/x',
    '/healthz',
    '/openapi.json',
    '/app/nothing',
  ];
  const ids = await Promise.all(paths.map((path) => idOf(path)));
  for (const id of ids) expect(id).toMatch(generated);
  expect(new Set(ids).size).toBe(paths.length);
  expect(await idOf('/v3/edit/urls', {}, 'PATCH')).toMatch(generated);
});

it.each(['a', 'deal-4711_B.2', 'x'.repeat(128)])('is the one that the client sends: %s', async (id) => {
  expect(await idOf('/v3/edit/urls', { 'X-Request-Id': id })).toBe(id);
});

it.each(['', 'x'.repeat(129), 'a b', 'a/b', '"a"', 'é', '{"level":50}'])('is a new one instead of %j', async (id) => {
  expect(await idOf('/v3/edit/urls', { 'X-Request-Id': id })).toMatch(generated);
});

it('is in the log, and not in the body', async () => {
  const lines: { msg: string; request?: string; route?: string }[] = [];
  const log = createLog('info', { write: (line: string) => void lines.push(JSON.parse(line)) });
  const app = createApp(api.app, readSettings({ ...api.database.env }), log);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const headers = { 'X-Request-Id': 'found-in-the-log', 'X-Account-Secret': api.account.account_secret };
  const text = await (await fetch(`${url}/v3/edit/urls`, { headers })).text();
  expect(text).not.toContain('found-in-the-log');
  await vi.waitFor(() => expect(lines.map(({ request }) => request)).toContain('found-in-the-log'));
  await app.close();
});

it('is not in the responses of a page load, which has no rate limit headers either', async () => {
  await openDomain(api, api.account);
  const load = await visit(api, { uid: 'ann' });
  expect(load.status).toBe(200);
  const script = await api.get(`/script/${api.account.account_token}.js`, { as: null });
  const preflight = await api.send('OPTIONS', '/v3/observe/visits', { as: null, headers: { Origin: PAGE } });
  expect([script.status, preflight.status]).toEqual([200, 204]);
  for (const { headers } of [load, script, preflight])
    expect([headers.has('X-Request-Id'), headers.has('X-Ratelimit-Limit')]).toEqual([false, false]);
});
