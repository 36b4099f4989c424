import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Api, type ApiResponse, startApi } from '../../../../test/api.ts';
import { addResponse } from '../../../../test/use-rows.ts';
import { HOST, newUid, openDomain, visit } from '../../../../test/visiting.ts';
import { createContext } from '../../../create-context.ts';
import { findEventCounts } from './queries.ts';

const HOUR = 60 * 60_000;
let now = Date.parse('2029-04-07T12:18:00.000Z');
let api: Api;
let domain: string;
let count = 0;
let uid: string;
/** A path on which only the Experiences of the test can begin. */
let place: string;
beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => now });
  domain = await openDomain(api);
});
afterAll(() => api.stop());
beforeEach(() => {
  now += HOUR;
  uid = newUid();
  place = `/place-${++count}`;
});

const here = () => [{ url: place, match_type: 'simple' }];

async function add(kind: string, params: object = {}, step: object = {}): Promise<string> {
  const content =
    kind === 'launcher'
      ? { title: 'Help', quantifier_urls: here(), items: [{ kind: 'url', title: 'Docs', url: '/docs' }] }
      : { steps: [{ title: 'Hello', quantifier_urls: here(), ...step }] };
  const made = { name: `${kind} ${place}`, published_at: '$now', ...content, ...params };
  const { status, body } = await api.post(`/v3/edit/${kind}s`, made);
  expect([status, body.messages]).toEqual([201, undefined]);
  return body[kind].id;
}

async function loaded(params: object = {}): Promise<ApiResponse['body']> {
  const { status, body } = await visit(api, { uid, href: `https://${HOST}${place}`, ...params });
  expect([status, body.messages]).toEqual([200, undefined]);
  return body;
}

const shown = async (params: object = {}): Promise<string[]> =>
  (await loaded(params)).experiences.map(({ id }: { id: string }) => id);
const firstStep = async (params: object = {}) => (await loaded(params)).experiences[0].steps[0];
const segmentOf = async (...items: object[]): Promise<string> =>
  (await api.post('/v3/edit/segments', { name: `Segment ${++count}`, items })).body.segment.id;

async function addInteraction(experience_id: string, params: object = {}): Promise<void> {
  const { account_id } = api.account;
  const profile_id = (await loaded()).profile.id;
  const row = { account_id, id: api.app.newId(), updated_at: now, experience_id, profile_id };
  await api.app.storage.write(account_id, (db) =>
    db
      .insertInto('interactions')
      .values({ ...row, state: 'started', started_at: now, ...params })
      .execute(),
  );
}

describe('a page load', () => {
  it('returns what is published, not the draft', async () => {
    const id = await add('tour');
    expect((await firstStep()).title).toEqual(['Hello']);
    const { body } = await api.get(`/v3/edit/tours/${id}`);
    const [step] = body.tour.steps;
    await api.patch(`/v3/edit/tours/${id}/steps/${step.id}`, { title: 'Changed' });
    expect((await firstStep()).title).toEqual(['Hello']);
    now += 1;
    await api.patch(`/v3/edit/tours/${id}`, { published_at: '$now' });
    expect((await firstStep()).title).toEqual(['Changed']);
    await api.patch(`/v3/edit/tours/${id}`, { published_at: null });
    expect(await shown()).toEqual([]);
  });

  it('returns Experiences of every kind with their steps or items', async () => {
    const element = { position_type: 'snap_to_element', elements: [{ selector: '#report' }] };
    const ids = {
      tour: await add('tour'),
      launcher: await add('launcher'),
      tooltip: await add('tooltip', {}, element),
      embed: await add('embed', {}, { ...element, position_type: 'inline' }),
    };
    const { experiences } = await loaded();
    const byKind = Object.fromEntries(experiences.map((one: { kind: string; id: string }) => [one.kind, one.id]));
    expect(byKind).toEqual(ids);
    for (const { kind, steps, items } of experiences)
      expect([kind, (kind === 'launcher' ? items : steps).length]).toEqual([kind, 1]);
  });

  it('returns nothing for other pages', async () => {
    const id = await add('tour');
    expect(await shown()).toEqual([id]);
    expect(await shown({ href: `https://${HOST}${place}/below` })).toEqual([]);
    expect(await shown({ href: `https://${HOST}/` })).toEqual([]);
  });

  it('returns one tour or survey at a time, by position', async () => {
    const survey = await add('survey', { position: 2 }, { preset: 'survey_nps' });
    const tour = await add('tour', { position: 1 });
    expect(await shown()).toEqual([tour]);
    await addInteraction(tour, { state: 'completed', completed_at: now });
    expect(await shown()).toEqual([survey]);
  });

  it('returns a tour in progress on pages where it cannot begin', async () => {
    const steps = [
      { title: 'First', quantifier_urls: here() },
      { title: 'Second', quantifier_urls: [{ url: `${place}/next`, match_type: 'simple' }] },
    ];
    const id = await add('tour', { steps });
    const next = { href: `https://${HOST}${place}/next` };
    expect(await shown(next)).toEqual([]);
    await addInteraction(id);
    expect(await shown(next)).toEqual([id]);
    now += 2 * HOUR;
    expect(await shown(next)).toEqual([]);
  });

  it('returns the step of a tour in progress', async () => {
    const id = await add('tour');
    const { body } = await api.get(`/v3/edit/tours/${id}`);
    const [step] = body.tour.steps;
    expect((await loaded()).experiences[0]).not.toHaveProperty('step_id');
    await addInteraction(id, { step_id: step.id });
    expect((await loaded()).experiences[0]).toMatchObject({ id, step_id: step.id });
    now += 2 * HOUR;
    expect((await loaded()).experiences[0]).not.toHaveProperty('step_id');
  });

  it('marks what shows automatically and what a Delivery shows', async () => {
    const launcher = await add('launcher');
    const tour = await add('tour', { style: 'manual' });
    await loaded();
    const delivery = { model_kind: 'tour', model_id: tour, uid };
    expect((await api.post('/v3/edit/deliveries', delivery)).status).toBe(201);
    expect((await loaded()).experiences).toMatchObject([
      { id: tour, automatic: false },
      { id: launcher, automatic: true },
    ]);
  });

  it('follows start and end times', async () => {
    const id = await add('tour', { published_at: new Date(now + HOUR).toISOString() });
    expect(await shown()).toEqual([]);
    now += HOUR;
    expect(await shown()).toEqual([id]);
  });

  it('returns custom code only while the account allows it, also of earlier versions', async () => {
    const allow = (allow_scripts: boolean) => api.patch('/v3/edit/account', { allow_scripts });
    await allow(true);
    const buttons = [{ text: 'Do it', additional_actions: ['code'], action_script: 'ownCode()' }];
    const step = { secondary_trigger: 'custom_trigger', custom_trigger: 'return ownCode()', buttons };
    const tour = await add('tour', {}, step);
    const items = [
      { kind: 'script', title: 'Run', action_script: 'ownCode()' },
      { kind: 'url', title: 'Docs', url: '/docs' },
    ];
    await add('launcher', { items });
    const texts = async () => {
      const body = await loaded();
      const params = { visit_token: body.visit.token, experience_id: tour, href: `https://${HOST}${place}` };
      const shown = await api.post('/v3/observe/shows', params, { as: null });
      expect([body.experiences.length, shown.body.experience?.id]).toEqual([2, tour]);
      return JSON.stringify([body.experiences, shown.body]);
    };
    expect((await texts()).match(/ownCode\(\)/g)).toHaveLength(5);
    await allow(false);
    expect(await texts()).not.toMatch(/ownCode|action_script|"custom_trigger":|"code"|"script"/);
    await allow(true);
    expect(await texts()).toContain('ownCode()');
    await allow(false);
  });

  it('does not return targeting rules', async () => {
    const segment = await segmentOf({ kind: 'property', prop: 'plan', op: 'ne', value: 'free' });
    await add('tour', {
      name: 'Internal name',
      segment_ids: [segment],
      experiment_at: '$now',
      experiment_range: '0-100',
    });
    const [experience] = (await loaded()).experiences;
    expect(Object.keys(experience).sort()).toEqual(['automatic', 'id', 'kind', 'steps']);
    expect(JSON.stringify(experience)).not.toMatch(new RegExp(`Internal|${segment}|experiment`));
  });
});

describe('a user', () => {
  it('sees Experiences for its Segments', async () => {
    const pro = await segmentOf({ kind: 'property', prop: 'plan', op: 'eq', value: 'pro' });
    const large = await segmentOf({ kind: 'property', prop: 'company.size', op: 'gt', value: 100 });
    const both = await segmentOf({ kind: 'segment', value: pro }, { kind: 'segment', value: large });
    const id = await add('tour', { segment_ids: [both] });
    expect(await shown()).toEqual([]);
    expect(await shown({ properties: { plan: 'pro' } })).toEqual([]);
    await api.post('/v3/observe/hooks/profiles', { uid, company: { uid: newUid(), size: 500 } });
    expect(await shown()).toEqual([id]);
    expect(await shown({ properties: { plan: 'free' } })).toEqual([]);
  });

  it('sees Experiences for one of several Segments with `segments_op` = `or`, unless one is excluded', async () => {
    const pro = await segmentOf({ kind: 'property', prop: 'plan', op: 'eq', value: 'pro' });
    const large = await segmentOf({ kind: 'property', prop: 'company.size', op: 'gt', value: 100 });
    const id = await add('tour', { segment_ids: [pro, large], segments_op: 'or' });
    const others = await add('launcher', { excluded_segment_ids: [pro, large] });
    expect(await shown()).toEqual([others]);
    expect(await shown({ properties: { plan: 'pro' } })).toEqual([id]);
    expect(await shown({ properties: { plan: 'free' } })).toEqual([others]);
    now += 1;
    await api.patch(`/v3/edit/tours/${id}`, { segments_op: 'and' });
    expect(await shown({ properties: { plan: 'pro' } })).toEqual([id]);
    now += 1;
    await api.patch(`/v3/edit/tours/${id}`, { published_at: '$now' });
    expect(await shown()).toEqual([]);
  });

  it('is matched by events, tours and answers when a Segment uses them', async () => {
    const other = await add('tour', { style: 'manual' });
    const survey = await add(
      'survey',
      { style: 'manual' },
      { preset: 'survey_two', buttons: [{ text: 'No' }, { text: 'Yes' }] },
    );
    const segments = {
      event: await segmentOf({ kind: 'event', value: 'exported', mod: 'gte', range: 2 }),
      tour: await segmentOf({ kind: 'tour', value: other, range: 'completed' }),
      survey: await segmentOf({ kind: 'survey', value: survey, mod: 'eq', range: 1 }),
    };
    for (const [kind, segment] of Object.entries(segments))
      await add('launcher', { title: kind, segment_ids: [segment] });
    const titles = async () =>
      (await loaded()).experiences.map(({ title }: { title: string[] }) => title.join()).sort();
    expect(await titles()).toEqual([]);
    const track = () => api.post('/v3/observe/hooks/events', { uid, name: 'exported' });
    await track();
    expect(await titles()).toEqual([]);
    await track();
    expect(await titles()).toEqual(['event']);
    await addInteraction(other, { state: 'completed', completed_at: now });
    expect(await titles()).toEqual(['event', 'tour']);
    const { account_id } = api.account;
    const profile_id = (await loaded()).profile.id;
    await addResponse(api.app, { account_id, experience_id: survey, profile_id }, { button_index: 1 });
    expect(await titles()).toEqual(['event', 'survey', 'tour']);
  });

  it('loads only the events that Segments name, at any depth', async () => {
    const inGroup = { kind: 'group', filters: [{ kind: 'event', value: 'exported' }] };
    const id = await add('tour', { segment_ids: [await segmentOf(inGroup)] });
    const names = ['exported', "it's", 'opened', 'closed'];
    for (const name of names) await api.post('/v3/observe/hooks/events', { uid, name });
    expect(await shown()).toEqual([id]);
    const actor = { id: '', name: '', email: '', role: 'viewer' } as const;
    const ctx = createContext(api.app, { account: { id: api.account.account_id }, actor });
    const { profile } = await loaded();
    const found = async (names: string[]) => [...(await findEventCounts(ctx, profile, names)).keys()].sort();
    expect(await found(['opened', 'exported', 'never'])).toEqual(['exported', 'opened']);
    expect(await found([])).toEqual([]);
  });

  it('follows a change of a Segment', async () => {
    const segment = await segmentOf({ kind: 'property', prop: 'plan', op: 'eq', value: 'pro' });
    const id = await add('tour', { segment_ids: [segment] });
    expect(await shown({ properties: { plan: 'free' } })).toEqual([]);
    const items = [{ kind: 'property', prop: 'plan', op: 'eq', value: 'free' }];
    await api.patch(`/v3/edit/segments/${segment}`, { items });
    expect(await shown()).toEqual([id]);
  });

  it('sees nothing while it is disabled', async () => {
    const tour = await add('tour');
    const launcher = await add('launcher');
    expect(await shown()).toEqual([tour, launcher]);
    await api.post('/v3/observe/hooks/profiles', { uid, disabled: true });
    expect(await shown()).toEqual([]);
    await api.post('/v3/observe/hooks/profiles', { uid, disabled: null });
    expect(await shown()).toEqual([tour, launcher]);
  });

  it('sees Experiences for the Environment of the page', async () => {
    const groupOf = async (name: string) => (await api.post('/v3/edit/url_groups', { name })).body.url_group.id;
    const [staging, production] = [await groupOf('Staging'), await groupOf('Production')];
    const id = await add('tour', { url_group_ids: [staging] });
    const seen = [];
    for (const url_group_id of [null, staging, production]) {
      await api.patch(`/v3/edit/urls/${domain}`, { url_group_id });
      seen.push(await shown());
    }
    expect(seen).toEqual([[id], [id], []]);
    await api.patch(`/v3/edit/urls/${domain}`, { url_group_id: null });
  });

  it('sees merge tags filled with its own data', async () => {
    await add(
      'tour',
      {},
      { title: 'Hi {{first_name | fallback: "there"}} of {{company.name}}', body: 'On **{{plan}}**' },
    );
    const properties = { first_name: 'Ann', plan: '<b>pro</b>' };
    await api.post('/v3/observe/hooks/profiles', { uid, company: { uid: newUid(), name: 'Acme' } });
    const step = await firstStep({ properties });
    expect(step).toMatchObject({ title: ['Hi Ann of Acme'], body: [['p', 'On ', ['strong', '<b>pro</b>']]] });
    expect((await firstStep({ uid: newUid() })).title).toEqual(['Hi there of ']);
  });

  it('sees each text in its own language', async () => {
    const id = await add('tour', {}, { title: 'Hello', body: 'Welcome' });
    const steps = (await api.get(`/v3/edit/tours/${id}`)).body.tour.steps;
    const translate = async (code: string, translations: object) => {
      const experiences = [{ id, name: 'x', steps: [{ id: steps[0].id, translations }] }];
      const file = { id: api.account.account_id, language: { code, options: ['default'] }, experiences };
      const form = new FormData();
      form.append('file', new Blob([JSON.stringify(file)]), 'file.json');
      const { status, body } = await api.post('/v3/edit/i18n', form);
      expect([status, body]).toEqual([
        200,
        { i18ns: [expect.objectContaining({ updated_count: expect.any(Number) })] },
      ]);
    };
    await translate('pt', { title: { text: 'Olá' }, body: { text: 'Bem-vindo' } });
    await translate('pt-BR', { title: { text: 'Oi' }, body: { text: '' } });
    now += 1;
    await api.patch(`/v3/edit/tours/${id}`, { published_at: '$now' });
    const texts = async (params: object) => {
      const { title, body } = await firstStep({ uid: newUid(), ...params });
      return [title[0], body[0][1]];
    };
    expect(await texts({})).toEqual(['Hello', 'Welcome']);
    const brazilian = { uid: newUid(), href: `https://${HOST}${place}`, browser: { l: 'pt-BR' } };
    const [experience] = (await visit(api, brazilian)).body.experiences;
    expect(experience).toMatchObject({ language: 'pt-BR', direction: 'ltr', steps: [{ title: ['Oi'] }] });
    expect(experience.steps[0].body).toEqual([['div', { lang: 'pt' }, ['p', 'Bem-vindo']]]);
    expect(await texts({ browser: { l: 'pt-PT' } })).toEqual(['Olá', 'Bem-vindo']);
    expect(await texts({ browser: { l: 'de' } })).toEqual(['Hello', 'Welcome']);
    const { status, body } = await visit(
      api,
      { uid: newUid(), href: `https://${HOST}${place}` },
      { headers: { 'Accept-Language': 'pt-PT,en' } },
    );
    expect([status, body.experiences[0].steps[0].title]).toEqual([200, ['Olá']]);
  });
});

describe('two servers', () => {
  it('show what the other server published with the next page load', async () => {
    const id = await add('tour');
    expect(await shown()).toEqual([id]);
    // Written as another process would write it.
    const { account_id } = api.account;
    await api.app.storage.write(account_id, async (db) => {
      const mine = { archived_at: now };
      await db.updateTable('experiences').set(mine).where('account_id', '=', account_id).where('id', '=', id).execute();
      await db
        .updateTable('published_versions')
        .set((eb) => ({ version: eb('version', '+', 1) }))
        .where('account_id', '=', account_id)
        .execute();
    });
    expect(await shown()).toEqual([]);
  });
});
