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

const env = () => ({ USHER_URL: api.url, USHER_SECRET: api.account.account_secret });

async function run(args: string[], params: Record<string, string> = env()) {
  const said = { out: '', err: '' };
  const code = await runCommand(['visit', ...args], params, {
    print: (text) => {
      said.out += text;
    },
    complain: (text) => {
      said.err += text;
    },
    untilStopped: async () => {},
  });
  return { code, ...said };
}

async function make(kind: 'tour' | 'survey', params: object): Promise<string> {
  const steps = [{ title: 'Hello' }];
  const { status, body } = await api.post(`/v3/edit/${kind}s`, { steps, published_at: '$now', ...params });
  expect([status, body.messages]).toEqual([201, undefined]);
  return body[kind].id;
}

/** An account with a tour for all, a survey for some, and a draft. */
async function furnish() {
  const items = [{ kind: 'property', prop: 'plan', op: 'eq', value: 'trial' }];
  const { segment } = (await api.post('/v3/edit/segments', { name: 'Trial users', items })).body;
  return {
    welcome: await make('tour', { name: 'Welcome' }),
    rating: await make('survey', {
      name: 'Rating',
      segment_ids: [segment.id],
      steps: [{ title: 'How is it?', preset: 'survey_nps' }],
    }),
    draft: await make('tour', { name: 'Draft', published_at: null }),
  };
}

async function seen(params: object = {}): Promise<string> {
  const uid = newUid();
  expect((await visit(api, { uid, ...params })).status).toBe(200);
  return uid;
}

describe('usher visit', () => {
  let made: Awaited<ReturnType<typeof furnish>>;
  beforeAll(async () => {
    made = await furnish();
  });

  it('says what shows, then why not the rest, and records nothing', async () => {
    const uid = await seen();
    const before = await accountRows(api.app, api.account.account_id);
    expect(await run(['--uid', uid, '--url', PAGE])).toEqual({
      code: 0,
      err: '',
      out: `The user ${uid} on ${PAGE}

Shows
  tour      Welcome  ${made.welcome}

Does not show
  survey    Rating  ${made.rating}
      The user is not in the Segment “Trial users”
      Another one comes first: “Welcome”
  tour      Draft  ${made.draft}
      It is not live: it was not published, or its time has not come or is over
`,
    });
    expect(await accountRows(api.app, api.account.account_id)).toEqual(before);
  });

  it('says of a user that nobody knows what a new one sees', async () => {
    const uid = newUid();
    const { code, out } = await run(['--uid', uid, '--url', PAGE]);
    expect(code).toBe(0);
    expect(out).toContain(`The user ${uid} on ${PAGE}
This user was never seen: a new one gets this.

Shows
  tour      Welcome  ${made.welcome}
`);
  });

  it('says of each Delivery whether it is ready, or why not', async () => {
    const uid = await seen({ properties: { plan: 'trial' } });
    const deliver = async (params: object) =>
      (await api.post('/v3/edit/deliveries', { uid, delivery_ids_position: 'last', ...params })).body.delivery.id;
    const later = await deliver({ model_kind: 'tour', model_id: made.welcome, from: '2099-04-07' });
    const now = await deliver({ model_kind: 'survey', model_id: made.rating });
    const { out } = await run(['--uid', uid, '--url', PAGE]);
    expect(out).toContain(`Shows
  survey    Rating  ${made.rating}

Deliveries, in their order
  tour      Welcome  ${later}  not ready
      Its time has not come: it begins on 2099-04-07T00:00:00.000Z
  survey    Rating  ${now}  ready

Does not show
  tour      Welcome  ${made.welcome}
      Another one comes first: “Rating”
`);
  });

  it('says it when nothing shows, and that the domain is why', async () => {
    const uid = await seen();
    const { code, out } = await run(['--uid', uid, '--url', 'https://elsewhere.example.org/']);
    expect(code).toBe(0);
    expect(out).toContain('\n\nNothing shows.\n\nDoes not show\n');
    expect(out).toContain(`${made.welcome}\n      elsewhere.example.org is not one of your domains: add it with`);
  });

  it('answers with all that the server says, as JSON', async () => {
    const uid = await seen();
    const { code, out } = await run(['--uid', uid, '--url', PAGE, '--json']);
    expect(code).toBe(0);
    expect(out).toMatch(/^\{.*\}\n$/);
    expect(JSON.parse(out)).toMatchObject({
      profile: { uid },
      deliveries: [],
      experiences: [{ id: made.welcome, steps: [{ title: ['Hello'] }] }],
      explanations: [{ id: made.welcome, shows: true, reasons: [] }, { id: made.rating }, { id: made.draft }],
    });
  });

  it('lets names do nothing to the terminal', async () => {
    const id = await make('tour', { name: 'Red\u001b[31m\u0007\u009b', published_at: null });
    const { out } = await run(['--uid', await seen(), '--url', PAGE]);
    expect(out).toContain(`Red [31m    ${id}\n`);
    await api.send('DELETE', `/v3/edit/tours/${id}`);
  });

  it('takes the server and the secret as options too', async () => {
    const uid = await seen();
    const options = ['--server', `${api.url}/`, '--secret', api.account.account_secret];
    expect((await run(['--uid', uid, '--url', PAGE, ...options], {})).out).toContain('Welcome');
  });

  it('says clearly what it lacks', async () => {
    const whole = ['--uid', 'ann', '--url', PAGE];
    const wrong: [string[], Record<string, string>, string][] = [
      [[], env(), 'give --uid'],
      [['--uid', 'ann'], env(), 'give --url, the address of the page'],
      [['--uid', 'ann', '--url', '/dashboard'], env(), 'give --url, the address of the page'],
      [[...whole, '--server', 'usher.example.com'], env(), 'give --server'],
      [whole, { USHER_URL: api.url }, 'USHER_SECRET'],
      [['18821', ...whole], env(), 'there is no command "visit 18821"'],
    ];
    for (const [args, params, message] of wrong)
      expect(await run(args, params)).toEqual({ code: 2, out: '', err: expect.stringContaining(message) });
  });

  it('says clearly what went wrong', async () => {
    const whole = ['--uid', await seen(), '--url', PAGE];
    expect(await run(whole, { ...env(), USHER_SECRET: 'wrong' })).toMatchObject({
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
