import { dayOf, firstIdAt, startOfDay, toDate } from '@usher/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';
import { addActivity, addResponse } from '../../../../test/use-rows.ts';

const NOW = Date.UTC(2029, 3, 7, 12, 18);
const TODAY = dayOf(NOW);

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => NOW });
});
afterAll(() => api.stop());

const unknownId = 'f'.repeat(24);
const none = { displayed: 0, started: 0, completed: 0, exited: 0, snoozed: 0, goal: 0 };
let count = 0;

interface Made {
  id: string;
  steps: { id: string; buttons: { id: string }[] }[];
  items: { id: string }[];
}

async function addExperience(kind = 'tours', params: object = {}): Promise<Made> {
  const steps = [{ title: 'One', buttons: [{ text: 'A' }, { text: 'B' }] }, { title: 'Two' }];
  const parts = kind === 'launchers' ? { items: [{ title: 'Help', url: '/help' }] } : { steps };
  const { status, body } = await api.post(`/v3/edit/${kind}`, { name: 'Counted', ...parts, ...params });
  expect([status, body.messages]).toEqual([201, undefined]);
  const [made] = Object.values(body) as Made[];
  return made as Made;
}

async function addProfiles(many: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < many; n++) {
    const { body } = await api.post('/v3/observe/hooks/profiles', { uid: `user ${++count}` });
    ids.push(body.profile.id);
  }
  return ids;
}

const of = (experience_id: string, profile_id: string) => ({
  account_id: api.account.account_id,
  experience_id,
  profile_id,
});
const did = (experience: string, profile: string, day: number, what: Parameters<typeof addActivity>[3], part = '') =>
  addActivity(api.app, of(experience, profile), day, what, part);
/** Answered at a time: the ID holds it. */
const answer = (experience: string, profile: string, at: number, params: Parameters<typeof addResponse>[2]) =>
  addResponse(api.app, of(experience, profile), {
    id: firstIdAt(at).slice(0, 15) + api.app.newId().slice(15, 20) + String(++count).padStart(4, '0'),
    ...params,
  });

const fetchStats = (id: string, query = '', kind = 'tours') => api.get(`/v3/analyze/${kind}/${id}/stats`, { query });
const stats = async (id: string, query = '', kind = 'tours') => {
  const { status, body } = await fetchStats(id, query, kind);
  expect([status, body.messages]).toEqual([200, undefined]);
  return body.stats;
};

describe('days', () => {
  it('returns the last 30 days by default, without gaps', async () => {
    const { id } = await addExperience();
    const { from, until, totals, days, answers, nps } = await stats(id);
    expect([from, until]).toEqual(['2029-03-09', '2029-04-07']);
    expect(days.map(({ day }: { day: string }) => day)).toEqual(
      Array.from({ length: 30 }, (_, at) => toDate(TODAY - 29 + at)),
    );
    expect(
      days.every((day: object) => JSON.stringify({ ...day, day: 0 }) === JSON.stringify({ day: 0, ...none })),
    ).toBe(true);
    expect([totals, answers, nps]).toEqual([none, [], null]);
  });

  it('includes the first and the last day completely', async () => {
    const { id } = await addExperience();
    const [user = ''] = await addProfiles(1);
    for (const day of [TODAY - 4, TODAY - 3, TODAY - 2, TODAY - 1]) await did(id, user, day, 'started');
    const shown = await stats(id, 'from=2029-04-04T23:59:59Z&until=2029-04-05');
    expect([shown.from, shown.until]).toEqual(['2029-04-04', '2029-04-05']);
    expect(shown.days).toEqual([
      { day: '2029-04-04', ...none, started: 1 },
      { day: '2029-04-05', ...none, started: 1 },
    ]);
    expect((await stats(id, 'until=2029-04-03')).totals.started).toBe(1);
    expect((await stats(id, 'from=2029-04-06')).totals.started).toBe(1);
    expect((await stats(id, 'from=2029-04-05&until=$now')).days).toHaveLength(3);
  });

  it('rejects too many days and days in the wrong order', async () => {
    const { id } = await addExperience();
    expect((await stats(id, 'from=2028-04-07')).days).toHaveLength(366);
    for (const [wrong, name] of [
      ['from=2028-04-06', 'from'],
      ['from=2029-04-08', 'from'],
      ['from=2029-04-02&until=2029-04-01', 'from'],
      ['from=soon', 'from'],
      ['until=x', 'until'],
      ['by=month', 'by'],
      ['by=hour', 'by'],
    ]) {
      const { status, body } = await fetchStats(id, wrong);
      expect([wrong, status, body.messages]).toEqual([wrong, 422, [expect.stringContaining(`\`${name}\``)]]);
    }
    expect((await stats(id, 'by=day')).days).toHaveLength(30);
  });
});

describe('counts', () => {
  it('counts each user once per day, and once in the totals', async () => {
    const { id } = await addExperience();
    const [a = '', b = '', c = ''] = await addProfiles(3);
    await did(id, a, TODAY, 'started');
    await did(id, b, TODAY, 'started');
    await did(id, a, TODAY - 1, 'started');
    await did(id, a, TODAY - 1, 'completed');
    await did(id, c, TODAY - 40, 'started');
    const { totals, days } = await stats(id);
    expect(totals).toEqual({ ...none, started: 2, completed: 1 });
    expect(days.slice(-2)).toEqual([
      { day: '2029-04-06', ...none, started: 1, completed: 1 },
      { day: '2029-04-07', ...none, started: 2 },
    ]);
    expect(days.slice(0, -2).filter(({ started }: { started: number }) => started > 0)).toEqual([]);
  });

  it('counts users who displayed, started, completed, exited and snoozed it, and met the goal', async () => {
    const { id } = await addExperience();
    const users = await addProfiles(6);
    const whats = ['displayed', 'started', 'completed', 'exited', 'snoozed', 'goal'] as const;
    for (const [index, what] of whats.entries())
      for (const user of users.slice(index)) await did(id, user, TODAY, what);
    const expected = { displayed: 6, started: 5, completed: 4, exited: 3, snoozed: 2, goal: 1 };
    const { totals, days } = await stats(id);
    expect([totals, days.at(-1)]).toEqual([expected, { day: '2029-04-07', ...expected }]);
  });

  it('counts only this Experience', async () => {
    const [one, other] = [await addExperience(), await addExperience()];
    const [user = ''] = await addProfiles(1);
    await did(other.id, user, TODAY, 'started');
    expect((await stats(one.id)).totals).toEqual(none);
  });

  it('lists all steps and buttons in order, with or without counts', async () => {
    const { id, steps } = await addExperience();
    const [first, second] = steps;
    const [a = '', b = ''] = await addProfiles(2);
    const clicked = first?.buttons[1]?.id ?? '';
    for (const user of [a, b]) await did(id, user, TODAY, 'step', first?.id);
    await did(id, a, TODAY - 1, 'step', first?.id);
    await did(id, a, TODAY, 'button', clicked);
    await did(id, a, TODAY - 60, 'step', second?.id);
    expect(withoutFlow((await stats(id)).steps)).toEqual([
      {
        id: first?.id,
        seen: 2,
        buttons: [
          { id: first?.buttons[0]?.id, clicked: 0 },
          { id: clicked, clicked: 1 },
        ],
      },
      { id: second?.id, seen: 0, buttons: [] },
    ]);
    expect((await stats(id)).totals).toEqual(none);
  });

  it('includes published steps that are no longer in the draft', async () => {
    const tour = await addExperience('tours', { published_at: '$now' });
    const { id, steps } = tour;
    const [first, second] = steps;
    const [user = ''] = await addProfiles(1);
    await did(id, user, TODAY, 'step', second?.id);
    await did(id, user, TODAY, 'button', first?.buttons[0]?.id);
    const changed = [{ id: first?.id, title: 'One', buttons: [{ id: first?.buttons[1]?.id, text: 'B' }] }];
    expect((await api.patch(`/v3/edit/tours/${id}`, { steps: changed })).body.tour.steps).toHaveLength(1);
    expect(withoutFlow((await stats(id)).steps)).toEqual([
      {
        id: first?.id,
        seen: 0,
        buttons: [
          { id: first?.buttons[1]?.id, clicked: 0 },
          { id: first?.buttons[0]?.id, clicked: 1 },
        ],
      },
      { id: second?.id, seen: 1, buttons: [] },
    ]);
    await api.patch(`/v3/edit/tours/${id}`, { published_at: null });
    expect((await stats(id)).steps).toHaveLength(1);
  });

  it('treats a launcher as a step with its items as buttons', async () => {
    const { id, items } = await addExperience('launchers');
    const [user = ''] = await addProfiles(1);
    await did(id, user, TODAY, 'displayed');
    await did(id, user, TODAY, 'button', items[0]?.id);
    expect(withoutFlow((await stats(id, '', 'launchers')).steps)).toEqual([
      { id, seen: 1, buttons: [{ id: items[0]?.id, clicked: 1, completed: 0 }] },
    ]);
  });
});

/** The flow through steps has tests of its own. */
const withoutFlow = (steps: { flow: unknown }[]) => steps.map(({ flow: _, ...step }) => step);

describe('answers', () => {
  const buttons = [{ text: 'Good' }, { text: 'Bad' }];
  const addSurvey = () =>
    addExperience('surveys', {
      steps: [
        { title: 'How was it?', preset: 'survey_two', buttons },
        { title: 'Would you recommend it?', preset: 'survey_nps' },
        { title: 'Why?', preset: 'survey_input' },
      ],
    });

  it('counts answers by step, button and value, each user once', async () => {
    const { id, steps } = await addSurvey();
    const [two, nps, why] = steps.map((step) => step.id);
    const [good = null, bad = null] = steps[0]?.buttons.map((button) => button.id) ?? [];
    const [a = '', b = ''] = await addProfiles(2);
    await answer(id, a, NOW, { step_id: two ?? '', button_id: bad });
    await answer(id, b, NOW, { step_id: two ?? '', button_id: bad });
    await answer(id, b, NOW - 1, { step_id: two ?? '', button_id: bad, showing_from: 5 });
    await answer(id, b, NOW - 2, { step_id: two ?? '', button_id: good, showing_from: 6 });
    await answer(id, a, NOW, { step_id: nps ?? '', value: '10' });
    await answer(id, b, NOW, { step_id: nps ?? '', value: '9' });
    for (const input of ['Because', 'Why not?'])
      await answer(id, input === 'Because' ? a : b, NOW, { step_id: why ?? '', input });
    await answer(id, a, startOfDay(TODAY - 30) - 1, { step_id: two ?? '', button_id: good, showing_from: 7 });
    expect((await stats(id, '', 'surveys')).answers).toEqual([
      { step_id: two, button_id: good, value: null, count: 1 },
      { step_id: two, button_id: bad, value: null, count: 2 },
      { step_id: nps, button_id: null, value: '9', count: 1 },
      { step_id: nps, button_id: null, value: '10', count: 1 },
      { step_id: why, button_id: null, value: null, count: 2 },
    ]);
  });

  it('returns an NPS score from the last answer of each user', async () => {
    const { id, steps } = await addSurvey();
    const step_id = steps[1]?.id ?? '';
    const users = await addProfiles(5);
    const [a = '', b = '', c = '', d = '', e = ''] = users;
    await answer(id, a, NOW - 5000, { step_id, value: '0', showing_from: 1 });
    await answer(id, a, NOW, { step_id, value: '10', showing_from: 2 });
    await answer(id, b, NOW, { step_id, value: '9' });
    await answer(id, c, NOW, { step_id, value: '7' });
    await answer(id, d, NOW, { step_id, value: '6' });
    await answer(id, e, startOfDay(TODAY - 29) - 1, { step_id, value: '0' });
    const expected = { score: 25, promoters: 2, passives: 1, detractors: 1, count: 4 };
    expect((await stats(id, '', 'surveys')).nps).toEqual(expected);
    expect((await stats(id, 'from=2029-03-01', 'surveys')).nps).toMatchObject({ detractors: 2, count: 5 });
    expect((await stats(id, 'until=2029-01-01', 'surveys')).nps).toBeNull();
  });

  it('returns no score without an NPS question', async () => {
    const { id, steps } = await addSurvey();
    const [user = ''] = await addProfiles(1);
    await answer(id, user, NOW, { step_id: steps[0]?.id ?? '', value: '10' });
    expect((await stats(id, '', 'surveys')).nps).toBeNull();
  });
});

it('returns stats for every kind of Experience, and 404 for an unknown one', async () => {
  for (const kind of ['tours', 'surveys', 'launchers', 'tooltips', 'embeds']) {
    const { id } = await addExperience(kind, kind === 'launchers' ? {} : { steps: [] });
    expect((await stats(id, '', kind)).totals).toEqual(none);
    expect((await fetchStats(id, '', kind === 'tours' ? 'surveys' : 'tours')).status).toBe(404);
    const [unknown, foreign] = [
      await fetchStats(unknownId, '', kind),
      await api.get(`/v3/analyze/${kind}/${id}/stats`, { as: api.other }),
    ];
    expect(unknown.status).toBe(404);
    expect(foreign.text).toBe(unknown.text);
  }
  for (const kind of ['experiences', 'profiles', 'constructor'])
    expect([kind, (await fetchStats(unknownId, '', kind)).status]).toEqual([kind, 404]);
});

describe('what users wrote instead of an item of a list', () => {
  it('is in the results, and not for an assistant that may not read data of people', async () => {
    const steps = [
      { title: 'Which?', preset: 'survey_dropdown', dropdown_items: ['Free', 'Pro'], other_text: 'Another' },
    ];
    const { id, steps: made } = await addExperience('surveys', { steps });
    const step_id = made[0]?.id ?? '';
    const people = await addProfiles(3);
    for (const [at, value] of ['Free', 'ann@example.com', 'bea@example.com'].entries())
      await answer(id, people[at] ?? '', NOW, { step_id, value, button_index: value === 'Free' ? 0 : null });
    const read = async (scope: string, may: boolean) => {
      const { body } = await api.post('/v3/edit/secrets', { name: 'Assistant', scope, people: may });
      const as = { account_secret: body.secret.secret };
      const sent = await api.get(`/v3/analyze/surveys/${id}/stats`, { as });
      expect([sent.status, sent.body.messages]).toEqual([200, undefined]);
      return sent;
    };
    const { text, body } = await read('propose', false);
    expect(text).not.toContain('@example.com');
    expect(body.stats.answers).toEqual([
      { step_id, button_id: null, value: null, count: 2 },
      { step_id, button_id: null, value: 'Free', count: 1 },
    ]);
    for (const [scope, may] of [
      ['propose', true],
      ['read', false],
    ] as const)
      expect((await read(scope, may)).text).toContain('ann@example.com');
  });
});
