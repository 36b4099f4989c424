import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { accountRows } from '../../test/account-rows.ts';
import { type Api, startApi } from '../../test/api.ts';
import { newUid, openDomain, PAGE, visit } from '../../test/visiting.ts';
import { runCommand } from './cli.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
  await openDomain(api);
});
afterAll(() => api.stop());

const env = () => ({ USHER_URL: api.url, ACCOUNT_SECRET: api.account.account_secret });

async function run(args: string[], params: Record<string, string> = env()) {
  const output = { out: '', err: '' };
  const code = await runCommand(['visit', ...args], params, {
    print: (text) => {
      output.out += text;
    },
    printError: (text) => {
      output.err += text;
    },
    untilStopped: async () => {},
  });
  return { code, ...output };
}

async function create(kind: 'tour' | 'survey', params: object): Promise<string> {
  const steps = [{ title: 'Hello' }];
  const { status, body } = await api.post(`/v3/edit/${kind}s`, { steps, published_at: '$now', ...params });
  expect([status, body.messages]).toEqual([201, undefined]);
  return body[kind].id;
}

/** Creates a tour for everybody, a survey for a Segment, and a draft. */
async function createExperiences() {
  const items = [{ kind: 'property', prop: 'plan', op: 'eq', value: 'trial' }];
  const { segment } = (await api.post('/v3/edit/segments', { name: 'Trial users', items })).body;
  return {
    welcome: await create('tour', { name: 'Welcome' }),
    rating: await create('survey', {
      name: 'Rating',
      segment_ids: [segment.id],
      steps: [{ title: 'How is it?', preset: 'survey_nps' }],
    }),
    draft: await create('tour', { name: 'Draft', published_at: null }),
  };
}

async function recordUser(params: object = {}): Promise<string> {
  const uid = newUid();
  expect((await visit(api, { uid, ...params })).status).toBe(200);
  return uid;
}

describe('usher visit', () => {
  let ids: Awaited<ReturnType<typeof createExperiences>>;
  beforeAll(async () => {
    ids = await createExperiences();
  });

  it('prints which Experiences show and why the others do not, and records nothing', async () => {
    const uid = await recordUser();
    const before = await accountRows(api.app, api.account.account_id);
    expect(await run(['--uid', uid, '--url', PAGE])).toEqual({
      code: 0,
      err: '',
      out: `The user ${uid} on ${PAGE}

Shows
  tour      Welcome  ${ids.welcome}

Does not show
  survey    Rating  ${ids.rating}
      The user is not in the Segment “Trial users”
      Another one comes first: “Welcome”
  tour      Draft  ${ids.draft}
      It is not live: it was not published, or its time has not come or is over
`,
    });
    expect(await accountRows(api.app, api.account.account_id)).toEqual(before);
  });

  it('prints what a new user sees for an unknown uid', async () => {
    const uid = newUid();
    const { code, out } = await run(['--uid', uid, '--url', PAGE]);
    expect(code).toBe(0);
    expect(out).toContain(`The user ${uid} on ${PAGE}
This user was never seen: a new one gets this.

Shows
  tour      Welcome  ${ids.welcome}
`);
  });

  it('prints whether each Delivery is ready, or why not', async () => {
    const uid = await recordUser({ properties: { plan: 'trial' } });
    const deliver = async (params: object) =>
      (await api.post('/v3/edit/deliveries', { uid, delivery_ids_position: 'last', ...params })).body.delivery.id;
    const later = await deliver({ model_kind: 'tour', model_id: ids.welcome, from: '2099-04-07' });
    const now = await deliver({ model_kind: 'survey', model_id: ids.rating });
    const { out } = await run(['--uid', uid, '--url', PAGE]);
    expect(out).toContain(`Shows
  survey    Rating  ${ids.rating}

Deliveries, in their order
  tour      Welcome  ${later}  not ready
      Its time has not come: it begins on 2099-04-07T00:00:00.000Z
  survey    Rating  ${now}  ready

Does not show
  tour      Welcome  ${ids.welcome}
      Another one comes first: “Rating”
`);
  });

  it('prints that nothing shows on an unknown domain', async () => {
    const uid = await recordUser();
    const { code, out } = await run(['--uid', uid, '--url', 'https://elsewhere.example.org/']);
    expect(code).toBe(0);
    expect(out).toContain('\n\nNothing shows.\n\nDoes not show\n');
    expect(out).toContain(`${ids.welcome}\n      elsewhere.example.org is not one of your domains: add it with`);
  });

  it('prints the response of the server with --json', async () => {
    const uid = await recordUser();
    const { code, out } = await run(['--uid', uid, '--url', PAGE, '--json']);
    expect(code).toBe(0);
    expect(out).toMatch(/^\{.*\}\n$/);
    expect(JSON.parse(out)).toMatchObject({
      profile: { uid },
      deliveries: [],
      experiences: [{ id: ids.welcome, steps: [{ title: ['Hello'] }] }],
      explanations: [{ id: ids.welcome, shows: true, reasons: [] }, { id: ids.rating }, { id: ids.draft }],
    });
  });

  it('removes control characters from names', async () => {
    const id = await create('tour', { name: 'Red\u001b[31m\u0007\u009b', published_at: null });
    const { out } = await run(['--uid', await recordUser(), '--url', PAGE]);
    expect(out).toContain(`Red [31m    ${id}\n`);
    await api.send('DELETE', `/v3/edit/tours/${id}`);
  });

  it('accepts the server and the secret as options', async () => {
    const uid = await recordUser();
    const options = ['--server', `${api.url}/`, '--secret', api.account.account_secret];
    expect((await run(['--uid', uid, '--url', PAGE, ...options], {})).out).toContain('Welcome');
  });

  it('prints an error for missing and wrong options', async () => {
    const whole = ['--uid', 'ann', '--url', PAGE];
    const wrong: [string[], Record<string, string>, string][] = [
      [[], env(), 'give --uid'],
      [['--uid', 'ann'], env(), 'give --url, the address of the page'],
      [['--uid', 'ann', '--url', '/dashboard'], env(), 'give --url, the address of the page'],
      [[...whole, '--server', 'usher.example.com'], env(), 'give --server'],
      [whole, { USHER_URL: api.url }, 'ACCOUNT_SECRET'],
      [['18821', ...whole], env(), 'there is no command "visit 18821"'],
    ];
    for (const [args, params, message] of wrong)
      expect(await run(args, params)).toEqual({ code: 2, out: '', err: expect.stringContaining(message) });
  });

  it('prints an error for a wrong secret, an unreachable server and another kind of server', async () => {
    const whole = ['--uid', await recordUser(), '--url', PAGE];
    expect(await run(whole, { ...env(), ACCOUNT_SECRET: 'wrong' })).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^usher: .*secret/),
    });
    expect(await run([...whole, '--server', 'http://127.0.0.1:9'])).toEqual({
      code: 1,
      out: '',
      err: expect.stringContaining('http://127.0.0.1:9 cannot be reached'),
    });
    const other = createServer((_request, response) => response.end('Hello')).listen(0, '127.0.0.1');
    onTestFinished(() => other[Symbol.asyncDispose]());
    await once(other, 'listening');
    const address = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    expect(await run([...whole, '--server', address])).toEqual({
      code: 1,
      out: '',
      err: `usher: ${address} answered 200: is it an Usher?\n`,
    });
  });
});
