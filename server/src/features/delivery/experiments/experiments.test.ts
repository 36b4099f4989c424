import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { accountRows } from '../../../../test/account-rows.ts';
import { type Api, type ApiResponse, newEmail, startApi } from '../../../../test/api.ts';
import { HOST, newUid, openDomain, visit } from '../../../../test/visiting.ts';
import { findUncounted } from '../../results/counts/find-uncounted.ts';
import { type CreatedAccount, createAccount } from '../../team/accounts/create-account.ts';

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
let now = Date.parse('2029-04-07T12:18:00.000Z');
let api: Api;
let as: CreatedAccount;
let count = 0;

beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => now });
});
afterAll(() => api.stop());
beforeEach(async () => {
  now += HOUR;
  as = await createAccount(api.app, { name: 'Experiments', email: newEmail() });
  await openDomain(api, as);
});

const path = '/v3/edit/experiments';
const post = (path: string, body: object = {}, account = as) => api.post(path, body, { as: account });
const unknownId = 'f'.repeat(24);

async function sent(response: Promise<ApiResponse>, status = 200): Promise<ApiResponse['body']> {
  const { status: is, body } = await response;
  expect([is, body.messages]).toEqual([status, undefined]);
  return body;
}

async function addTour(params: object = {}): Promise<string> {
  const made = { name: `Tour ${++count}`, steps: [{ title: 'Hello' }], ...params };
  return (await sent(post('/v3/edit/tours', made), 201)).tour.id;
}
const tourOf = async (id: string) => (await sent(api.get(`/v3/edit/tours/${id}`, { as }))).tour;

interface Experiment {
  id: string;
  updated_at: string;
  state: string;
  variants: { id: string; name: string; experience_id: string | null; share: number }[];
}

/** A tour against nothing. */
const against = (tour: string, share = 50) => [
  { name: 'Nothing', share: 100 - share },
  { name: 'Tour', experience_id: tour, share },
];
async function add(variants: object[], params: object = {}): Promise<Experiment> {
  return (await sent(post(path, { name: `Experiment ${++count}`, variants, ...params }), 201)).experiment;
}
const act = (id: string, verb: string, params: object = {}) => post(`${path}/${id}/${verb}`, params);
async function start(variants: object[], params: object = {}): Promise<Experiment> {
  const { id } = await add(variants, params);
  return (await sent(act(id, 'start'))).experiment;
}
const show = async (id: string): Promise<Experiment> => (await sent(api.get(`${path}/${id}`, { as }))).experiment;
const change = (id: string, params: object) => api.patch(`${path}/${id}`, params, { as });
const resultsOf = async (id: string) => (await sent(api.get(`/v3/analyze/experiments/${id}/results`, { as }))).results;

async function load(uid: string, place = '/') {
  const body = await sent(visit(api, { uid, href: `https://${HOST}${place}` }, { as }));
  return { ...body, shown: body.experiences.map(({ id }: { id: string }) => id) as string[] };
}
const report = (visit_token: string, params: object) =>
  sent(api.post('/v3/observe/interactions', { visit_token, ...params }, { as: null }));
const exposures = () =>
  api.app.storage
    .reader(as.account_id)
    .selectFrom('exposures')
    .selectAll()
    .where('account_id', '=', as.account_id)
    .orderBy('profile_id')
    .execute();

/** Loads a page for new users until each arm has one, and returns the uids by what they see. */
async function findPeople(tour: string) {
  let [inTour, inNothing]: (string | undefined)[] = [];
  for (let tries = 0; tries < 40 && (!inTour || !inNothing); tries++) {
    const uid = newUid();
    if ((await load(uid)).shown.includes(tour)) inTour = uid;
    else inNothing = uid;
  }
  return { inTour: inTour ?? '', inNothing: inNothing ?? '' };
}

describe('create, show, list, change and delete', () => {
  it('creates a draft that changes nothing for users', async () => {
    const tour = await addTour({ published_at: '$now' });
    const experiment = await add(against(tour));
    expect(experiment).toMatchObject({
      ...{ state: 'draft', started_at: null, ended_at: null, winner_variant_id: null },
      ...{ segment_ids: [], segments_op: 'and', goal_ids: [], guardrail_goal_ids: [], window_days: 7 },
      variants: [
        { name: 'Nothing', experience_id: null, share: 50, experience: null },
        { name: 'Tour', experience_id: tour, experience: { id: tour, kind: 'tour', live: true } },
      ],
    });
    expect(await show(experiment.id)).toEqual(experiment);
    for (let n = 0; n < 6; n++) expect((await load(newUid())).shown).toEqual([tour]);
    expect(await exposures()).toEqual([]);
  });

  it('rejects wrong variants and changes nothing', async () => {
    const tour = await addTour();
    const before = await accountRows(api.app, as.account_id);
    for (const [status, variants, message] of [
      [422, [{ name: 'One', share: 100 }], '2 to 10'],
      [422, [...against(tour, 40), { name: 'More', share: 10, experience_id: unknownId }], 'add up to 110'],
      [
        422,
        [
          { name: 'A', share: 50 },
          { name: 'B', share: 50 },
        ],
        'at least one variant with an',
      ],
      [
        422,
        [
          { name: 'A', share: 50, experience_id: tour },
          { name: 'B', share: 50, experience_id: tour },
        ],
        'of another variant already',
      ],
      [
        422,
        [
          { name: 'A', share: 50 },
          { name: 'a', share: 50, experience_id: tour },
        ],
        'the name of another variant',
      ],
      [404, against(unknownId), '`variants[1].experience_id` is the ID of no'],
    ] as const) {
      const { status: is, body } = await post(path, { name: 'Wrong', variants });
      expect([is, body.messages?.join()]).toEqual([status, expect.stringContaining(message)]);
    }
    for (const wrong of [{ segment_ids: [unknownId] }, { goal_ids: [unknownId] }, { guardrail_goal_ids: [unknownId] }])
      expect((await post(path, { name: 'Wrong', variants: against(tour), ...wrong })).status).toBe(404);
    expect((await post(path, { name: 'Wrong', variants: against(tour), window_days: 91 })).status).toBe(422);
    expect(await accountRows(api.app, as.account_id)).toEqual(before);
  });

  it('lists by state, changes with the IDs of variants that stay, and deletes', async () => {
    const [tour, other] = [await addTour(), await addTour()];
    const draft = await add(against(tour));
    const running = await start(against(other));
    const list = async (query: string) =>
      (await sent(api.get(path, { as, query }))).experiments.map(({ id }: Experiment) => id);
    expect(await list('')).toEqual([running.id, draft.id]);
    expect(await list('state=draft')).toEqual([draft.id]);
    expect(await list('state=running')).toEqual([running.id]);
    expect(await list('state=ended')).toEqual([]);
    const variants = [...against(tour, 20), { name: 'Other', experience_id: other, share: 0 }];
    const { experiment } = await sent(change(draft.id, { variants, updated_at: draft.updated_at }));
    expect(experiment.variants.map(({ id }: { id: string }) => id).slice(0, 2)).toEqual(
      draft.variants.map(({ id }) => id),
    );
    expect((await change(draft.id, { name: 'Late', updated_at: draft.updated_at })).status).toBe(409);
    expect((await api.send('DELETE', `${path}/${running.id}`, { as })).status).toBe(409);
    await sent(api.send('DELETE', `${path}/${draft.id}`, { as }));
    expect(await list('')).toEqual([running.id]);
  });

  it('changes nothing when the same is sent back', async () => {
    const tour = await addTour();
    const { id, ...before } = await start(against(tour));
    now += 1000;
    expect((await sent(change(id, { variants: against(tour) }))).experiment).toMatchObject(before);
  });

  it('returns 404 for an experiment of another account', async () => {
    const { id } = await add(against(await addTour()));
    for (const verb of ['start', 'end', 'undo']) {
      const [foreign, unknown] = [
        await post(`${path}/${id}/${verb}`, {}, api.other),
        await post(`${path}/${unknownId}/${verb}`, {}, api.other),
      ];
      expect([foreign.status, foreign.text]).toEqual([404, unknown.text]);
    }
    expect((await show(id)).state).toBe('draft');
  });
});

describe('arms', () => {
  it('shows a variant to its share of the users, nothing to the control, and both again on each page', async () => {
    const tour = await addTour();
    const { id, variants } = await start(against(tour));
    expect((await tourOf(tour)).state).toBe('live');
    const seen = new Map<string, string[]>();
    for (let n = 0; n < 60; n++) {
      const uid = newUid();
      seen.set(uid, (await load(uid)).shown);
    }
    const inTour = [...seen.values()].filter((shown) => shown.length > 0).length;
    expect(inTour).toBeGreaterThan(15);
    expect(inTour).toBeLessThan(45);
    const rows = await exposures();
    expect(rows).toHaveLength(60);
    expect(rows.filter(({ variant_id }) => variant_id === variants[1]?.id)).toHaveLength(inTour);
    expect(new Set(rows.map(({ experiment_id }) => experiment_id))).toEqual(new Set([id]));
    for (const [uid, shown] of [...seen].slice(0, 10)) expect((await load(uid)).shown).toEqual(shown);
    expect(await exposures()).toEqual(rows);
  });

  it('keeps everybody in their arm when the shares change', async () => {
    const tour = await addTour();
    const { id } = await start(against(tour));
    const { inTour, inNothing } = await findPeople(tour);
    await sent(change(id, { variants: against(tour, 0) }));
    expect((await load(inTour)).shown).toEqual([tour]);
    for (let n = 0; n < 8; n++) expect((await load(newUid())).shown).toEqual([]);
    await sent(change(id, { variants: against(tour, 100) }));
    expect((await load(inNothing)).shown).toEqual([]);
    expect((await load(newUid())).shown).toEqual([tour]);
  });

  it('can have its shares changed a hundred times, and its results are shown then', async () => {
    const tour = await addTour();
    const { id } = await start(against(tour));
    let response = await change(id, { variants: against(tour, 10) });
    for (let n = 0; response.status === 200; n++)
      response = await change(id, { variants: against(tour, 20 + (n % 60)) });
    expect([response.status, response.body.messages]).toEqual([409, [expect.stringContaining('100 times already')]]);
    await load(newUid());
    expect(await resultsOf(id)).toMatchObject({ exposed_count: 1, sample_ratio: { is_right: true } });
  });

  it('counts nobody as exposed where no variant could show, in no arm', async () => {
    const here = [{ url: '/here', match_type: 'simple' }];
    const tour = await addTour({ steps: [{ title: 'Here', quantifier_urls: here }] });
    await start(against(tour));
    const uids = Array.from({ length: 12 }, newUid);
    for (const uid of uids) await load(uid, '/elsewhere');
    expect(await exposures()).toEqual([]);
    for (const uid of uids) await load(uid, '/here');
    expect(await exposures()).toHaveLength(12);
  });

  it('exposes people of both arms where either variant could show', async () => {
    const at = (url: string) => ({ steps: [{ title: url, quantifier_urls: [{ url, match_type: 'simple' }] }] });
    const [one, other] = [await addTour(at('/one')), await addTour(at('/other'))];
    await start([
      { name: 'One', experience_id: one, share: 50 },
      { name: 'Other', experience_id: other, share: 50 },
    ]);
    for (let n = 0; n < 20; n++) await load(newUid(), '/one');
    const rows = await exposures();
    expect(rows).toHaveLength(20);
    expect(new Set(rows.map(({ variant_id }) => variant_id)).size).toBe(2);
  });

  it('takes the audience from the experiment alone', async () => {
    const items = [{ kind: 'property', prop: 'plan', op: 'eq', value: 'pro' }];
    const segment = (await sent(post('/v3/edit/segments', { name: 'Pro', items }), 201)).segment.id;
    const nobody = [{ kind: 'property', prop: 'plan', op: 'eq', value: 'none' }];
    const never = (await sent(post('/v3/edit/segments', { name: 'Never', items: nobody }), 201)).segment.id;
    const tour = await addTour({ segment_ids: [never], experiment_at: '$now', experiment_range: '0-0' });
    const { id } = await start(against(tour), { segment_ids: [segment] });
    await sent(change(id, { variants: against(tour, 100) }));
    const pro = newUid();
    await sent(post('/v3/observe/hooks/profiles', { uid: pro, plan: 'pro' }));
    expect((await load(pro)).shown).toEqual([tour]);
    const free = newUid();
    expect((await load(free)).shown).toEqual([]);
    expect(await exposures()).toHaveLength(1);
    const { live } = await explain(tour, free);
    expect(live.reasons.map(({ message }: { message: string }) => message)).toEqual([
      expect.stringMatching(/^The user is not in the Segment “Pro”, which the experiment “Experiment \d+” is for$/),
    ]);
    expect((await api.send('DELETE', `/v3/edit/segments/${segment}`, { as })).status).toBe(409);
  });

  it('exposes once, when many pages of a user load together', async () => {
    const tour = await addTour();
    await start(against(tour));
    for (let round = 0; round < 5; round++) {
      const uid = newUid();
      await sent(post('/v3/observe/hooks/profiles', { uid }));
      const shown = await Promise.all(Array.from({ length: 6 }, async () => (await load(uid)).shown.join()));
      expect(new Set(shown).size).toBe(1);
    }
    expect(await exposures()).toHaveLength(5);
  });

  it('has stored the exposure when the response arrives', async () => {
    const tour = await addTour();
    await start(against(tour));
    for (let n = 1; n <= 5; n++) {
      await load(newUid());
      expect(await exposures()).toHaveLength(n);
    }
  });

  it('reads and writes nothing for it in accounts without a running experiment', async () => {
    const tour = await addTour({ published_at: '$now' });
    const draft = await add(against(tour));
    const uid = newUid();
    await load(uid);
    const run = vi.spyOn(api.app.storage, 'runSql');
    onTestFinished(() => run.mockRestore());
    const statements = async (work: () => Promise<unknown>) => {
      run.mockClear();
      await work();
      const texts = run.mock.calls.map(([, text]) => text);
      return { all: texts.length, own: texts.filter((text) => text.includes('exposures')).length };
    };
    const reported = async () => report((await load(uid)).visit.token, { experience_id: tour, state: 'started' });
    await reported();
    now += DAY;
    const without = await statements(reported);
    expect(without.own).toBe(0);
    await sent(act(draft.id, 'start'));
    await load(uid);
    now += DAY;
    const running = await statements(() => load(uid));
    expect(running.own).toBe(1);
    await sent(act(draft.id, 'end'));
    await load(uid);
    expect((await statements(() => load(uid))).own).toBe(0);
  });

  it('keeps what an older experiment of percents does', async () => {
    const tour = await addTour({ experiment_at: '$now', experiment_range: '0-0', published_at: '$now' });
    const uid = newUid();
    expect((await load(uid)).shown).toEqual([]);
    const { live } = await explain(tour, uid);
    expect(live.reasons).toMatchObject([{ rule: 'experiment', field: 'experiment_range' }]);
  });
});

async function explain(tour: string, uid: string) {
  return (await sent(post(`/v3/edit/tours/${tour}/explanations`, { uid, href: `https://${HOST}/` }))).explanation;
}

describe('explain', () => {
  it('says which arm and why', async () => {
    const tour = await addTour();
    const { id, variants } = await start(against(tour));
    const { inTour, inNothing } = await findPeople(tour);
    const control = await explain(tour, inNothing);
    expect(control.live).toMatchObject({
      shows: false,
      reasons: [
        {
          rule: 'variant',
          message: expect.stringMatching(
            /in another arm of the experiment “Experiment \d+”: “Nothing”, which sees nothing. The arm was chosen on 2029-/,
          ),
        },
      ],
    });
    expect(control.experiment).toMatchObject({ id, variant_id: variants[0]?.id, exposed_at: expect.any(String) });
    expect((await explain(tour, inTour)).live.shows).toBe(true);
    expect((await explain(tour, inTour)).experiment).toMatchObject({
      variant_id: variants[1]?.id,
      variant_name: 'Tour',
      message: expect.stringContaining('The arm was chosen on'),
    });
    const { body } = await post('/v3/observe/visits', { uid: inNothing, href: `https://${HOST}/`, explain: true });
    expect(body.explanations[0].reasons).toEqual([expect.stringContaining('“Nothing”')]);
  });

  it('says of somebody who is not exposed that the arm follows from the shares', async () => {
    const tour = await addTour();
    await start(against(tour));
    const uid = newUid();
    await sent(post('/v3/observe/hooks/profiles', { uid }));
    const { experiment } = await explain(tour, uid);
    expect(experiment).toMatchObject({ exposed_at: null, message: expect.stringContaining('follows from the shares') });
    const shown = (await load(uid)).shown.includes(tour);
    expect(experiment.variant_name).toBe(shown ? 'Tour' : 'Nothing');
    expect((await explain(await addTour(), uid)).experiment).toBe(null);
  });
});

describe('contamination', () => {
  it('shows a Delivery to somebody in another arm, and counts it', async () => {
    const tour = await addTour();
    const { id } = await start(against(tour));
    const { inTour, inNothing } = await findPeople(tour);
    expect(await resultsOf(id)).toMatchObject({ contaminated_count: 0 });
    for (const uid of [inTour, inNothing]) {
      await sent(post('/v3/edit/deliveries', { model_kind: 'tour', model_id: tour, uid }), 201);
      const page = await load(uid);
      expect(page.shown).toEqual([tour]);
      const delivery_id = page.deliveries[0].id;
      await report(page.visit.token, { experience_id: tour, state: 'started', delivery_id });
    }
    const results = await resultsOf(id);
    expect(results).toMatchObject({ contaminated_count: 1 });
    expect(results.variants).toMatchObject([{ contaminated_count: 1 }, { contaminated_count: 0 }]);
  });

  it('writes the experiment as the group, and the arm into the counts', async () => {
    const tour = await addTour();
    const { variants } = await start(against(tour));
    const { inTour } = await findPeople(tour);
    const page = await load(inTour);
    await report(page.visit.token, { experience_id: tour, state: 'started' });
    const { interactions } = await sent(api.get('/v3/analyze/interactions', { as, query: `id=${tour}&kind=tour` }));
    expect(interactions).toMatchObject([{ group_kind: 'experiment', group_id: tour }]);
    const reader = api.app.storage.reader(as.account_id);
    const counts = await reader
      .selectFrom('activity_counts')
      .select('variant')
      .where('account_id', '=', as.account_id)
      .where('experience_id', '=', tour)
      .execute();
    expect(new Set(counts.map(({ variant }) => variant))).toEqual(new Set([variants[1]?.id]));
    const account = { id: as.account_id };
    expect(await findUncounted({ account, db: reader, dialect: api.app.storage.dialect })).toEqual([]);
  });
});

describe('end', () => {
  it('publishes the winner to everybody that it was for, pauses the others, and undoes it', async () => {
    const items = [{ kind: 'property', prop: 'plan', op: 'nx' }];
    const segment = (await sent(post('/v3/edit/segments', { name: 'No plan', items }), 201)).segment.id;
    const nobody = [{ kind: 'property', prop: 'plan', op: 'ex' }];
    const other = (await sent(post('/v3/edit/segments', { name: 'Plan', items: nobody }), 201)).segment.id;
    const [one, two] = [await addTour({ segment_ids: [other] }), await addTour()];
    const variants = [
      { name: 'One', experience_id: one, share: 50 },
      { name: 'Two', experience_id: two, share: 50 },
    ];
    const experiment = await start(variants, { segment_ids: [segment] });
    await sent(api.patch(`/v3/edit/tours/${one}`, { name: 'Draft only' }, { as }));
    const { inTour, inNothing } = await findPeople(one);
    const winner = experiment.variants[0]?.id;
    now += 1000;
    expect((await act(experiment.id, 'publish_winner', { variant_id: unknownId })).status).toBe(404);
    const ended = (await sent(act(experiment.id, 'publish_winner', { variant_id: winner }))).experiment;
    expect(ended).toMatchObject({ state: 'ended', winner_variant_id: winner });
    for (const uid of [inTour, inNothing, newUid()]) expect((await load(uid)).shown).toEqual([one]);
    expect(await tourOf(two)).toMatchObject({ state: 'draft', paused_at: expect.any(String) });
    expect(await tourOf(one)).toMatchObject({
      ...{ state: 'live', segment_ids: [segment], name: 'Draft only', has_unpublished_changes: true },
    });
    expect((await act(experiment.id, 'end')).status).toBe(409);

    now += 1000;
    const again = (await sent(act(experiment.id, 'undo'))).experiment;
    expect(again).toMatchObject({ state: 'running', ended_at: null, winner_variant_id: null });
    expect((await load(inTour)).shown).toEqual([one]);
    expect((await load(inNothing)).shown).toEqual([two]);
    expect(await tourOf(one)).toMatchObject({ segment_ids: [other], name: 'Draft only', state: 'live' });
    expect((await act(experiment.id, 'undo')).status).toBe(409);
  });

  it('pauses everything without a winner, and shows nothing when the control has won', async () => {
    for (const verb of ['end', 'publish_winner']) {
      const tour = await addTour();
      const { id, variants } = await start(against(tour));
      const { inTour } = await findPeople(tour);
      await sent(act(id, verb, { variant_id: variants[0]?.id }));
      expect((await load(inTour)).shown).toEqual([]);
      expect((await tourOf(tour)).state).toBe('draft');
      now += 1000;
      await sent(act(id, 'undo'));
      expect((await load(inTour)).shown).toEqual([tour]);
      await sent(act(id, 'end'));
    }
  });

  it('rejects undoing when an Experience was published since', async () => {
    const tour = await addTour();
    const { id, variants } = await start(against(tour));
    await sent(act(id, 'publish_winner', { variant_id: variants[0]?.id }));
    now += 1000;
    await sent(api.patch(`/v3/edit/tours/${tour}`, { published_at: '$now' }, { as }));
    const { status, body } = await act(id, 'undo');
    expect([status, body.messages]).toEqual([409, [expect.stringContaining('was changed for its users')]]);
    expect((await show(id)).state).toBe('ended');
  });

  it('changes what is fixed neither while it runs nor later', async () => {
    const [tour, other] = [await addTour(), await addTour()];
    const { id } = await start(against(tour));
    const fixed = [
      { variants: against(other) },
      { variants: [...against(tour), { name: 'x', share: 0, experience_id: other }] },
    ];
    for (const params of fixed) expect((await change(id, params)).status).toBe(409);
    await sent(change(id, { name: 'Renamed', window_days: 3 }));
    expect((await api.send('DELETE', `/v3/edit/tours/${tour}`, { as })).status).toBe(409);
    await sent(act(id, 'end'));
    expect((await change(id, { variants: against(tour, 10) })).status).toBe(409);
    await sent(api.send('DELETE', `/v3/edit/tours/${tour}`, { as }));
    expect((await show(id)).variants[1]).toMatchObject({ experience_id: tour, experience: null });
  });

  it('rejects starting what cannot be compared', async () => {
    const tour = await addTour();
    const first = await start(against(tour));
    const second = await add(against(tour));
    const running = await act(second.id, 'start');
    expect([running.status, running.body.messages.join()]).toEqual([
      409,
      expect.stringContaining('end that one first'),
    ]);
    await sent(act(first.id, 'end'));
    expect((await act(first.id, 'start')).status).toBe(409);
    const manual = await add(against(await addTour({ style: 'manual' })));
    expect((await act(manual.id, 'start')).body.messages.join()).toContain('style is manual');
    const empty = await add(against(await addTour({ steps: [] })));
    expect((await act(empty.id, 'start')).status).toBe(422);
    expect((await show(empty.id)).state).toBe('draft');
    const alone = await add(against(await addTour(), 100));
    expect((await act(alone.id, 'start')).body.messages.join()).toContain('two variants need a share');
  });
});

describe('people', () => {
  it('loses the exposure when somebody is cleared or forgotten, and draws again', async () => {
    const tour = await addTour();
    await start(against(tour));
    const shown = new Set<boolean>();
    const uid = newUid();
    for (let n = 0; n < 30 && shown.size < 2; n++) {
      const page = await load(uid);
      shown.add(page.shown.includes(tour));
      expect(await exposures()).toHaveLength(1);
      now += 1000;
      await sent(api.send('DELETE', `/v3/edit/profiles/${page.profile.id}`, { as }));
      expect(await exposures()).toEqual([]);
    }
    expect(shown.size).toBe(2);
    const { profile } = await load(uid);
    await sent(api.send('DELETE', `/v3/edit/profiles/${profile.id}/forget`, { as }));
    expect(await exposures()).toEqual([]);
  });

  it('counts no test user, and counts them when they are none any more', async () => {
    const tour = await addTour();
    const { id } = await start(against(tour));
    const uids = [newUid(), newUid(), newUid()];
    for (const uid of uids) await load(uid);
    expect((await resultsOf(id)).exposed_count).toBe(3);
    await sent(api.patch('/v3/edit/profiles', { uid: uids[0], test: true }, { as }));
    expect((await resultsOf(id)).exposed_count).toBe(2);
    await sent(api.patch('/v3/edit/profiles', { uid: uids[0], test: false }, { as }));
    expect((await resultsOf(id)).exposed_count).toBe(3);
  });

  it('keeps the first arm when an anonymous user signs in', async () => {
    await sent(api.patch('/v3/edit/account', { anonymous_users: true, trust_pages: true }, { as }));
    const tour = await addTour();
    const { id } = await start(against(tour));
    const arms = async () => new Map((await exposures()).map((row) => [row.profile_id, row]));
    let mixed = 0;
    for (let n = 0; n < 12; n++) {
      const uid = newUid();
      const isKnown = n % 2 === 0;
      const anonymous = await sent(visit(api, { href: `https://${HOST}/` }, { as }));
      const first = (await arms()).get(anonymous.profile.id);
      now += 1000;
      const known = isKnown ? await load(uid) : undefined;
      const second = (await arms()).get(known?.profile.id);
      now += 1000;
      const anonymous_uid = anonymous.profile.uid;
      const after = await sent(visit(api, { uid, anonymous_uid, href: `https://${HOST}/` }, { as }));
      const merged = (await arms()).get(after.profile.id);
      expect(merged).toMatchObject({ variant_id: first?.variant_id, exposed_at: first?.exposed_at });
      const isMixed = second !== undefined && second.variant_id !== first?.variant_id;
      expect(merged?.contaminated_at).toBe(isMixed ? second.exposed_at : null);
      if (isMixed) mixed++;
    }
    expect(await exposures()).toHaveLength(12);
    expect(await resultsOf(id)).toMatchObject({ exposed_count: 12, contaminated_count: mixed });
  });

  it('counts who saw another arm as one of two profiles that turn out to be one user', async () => {
    await sent(api.patch('/v3/edit/account', { anonymous_users: true, trust_pages: true }, { as }));
    const here = [{ url: '/here', match_type: 'simple' }];
    const tour = await addTour({ steps: [{ title: 'Here', quantifier_urls: here }] });
    const { id, variants } = await start(against(tour));
    const [, { id: ofTour = '' } = {}] = variants;
    const seeByLink = ({ visit }: { visit: { token: string } }) =>
      report(visit.token, {
        experience_id: tour,
        state: 'started',
        group_kind: 'link',
        href: `https://${HOST}/elsewhere`,
      });
    const loadPage = (params: object, place: string) =>
      sent(visit(api, { href: `https://${HOST}${place}`, ...params }, { as }));
    let mixed = 0;
    for (let n = 0; n < 20; n++) {
      const uid = newUid();
      const [seen, exposed] = n % 2 === 0 ? ['/elsewhere', '/here'] : ['/here', '/elsewhere'];
      const known = await loadPage({ uid }, seen);
      const anonymous = await loadPage({}, exposed);
      await seeByLink(n % 2 === 0 ? known : anonymous);
      now += 1000;
      await loadPage({ uid, anonymous_uid: anonymous.profile.uid }, '/elsewhere');
      const merged = (await exposures()).find(({ profile_id }) => profile_id === known.profile.id);
      expect(merged?.contaminated_at).toBe(merged?.variant_id === ofTour ? null : now);
      if (merged?.variant_id !== ofTour) mixed++;
    }
    expect(mixed).toBeGreaterThan(0);
    expect(await resultsOf(id)).toMatchObject({ exposed_count: 20, contaminated_count: mixed });
  });
});

describe('holdout', () => {
  it('is off by default, has an end, and shows nothing automatically to its share', async () => {
    const { account } = await sent(api.get('/v3/edit/account', { as }));
    expect(account).toMatchObject({ holdout_percent: 0, holdout_until: null });
    const tour = await addTour({ published_at: '$now' });
    expect((await api.patch('/v3/edit/account', { holdout_percent: 50 }, { as })).status).toBe(422);
    const holdout = { holdout_percent: 50, holdout_until: '+91d' };
    await sent(api.patch('/v3/edit/account', holdout, { as }));
    const held: string[] = [];
    for (let n = 0; n < 40; n++) {
      const uid = newUid();
      if ((await load(uid)).shown.length === 0) held.push(uid);
    }
    expect(held.length).toBeGreaterThan(8);
    expect(held.length).toBeLessThan(32);
    const [one = ''] = held;
    const { live } = await explain(tour, one);
    expect(live.reasons).toMatchObject([
      { rule: 'holdout', message: expect.stringContaining('holdout of the account') },
    ]);
    await sent(api.patch('/v3/edit/account', { holdout_until: '+100d' }, { as }));
    expect((await load(one)).shown).toEqual([]);
    await sent(post('/v3/edit/deliveries', { model_kind: 'tour', model_id: tour, uid: one }), 201);
    expect((await load(one)).shown).toEqual([tour]);
    now += 101 * DAY;
    for (const uid of held.slice(1, 4)) expect((await load(uid)).shown).toEqual([tour]);
  });

  it('keeps its people out of experiments', async () => {
    await sent(api.patch('/v3/edit/account', { holdout_percent: 50, holdout_until: '+91d' }, { as }));
    const tour = await addTour();
    const { id } = await start(against(tour));
    for (let n = 0; n < 30; n++) await load(newUid());
    const { exposed_count } = await resultsOf(id);
    expect(exposed_count).toBeGreaterThan(5);
    expect(exposed_count).toBeLessThan(25);
  });
});
