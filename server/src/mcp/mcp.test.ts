import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import type { Scope } from '@usher/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../test/api.ts';
import { type Assistant, connectAssistant, httpTransport } from '../../test/mcp-client.ts';
import { makeSurvey } from '../../test/use-path.ts';
import { routes } from '../app.ts';
import { buildTools } from './tool-table.ts';
import { toolDefinitions } from './tools.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
beforeEach(() => api.replaceAccounts());
afterAll(() => api.stop());

async function makeSecret(scope: Scope, people = false): Promise<string> {
  return (await api.post('/v3/edit/secrets', { name: 'Assistant', scope, people })).body.secret.secret;
}

const connect = async (scope: Scope, people = false): Promise<Assistant> =>
  connectAssistant(httpTransport(api.url, await makeSecret(scope, people)));

const steps = [{ title: 'Hello', buttons: [{ text: 'Next' }] }];
const makeTour = async (params: object = {}) =>
  (await api.post('/v3/edit/tours', { name: 'Welcome', steps, ...params })).body.tour;
const stateOf = async (id: string) => (await api.get(`/v3/edit/tours/${id}`)).body.tour.state;

/** Sends one message without the client, which would not send wrong ones. */
async function post(body: unknown, headers: Record<string, string> = {}, path = '/mcp') {
  const { hostname, port } = new URL(api.url);
  return new Promise<{ status: number; body: { code?: number; messages?: string[] } }>((resolve, reject) => {
    const sent = request({ hostname, port, path, method: 'POST', headers: { ...accepted, ...headers } }, (response) =>
      json(response).then(
        (body) => resolve({ status: response.statusCode ?? 0, body: body as object }),
        () => resolve({ status: response.statusCode ?? 0, body: {} }),
      ),
    );
    sent.on('error', reject).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
}
const accepted = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const listing = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const bearer = (secret = api.account.account_secret) => ({ authorization: `Bearer ${secret}` });

describe('tools', () => {
  it('are routes of the API, each described by hand', () => {
    const tools = buildTools(routes);
    expect(tools.size).toBe(toolDefinitions.length);
    for (const { name, description, inputSchema } of tools.values()) {
      expect(name).toMatch(/^[a-z_]{3,40}$/);
      expect([name, description.length > 40]).toEqual([name, true]);
      expect([name, inputSchema.type]).toEqual([name, 'object']);
    }
  });

  it('are few enough bytes for the memory of an assistant', () => {
    const sizes = [...buildTools(routes).values()].map((tool) => JSON.stringify(tool.inputSchema).length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(60_000);
  });

  it('are only the tools that the secret may use', async () => {
    const names = async (scope: Scope, people = false) => (await connect(scope, people)).listTools();
    const read = await names('read');
    expect(read).toContain('diff');
    for (const name of ['publish', 'update_experience', 'propose_change', 'find_people', 'list_responses'])
      expect(read).not.toContain(name);
    expect(await names('read', true)).toEqual(
      expect.arrayContaining(['find_people', 'list_responses', 'explain_visit']),
    );
    const propose = await names('propose');
    expect(propose).toEqual(expect.arrayContaining(['propose_experience', 'propose_change', 'update_proposal']));
    for (const name of ['publish', 'unpublish', 'create_experience', 'update_experience', 'revert_draft'])
      expect(propose).not.toContain(name);
    expect(await names('edit')).toEqual(expect.arrayContaining(['publish', 'update_experience', 'propose_change']));
    expect(await names('ingest')).toEqual([]);
  });

  it('write a draft, show what would change, and publish it with the hash of that', async () => {
    const { call, client } = await connect('edit');
    expect(client.getInstructions()).toContain('authoring_guide');
    const made = await call('create_experience', { kind: 'tours', name: 'Reports', steps });
    expect(made.isError).toBe(false);
    const { id } = made.body.tour;
    const of = { kind: 'tours', id };
    expect((await call('check_draft', of)).body.publish_check.problems).toEqual([]);
    const { hash, summary } = (await call('diff', of)).body.diff;
    const capture = summary.changes.find(({ capture_id }: { capture_id: unknown[] }) => capture_id[1]).capture_id[1];
    expect((await call('draw_picture', { id: capture })).text).toContain('<svg');
    await call('update_experience', { ...of, name: 'Your reports' });
    const rejected = await call('publish', { ...of, hash });
    expect([rejected.isError, rejected.body.code]).toEqual([true, 409]);
    expect(await stateOf(id)).toBe('draft');
    const again = (await call('diff', of)).body.diff.hash;
    expect((await call('publish', { ...of, hash: again })).body.tour).toMatchObject({
      state: 'live',
      name: 'Your reports',
    });
    expect((await call('list_experiences', { search: 'reports' })).body.experiences).toHaveLength(1);
    expect((await call('unpublish', of)).body.tour.published_at).toBeNull();
  });

  it('propose, and say what became of it', async () => {
    const { call } = await connect('propose');
    const { id } = await makeTour();
    const proposed = await call('propose_change', { kind: 'tours', id, name: 'Better', note: 'Clearer' });
    expect(proposed.body.proposal).toMatchObject({ state: 'open', name: 'Better' });
    const shown = await call('get_proposal', { id: proposed.body.proposal.id });
    expect(shown.body.proposal).toMatchObject({ state: 'open', reason: null });
    expect((await call('publish', { kind: 'tours', id, hash: 'x' })).body).toMatchObject({
      code: 403,
      messages: [expect.stringContaining('scope of this secret is `propose`')],
    });
  });

  it('return the errors of the API', async () => {
    const { call } = await connect('edit');
    const none = await call('get_experience', { id: 'f'.repeat(24) });
    expect([none.isError, none.body]).toEqual([
      true,
      { code: 404, messages: [expect.stringContaining('no Experience')] },
    ]);
    expect((await call('create_experience', { kind: 'tours' })).body).toMatchObject({
      code: 422,
      errors: [{ param: 'name' }],
    });
    expect((await call('create_experience', { kind: 'boats', name: 'X' })).body.code).toBe(404);
    expect((await call('diff', {})).body.messages).toEqual(['`kind` is required: give a text']);
    expect((await call('no_such_tool')).body.code).toBe(404);
  });

  it.each([
    'published_at',
    'published_until',
    'archived_at',
    'position',
    'tag_ids',
    'account_secret',
    'strict',
    '__proto__x',
  ])('have no parameter %s for a draft', async (name) => {
    const { call } = await connect('edit');
    const { id } = await makeTour();
    const { isError, body } = await call('update_experience', { kind: 'tours', id, [name]: '$now' });
    expect([isError, body.messages]).toEqual([true, [`\`${name}\` is no parameter of this tool`]]);
    expect(await stateOf(id)).toBe('draft');
  });

  it('are in the audit log with the secret', async () => {
    const { call } = await connect('edit');
    const { id } = await makeTour();
    const { hash } = (await call('diff', { kind: 'tours', id })).body.diff;
    await call('publish', { kind: 'tours', id, hash });
    const { audit_entries } = (await api.get('/v3/analyze/audit_entries', { query: 'action=experience.publish' })).body;
    expect(audit_entries).toMatchObject([{ target_id: id, secret_id: expect.any(String) }]);
  });

  it('answer clients of the newest protocol, and of older ones', async () => {
    const secret = await makeSecret('read');
    for (const mode of ['auto', 'legacy'] as const) {
      const assistant = await connectAssistant(httpTransport(api.url, secret), { versionNegotiation: { mode } });
      expect([mode, (await assistant.call('list_experiences')).isError]).toEqual([mode, false]);
    }
  });

  it('need no session: every node answers every request', async () => {
    const beside = await startApi({ beside: api });
    const secret = await makeSecret('read');
    for (const { url } of [api, beside, api]) {
      const response = await fetch(`${url}/mcp`, {
        method: 'POST',
        headers: { ...accepted, ...bearer(secret) },
        body: JSON.stringify({ ...listing, method: 'tools/call', params: { name: 'list_live', arguments: {} } }),
      });
      expect([response.status, response.headers.get('mcp-session-id')]).toEqual([200, null]);
      expect(response.headers.get('content-type')).toContain('application/json');
      expect(await response.text()).toContain('\\"live\\":[]');
    }
  });
});

describe('data of people', () => {
  const CANARY = 'canary-9f3b';

  /** Everything that a secret may read, of an account with a person in every place. */
  async function fill() {
    const survey = await makeSurvey(api, api.account);
    await api.post('/v3/observe/hooks/profiles', { uid: CANARY, email: `${CANARY}@acme.test`, name: CANARY });
    await api.post('/v3/observe/hooks/companies', { uid: CANARY, name: CANARY });
    const { profile } = (await api.get('/v3/analyze/profile', { query: `uid=${CANARY}` })).body;
    const tour = await makeTour({ published_at: '$now' });
    return { survey, profile, tour };
  }

  it('is only for secrets that may read it, at every endpoint and with every tool', async () => {
    const { profile, tour } = await fill();
    const as = { account_secret: await makeSecret('propose') };
    const withPeople = { account_secret: await makeSecret('propose', true) };
    const found = new Set<string>();
    for (const route of routes) {
      if (route.permission !== 'read' || route.forSession) continue;
      const method = route.methods.includes('GET') ? 'GET' : 'POST';
      const id = /profiles/.test(route.path) ? profile.id : tour.id;
      const words: Record<string, string> = { kind: 'tours', format: 'csv', id };
      const path = route.path.replace(/:(\w+)/g, (_, name: string) => words[name] ?? tour.steps[0].id);
      const sent = method === 'POST' ? { body: { ...route.example, uid: CANARY, href: 'https://app.test/' } } : {};
      const query = `uid=${CANARY}&kind=profile&id=${id}`;
      const { status, text } = await api.send(method, path, { as, ...(method === 'GET' ? { query } : sent) });
      expect([route.path, text.includes(CANARY)]).toEqual([route.path, false]);
      if (route.showsPeople) expect([route.path, status]).toEqual([route.path, 403]);
      const allowed = await api.send(method, path, { as: withPeople, ...(method === 'GET' ? { query } : sent) });
      if (route.showsPeople) expect([route.path, allowed.status]).not.toEqual([route.path, 403]);
      if (allowed.text.includes(CANARY)) found.add(route.path);
    }
    // The canary can be found: otherwise the test would say nothing.
    expect(found.size).toBeGreaterThan(5);
    const { call } = await connect('edit');
    for (const { name, route } of buildTools(routes).values()) {
      const { isError, text, body } = await call(name, { id: profile.id, kind: 'tours', uid: CANARY });
      expect([name, text.includes(CANARY)]).toEqual([name, false]);
      if (route.showsPeople) expect([name, isError, body.code]).toEqual([name, true, 403]);
    }
  });

  it('is shown with the permission of the secret', async () => {
    await fill();
    const { call } = await connect('read', true);
    const { profiles } = (await call('find_people', { text: CANARY })).body;
    expect(profiles).toMatchObject([{ uid: CANARY }]);
  });
});

describe('the endpoint', () => {
  it('needs a secret: as Bearer, as Basic, or in the header of the API', async () => {
    const secret = api.account.account_secret;
    const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });
    for (const headers of [bearer(), basic(`usher:${secret}`), basic(`${secret}:`), { 'x-account-secret': secret }])
      expect((await post(listing, headers)).status).toBe(200);
    for (const headers of [{}, bearer('wrong'), basic('a:b'), { authorization: secret }, { cookie: 'usher_session=x' }])
      expect(await post(listing, headers)).toMatchObject({
        status: 403,
        body: { code: 403, messages: [expect.any(String)] },
      });
    expect((await post(listing, {}, `/mcp?account_secret=${secret}`)).status).toBe(403);
  });

  it('takes no requests from pages of other sites, nor by a name that leads here', async () => {
    const { host } = new URL(api.url);
    for (const headers of [{ host: 'evil.example.com' }, { origin: 'https://evil.example.com' }, { origin: 'null' }])
      expect([headers, (await post(listing, { ...bearer(), ...headers })).status]).toEqual([headers, 403]);
    for (const headers of [
      { host: 'usher:3400' },
      { host: '10.0.0.7' },
      { host: 'usher.tools.svc.cluster.local' },
      { origin: `http://${host}` },
      { host: '[::1]:80' },
    ])
      expect([headers, (await post(listing, { ...bearer(), ...headers })).status]).toEqual([headers, 200]);
  });

  it('takes one message at a time, of a megabyte at most', async () => {
    expect((await post([listing, listing], bearer())).status).toBe(422);
    for (const body of ['', '[', '5', 'null', 'a=b']) expect((await post(body, bearer())).status).toBe(422);
    expect((await post('x'.repeat(1024 * 1024 + 1), bearer())).status).toBe(413);
    expect((await api.get('/mcp')).status).toBe(405);
  });

  it('keeps no stream open', async () => {
    const listen = { ...listing, method: 'subscriptions/listen', params: { filter: { toolsListChanged: true } } };
    expect((await post(listen, bearer())).status).toBeGreaterThanOrEqual(200);
  });
});

it('counts a call as one request of the limit of its secret', async () => {
  const limited = await startApi({ env: { USHER_LIMIT_PER_SECRET: '5' } });
  const call = () =>
    fetch(`${limited.url}/mcp`, {
      method: 'POST',
      headers: { ...accepted, ...bearer(limited.account.account_secret) },
      body: JSON.stringify({ ...listing, method: 'tools/call', params: { name: 'list_live', arguments: {} } }),
    });
  const statuses: number[] = [];
  for (let round = 0; round < 7; round++) statuses.push((await call()).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
});

it('takes a secret only from its networks', async () => {
  const { secret } = (await api.post('/v3/edit/secrets', { name: 'Away', scope: 'read', networks: ['192.0.2.1'] })).body
    .secret;
  expect((await post(listing, bearer(secret))).status).toBe(403);
});
