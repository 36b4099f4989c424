import { isId, toTimestamp } from '@usher/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accountRows } from '../../../../test/account-rows.ts';
import { type Api, type ApiResponse, startApi } from '../../../../test/api.ts';
import { HREF, loadPage, type OpenPage } from '../../../../test/open-page.ts';
import { createAccount } from '../../team/accounts/create-account.ts';

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
const path = '/v3/observe/interactions';
const unknownId = 'f'.repeat(24);

const EVENING = 18 * HOUR;
let clock = Date.UTC(2029, 3, 7) + EVENING;
/** By how much each reading of the clock moves the time on. */
let step = 0;
const pass = (time: number) => {
  clock += time;
  return clock;
};
let api: Api;
let tour: Made;
let survey: Made;
let launcher: Made;
beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => pass(step) });
});
afterAll(() => api.stop());

let count = 0;
let uid = '';
let page: OpenPage;
/** Each test has its own Experiences, and its own user who has just loaded a page. */
beforeEach(async () => {
  uid = `user ${++count}`;
  clock = (Math.floor(clock / DAY) + 1) * DAY + EVENING;
  tour = await make('tours', {
    steps: [
      stepWith('One'),
      { ...stepWith('Two'), snooze_choices: ['1h', '7d'] },
      { ...stepWith('Three'), snooze_hours: 2 },
    ],
  });
  survey = await make('surveys', {
    steps: [
      { title: 'Rate', preset: 'survey_two', buttons: [{ text: 'Bad' }, { text: 'Good' }] },
      { title: 'How likely?', preset: 'survey_nps' },
      { title: 'Thanks', preset: 'thank_you' },
    ],
  });
  launcher = await make('launchers', { items: [{ title: 'Help', url: '/help' }] });
  page = await loadPage(api, uid);
});

interface Made {
  id: string;
  steps: { id: string; buttons: { id: string }[] }[];
  items: { id: string }[];
}
const stepWith = (title: string) => ({ title, body: 'This is it.', buttons: [{ text: 'Next' }, { text: 'Back' }] });
async function make(kind: string, params: object, as = api.account): Promise<Made> {
  const { status, body } = await api.post(`/v3/edit/${kind}`, { name: kind, published_at: '$now', ...params }, { as });
  expect([status, body.messages]).toEqual([201, undefined]);
  return Object.values(body)[0] as Made;
}
const stepOf = (made: Made, index: number) => made.steps[index]?.id ?? '';
const buttonOf = (made: Made, index: number, button = 0) => made.steps[index]?.buttons[button]?.id ?? '';

async function rowsOf<Table extends 'interactions' | 'responses' | 'answers' | 'activities'>(
  table: Table,
  { id } = page.profile,
) {
  const { account_id } = api.account;
  const { storage } = api.app;
  const query = storage.reader(account_id).selectFrom(table as 'interactions');
  const rows = await query.selectAll().where('account_id', '=', account_id).where('profile_id', '=', id).execute();
  // Rows with an ID are listed in its order.
  rows.sort((one, other) => (one.id < other.id ? -1 : 1));
  // biome-ignore lint/suspicious/noExplicitAny: rows of any table
  return rows as any[];
}
async function interactionOf({ id }: Made) {
  const [row] = (await rowsOf('interactions')).filter(({ experience_id }) => experience_id === id);
  return row;
}
/** What was reported, and its days: `shown` follows from it. */
async function activitiesOf({ id }: Made) {
  const all = (await rowsOf('activities')).filter(({ experience_id }) => experience_id === id);
  const rows = all.filter(({ what }) => what !== 'shown');
  return rows.map(({ what, part_id, day }) => [what, part_id, day - Math.floor(clock / DAY)].join(' ')).sort();
}
async function sendReport(params: object, from = page): Promise<ApiResponse['body']> {
  const { status, body } = await from.report(params);
  expect([status, body.messages]).toEqual([200, undefined]);
  return body;
}
async function expectNothingChanged(work: () => Promise<unknown>): Promise<void> {
  const accounts = [api.account, api.other];
  const all = () => Promise.all(accounts.map(({ account_id }) => accountRows(api.app, account_id)));
  await api.app.propertyRegistry.flush(api.account.account_id);
  const before = await all();
  await work();
  expect(await all()).toEqual(before);
}
const statsOf = async (kind: string, { id }: Made) => {
  const { body } = await api.get(`/v3/edit/${kind}/${id}`);
  return (Object.values(body)[0] as { stats: object }).stats;
};

describe('a report', () => {
  it('returns only the Interaction and its state', async () => {
    const { text, body } = await page.report({ experience_id: tour.id, state: 'started' });
    expect(isId(body.interaction.id)).toBe(true);
    expect(text).toBe(`{"interaction":{"id":"${body.interaction.id}","state":"started"}}`);
    expect((await interactionOf(tour)).id).toBe(body.interaction.id);
  });

  it('records that an Experience was displayed', async () => {
    expect((await sendReport({ experience_id: tour.id, state: 'displayed' })).interaction.state).toBe('displayed');
    expect(await interactionOf(tour)).toMatchObject({
      state: 'displayed',
      updated_at: clock,
      displayed_at: clock,
      started_at: null,
    });
    expect(await activitiesOf(tour)).toEqual(['displayed  0']);
  });

  it('records that an Experience was started', async () => {
    expect((await sendReport({ experience_id: tour.id, state: 'started' })).interaction.state).toBe('started');
    expect(await interactionOf(tour)).toMatchObject({
      state: 'started',
      started_at: clock,
      displayed_at: null,
      defer_count: 0,
      defer_until: null,
      goal_at: null,
    });
    expect(await activitiesOf(tour)).toEqual(['started  0']);
  });

  it('records that a step was seen', async () => {
    await sendReport({ experience_id: tour.id, step_id: stepOf(tour, 0) });
    await sendReport({ experience_id: tour.id, step_id: stepOf(tour, 1) });
    expect(await interactionOf(tour)).toMatchObject({ state: 'started', step_id: stepOf(tour, 1) });
    expect(await activitiesOf(tour)).toEqual(
      ['started  0', `step ${stepOf(tour, 0)} 0`, `step ${stepOf(tour, 1)} 0`].sort(),
    );
  });

  it('records a click on a button or on an item of a launcher', async () => {
    await sendReport({ experience_id: tour.id, step_id: stepOf(tour, 0), button_id: buttonOf(tour, 0, 1) });
    await sendReport({ experience_id: tour.id, button_id: buttonOf(tour, 2) });
    expect((await activitiesOf(tour)).filter((one) => one.startsWith('button'))).toEqual(
      [`button ${buttonOf(tour, 0, 1)} 0`, `button ${buttonOf(tour, 2)} 0`].sort(),
    );
    const item = launcher.items[0]?.id;
    await sendReport({ experience_id: launcher.id, button_id: item });
    expect(await activitiesOf(launcher)).toEqual([`button ${item} 0`, 'started  0']);
  });

  it.each(['completed', 'exited'] as const)('records that an Experience was %s', async (state) => {
    await sendReport({ experience_id: tour.id, state: 'started' });
    const at = pass(1000);
    expect((await sendReport({ experience_id: tour.id, state })).interaction.state).toBe(state);
    expect(await interactionOf(tour)).toMatchObject({
      state,
      [`${state}_at`]: at,
      updated_at: at,
      started_at: at - 1000,
    });
    expect(await activitiesOf(tour)).toEqual([`${state}  0`, 'started  0']);
  });

  it('accepts all parameters together', async () => {
    const delivery = await api.post('/v3/edit/deliveries', {
      model_kind: 'survey',
      model_id: survey.id,
      profile_id: page.profile.id,
    });
    const { id } = delivery.body.delivery;
    const body = await sendReport({
      experience_id: survey.id,
      state: 'started',
      step_id: stepOf(survey, 0),
      button_id: buttonOf(survey, 0),
      delivery_id: id,
      href: HREF,
      response: { button_id: buttonOf(survey, 0) },
      group_kind: 'link',
      group_id: tour.id,
      showing: 0,
      snooze_hours: 3,
    });
    expect(body).toEqual({
      interaction: { id: (await interactionOf(survey)).id, state: 'started' },
      delivery: { id, triggered: true },
    });
    expect(await rowsOf('responses')).toHaveLength(1);
  });

  it('accepts JSON as plain text, as sendBeacon sends it', async () => {
    const body = JSON.stringify({ visit_token: page.token, experience_id: tour.id, state: 'completed' });
    const headers = { 'Content-Type': 'text/plain;charset=UTF-8', Origin: 'http://localhost:3000' };
    const answer = await api.send('POST', path, { body, headers, as: null });
    expect(answer.body.interaction.state).toBe('completed');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect((await interactionOf(tour)).state).toBe('completed');
  });

  it('changes nothing when it is repeated', async () => {
    const step_id = stepOf(survey, 0);
    const reports = [
      { state: 'displayed' },
      { state: 'started' },
      { step_id },
      { button_id: buttonOf(survey, 0) },
      { step_id, response: { button_id: buttonOf(survey, 0, 1), input: 'Lovely' } },
      { state: 'snoozed' },
      { state: 'exited' },
    ].map((params) => ({ experience_id: survey.id, href: HREF, ...params }));
    for (const [index, report] of reports.entries()) {
      const first = await sendReport(report);
      pass(1000);
      await expectNothingChanged(async () => {
        expect(await sendReport(report)).toEqual(first);
        for (const earlier of reports.slice(0, index)) await sendReport(earlier);
        await sendReport({ items: reports.slice(0, index + 1) });
      });
    }
    // It changes nothing on the next day either, while the page is still open.
    pass(11 * HOUR);
    await expectNothingChanged(() => sendReport({ items: reports }));
    expect((await interactionOf(survey)).state).toBe('exited');
  });

  it('creates one Interaction for simultaneous reports of a user and an Experience', async () => {
    const pages = await Promise.all(Array.from({ length: 20 }, () => loadPage(api, uid)));
    const bodies = await Promise.all(pages.map((one) => sendReport({ experience_id: tour.id, state: 'started' }, one)));
    expect(new Set(bodies.map(({ interaction }) => interaction.id)).size).toBe(1);
    expect(await rowsOf('interactions')).toHaveLength(1);
    expect(await activitiesOf(tour)).toEqual(['started  0']);
  });

  it('does not move progress back with a late report', async () => {
    await sendReport({
      items: ['displayed', 'started', 'completed'].map((state) => ({ experience_id: tour.id, state })),
    });
    await sendReport({ experience_id: tour.id, step_id: stepOf(tour, 2) });
    const before = await interactionOf(tour);
    pass(1000);
    for (const state of ['started', 'exited', 'snoozed'])
      expect((await sendReport({ experience_id: tour.id, state })).interaction.state).toBe('completed');
    await sendReport({ experience_id: tour.id, step_id: stepOf(tour, 0) });
    expect(await interactionOf(tour)).toEqual(before);
  });
});

describe('a new showing', () => {
  it('returns to `started` with a new showing', async () => {
    await sendReport({
      items: [{ state: 'started' }, { state: 'exited' }].map((one) => ({ experience_id: tour.id, ...one })),
    });
    const ended = await interactionOf(tour);
    pass(10_000);
    const next = await loadPage(api, uid);
    pass(1000);
    expect((await sendReport({ experience_id: tour.id, state: 'displayed' }, next)).interaction.state).toBe('exited');
    const { interaction } = await sendReport({ experience_id: tour.id, state: 'started', group_kind: 'link' }, next);
    expect(interaction).toEqual({ id: ended.id, state: 'started' });
    expect(await interactionOf(tour)).toMatchObject({
      started_at: clock,
      exited_at: ended.exited_at,
      group_kind: 'link',
    });
  });

  it('begins a new showing on the same page when the report names a new one', async () => {
    await sendReport({ experience_id: launcher.id, state: 'exited' });
    pass(10_000);
    await expectNothingChanged(() => sendReport({ experience_id: launcher.id, state: 'started' }));
    expect((await sendReport({ experience_id: launcher.id, state: 'started', showing: 1 })).interaction.state).toBe(
      'started',
    );
  });

  it('accepts later page loads after a showing with a future time', async () => {
    await sendReport({ experience_id: tour.id, state: 'exited' });
    pass(20_000);
    await sendReport({ experience_id: tour.id, state: 'exited', showing: 12 * HOUR });
    pass(20_000);
    const next = await loadPage(api, uid);
    pass(1000);
    expect((await sendReport({ experience_id: tour.id, state: 'started' }, next)).interaction.state).toBe('started');
    expect((await sendReport({ experience_id: tour.id, state: 'completed' }, next)).interaction.state).toBe(
      'completed',
    );
  });

  it('ignores late reports of the previous showing', async () => {
    await sendReport({ experience_id: survey.id, state: 'completed' });
    pass(5 * 60_000);
    const next = await loadPage(api, uid);
    await sendReport({ experience_id: survey.id, state: 'started' }, next);
    await expectNothingChanged(async () => {
      for (const params of [
        { state: 'exited' },
        { state: 'displayed' },
        { step_id: stepOf(survey, 0), response: { button_id: buttonOf(survey, 0) } },
      ])
        expect((await sendReport({ experience_id: survey.id, ...params })).interaction.state).toBe('started');
    });
  });
});

describe('the group of an Interaction', () => {
  const groupOf = async (made: Made) => {
    const { group_kind, group_id } = await interactionOf(made);
    return { group_kind, group_id };
  };

  it.each(['link', 'api_js', 'launcher', 'experiment', 'campaign'] as const)(
    'stores the group kind %s',
    async (group_kind) => {
      await sendReport({ experience_id: tour.id, state: 'started', group_kind, group_id: launcher.id });
      expect(await groupOf(tour)).toEqual({ group_kind, group_id: launcher.id });
    },
  );

  it('stores the group kind `campaign` by default', async () => {
    await sendReport({ experience_id: tour.id, state: 'started' });
    expect(await groupOf(tour)).toEqual({ group_kind: 'campaign', group_id: tour.id });
  });

  it('stores the experiment as the group when there is one', async () => {
    const tried = await make('tours', {
      steps: [stepWith('One')],
      experiment_at: toTimestamp(clock - 1),
      experiment_range: '0-100',
    });
    await sendReport({ experience_id: tried.id, state: 'started' });
    expect(await groupOf(tried)).toEqual({ group_kind: 'experiment', group_id: tried.id });
    const later = await make('tours', {
      steps: [stepWith('One')],
      experiment_at: toTimestamp(clock + HOUR),
      experiment_range: '0-100',
    });
    await sendReport({ experience_id: later.id, state: 'started' });
    expect(await groupOf(later)).toEqual({ group_kind: 'campaign', group_id: later.id });
  });

  it.each(['link', 'api_js', 'launcher'] as const)('stores no group ID for the group kind %s', async (group_kind) => {
    await sendReport({ experience_id: tour.id, state: 'started', group_kind });
    expect(await groupOf(tour)).toEqual({ group_kind, group_id: null });
  });

  it('shows the group with the Interaction', async () => {
    await sendReport({ experience_id: tour.id, state: 'started', group_kind: 'launcher', group_id: launcher.id });
    const { body } = await api.get('/v3/analyze/interactions', { query: `id=${tour.id}` });
    expect(body.interactions).toEqual([
      expect.objectContaining({ state: 'started', tour_id: tour.id, group_kind: 'launcher', group_id: launcher.id }),
    ]);
  });
});

describe('a snooze', () => {
  it('keeps the state `started` and defers for a day by default', async () => {
    expect((await sendReport({ experience_id: tour.id, state: 'snoozed' })).interaction.state).toBe('started');
    expect(await interactionOf(tour)).toMatchObject({ defer_count: 1, defer_until: clock + DAY });
    expect(await activitiesOf(tour)).toEqual(['snoozed  0', 'started  0']);
  });

  it('defers for the hours of the step', async () => {
    await sendReport({ experience_id: tour.id, state: 'snoozed', step_id: stepOf(tour, 2) });
    expect((await interactionOf(tour)).defer_until).toBe(clock + 2 * HOUR);
  });

  it('defers for the time that the user chooses among those of the step', async () => {
    const choice = { step_id: stepOf(tour, 1), snooze_hours: 168 };
    await sendReport({ experience_id: tour.id, state: 'snoozed', ...choice });
    expect((await interactionOf(tour)).defer_until).toBe(clock + 7 * DAY);
  });

  it.each([
    ['another time than those of the step', 1, 2, '1 or 168'],
    ['the longest time', 1, 8760, '1 or 168'],
    ['no time', 1, 0, '1 or 168'],
    ['a time of another step', 2, 1, '2'],
    ['a time of a step without any', 0, 1, '24'],
    ['a time of no step', undefined, 3, '1, 168 or 2'],
  ])('is rejected for %s', async (_, index, snooze_hours, offered) => {
    const step = index === undefined ? {} : { step_id: stepOf(tour, index) };
    await expectNothingChanged(async () => {
      const { status, body } = await page.report({ experience_id: tour.id, state: 'snoozed', ...step, snooze_hours });
      const message = `\`snooze_hours\` must be a time that the author offers: ${offered}`;
      expect([status, body.messages]).toEqual([422, [message]]);
    });
  });

  it('accepts a time of the version that the page shows', async () => {
    const [, second] = tour.steps;
    const steps = tour.steps.map(({ id }) => (id === second?.id ? { id, snooze_choices: ['3d'] } : { id }));
    expect((await api.patch(`/v3/edit/tours/${tour.id}`, { steps, published_at: '$now' })).status).toBe(200);
    await sendReport({ experience_id: tour.id, state: 'snoozed', step_id: second?.id, snooze_hours: 168 });
    expect((await interactionOf(tour)).defer_until).toBe(clock + 7 * DAY);
  });

  it('holds on other devices until its time has come, and until the user is cleared', async () => {
    // A page on any device gets the same decision as this list.
    const listReasons = async () => {
      const { body } = await api.post(`/v3/edit/profiles/${page.profile.id}/queue`, { href: HREF });
      const found = body.queue.rest.find((one: { experience: { id: string } }) => one.experience.id === tour.id);
      return (found?.reasons ?? []).map(({ message }: { message: string }) => message.replace(/\d{4}-.*/, '…'));
    };
    const putOff = 'The user asked to be reminded on …';
    const snooze = () =>
      sendReport({ experience_id: tour.id, state: 'snoozed', step_id: stepOf(tour, 1), snooze_hours: 1 });
    expect(await listReasons()).not.toContain(putOff);
    await snooze();
    expect(await listReasons()).toContain(putOff);
    pass(HOUR);
    expect(await listReasons()).not.toContain(putOff);
    page = await loadPage(api, uid);
    await sendReport({ experience_id: tour.id, state: 'started' });
    await snooze();
    expect(await listReasons()).toContain(putOff);
    expect((await api.send('DELETE', `/v3/edit/profiles/${page.profile.id}`)).status).toBe(200);
    expect(await rowsOf('interactions')).toEqual([]);
    expect(await listReasons()).not.toContain(putOff);
  });

  it('defers for the hours of the last seen step', async () => {
    await sendReport({ experience_id: tour.id, step_id: stepOf(tour, 2) });
    await sendReport({ experience_id: tour.id, state: 'snoozed' });
    expect((await interactionOf(tour)).defer_until).toBe(clock + 2 * HOUR);
  });

  it('counts one snooze per showing over several open pages', async () => {
    const other = await loadPage(api, uid);
    for (const one of [page, other, page]) await sendReport({ experience_id: tour.id, state: 'snoozed' }, one);
    expect((await interactionOf(tour)).defer_count).toBe(1);
    pass(DAY);
    const next = await loadPage(api, uid);
    await sendReport({ experience_id: tour.id, state: 'started' }, next);
    expect(await interactionOf(tour)).toMatchObject({ defer_count: 1, defer_until: null });
    await sendReport({ experience_id: tour.id, state: 'snoozed' }, next);
    expect(await interactionOf(tour)).toMatchObject({ defer_count: 2, defer_until: clock + DAY });
  });
});

describe('a response', () => {
  const answer = (params: object, response: object) => sendReport({ experience_id: survey.id, ...params, response });
  const answers = async () =>
    (await rowsOf('answers'))
      .sort(
        (one, other) => one.response_id.localeCompare(other.response_id) || one.question_order - other.question_order,
      )
      .map(({ step_id, button_id, button_index, button_text, value, input }) => ({
        ...{ step_id, button_id, button_index, button_text, value, input },
      }));
  const responses = async ({ id } = survey) =>
    (await api.get('/v3/analyze/responses', { query: `id=${id}` })).body.responses;
  const none = { button_id: null, button_index: null, button_text: null, value: null, input: null };

  it('stores the button of an answer and counts its click', async () => {
    const button_id = buttonOf(survey, 0, 1);
    expect((await answer({ step_id: stepOf(survey, 0) }, { button_id })).interaction.state).toBe('started');
    const chosen = { button_id, button_index: 1, button_text: 'Good' };
    expect(await answers()).toEqual([{ ...none, step_id: stepOf(survey, 0), ...chosen }]);
    expect(await activitiesOf(survey)).toContain(`button ${button_id} 0`);
  });

  it('stores a number of a scale', async () => {
    await answer({ step_id: stepOf(survey, 1) }, { value: 9 });
    const nine = { value: '9', button_index: 9, button_text: '9' };
    expect(await answers()).toEqual([{ ...none, step_id: stepOf(survey, 1), ...nine }]);
  });

  it('stores a text, also after the answer', async () => {
    await answer({ step_id: stepOf(survey, 1) }, { value: 3 });
    const [{ id }] = await rowsOf('responses');
    pass(1000);
    await answer({ step_id: stepOf(survey, 1) }, { input: 'Too slow 🐌' });
    expect(await rowsOf('responses')).toEqual([expect.objectContaining({ id, updated_at: clock })]);
    expect(await answers()).toMatchObject([{ value: '3', button_index: 3, input: 'Too slow 🐌' }]);
  });

  it('replaces the earlier answer to the same step', async () => {
    const [bad, good] = [buttonOf(survey, 0, 0), buttonOf(survey, 0, 1)];
    await answer({ step_id: stepOf(survey, 0) }, { button_id: bad });
    await answer({ step_id: stepOf(survey, 1) }, { value: 10 });
    await answer({ step_id: stepOf(survey, 0) }, { button_id: good });
    expect(await answers()).toEqual([
      { ...none, step_id: stepOf(survey, 0), button_id: good, button_index: 1, button_text: 'Good' },
      { ...none, step_id: stepOf(survey, 1), value: '10', button_index: 10, button_text: '10' },
    ]);
  });

  it('stores the original text of a translated list item', async () => {
    const steps = [{ title: 'From where?', preset: 'survey_dropdown', dropdown_items: ['Ads', 'A friend'] }];
    survey = await make('surveys', { steps });
    await answer({ step_id: stepOf(survey, 0) }, { value: 'Eine Freundin', index: 1 });
    expect(await answers()).toEqual([{ ...none, step_id: stepOf(survey, 0), value: 'A friend', button_index: 1 }]);
  });

  it('accepts only answers that the step offers, or offered when the page was loaded', async () => {
    const list = { title: 'From where?', preset: 'survey_dropdown', dropdown_items: ['Ads', 'A friend'] };
    const scales = ['survey_nps', 'survey_csat', 'survey_ces'].map((preset) => ({ title: preset, preset }));
    survey = await make('surveys', { steps: [...scales, list, { ...list, other_text: 'Other' }] });
    const [nps, csat, ces, closed, open] = survey.steps.map(({ id }) => id);
    const tries = [
      ...[11, 'x', 7.5, -1, '07', '1e1'].map((value) => [nps, { value }, 'a whole number from 0 to 10'] as const),
      ...[0, 6].map((value) => [csat, { value }, 'a whole number from 1 to 5'] as const),
      ...[0, 8].map((value) => [ces, { value }, 'a whole number from 1 to 7'] as const),
      [closed, { value: 'TV' }, 'one of "Ads", "A friend"'] as const,
      [closed, { value: 'Other', index: 2 }, 'one of "Ads", "A friend"'] as const,
    ];
    await expectNothingChanged(async () => {
      for (const [step_id, response, allowed] of tries) {
        const { status, body } = await page.report({ experience_id: survey.id, step_id, response });
        expect([status, body.messages]).toEqual([
          422,
          [expect.stringContaining(`\`response.value\` must be ${allowed}`)],
        ]);
      }
    });
    for (const value of [0, 10]) await answer({ step_id: nps }, { value });
    for (const value of [1, 5]) await answer({ step_id: csat }, { value });
    for (const value of [1, 7]) await answer({ step_id: ces }, { value });
    await answer({ step_id: open }, { value: 'TV' });
    const steps = survey.steps.map((step) => (step.id === closed ? { ...step, dropdown_items: ['Ads'] } : step));
    const { status } = await api.patch(`/v3/edit/surveys/${survey.id}`, { steps, published_at: '$now' });
    expect(status).toBe(200);
    await answer({ step_id: closed }, { value: 'A friend', index: 1 });
    expect((await answers()).map(({ value }) => value)).toEqual(['10', '5', '7', 'A friend', 'TV']);
  });

  it('creates one Response per user and showing with all answers', async () => {
    const button_id = buttonOf(survey, 0, 1);
    await answer({ step_id: stepOf(survey, 0), href: `${HREF}?first` }, { button_id });
    const open = await responses();
    expect(open).toMatchObject([{ button_id, finished_at: null }]);
    pass(1000);
    await answer({ step_id: stepOf(survey, 1), href: HREF }, { value: 9 });
    await sendReport({ experience_id: survey.id, state: 'completed' });
    const nothing = { input_text: null, dropdown_items: null, other_text: null };
    const first = { button_id, button_text: 'Good', button_order: 1, ...nothing };
    expect(await responses()).toEqual([
      {
        ...{ id: open[0].id, created_at: open[0].created_at, updated_at: toTimestamp(clock) },
        ...{ survey_id: survey.id, profile_id: page.profile.id, source: 'page', href: `${HREF}?first`, ...first },
        last_dropdown_items: null,
        comment_step_input_text2: null,
        comment_step_dropdown_items: null,
        comment_step_other_text: null,
        comment_step_dropdown_items2: null,
        comment_step_other_text2: null,
        comment_step_buttons_selected: ['9'],
        comment_step_buttons_selected2: null,
        finished_at: toTimestamp(clock),
        answers: [
          { step_id: stepOf(survey, 0), ...first, option_ids: null },
          {
            ...{ step_id: stepOf(survey, 1), button_id: null, button_text: '9', button_order: 9, ...nothing },
            option_ids: null,
          },
        ],
        profile: expect.objectContaining({ id: page.profile.id, uid }),
      },
    ]);
  });

  it('shows the answers to the first question and to two follow-ups', async () => {
    const list = { preset: 'survey_dropdown', dropdown_items: ['Ads', 'A friend'], other_text: 'Other' };
    const steps = [
      { ...list, title: 'From where?' },
      { title: 'Why?', preset: 'response' },
      { ...list, title: 'And?' },
    ];
    survey = await make('surveys', { steps: [...steps, { title: 'More?', preset: 'survey_input' }] });
    await answer({ step_id: stepOf(survey, 0) }, { value: 'Ads' });
    expect(await responses()).toMatchObject([{ last_dropdown_items: ['Ads'] }]);
    await answer({ step_id: stepOf(survey, 1) }, { input: 'They were good.' });
    await answer({ step_id: stepOf(survey, 2) }, { value: 'Sonstiges', input: 'My boss', index: 2 });
    await answer({ step_id: stepOf(survey, 3) }, { input: 'No.' });
    const [response] = await responses();
    expect(response).toMatchObject({
      ...{ button_id: null, button_text: null, button_order: null },
      ...{ dropdown_items: ['Ads'], other_text: null, input_text: 'They were good.' },
      ...{ comment_step_dropdown_items: null, comment_step_other_text: null, comment_step_input_text2: null },
      ...{ comment_step_dropdown_items2: [], comment_step_other_text2: 'My boss', last_dropdown_items: [] },
    });
    expect(response.answers.map(({ input_text }: { input_text: string }) => input_text)).toEqual([
      ...[null, 'They were good.', null, 'No.'],
    ]);
  });

  it('creates a new Response for a new showing, 5 minutes later at the earliest', async () => {
    const vote = (index: number, showing: number) =>
      answer({ step_id: stepOf(survey, 0), state: 'completed', showing }, { button_id: buttonOf(survey, 0, index) });
    await vote(0, 0);
    pass(5 * 60_000 - 1);
    for (let showing = 1; showing < 20; showing++) await vote(1, showing);
    expect((await responses()).map(({ button_order }: { button_order: number }) => button_order)).toEqual([0]);
    pass(1);
    await vote(1, 60_000);
    expect((await responses()).map(({ button_order }: { button_order: number }) => button_order)).toEqual([1, 0]);
  });

  it('keeps a finished Response and only adds missing answers', async () => {
    await answer({ step_id: stepOf(survey, 0), state: 'completed' }, { button_id: buttonOf(survey, 0, 0) });
    const finished = clock;
    pass(1000);
    await answer({ step_id: stepOf(survey, 0) }, { button_id: buttonOf(survey, 0, 1) });
    expect(await responses()).toMatchObject([{ button_order: 0, updated_at: toTimestamp(finished) }]);
    await answer({ step_id: stepOf(survey, 1) }, { value: 8 });
    const late = { button_order: 0, comment_step_buttons_selected: ['8'] };
    expect(await responses()).toMatchObject([
      { ...late, finished_at: toTimestamp(finished), updated_at: toTimestamp(clock) },
    ]);
  });

  it('finishes a Response with a snooze or with a new Delivery of the survey', async () => {
    await answer({ step_id: stepOf(survey, 0) }, { button_id: buttonOf(survey, 0, 0) });
    const params = { model_kind: 'survey', model_id: survey.id, profile_id: page.profile.id };
    const { body } = await api.post('/v3/edit/deliveries', params);
    pass(1000);
    await sendReport({ experience_id: survey.id, state: 'started', delivery_id: body.delivery.id, showing: 1000 });
    expect(await responses()).toMatchObject([{ finished_at: toTimestamp(clock) }]);
    await answer({ step_id: stepOf(survey, 0), showing: 1000 }, { button_id: buttonOf(survey, 0, 1) });
    expect(await responses()).toMatchObject([{ finished_at: null }, {}]);
    pass(1000);
    await sendReport({ experience_id: survey.id, state: 'snoozed', showing: 1000 });
    expect(await responses()).toMatchObject([{ finished_at: toTimestamp(clock) }, {}]);
  });

  it('sets `finished_at` and `updated_at` to the same time', async () => {
    await answer({ step_id: stepOf(survey, 0) }, { button_id: buttonOf(survey, 0, 0) });
    step = 1;
    try {
      await sendReport({ experience_id: survey.id, state: 'exited' });
    } finally {
      step = 0;
    }
    const [{ finished_at, updated_at }] = await rowsOf('responses');
    expect(finished_at).toBe(updated_at);
  });

  it('finds the step of a response by its button', async () => {
    await answer({}, { button_id: buttonOf(survey, 0, 0) });
    expect((await answers())[0]).toMatchObject({ step_id: stepOf(survey, 0), button_index: 0 });
  });

  it('finds the step of a response when there is only one question', async () => {
    const one = await make('surveys', {
      steps: [
        { title: 'Why?', preset: 'survey_input' },
        { title: 'Thanks', preset: 'thank_you' },
      ],
    });
    await sendReport({ experience_id: one.id, response: { input: 'Because' } });
    expect(await answers()).toEqual([{ ...none, step_id: stepOf(one, 0), input: 'Because' }]);
    await expectNothingChanged(async () => {
      const { status, body } = await page.report({ experience_id: survey.id, response: { input: 'Because' } });
      expect([status, body.messages]).toEqual([422, [expect.stringContaining('`step_id` is required')]]);
    });
  });

  it('finishes a Response immediately when the showing has ended', async () => {
    await sendReport({ experience_id: survey.id, state: 'exited' });
    await answer({ step_id: stepOf(survey, 1) }, { value: 0 });
    expect(await responses()).toMatchObject([{ finished_at: toTimestamp(clock), answers: [{ button_text: '0' }] }]);
    expect((await interactionOf(survey)).state).toBe('exited');
  });

  it('rejects a response to anything but a survey', async () => {
    await expectNothingChanged(async () => {
      const { status, body } = await page.report({ experience_id: tour.id, response: { input: 'x' } });
      expect([status, body.messages]).toEqual([422, ['`response` is for surveys: this is a tour']]);
    });
  });
});

describe('the budget of reports', () => {
  const batch = (count: number, from = page) =>
    from.report({ items: Array.from({ length: count }, () => ({ experience_id: tour.id, state: 'displayed' })) });

  it('returns 429 after 1000 reports of a user in an hour and stores nothing of the request', async () => {
    for (let n = 0; n < 9; n++) expect((await batch(100)).status).toBe(200);
    const other = await loadPage(api, uid);
    expect((await batch(99, other)).status).toBe(200);
    pass(60_000);
    await expectNothingChanged(async () => {
      const { status, body } = await page.report({
        items: [
          { experience_id: survey.id, state: 'started' },
          { experience_id: tour.id, state: 'started' },
        ],
      });
      expect([status, body]).toEqual([
        429,
        {
          code: 429,
          messages: ['The pages of one user may send 1000 reports in an hour: try again in 3540 seconds'],
          wait: 3540,
        },
      ]);
    });
    await sendReport({ experience_id: survey.id, state: 'started' });
    expect((await page.report({ experience_id: tour.id, state: 'started' })).status).toBe(429);
    await sendReport({ experience_id: tour.id, state: 'started' }, await loadPage(api, `${uid} of someone else`));
    pass(HOUR);
    await sendReport({ experience_id: tour.id, state: 'started' });
  });
});

describe('a batch', () => {
  it('returns a result for each report of a batch', async () => {
    const { items } = await sendReport({
      items: [
        { experience_id: tour.id, state: 'displayed' },
        { experience_id: tour.id, state: 'started', step_id: stepOf(tour, 0) },
        { experience_id: survey.id, step_id: stepOf(survey, 1), response: { value: 7 } },
        { experience_id: tour.id, state: 'exited' },
      ],
    });
    const [one, other] = [await interactionOf(tour), await interactionOf(survey)];
    expect(items).toEqual([
      { interaction: { id: one.id, state: 'displayed' } },
      { interaction: { id: one.id, state: 'started' } },
      { interaction: { id: other.id, state: 'started' } },
      { interaction: { id: one.id, state: 'exited' } },
    ]);
    expect((await sendReport({ items: [] })).items).toEqual([]);
  });

  it('stores the other reports when one is rejected', async () => {
    const bad = [
      { experience_id: unknownId, state: 'started' },
      { state: 'started' },
      { experience_id: survey.id },
      { experience_id: survey.id, state: 'started', step_id: unknownId },
      { experience_id: survey.id, state: 'started', delivery_id: unknownId },
      { experience_id: survey.id, state: 'started', response: {} },
    ];
    const { items } = await sendReport({
      items: [{ experience_id: tour.id, state: 'started' }, ...bad, { experience_id: launcher.id, state: 'exited' }],
    });
    expect(items.map(({ code, interaction }: { code?: number; interaction?: object }) => code ?? interaction)).toEqual([
      expect.objectContaining({ state: 'started' }),
      ...[404, 422, 422, 404, 404, 422],
      expect.objectContaining({ state: 'exited' }),
    ]);
    expect(items[1]).toEqual({ code: 404, messages: ['There is no live Experience with this ID in this account'] });
    expect(await interactionOf(survey)).toBe(undefined);
    expect(await activitiesOf(survey)).toEqual([]);
  });

  it('rejects more than a hundred reports', async () => {
    const items = Array.from({ length: 101 }, () => ({ experience_id: tour.id, state: 'displayed' }));
    await expectNothingChanged(async () => {
      const { status, body } = await page.report({ items });
      expect([status, body.messages]).toEqual([422, ['`items` holds 101: 100 at most']]);
    });
    expect((await sendReport({ items: items.slice(1) })).items).toHaveLength(100);
  });
});

describe('the numbers of an Experience', () => {
  it('keeps exact numbers after twenty simultaneous users and after one is cleared', async () => {
    const pages = await Promise.all(Array.from({ length: 20 }, (_, index) => loadPage(api, `${uid} ${index}`)));
    const at = pass(1000);
    await Promise.all(
      pages.map(async (one, index) => {
        await sendReport({ experience_id: tour.id, state: 'displayed' }, one);
        if (index < 15) await sendReport({ experience_id: tour.id, state: 'started' }, one);
        const ends = index < 8 ? 'completed' : index < 12 ? 'exited' : undefined;
        // Some users report it twice.
        for (let n = 0; ends && n <= index % 2; n++) await sendReport({ experience_id: tour.id, state: ends }, one);
      }),
    );
    const times = {
      last_displayed_at: toTimestamp(at),
      last_started_at: toTimestamp(at),
      last_completed_at: toTimestamp(at),
      last_exited_at: toTimestamp(at),
    };
    const counts = { displayed_count: 20, started_count: 15, completed_count: 8, exited_count: 4 };
    expect(await statsOf('tours', tour)).toEqual({ ...counts, ...times });
    await api.send('DELETE', `/v3/edit/profiles/${pages[0]?.profile.id}`);
    const less = { displayed_count: 19, started_count: 14, completed_count: 7, exited_count: 4 };
    expect(await statsOf('tours', tour)).toEqual({ ...less, ...times });
  });
});

describe('an invalid report', () => {
  it.each([
    ['nothing to report', {}, 'Give a `state`'],
    ['no Experience', { experience_id: undefined, state: 'started' }, '`experience_id` is required'],
    ['an unknown state', { state: 'shown' }, '`state` must be one of'],
    ['a negative showing', { state: 'started', showing: -1 }, '`showing` must be'],
    ['a snooze of more than a year', { state: 'snoozed', snooze_hours: 9000 }, '`snooze_hours` must be'],
    ['an unknown way of starting', { state: 'started', group_kind: 'delivery' }, '`group_kind` must be one of'],
    ['a step that is no ID', { step_id: '1' }, '`step_id` must be the ID'],
    ['a NUL', { state: 'started', href: 'http://localhost/\0' }, '`href` must be valid Unicode'],
    ['items that are no reports', { items: ['started'] }, '`items[0]` must be a report'],
    ['an empty response', { response: { value: '' } }, '`response` must be'],
  ])('rejects a report with %s and writes nothing', async (_what, params, message) => {
    await expectNothingChanged(async () => {
      const { status, body } = await page.report({ experience_id: tour.id, ...params });
      expect([status, body.messages]).toEqual([422, [expect.stringContaining(message)]]);
    });
  });

  it('rejects unknown IDs and IDs of another account with the same message', async () => {
    const foreign = await make('tours', { steps: [stepWith('One')] }, api.other);
    const theirs = await loadPage(api, 'theirs', { as: api.other });
    const made = await api.post(
      '/v3/edit/deliveries',
      { model_kind: 'tour', model_id: foreign.id, profile_id: theirs.profile.id },
      { as: api.other },
    );
    const cases: [string, object, string][] = [
      ['live Experience', { experience_id: foreign.id, state: 'started' }, 'experience_id'],
      ['Experience', { state: 'started', group_kind: 'launcher', group_id: foreign.id }, 'group_id'],
      ['step', { step_id: stepOf(foreign, 0) }, 'step_id'],
      ['step', { step_id: stepOf(survey, 0) }, 'step_id'],
      ['button', { button_id: buttonOf(foreign, 0) }, 'button_id'],
      ['button', { step_id: stepOf(tour, 0), button_id: buttonOf(tour, 1) }, 'button_id'],
      ['Delivery', { state: 'started', delivery_id: made.body.delivery.id }, 'delivery_id'],
    ];
    await expectNothingChanged(async () => {
      for (const [what, params, name] of cases)
        for (const sent of [params, { ...params, [name]: unknownId }]) {
          const { status, body } = await page.report({ experience_id: tour.id, ...sent });
          expect([status, body.messages]).toEqual([404, [`There is no ${what} with this ID in this account`]]);
        }
      const { status } = await page.report({
        experience_id: survey.id,
        step_id: stepOf(survey, 1),
        response: { button_id: buttonOf(survey, 0) },
      });
      expect(status).toBe(404);
    });
  });

  it('rejects a report of an Experience that is not live and was never seen', async () => {
    const draft = await make('tours', { steps: [stepWith('One')], published_at: null });
    await expectNothingChanged(async () => {
      const { status, body } = await page.report({ experience_id: draft.id, state: 'started' });
      expect([status, body.messages]).toEqual([404, [expect.stringContaining('no live Experience')]]);
    });
  });

  it('rejects a report when the profile was cleared after the page load', async () => {
    await sendReport({ experience_id: tour.id, state: 'started' });
    pass(1000);
    await api.send('DELETE', `/v3/edit/profiles/${page.profile.id}`);
    await expectNothingChanged(async () => {
      for (const sent of [page.report({ experience_id: tour.id, state: 'completed' }), page.track({ name: 'a' })]) {
        const { status, body } = await sent;
        expect([status, body.messages]).toEqual([403, [expect.stringContaining('load the page again')]]);
      }
    });
    pass(1000);
    page = await loadPage(api, uid);
    expect((await sendReport({ experience_id: tour.id, state: 'displayed' })).interaction.state).toBe('displayed');
  });

  it('rejects a report of a forgotten profile or of a page older than twelve hours', async () => {
    const gone = await loadPage(api, `${uid} gone`);
    await api.send('DELETE', `/v3/edit/profiles/${gone.profile.id}/forget`);
    pass(12 * HOUR + 1);
    await expectNothingChanged(async () => {
      for (const one of [gone, page])
        for (const sent of [one.report({ experience_id: tour.id, state: 'started' }), one.track({ name: 'a' })]) {
          const { status, body } = await sent;
          expect([status, body.messages]).toEqual([403, [expect.stringContaining('load the page again')]]);
        }
    });
  });

  it('rejects a report without a token or with a forged one', async () => {
    const report = { experience_id: tour.id, state: 'started' };
    const [account, profile, at, nonce, signature] = page.token.split('.');
    const other = (await loadPage(api, 'theirs', { as: api.other })).token.split('.');
    const tokens = [
      ...[undefined, '', 'x', page.token.slice(0, -1), `${page.token}x`],
      [account, unknownId, at, nonce, signature].join('.'),
      [account, profile, at, 'other', signature].join('.'),
      [account, profile, at, nonce, other[4]].join('.'),
      [other[0], profile, at, nonce, signature].join('.'),
    ];
    await expectNothingChanged(async () => {
      for (const visit_token of tokens)
        expect([visit_token, (await api.post(path, { visit_token, ...report }, { as: null })).status]).toEqual([
          visit_token,
          403,
        ]);
      // A secret is not a visit token.
      expect((await api.post(path, report)).status).toBe(403);
    });
  });
});

describe('an Experience that is no longer live', () => {
  it('accepts reports from pages that still show an Experience that is no longer live', async () => {
    await sendReport({ experience_id: tour.id, state: 'started', step_id: stepOf(tour, 0) });
    await api.patch(`/v3/edit/tours/${tour.id}`, { published_at: null });
    await sendReport({ experience_id: tour.id, step_id: stepOf(tour, 1), button_id: buttonOf(tour, 1) });
    expect((await sendReport({ experience_id: tour.id, state: 'completed' })).interaction.state).toBe('completed');
    expect(await interactionOf(tour)).toMatchObject({ state: 'completed', step_id: stepOf(tour, 1) });
  });

  it('accepts reports of steps that were replaced', async () => {
    const [gone, kept] = [stepOf(tour, 0), tour.steps[1]];
    pass(1000);
    await api.patch(`/v3/edit/tours/${tour.id}`, { steps: [{ id: kept?.id }], published_at: '$now' });
    expect((await api.get(`/v3/edit/tours/${tour.id}/versions`)).body.versions).toHaveLength(2);
    await sendReport({ experience_id: tour.id, step_id: gone, button_id: buttonOf(tour, 0) });
    expect(await activitiesOf(tour)).toEqual([`step ${gone} 0`, `button ${buttonOf(tour, 0)} 0`, 'started  0'].sort());
  });

  it('rejects reports of a deleted Experience', async () => {
    await sendReport({ experience_id: tour.id, state: 'started' });
    expect((await api.send('DELETE', `/v3/edit/tours/${tour.id}`)).status).toBe(200);
    expect((await page.report({ experience_id: tour.id, state: 'completed' })).status).toBe(404);
  });
});

describe('stored reports', () => {
  it('deletes all reports of a user who is forgotten', async () => {
    await sendReport({ experience_id: survey.id, state: 'completed', response: { button_id: buttonOf(survey, 0) } });
    expect((await api.send('DELETE', `/v3/edit/profiles/${page.profile.id}/forget`)).status).toBe(200);
    expect(JSON.stringify(await accountRows(api.app, api.account.account_id))).not.toContain(page.profile.id);
  });

  it('does not show reports to another account', async () => {
    const as = await createAccount(api.app, { name: 'Third', email: `third${count}@acme.test` });
    const theirs = await make('tours', { steps: [stepWith('One')] }, as);
    const one = await loadPage(api, uid, { as });
    await expectNothingChanged(() => sendReport({ experience_id: theirs.id, state: 'started' }, one));
    expect((await page.report({ experience_id: theirs.id, state: 'started' })).status).toBe(404);
  });
});
