import type { Step, WebhookEventKind } from '@usher/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { accountRows } from '../../../test/account-rows.ts';
import { type Api, type ApiResponse, newEmail, startApi } from '../../../test/api.ts';
import { HREF, loadPage, type OpenPage } from '../../../test/open-page.ts';
import { createContext } from '../../create-context.ts';
import { type CreatedAccount, createAccount } from '../../features/team/accounts/create-account.ts';
import type { ItemRow } from '../queries.ts';
import { fanOut, hasWebhookEvents } from '../sending/fan-out.ts';
import { composeItem } from './compose-item.ts';

const HOUR = 60 * 60_000;
let clock = Date.UTC(2029, 3, 7);
let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => clock });
});
afterAll(() => api.stop());

interface Made {
  id: string;
  steps: { id: string; buttons: { id: string }[] }[];
}
let as: CreatedAccount;
let tour: Made;
let survey: Made;
let embed: Made;
let page: OpenPage;
let woken: string[];
/** Each test has an account with a tour, a survey and an embed, and a user who has just loaded a page. */
beforeEach(async () => {
  clock += HOUR;
  as = await createAccount(api.app, { name: 'Acme', email: newEmail() });
  tour = await make('tours', { steps: [stepWith('One'), { ...stepWith('Two'), snooze_hours: 2 }] });
  survey = await make('surveys', {
    steps: [
      { title: 'Rate', preset: 'survey_two', buttons: [{ text: 'Bad' }, { text: 'Good' }] },
      { title: 'How likely?', preset: 'survey_nps' },
      { title: 'Thanks', preset: 'thank_you' },
    ],
  });
  embed = await make('embeds', { steps: [{ ...stepWith('Hello'), ...inline }] });
  page = await open();
  woken = [];
  api.app.webhooks.wake = (accountId) => woken.push(accountId);
});

const inline = { position_type: 'inline', elements: [{ selector: '#banner' }] };
const stepWith = (title: string) => ({ title, body: 'x', buttons: [{ text: `${title}!`, tour_action: 'next' }] });
async function make(kind: string, params: object): Promise<Made> {
  const { status, body } = await api.post(
    `/v3/edit/${kind}`,
    { name: `A ${kind}`, published_at: '$now', ...params },
    { as },
  );
  expect([status, body.messages]).toEqual([201, undefined]);
  return Object.values(body)[0] as Made;
}
const partOf = ({ steps }: Made, index: number) => ({
  step_id: steps[index]?.id ?? '',
  button_id: steps[index]?.buttons[0]?.id ?? '',
});
const open = (uid = 'ann') => loadPage(api, uid, { as });

let count = 0;
async function addWebhook(topics: string[], params: object = {}): Promise<string> {
  const url = `https://example.com/hooks/${++count}`;
  const { status, body } = await api.post('/v3/edit/webhooks', { url, topics, ...params }, { as });
  expect([status, body.messages]).toEqual([201, undefined]);
  return body.webhook.id;
}

/** Sends reports one after the other, a second apart. */
async function sendReports(...reports: object[]): Promise<ApiResponse['body']> {
  let response: ApiResponse | undefined;
  for (const report of reports) {
    clock += 1000;
    response = await page.report(report);
    expect([response.status, response.body.messages]).toEqual([200, undefined]);
  }
  return response?.body;
}

/** Returns all items in order, after the events were fanned out. */
async function outbox(): Promise<ItemRow[]> {
  const actor = { id: '', name: '', email: '', role: 'viewer' } as const;
  const ctx = createContext(api.app, { account: { id: as.account_id }, actor });
  while (await hasWebhookEvents(ctx)) await ctx.transaction(fanOut);
  const rows = (await accountRows(api.app, as.account_id)).outbox ?? [];
  return rows.map((row): ItemRow => JSON.parse(row)).sort((one, other) => (one.id < other.id ? -1 : 1));
}
const kinds = async (webhookId?: string) =>
  (await outbox()).filter((row) => (webhookId ?? row.webhook_id) === row.webhook_id).map(({ kind }) => kind);
/** Returns the data that a webhook would be sent now, by kind. */
async function data(kind: WebhookEventKind) {
  const items = (await outbox()).filter((row) => row.kind === kind);
  const payload = [];
  for (const item of items) payload.push(JSON.parse((await composeItem(api.app, item)) ?? 'null'));
  return payload;
}
const profileOf = async ({ profile } = page) =>
  (await api.get(`/v3/analyze/profiles/${profile.id}`, { as, query: 'expand[company]=all' })).body.profile;

describe('data of an item', () => {
  it.each([
    ['tour', () => tour],
    ['survey', () => survey],
    ['embed', () => embed],
  ] as const)('says that a %s was started, clicked, completed, exited and snoozed', async (kind, made) => {
    await addWebhook([`${kind}.*`]);
    const { id: experience_id } = made();
    const { step_id, button_id } = partOf(made(), 0);
    await sendReports(
      { experience_id, state: 'displayed' },
      { experience_id, state: 'started', step_id, href: HREF },
      { experience_id, button_id },
      { experience_id, state: 'completed' },
    );
    clock += 5 * 60_000;
    await sendReports(
      { experience_id, state: 'started', showing: 5000, step_id },
      { experience_id, state: 'snoozed', showing: 5000 },
    );
    clock += 5 * 60_000;
    page = await open();
    await sendReports({ experience_id, state: 'started', group_kind: 'link' }, { experience_id, state: 'exited' });
    const payload = ['started', 'button.clicked', 'completed', 'started', 'snoozed', 'started', 'exited'];
    expect(await kinds()).toEqual(payload.map((action) => `${kind}.${action}`));

    const profile = await profileOf();
    const shown = (await api.get(`/v3/edit/${kind}s/${experience_id}`, { as })).body[kind];
    const { name, created_at, published_at } = shown;
    const [{ body, preset }] = shown.steps;
    const steps = kind === 'survey' && {
      user: { id: as.user_id, name: expect.any(String), email: expect.stringContaining('@') },
      steps: shown.steps.map(questionOf),
    };
    const experience = { id: experience_id, created_at, kind, name, published_at, segment_id: null, ...steps };
    const common = { profile, [kind]: experience };
    const step = { id: step_id, index: 0, preset, body };
    const [started] = await data(`${kind}.started`);
    expect(started).toEqual({
      ...common,
      step,
      action: {
        id: expect.stringMatching(/^[0-9a-f]{24}$/),
        kind: 'started',
        at: expect.stringMatching(/^2029-/),
        href: HREF,
        group_kind: 'campaign',
        group_id: experience_id,
      },
    });
    const text = { tour: 'One!', survey: 'Bad', embed: 'Hello!' }[kind];
    expect(await data(`${kind}.button.clicked`)).toMatchObject([
      {
        ...common,
        step,
        button: { id: button_id, position: 0, text, tour_action: kind === 'survey' ? null : 'next' },
        action: { kind: 'button.clicked', href: null },
      },
    ]);
    const [snoozed] = await data(`${kind}.snoozed`);
    expect(Date.parse(snoozed.action.deferred_until) - Date.parse(snoozed.action.at)).toBe(24 * HOUR);
    expect(snoozed.action).toMatchObject({ deferred_hours: 24, deferred_count: 1 });
    expect((await data(`${kind}.exited`))[0].action).toMatchObject({ group_kind: 'link', group_id: null });
  });

  it('has the items of the lists of a survey, the place of a button, and who published it last', async () => {
    const list = { title: 'From where?', preset: 'survey_dropdown', dropdown_items: ['Ads', 'A friend'] };
    const choice = { title: 'Rate', preset: 'survey_two', buttons: [{ text: 'Bad' }, { text: 'Good' }] };
    survey = await make('surveys', { steps: [choice, list] });
    await addWebhook(['survey.*']);
    const { step_id } = partOf(survey, 0);
    const good = survey.steps[0]?.buttons[1]?.id;
    await sendReports(
      { experience_id: survey.id, state: 'started', step_id },
      { experience_id: survey.id, button_id: good },
    );
    const [clicked] = await data('survey.button.clicked');
    expect(clicked.button).toEqual({ id: good, position: 1, text: 'Good', tour_action: null });
    expect(clicked.survey.steps.map((one: Step) => one.dropdown_items)).toEqual([[], ['Ads', 'A friend']]);
    const { body } = await api.get('/v3/edit/admins', { as });
    const [{ id, name, email }] = body.admins;
    expect(clicked.survey.user).toEqual({ id, name, email });
    await api.patch(`/v3/edit/surveys/${survey.id}`, { published_at: null }, { as });
    expect((await data('survey.button.clicked'))[0].survey.user).toBeNull();
  });

  it('has the full profile with its Company, as they are when the item is sent', async () => {
    await addWebhook(['tour.started']);
    await sendReports({ experience_id: tour.id, state: 'started' });
    const params = { uid: 'ann', email: 'ann@acme.test', plan: 'pro', company: { uid: 'acme', size: 7 } };
    await api.post('/v3/observe/hooks/profiles', params, { as });
    const [{ profile }] = await data('tour.started');
    expect(profile).toEqual(await profileOf());
    expect(profile).toMatchObject({
      uid: 'ann',
      email: 'ann@acme.test',
      plan: 'pro',
      company: { uid: 'acme', size: 7 },
    });
  });

  it('leaves out the largest properties of a profile beyond 8 KB', async () => {
    await addWebhook(['tour.*']);
    const long = (n: number) => Array(n).fill('x'.repeat(700));
    page = await loadPage(api, 'wide', {
      as,
      properties: { plan: 'pro', largest: long(9), ...Object.fromEntries(long(8).map((text, n) => [`p${n}`, text])) },
    });
    await api.post(
      '/v3/observe/hooks/profiles',
      { uid: 'wide', company: { uid: 'acme', name: 'Acme', about: long(6) } },
      { as },
    );
    await sendReports({ experience_id: tour.id, state: 'started' });
    const [payload] = await data('tour.started');
    expect(payload.profile_truncated).toBe(true);
    expect(Buffer.byteLength(JSON.stringify(payload.profile))).toBeLessThanOrEqual(8192);
    expect(payload.profile).toMatchObject({ uid: 'wide', plan: 'pro', p7: 'x'.repeat(700), company: { name: 'Acme' } });
    expect([payload.profile.largest, payload.profile.company.about]).toEqual([undefined, undefined]);
    page = await open('narrow');
    await sendReports({ experience_id: tour.id, state: 'started' });
    expect((await data('tour.started')).at(-1)).not.toHaveProperty('profile_truncated');
  });

  it('has the time of the event, however late it is sent', async () => {
    await addWebhook(['tour.started']);
    await sendReports({ experience_id: tour.id, state: 'started' });
    const at = clock;
    clock += 40 * HOUR;
    expect(Date.parse((await data('tour.started'))[0].action.at)).toBe(at);
  });

  it('has the ID and kind of an Experience that was deleted', async () => {
    await addWebhook(['tour.started']);
    await sendReports({ experience_id: tour.id, state: 'started' });
    await api.send('DELETE', `/v3/edit/tours/${tour.id}`, { as });
    expect((await data('tour.started'))[0].tour).toEqual({
      id: tour.id,
      created_at: expect.any(String),
      kind: 'tour',
      name: null,
      published_at: null,
      segment_id: null,
    });
  });

  it('has the account and the domain of its first Url in a ping', async () => {
    const id = await addWebhook(['ping']);
    await api.post(`/v3/edit/webhooks/${id}/ping`, {}, { as });
    const account = { id: as.account_id, name: 'Acme' };
    expect(await data('ping')).toEqual([{ account: { ...account, domain: null } }]);
    for (const host of ['app.acme.co', 'www.example.com']) await api.post('/v3/edit/urls', { host }, { as });
    expect(await data('ping')).toEqual([{ account: { ...account, domain: 'acme.co' } }]);
  });

  it('records nothing for launchers, displays and errors', async () => {
    await addWebhook(['tour.*', 'survey.*', 'embed.*', 'response.finished', 'delivery.triggered', 'ping']);
    const launcher = await make('launchers', { items: [{ title: 'Help', url: '/help' }] });
    const { step_id } = partOf(tour, 0);
    await sendReports(
      { experience_id: launcher.id, state: 'started' },
      { experience_id: launcher.id, state: 'completed' },
      { experience_id: tour.id, state: 'displayed', step_id: null },
      { experience_id: tour.id, step_id, problem: { reason: 'hidden' }, href: HREF },
    );
    expect(await outbox()).toEqual([]);
    expect(woken).toEqual([]);
  });
});

describe('triggered Delivery', () => {
  async function deliver(): Promise<string> {
    const params = { model_kind: 'tour', model_id: tour.id, profile_id: page.profile.id, options: { a: 1 } };
    const { body } = await api.post('/v3/edit/deliveries', params, { as });
    page = await open();
    return body.delivery.id;
  }

  it('sends a triggered Delivery once, as the API shows it', async () => {
    await addWebhook(['delivery.triggered']);
    const delivery_id = await deliver();
    expect(await outbox()).toEqual([]);
    const claim = { experience_id: tour.id, state: 'started', delivery_id, href: HREF };
    await sendReports(claim, claim);
    expect(await kinds()).toEqual(['delivery.triggered']);
    const { delivery } = (await api.get(`/v3/edit/deliveries/${delivery_id}`, { as })).body;
    expect(delivery).toMatchObject({ at_href: HREF, options: { a: 1 } });
    const [payload] = await data('delivery.triggered');
    expect(payload).toEqual({
      profile: await profileOf(),
      tour: expect.objectContaining({ id: tour.id, kind: 'tour', name: 'A tours', segment_id: null }),
      delivery,
    });
  });

  it('sends a triggered Delivery before the events of its Experience', async () => {
    await addWebhook(['tour.*', 'delivery.triggered']);
    const delivery_id = await deliver();
    await sendReports({ experience_id: tour.id, state: 'started', delivery_id });
    expect(await kinds()).toEqual(['delivery.triggered', 'tour.started']);
  });

  it('sends nothing if another page triggered the Delivery first', async () => {
    await addWebhook(['tour.*', 'delivery.triggered']);
    const delivery_id = await deliver();
    const other = await open();
    await sendReports({ experience_id: tour.id, state: 'started', delivery_id });
    const { body } = await other.report({ experience_id: tour.id, state: 'started', delivery_id });
    expect(body.delivery.triggered).toBe(false);
    expect(await kinds()).toEqual(['delivery.triggered', 'tour.started']);
  });
});

describe('finished Response', () => {
  const answer = (index: number, response: object) => ({
    experience_id: survey.id,
    step_id: partOf(survey, index).step_id,
    response,
  });
  const good = () => answer(0, { button_id: survey.steps[0]?.buttons[1]?.id });
  const end = (state: string) => ({ experience_id: survey.id, state });

  it.each(['completed', 'exited'])('sends a Response once with all answers when the survey is %s', async (state) => {
    await addWebhook(['response.finished']);
    await sendReports(end('started'), good(), answer(0, { input: 'Because.' }), answer(1, { value: '9' }));
    expect(await outbox()).toEqual([]);
    await sendReports(end(state));
    expect(await kinds()).toEqual(['response.finished']);
    const [response] = (await api.get('/v3/analyze/responses', { as, query: `id=${survey.id}` })).body.responses;
    expect(response).toMatchObject({ button_order: 1, input_text: 'Because.', comment_step_buttons_selected: ['9'] });
    const profile = await profileOf();
    expect(await data('response.finished')).toEqual([
      {
        profile,
        survey: expect.objectContaining({ id: survey.id, kind: 'survey', name: 'A surveys' }),
        response: { ...response, profile: { id: profile.id } },
      },
    ]);
  });

  it('sends a Response once, however often the end is reported', async () => {
    await addWebhook(['response.finished']);
    await sendReports(end('started'), good(), end('completed'), end('completed'), good(), end('exited'));
    expect(await kinds()).toEqual(['response.finished']);
  });

  it('includes the answer that is reported with the end', async () => {
    await addWebhook(['response.finished', 'survey.completed']);
    await sendReports(end('started'), { ...good(), state: 'completed' });
    expect(await kinds()).toEqual(['survey.completed', 'response.finished']);
  });

  it('does not send a Response again for an answer after the end', async () => {
    await addWebhook(['response.finished']);
    await sendReports(
      end('started'),
      good(),
      end('completed'),
      answer(0, { input: 'Late.' }),
      answer(1, { value: '3' }),
    );
    expect((await data('response.finished')).map(({ response }) => response)).toMatchObject([
      { button_order: 1, input_text: null, comment_step_buttons_selected: ['3'] },
    ]);
  });

  it('has only the answers of its own showing', async () => {
    await addWebhook(['response.finished']);
    await sendReports(end('started'), good(), end('completed'));
    clock += 5 * 60_000;
    page = await open();
    await sendReports({ ...end('started'), group_kind: 'link' }, answer(1, { value: '3' }), end('completed'));
    const payload = (await data('response.finished')).map(({ response }) => response);
    expect(payload).toMatchObject([
      { button_order: 1, comment_step_buttons_selected: null },
      { button_order: null, comment_step_buttons_selected: ['3'] },
    ]);
  });

  it('does not send a Response that was deleted before', async () => {
    await addWebhook(['response.finished']);
    await sendReports(end('started'), good(), end('completed'));
    const [{ response }] = await data('response.finished');
    expect((await api.send('DELETE', `/v3/edit/responses/${response.id}`, { as })).status).toBe(200);
    expect(await data('response.finished')).toEqual([null]);
  });

  it('sends no Response to webhooks that subscribe only to `survey.*`', async () => {
    await addWebhook(['survey.*']);
    await sendReports(end('started'), good(), end('completed'));
    expect(await kinds()).toEqual(['survey.started', 'survey.button.clicked', 'survey.completed']);
  });
});

describe('subscribers', () => {
  it('sends an event to all webhooks with the topic, with the same ID', async () => {
    const all = [];
    for (let n = 0; n < 5; n++) all.push(await addWebhook(['tour.*']));
    await sendReports({ experience_id: tour.id, state: 'started' });
    const rows = await outbox();
    expect(rows.map(({ webhook_id }) => webhook_id).sort()).toEqual(all.sort());
    expect(new Set(rows.map(({ id }) => id)).size).toBe(1);
    expect(rows[0]).toMatchObject({ profile_id: page.profile.id, attempts: 0, next_at: clock, state: 'pending' });
    expect(woken).toEqual([as.account_id]);
  });

  it('chooses webhooks by topic', async () => {
    const [starts, ends, all, surveys] = [
      await addWebhook(['tour.started']),
      await addWebhook(['tour.exited', 'survey.started']),
      await addWebhook(['tour.*']),
      await addWebhook(['survey.*', 'ping', 'response.finished']),
    ];
    await sendReports({ experience_id: tour.id, state: 'started' }, { experience_id: tour.id, state: 'exited' });
    expect(await kinds(starts)).toEqual(['tour.started']);
    expect(await kinds(ends)).toEqual(['tour.exited']);
    expect(await kinds(all)).toEqual(['tour.started', 'tour.exited']);
    expect(await kinds(surveys)).toEqual([]);
  });

  it('chooses webhooks by Experience', async () => {
    const topics = ['tour.*', 'survey.*', 'response.finished', 'delivery.triggered'];
    const [all, mine, other] = [
      await addWebhook(topics),
      await addWebhook(topics, { experience_ids: [tour.id] }),
      await addWebhook(topics, { experience_ids: [survey.id, embed.id] }),
    ];
    await sendReports({ experience_id: tour.id, state: 'started' }, { experience_id: survey.id, state: 'started' });
    expect(await kinds(all)).toEqual(['tour.started', 'survey.started']);
    expect(await kinds(mine)).toEqual(['tour.started']);
    expect(await kinds(other)).toEqual(['survey.started']);
  });

  it('sends nothing to disabled or deleted webhooks, and to other accounts', async () => {
    const [off, gone, on] = [await addWebhook(['tour.*']), await addWebhook(['tour.*']), await addWebhook(['tour.*'])];
    const { url, topics } = { url: 'https://example.com/other', topics: ['tour.*'] };
    await api.post('/v3/edit/webhooks', { url, topics }, { as: api.other });
    await api.patch(`/v3/edit/webhooks/${off}`, { enabled: false }, { as });
    await api.send('DELETE', `/v3/edit/webhooks/${gone}`, { as });
    await sendReports({ experience_id: tour.id, state: 'started' });
    expect((await outbox()).map(({ webhook_id }) => webhook_id)).toEqual([on]);
    expect((await accountRows(api.app, api.other.account_id)).outbox).toEqual([]);
    await api.patch(`/v3/edit/webhooks/${off}`, { enabled: true, topics: ['tour.exited'] }, { as });
    await sendReports({ experience_id: tour.id, state: 'exited' });
    expect(await kinds(off)).toEqual(['tour.exited']);
  });
});

describe('reports', () => {
  it('records nothing twice when reports are sent again', async () => {
    await addWebhook(['tour.*']);
    const experience_id = tour.id;
    const { button_id } = partOf(tour, 0);
    const reports = [{ state: 'started' }, { button_id }, { state: 'exited' }].map((one) => ({
      experience_id,
      ...one,
    }));
    await sendReports(...reports, ...reports);
    await outbox();
    await sendReports(...reports, { items: [...reports, ...reports] });
    expect(await kinds()).toEqual(['tour.started', 'tour.button.clicked', 'tour.exited']);
  });

  it('records the clicks of a second page too', async () => {
    await addWebhook(['tour.*']);
    const experience_id = tour.id;
    const { button_id } = partOf(tour, 0);
    await sendReports({ experience_id, state: 'started' }, { experience_id, button_id });
    page = await open();
    await sendReports({ experience_id, state: 'started' }, { experience_id, button_id }, { experience_id, button_id });
    expect(await kinds()).toEqual(['tour.started', 'tour.button.clicked', 'tour.button.clicked']);
  });

  it('records an event once when reports are sent at the same time', async () => {
    await addWebhook(['tour.*']);
    const { button_id } = partOf(tour, 0);
    const report = { experience_id: tour.id, state: 'started', button_id };
    await Promise.all(Array.from({ length: 8 }, () => sendReports(report)));
    expect(await kinds()).toEqual(['tour.started', 'tour.button.clicked']);
  });

  it('records the events of each item of a batch, and nothing for rejected items', async () => {
    await addWebhook(['tour.*', 'survey.*']);
    const { items } = await sendReports({
      items: [
        { experience_id: tour.id, state: 'started' },
        { experience_id: 'f'.repeat(24), state: 'started' },
        { experience_id: tour.id, state: 'started', delivery_id: 'f'.repeat(24) },
        { experience_id: survey.id, state: 'started' },
      ],
    });
    expect(items.map(({ code }: { code?: number }) => code)).toEqual([undefined, 404, 404, undefined]);
    expect(await kinds()).toEqual(['tour.started', 'survey.started']);
    expect(woken).toEqual([as.account_id]);
  });

  it('records nothing for rejected reports', async () => {
    await addWebhook(['tour.*', 'delivery.triggered']);
    const report = { experience_id: tour.id, state: 'started', delivery_id: 'f'.repeat(24) };
    expect((await page.report(report)).status).toBe(404);
    expect(await outbox()).toEqual([]);
    expect(woken).toEqual([]);
  });

  it('stores reports together with their events, or not at all', async () => {
    await addWebhook(['tour.*']);
    const { storage } = api.app;
    const { write } = storage;
    onTestFinished(() => void Object.assign(storage, { write }));
    let payload = 0;
    Object.assign(storage, {
      write: (...[accountId, work]: Parameters<typeof write>) =>
        write(accountId, async (db) => {
          await work(db);
          const rows = await db
            .selectFrom('webhook_events')
            .select('id')
            .where('account_id', '=', accountId ?? '')
            .execute();
          payload = rows.length;
          throw new Error('the last moment before the commit');
        }),
    });
    expect((await page.report({ experience_id: tour.id, state: 'started' })).status).toBe(500);
    Object.assign(storage, { write });
    expect(payload).toBe(1);
    const rows = await accountRows(api.app, as.account_id);
    expect([rows.webhook_events, rows.interactions]).toEqual([[], []]);
    expect(woken).toEqual([]);
  });

  it('wakes the sender after the commit, when the events are visible', async () => {
    await addWebhook(['tour.*']);
    let seen: Promise<unknown[]> | undefined;
    api.app.webhooks.wake = (accountId) => {
      const query = api.app.storage.reader(accountId).selectFrom('webhook_events').select('kind');
      seen = query.where('account_id', '=', accountId).execute();
    };
    await sendReports({ experience_id: tour.id, state: 'started' });
    expect(await seen).toEqual([{ kind: 'tour.started' }]);
  });

  it('records all events of 100 simultaneous reports, in order', async () => {
    for (let n = 0; n < 2; n++) await addWebhook(['tour.*']);
    const buttons = Array.from({ length: 10 }, (_, n) => ({ text: `${n}` }));
    const wide = await make('tours', { steps: Array.from({ length: 10 }, () => ({ title: 'One', buttons })) });
    const clicks = wide.steps.flatMap((step) =>
      step.buttons.map(({ id }) => ({ experience_id: wide.id, button_id: id })),
    );
    await sendReports({ items: clicks });
    const payload = ['tour.started', ...Array(100).fill('tour.button.clicked')];
    expect(await kinds()).toEqual(payload.flatMap((kind) => [kind, kind]));
  });

  it('records a click once per page load and showing, whatever key the page uses', async () => {
    await addWebhook(['tour.*']);
    const click = { experience_id: tour.id, button_id: partOf(tour, 0).button_id };
    await sendReports({ items: Array.from({ length: 50 }, (_, showing) => ({ ...click, showing })) });
    page = await open();
    await sendReports(click);
    expect(await kinds()).toEqual(['tour.started', 'tour.button.clicked', 'tour.button.clicked']);
  });
});

describe('user', () => {
  it.each([
    ['forgotten', '/forget'],
    ['cleared', ''],
  ])('leaves a user out of all items after being %s', async (_, path) => {
    await addWebhook(['tour.*']);
    await sendReports({ experience_id: tour.id, state: 'started' });
    const [first] = await outbox();
    page = await open('bob');
    await sendReports({ experience_id: tour.id, state: 'started' });
    const left = (await outbox()).filter(({ profile_id }) => profile_id === page.profile.id);
    const item = { account_id: as.account_id, webhook_id: first?.webhook_id ?? '', item_id: first?.id ?? '' };
    await api.app.storage.write(as.account_id, (db) =>
      db
        .insertInto('webhook_attempts')
        .values(
          [first?.profile_id, page.profile.id].map((profile_id) => ({
            ...item,
            ...{ id: api.app.newId(), profile_id: profile_id ?? null, kind: 'tour.started', at: 1000, ms: 7 },
          })),
        )
        .execute(),
    );
    const gone = first?.profile_id;
    expect((await api.send('DELETE', `/v3/edit/profiles/${gone}${path}`, { as })).status).toBe(200);
    expect(await outbox()).toEqual(left);
    const { webhook_attempts } = await accountRows(api.app, as.account_id);
    expect(webhook_attempts).toHaveLength(1);
    expect(webhook_attempts?.[0]).toContain(page.profile.id);
  });

  it('leaves a user out of all items when forgotten while an item is sent', async () => {
    await addWebhook(['tour.*']);
    await sendReports({ experience_id: tour.id, state: 'started' });
    const [item] = await outbox();
    await api.send('DELETE', `/v3/edit/profiles/${page.profile.id}/forget`, { as });
    expect(await composeItem(api.app, item as ItemRow)).toBe(undefined);
  });
});

/** A step of a survey as items have it. */
function questionOf({ id, title, body, preset, dropdown_items, buttons }: Step) {
  const shown = buttons.map(({ id, position, text }) => ({ id, position, text }));
  return { id, title, body, preset, dropdown_items, buttons: shown };
}
