import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { png } from '../../../../../domain/test/pictures.ts';
import { type Api, startApi } from '../../../../test/api.ts';
import { addSignedIn } from '../../../../test/sign-in.ts';
import { createContext } from '../../../create-context.ts';
import { type MoveOptions, runMove, tryMove } from './run-move.ts';
import { createFileReader, sendAnywhere } from './senders.ts';

/*
 * A small service with the quirks of others: pages of 100 at most, few requests a minute, records without the fields that are null, IDs
 * whose digits are no milliseconds, Experiences without steps, translation files in one language, and no endpoint that is not named here.
 */

let target: Api;
beforeAll(async () => {
  target = await startApi({ inTest: false });
});
afterAll(() => target.stop());

const id = (kind: number, n: number) =>
  `5fb70dcb${kind.toString(16).padStart(4, '0')}${n.toString(16).padStart(12, 'f')}`;
const TIME = '2020-11-20T00:28:59.650Z';
const ACCOUNT = id(1, 1);
const TOUR = id(2, 1);
const SURVEY = id(2, 2);
const STEP = id(3, 1);
const BUTTON = id(4, 1);
const SECRET = 'secret of the other service';

const profiles = Array.from({ length: 230 }, (_, n) => ({
  ...{ id: id(5, n), created_at: TIME, updated_at: TIME, uid: `user ${n}`, percent: n % 100, plan: 'pro' },
  ...(n === 0 && { last_seen_at: TIME, email: 'ann@example.com' }),
})).reverse();
const tour = {
  ...{ id: TOUR, created_at: TIME, updated_at: TIME, name: 'Welcome', published_at: TIME },
  stats: { started_count: 900, completed_count: 400, last_started_at: TIME },
};
const survey = {
  id: SURVEY,
  created_at: TIME,
  updated_at: TIME,
  name: 'Rating',
  segment_id: id(7, 1),
  steps: undefined,
};
const texts = [{ id: STEP, translations: { title: { text: 'Hello' }, [`buttons:${BUTTON}:text`]: { text: 'Next' } } }];
const interaction = (n: number, state: string) => ({
  ...{ id: id(6, n), created_at: TIME, updated_at: TIME, tour_id: TOUR, state },
  profile: { id: id(5, n), uid: `user ${n}` },
});

const lists: Record<string, [key: string, records: { id: string }[]]> = {
  '/v3/analyze/profiles': ['profiles', profiles],
  '/v3/edit/tours': ['tours', [tour]],
  '/v3/edit/surveys': ['surveys', [survey]],
  '/v3/edit/url_groups': ['urls', [{ id: id(8, 1), created_at: TIME, name: 'Staging' } as { id: string }]],
  [`/v3/analyze/interactions?${TOUR}`]: ['interactions', [interaction(1, 'exited'), interaction(0, 'completed')]],
};

interface Clock {
  now: number;
}

/** Starts the service. It counts requests by the clock of the test. */
async function startService(clock: Clock, requestsPerMinute = 60) {
  const sent: number[] = [];
  let rejected = 0;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const answer = (status: number, body: object, headers: Record<string, string> = {}) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
    request.resume();
    if (url.pathname === '/chart.png') return response.writeHead(200).end(png(8, 4));
    if (url.pathname.endsWith('.png')) return response.writeHead(404).end();
    if (request.headers['x-account-secret'] !== SECRET) return answer(403, { code: 403, messages: ['Wrong secret'] });
    while ((sent[0] ?? clock.now) <= clock.now - 60_000) sent.shift();
    if (sent.length >= requestsPerMinute) {
      rejected++;
      return answer(429, { code: 429, messages: ['Too many'] }, { 'retry-after': '7' });
    }
    sent.push(clock.now);
    if (url.pathname === '/') return answer(200, { account: { id: ACCOUNT }, user: { id: id(9, 1) } });
    if (/\/i18n\.json$/.test(url.pathname) && url.pathname.includes('tours'))
      return answer(200, {
        id: ACCOUNT,
        language: { code: 'default', options: ['default', 'de'] },
        experiences: [{ id: TOUR, name: 'Welcome', steps: texts }],
      });
    const list = lists[url.pathname] ?? lists[`${url.pathname}?${url.searchParams.get('id')}`];
    if (!list) return answer(404, { code: 404, messages: ['Not found'] });
    const [key, records] = list;
    const limit = Number(url.searchParams.get('limit') ?? 50);
    if (limit > 100) return answer(422, { code: 422, messages: ['`limit` must be 100 at most'] });
    const before = url.searchParams.get('before');
    const start = before === null ? 0 : records.findIndex((record) => record.id === before) + 1;
    const page = records.slice(start, start + limit);
    const next = start + limit < records.length ? page.at(-1)?.id : undefined;
    return answer(200, { [key]: page, cursor: { limit, ...(next && { before: next }) } });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, rejected: () => rejected };
}

function optionsFor(address: string, clock: Clock, requestsPerMinute = 60): MoveOptions {
  return {
    source: {
      ...{
        address,
        secret: SECRET,
        send: sendAnywhere,
        readFile: createFileReader(target.app).readFile,
        requestsPerMinute,
        now: () => clock.now,
      },
      wait: async (time) => {
        clock.now += time;
      },
    },
    only: [],
    secrets: { verification: 'the secret of the backend', webhooks: new Map() },
  };
}

const owner = () =>
  createContext(target.app, {
    account: { id: target.account.account_id },
    actor: { id: target.account.user_id, role: 'owner' },
  });

describe('a move from a service with quirks', () => {
  it('keeps within its limits, and makes drafts of texts where it gives no steps', async () => {
    const clock = { now: 1_900_000_000_000 };
    const service = await startService(clock, 20);
    const move = await runMove(owner(), optionsFor(service.address, clock, 20));
    expect(clock.now).toBeGreaterThan(1_900_000_000_000 + 60_000);
    expect(move).toMatchObject({ state: 'finished', unplaced_steps_count: 1, source_account_id: ACCOUNT });
    expect(service.rejected()).toBe(0);
    expect((await target.post('/v3/analyze/profiles/count', {})).body.count).toBe(230);
    const { profile } = (await target.get('/v3/analyze/profile?uid=user%200')).body;
    expect(profile).toMatchObject({
      id: id(5, 0),
      created_at: TIME,
      updated_at: TIME,
      percent: 0,
      last_seen_at: TIME,
      plan: 'pro',
    });
    const { tour: moved } = (await target.get(`/v3/edit/tours/${TOUR}`)).body;
    expect(moved).toMatchObject({ created_at: TIME, published_at: null, steps: [{ id: STEP, title: 'Hello' }] });
    expect(moved.steps[0].buttons).toMatchObject([{ id: BUTTON, text: 'Next' }]);
    // Two came as rows, the others as a total.
    expect(moved.stats).toMatchObject({ started_count: 900, completed_count: 400, last_started_at: TIME });
    const { interactions } = (await target.get(`/v3/analyze/interactions?id=${TOUR}`)).body;
    expect(interactions.map(({ state }: { state: string }) => state).sort()).toEqual(['completed', 'exited']);
    expect((await target.get('/v3/edit/url_groups')).body.url_groups).toMatchObject([
      { id: id(8, 1), name: 'Staging' },
    ]);
    const { problems } = (await target.get('/v3/edit/move/problems')).body;
    const messages = problems.map(({ message }: { message: string }) => message).join('\n');
    expect(messages).toContain('Here it is a draft of its texts');
    expect(messages).toContain(`The Segments ${id(7, 1)} could not be imported`);
    expect(messages).toContain('does not give the de texts');
    expect(messages).toContain('The other service does not list its Companies');
    expect((await target.get('/v3/analyze/installation')).body.installation.has_uid_secret).toBe(true);
  });

  it('copies pictures that it can read, and names the others, which stay where they are', async () => {
    await target.replaceAccounts();
    const clock = { now: 1_900_000_000_000 };
    const { address } = await startService(clock, 1000);
    const [step] = texts;
    const before = { ...step?.translations };
    onTestFinished(() => {
      if (step) step.translations = before as typeof step.translations;
    });
    const chart = `${address}/chart.png`;
    const gone = `${address}/gone.png`;
    // The other server is not the one that the operator has named, and its address is private.
    const foreign = 'http://127.0.0.2:1/logo.png';
    const body = {
      text: `![Chart](${chart}) ![Gone](${gone}) ![Logo](${foreign}) ![You](https://x.example/{{uid}}.png)`,
    };
    if (step) step.translations = { ...before, body } as typeof step.translations;

    const tried = await tryMove(owner(), optionsFor(address, clock, 1000));
    const named = (problems: readonly { message: string }[]) =>
      [...new Set(problems.map(({ message }) => message))]
        .filter((message) => message.startsWith('The picture'))
        .sort();
    const expected = [
      expect.stringMatching(/^The picture http:\S+gone\.png was not copied: its server answered 404$/),
      expect.stringMatching(/^The picture http:\/\/127\.0\.0\.2:1\/logo\.png was not copied: the address /),
    ].sort();
    expect(named(tried.problems)).toEqual(expect.arrayContaining(expected));
    expect((await target.get('/v3/edit/pictures')).body.pictures).toEqual([]);

    for (const time of ['first', 'again']) {
      await runMove(owner(), optionsFor(address, clock, 1000));
      const { problems } = (await target.get('/v3/edit/move/problems')).body;
      expect([time, named(problems)]).toEqual([time, expect.arrayContaining(expected)]);
      expect(named(problems)).toHaveLength(2);
      const { pictures } = (await target.get('/v3/edit/pictures')).body;
      expect(pictures).toMatchObject([{ name: 'chart', width: 8, height: 4 }]);
      const { tour: moved } = (await target.get(`/v3/edit/tours/${TOUR}`)).body;
      expect(moved.steps[0].body).toBe(body.text.replace(chart, pictures[0].path));
    }
  });

  it('waits as long as the service says', async () => {
    await target.replaceAccounts();
    const clock = { now: 1_900_000_000_000 };
    const service = await startService(clock, 20);
    await runMove(owner(), optionsFor(service.address, clock, 1000));
    expect(service.rejected()).toBeGreaterThan(0);
    expect(clock.now).toBeGreaterThan(1_900_000_000_000 + 7000);
  });

  it('lists the steps that need a place until they have one, or need none', async () => {
    const list = async () => (await target.get('/v3/edit/move/steps')).body.steps;
    expect(await list()).toEqual([
      {
        experience_id: TOUR,
        experience_kind: 'tour',
        experience_name: 'Welcome',
        step_id: STEP,
        step_index: 0,
        step_title: 'Hello',
      },
    ]);
    const place = (elements: object[]) => target.patch(`/v3/edit/tours/${TOUR}`, { steps: [{ id: STEP, elements }] });
    expect((await place([{ selector: '#start' }])).status).toBe(200);
    expect(await list()).toEqual([]);
    await place([]);
    expect((await target.send('DELETE', `/v3/edit/move/steps/${STEP}`)).body.step.step_id).toBe(STEP);
    expect(await list()).toEqual([]);
    expect((await target.send('DELETE', `/v3/edit/move/steps/${STEP}`)).status).toBe(404);
  });

  it('brings new texts of steps that got their place here, and keeps the places', async () => {
    await target.replaceAccounts();
    const clock = { now: 1_900_000_000_000 };
    const { address } = await startService(clock, 1000);
    const move = () => runMove(owner(), optionsFor(address, clock, 1000));
    await move();
    const place = { elements: [{ selector: '#start' }], position_type: 'snap_to_element' };
    const write = async (params: object) =>
      expect((await target.patch(`/v3/edit/tours/${TOUR}`, params)).body.messages).toBeUndefined();
    const shown = async () => (await target.get(`/v3/edit/tours/${TOUR}`)).body.tour;
    const [step] = texts;
    if (!step) throw new Error('there is no step');
    await write({ steps: [{ id: STEP, ...place }], published_at: '$now' });
    const published = await shown();
    await move();
    expect(await shown()).toMatchObject({ updated_at: published.updated_at });

    step.translations.title.text = 'Hi';
    onTestFinished(() => {
      step.translations.title.text = 'Hello';
    });
    await move();
    const updated = await shown();
    expect(updated).toMatchObject({
      state: 'live',
      has_unpublished_changes: false,
      steps: [{ id: STEP, title: 'Hi' }],
    });
    expect(updated.steps[0]).toMatchObject({ ...place, elements: [expect.objectContaining({ selector: '#start' })] });
    expect(updated.steps[0].buttons).toMatchObject([{ id: BUTTON, text: 'Next' }]);
    expect((await target.get('/v3/edit/move/steps')).body.steps).toEqual([]);

    await write({ steps: [{ id: STEP, title: 'Mine' }] });
    step.translations.title.text = 'Theirs';
    await move();
    expect((await shown()).steps[0].title).toBe('Mine');
    const { problems } = (await target.get('/v3/edit/move/problems')).body;
    expect(problems).toContainEqual({
      ...{ stage: 'updates', record_id: TOUR },
      message: `It was changed there and here: not updated. Here: ${target.app.publicUrl}/app/experiences/${TOUR}`,
    });
  });

  it('keeps the fields of launchers that have no common form, and names what it cannot use', async () => {
    await target.replaceAccounts();
    const clock = { now: 1_900_000_000_000 };
    const { address } = await startService(clock, 1000);
    const item = { id: id(3, 2), kind: 'url', title: 'Docs', url: 'https://example.com/docs' };
    const launcher = {
      ...{ id: id(2, 3), created_at: TIME, updated_at: TIME, name: 'Help', items: [item] },
      ...{ preset: 'help_bar', icon_size: '48px', search_placeholder: 'Search' },
      blocked_domains: ['https://Old.example.com/a', '*.example.org'],
    };
    lists['/v3/edit/launchers'] = ['launchers', [launcher]];
    onTestFinished(() => void delete lists['/v3/edit/launchers']);
    await runMove(owner(), optionsFor(address, clock, 1000));
    expect((await target.get(`/v3/edit/launchers/${launcher.id}`)).body.launcher).toMatchObject({
      ...{ preset: 'help_bar', icon_size: 48, search_placeholder: 'Search', blocked_domains: ['old.example.com'] },
    });
    const { problems } = (await target.get('/v3/edit/move/problems')).body;
    expect(problems).toContainEqual({
      ...{ stage: 'experiences', record_id: launcher.id },
      message: 'Its `blocked_domains` is left out, because it cannot be used here: "*.example.org"',
    });
  });

  it('finds users by the time of their creation in filters, as that of the other service', async () => {
    const filters = (op: string, value: string) => ({ filters: [{ kind: 'property', prop: 'created_at', op, value }] });
    const count = async (op: string, value: string) =>
      (await target.post('/v3/analyze/profiles/count', filters(op, value))).body.count;
    expect(await count('lte', TIME)).toBe(230);
    expect(await count('lt', TIME)).toBe(0);
    expect(await count('eq', TIME)).toBe(230);
    expect(await count('gt', TIME)).toBe(0);
  });

  it('is stopped by a wrong secret, and says so', async () => {
    await target.replaceAccounts();
    const clock = { now: 1_900_000_000_000 };
    const { address } = await startService(clock);
    const options = optionsFor(address, clock);
    const wrong = { ...options, source: { ...options.source, secret: 'wrong' } };
    await expect(runMove(owner(), wrong)).rejects.toThrow('rejects the secret: Wrong secret');
    expect((await target.get('/v3/edit/move')).body.move).toBeNull();
  });

  it('rejects private addresses when a person in the dashboard gives them', async () => {
    const { address } = await startService({ now: 1_900_000_000_000 });
    const { browser } = await addSignedIn(target, 'owner');
    const params = { source: address, secret: SECRET };
    const { status, body } = await browser.send('POST', '/v3/edit/move', { body: params });
    expect([status, body.messages[0]]).toEqual([422, expect.stringContaining('`source`')]);
  });
});
