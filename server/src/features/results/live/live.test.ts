import { dayOf } from '@usher/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';
import { addActivity } from '../../../../test/use-rows.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
beforeEach(() => api.replaceAccounts());
afterAll(() => api.stop());

const show = async (as = api.account) => (await api.get('/v3/analyze/live', { as })).body;
const addTour = async (params: object = {}) =>
  (await api.post('/v3/edit/tours', { name: 'Welcome', steps: [{ title: 'Hi' }], published_at: '$now', ...params }))
    .body.tour;

describe('what is live', () => {
  it('is listed with how many people saw, completed and dismissed it in the last 7 days', async () => {
    const tour = await addTour();
    const { account_id } = api.account;
    const today = dayOf(Date.now());
    for (const [uid, days, ...all] of [
      ['ann', 0, 'started', 'completed'],
      ['ann', 3, 'started', 'exited'],
      ['bob', 6, 'displayed'],
      ['cat', 7, 'started'],
    ] as const) {
      const { profile } = (await api.post('/v3/observe/hooks/profiles', { uid })).body;
      const of = { account_id, experience_id: tour.id, profile_id: profile.id };
      for (const what of all) await addActivity(api.app, of, today - days, what);
      await addActivity(api.app, of, today - days, 'step', tour.steps[0].id);
    }
    expect(await show()).toEqual({
      from: new Date((today - 6) * 86_400_000).toISOString().slice(0, 10),
      until: new Date().toISOString().slice(0, 10),
      people: { shown: 2, completed: 1, exited: 1 },
      people_before: { shown: 1, completed: 0, exited: 0 },
      days: expect.any(Array),
      live: [
        {
          ...{ id: tour.id, kind: 'tour', name: 'Welcome', url_group_ids: [], published_at: tour.published_at },
          ...{
            live_since: tour.published_at,
            changed: false,
            sample: false,
            sketch: expect.objectContaining({ place: 'center', title_length: 2, parts: 1 }),
            people: { shown: 2, completed: 1, exited: 1 },
          },
        },
      ],
      counts: { live: 1, own: 1, own_live: 1 },
    });
    expect(await show(api.other)).toMatchObject({ live: [], counts: { live: 0, own: 0, own_live: 0 } });
  });

  it('is compared with the days before: a person counts once for each Experience in each period', async () => {
    const [one, two] = [await addTour(), await addTour({ published_at: null })];
    const archived = await addTour({ published_at: null, archived_at: '$now' });
    const today = dayOf(Date.now());
    for (const [uid, tour, days] of [
      ['ann', one, 0],
      ['ann', one, 2],
      ['ann', two, 2],
      ['ann', one, 8],
      ['bob', one, 7],
      ['bob', one, 13],
      ['cat', one, 14],
      ['cat', archived, 0],
    ] as const) {
      const { profile } = (await api.post('/v3/observe/hooks/profiles', { uid })).body;
      const of = { account_id: api.account.account_id, experience_id: tour.id, profile_id: profile.id };
      await addActivity(api.app, of, today - days, 'started');
    }
    const { people, people_before, days } = await show();
    expect([people.shown, people_before.shown]).toEqual([2, 2]);
    expect(days.map(({ shown }: { shown: number }) => shown)).toEqual([1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 2, 0, 1]);
  });

  it('is shown as published, and says that the draft has changed since', async () => {
    const tour = await addTour();
    await api.patch(`/v3/edit/tours/${tour.id}`, { name: 'Draft' });
    expect((await show()).live).toEqual([expect.objectContaining({ name: 'Welcome', changed: true })]);
  });

  it('has changed when a translation has, until it is published', async () => {
    const { id, steps } = await addTour();
    await api.post('/v3/edit/languages', { code: 'de' });
    const texts = [{ model_id: steps[0].id, field: 'title', text: 'Hallo' }];
    await api.patch(`/v3/edit/tours/${id}/translations`, { language: 'de', texts });
    const isChanged = async () => [
      (await show()).live[0].changed,
      (await api.get(`/v3/edit/tours/${id}`)).body.tour.has_unpublished_changes,
    ];
    expect(await isChanged()).toEqual([true, true]);
    await api.patch(`/v3/edit/tours/${id}`, { published_at: '$now' });
    expect(await isChanged()).toEqual([false, false]);
  });

  it('is live since its first publish, and after a pause since the next one', async () => {
    const { id, published_at } = await addTour();
    const publish = async (at: string | null) =>
      (await api.patch(`/v3/edit/tours/${id}`, { name: `Tour ${at}`, published_at: at })).body.tour.published_at;
    const again = await publish('$now');
    expect((await show()).live[0]).toMatchObject({ published_at: again, live_since: published_at });
    await publish(null);
    const resumed = await publish('$now');
    await publish('$now');
    expect((await show()).live[0].live_since).toBe(resumed);
  });

  it.each([
    ['drafts', { published_at: null }],
    ['what starts later', { published_at: '+2d' }],
    ['what is archived', { archived_at: '2029-01-01' }],
  ])('leaves out %s', async (_, params) => {
    await addTour(params);
    expect(await show()).toMatchObject({ live: [], counts: { live: 0, own: 1, own_live: 0 } });
  });

  it('does not count the sample and the demo as own', async () => {
    await addTour({ name: 'Demo: welcome' });
    await api.post('/v3/edit/sample_data');
    const { live, counts } = await show();
    expect(counts).toEqual({ live: 6, own: 0, own_live: 0 });
    expect(live.filter(({ sample }: { sample: boolean }) => sample)).toHaveLength(5);
    expect(live.find(({ kind }: { kind: string }) => kind === 'embed').changed).toBe(true);
  });
});
