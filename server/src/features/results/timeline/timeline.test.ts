import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';
import { loadPage } from '../../../../test/open-page.ts';
import { newUid } from '../../../../test/visiting.ts';

const MINUTE = 60_000;
let now = Date.parse('2029-04-07T12:00:00.000Z');
let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => now });
});
afterAll(() => api.stop());

interface Entry {
  id: string;
  at: string;
  kind: string;
  experience: { id: string; kind: string; name: string | null; is_deleted: boolean } | null;
  [field: string]: unknown;
}

async function timelineOf(id: string, query = ''): Promise<{ entries: Entry[]; cursor: { before: string | null } }> {
  const { status, body } = await api.get(`/v3/edit/profiles/${id}/timeline`, { query });
  expect([status, body.messages]).toEqual([200, undefined]);
  return body;
}

async function add(kind: string, params: object): Promise<{ id: string; steps: { id: string }[] }> {
  const { status, body } = await api.post(`/v3/edit/${kind}s`, { published_at: '$now', ...params });
  expect([status, body.messages]).toEqual([201, undefined]);
  return body[kind];
}

async function deliver(model_kind: string, model_id: string, uid: string, params: object = {}): Promise<string> {
  const { status, body } = await api.post('/v3/edit/deliveries', { model_kind, model_id, uid, ...params });
  expect([status, body.messages]).toEqual([201, undefined]);
  return body.delivery.id;
}

const later = () => {
  now += MINUTE;
  return new Date(now).toISOString();
};

describe('the timeline of a user', () => {
  it('has everything that the user did and saw, newest first', async () => {
    const tour = await add('tour', {
      name: 'Welcome',
      steps: [{ title: 'Hello', snooze_hours: 5 }],
      goal_event: 'Signed up',
    });
    const survey = await add('survey', {
      name: 'How likely?',
      style: 'manual',
      steps: [
        { title: 'How likely is it?', preset: 'survey_nps' },
        { title: 'Why?', preset: 'survey_input' },
      ],
    });
    const uid = newUid();
    const times = [new Date(now).toISOString()];
    const page = await loadPage(api, uid);
    const { id } = page.profile;
    const step = async (work: () => Promise<unknown>) => {
      times.push(later());
      await work();
    };
    const report = async (params: object) => {
      const { status, body } = await page.report(params);
      expect([status, body.messages]).toEqual([200, undefined]);
    };
    const whole = { experience_id: tour.id };
    await step(() => report({ ...whole, state: 'displayed' }));
    await step(() => report({ ...whole, state: 'started' }));
    await step(() => report({ ...whole, state: 'snoozed', snooze_hours: 5 }));
    await step(() => page.track({ name: 'Opened it', properties: { plan: 'pro' } }));
    let delivery = '';
    let removed = '';
    await step(async () => {
      delivery = await deliver('survey', survey.id, uid);
    });
    await step(async () => {
      removed = await deliver('tour', tour.id, uid, { delivery_ids_position: 'last' });
    });
    await step(() => api.send('DELETE', `/v3/edit/deliveries/${removed}`));
    const shown = { experience_id: survey.id, showing: 8 * MINUTE };
    await step(() => report({ ...shown, state: 'started', delivery_id: delivery, href: 'http://localhost:3000/home' }));
    await step(() => report({ ...shown, step_id: survey.steps[0]?.id, response: { value: '9' } }));
    await report({ ...shown, step_id: survey.steps[1]?.id, response: { input: 'Fast' } });
    await step(() => report({ ...shown, state: 'completed' }));

    const { entries, cursor } = await timelineOf(id);
    expect(cursor).toEqual({ limit: 50, before: null });
    const ofTour = { id: tour.id, kind: 'tour', name: 'Welcome', is_deleted: false };
    const ofSurvey = { id: survey.id, kind: 'survey', name: 'How likely?', is_deleted: false };
    const nothing = { experience: null, event: null, answers: null, delivery: null, item: null, until: null };
    const until = new Date(Date.parse(times[3] as string) + 5 * 60 * MINUTE).toISOString();
    const delivered = { id: delivery, href: 'http://localhost:3000/home', reason: null };
    const canceled = { id: removed, href: null, reason: null };
    const answers = [
      { step_id: survey.steps[0]?.id, question: 'How likely is it?', value: '9', comment: null },
      { step_id: survey.steps[1]?.id, question: 'Why?', value: 'Fast', comment: null },
    ];
    expect(entries.map(({ id: _, ...entry }) => entry)).toEqual(
      [
        { ...nothing, at: times[0], kind: 'created' },
        { ...nothing, at: times[0], kind: 'last_seen' },
        { ...nothing, at: times[1], kind: 'displayed', experience: ofTour },
        { ...nothing, at: times[2], kind: 'started', experience: ofTour },
        { ...nothing, at: times[3], kind: 'snoozed', experience: ofTour, until },
        { ...nothing, at: times[4], kind: 'tracked', event: { name: 'Opened it', custom: { plan: 'pro' } } },
        { ...nothing, at: times[5], kind: 'delivery_created', experience: ofSurvey, delivery: delivered },
        { ...nothing, at: times[6], kind: 'delivery_created', experience: ofTour, delivery: canceled },
        { ...nothing, at: times[7], kind: 'delivery_removed', experience: ofTour, delivery: canceled },
        { ...nothing, at: times[8], kind: 'delivery_triggered', experience: ofSurvey, delivery: delivered },
        { ...nothing, at: times[8], kind: 'started', experience: ofSurvey },
        { ...nothing, at: times[9], kind: 'answered', experience: ofSurvey, answers },
        { ...nothing, at: times[10], kind: 'completed', experience: ofSurvey },
      ].reverse(),
    );
    expect(new Set(entries.map((entry) => entry.id)).size).toBe(entries.length);
    const kindsWith = async (kinds: string) => (await timelineOf(id, `kinds=${kinds}`)).entries.map(({ kind }) => kind);
    expect(await kindsWith('tracked')).toEqual(['tracked']);
    expect(await kindsWith('answered,tracked')).toEqual(['answered', 'tracked']);
    expect(await kindsWith('seen')).toEqual(['completed', 'started', 'snoozed', 'started', 'displayed']);
    expect(new Set(await kindsWith('delivered'))).toEqual(
      new Set(['delivery_created', 'delivery_triggered', 'delivery_removed']),
    );
  });
});

describe('names of Experiences', () => {
  it('stay in the entries of archived and deleted ones', async () => {
    const archived = await add('tour', { name: 'Archived', steps: [{ title: 'Hello' }] });
    const deleted = await add('tour', { name: 'Before', steps: [{ title: 'Hello' }] });
    const uid = newUid();
    const { profile } = await loadPage(api, uid);
    now += MINUTE;
    await deliver('tour', archived.id, uid);
    await deliver('tour', deleted.id, uid, { delivery_ids_position: 'last' });
    await api.patch(`/v3/edit/tours/${deleted.id}`, { name: 'Deleted', published_at: null });
    await api.patch(`/v3/edit/tours/${archived.id}`, { published_at: null });
    await api.patch(`/v3/edit/tours/${archived.id}`, { archived_at: '$now' });
    expect((await api.send('DELETE', `/v3/edit/tours/${deleted.id}`)).status).toBe(200);
    const { entries } = await timelineOf(profile.id, 'kinds=delivered');
    const found = entries.map(({ kind, experience }) => [kind, experience?.name, experience?.is_deleted]);
    expect(found).toEqual(
      expect.arrayContaining([
        ['delivery_created', 'Archived', false],
        ['delivery_created', 'Deleted', true],
        ['delivery_removed', 'Deleted', true],
      ]),
    );
  });
});

describe('clear, forget and other accounts', () => {
  it('keeps only what clearing keeps', async () => {
    const tour = await add('tour', { name: 'Tour', steps: [{ title: 'Hello' }] });
    const uid = newUid();
    const page = await loadPage(api, uid);
    const { id } = page.profile;
    await page.report({ experience_id: tour.id, state: 'started' });
    await page.track({ name: 'Opened' });
    now += MINUTE;
    await deliver('tour', tour.id, uid);
    now += MINUTE;
    await api.send('DELETE', `/v3/edit/profiles/${id}`);
    expect((await timelineOf(id)).entries.map(({ kind }) => kind)).toEqual([
      ...['delivery_removed', 'cleared', 'delivery_created', 'created'],
    ]);
    const path = `/v3/edit/profiles/${id}/timeline`;
    expect((await api.get(path, { as: api.other })).status).toBe(404);
    await api.send('DELETE', `/v3/edit/profiles/${id}/forget`);
    expect((await api.get(path)).status).toBe(404);
  });

  it('is the same for a test user', async () => {
    const { profile, track } = await loadPage(api, newUid());
    await track({ name: 'Opened' });
    const before = await timelineOf(profile.id);
    await api.patch(`/v3/edit/profiles/${profile.id}`, { test: true });
    expect(await timelineOf(profile.id)).toEqual(before);
  });

  it.each(['before=x', 'before=12-started-x', `before=12-tracking-${'f'.repeat(24)}`, 'kinds=bought', 'limit=0'])(
    'rejects %s',
    async (query) => {
      const { profile } = await loadPage(api, newUid());
      const { status, body } = await api.get(`/v3/edit/profiles/${profile.id}/timeline`, { query });
      expect([status, body.code]).toEqual([422, 422]);
    },
  );
});
