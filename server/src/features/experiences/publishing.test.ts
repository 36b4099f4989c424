import { type ExperienceKind, experienceKinds, pathOfKind, toTimestamp } from '@usher/domain';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { accountRows } from '../../../test/account-rows.ts';
import { type Api, startApi } from '../../../test/api.ts';

let api: Api;
let clock: () => number;
beforeAll(async () => {
  api = await startApi({ inTest: false });
  clock = api.app.now;
});
afterEach(() => {
  api.app.now = clock;
});
afterAll(() => api.stop());

// biome-ignore lint/suspicious/noExplicitAny: tests inspect JSON of any shape
type Shown = any;

const DAY = 86_400_000;
const unknownId = 'f'.repeat(24);
const at = (kind: ExperienceKind, id = '') => `/v3/edit/${pathOfKind(kind)}${id && `/${id}`}`;
const sound: Record<ExperienceKind, object> = {
  tour: { steps: [{ title: 'Hello', buttons: [{ text: 'Go' }] }] },
  survey: { steps: [{ title: 'How was it?', preset: 'survey_nps' }] },
  launcher: { items: [{ title: 'Docs', url: '/docs' }] },
  tooltip: { steps: [{ title: 'New', elements: [{ selector: '#new' }] }] },
  embed: { steps: [{ title: 'Sale', position_type: 'inline', elements: [{ selector: '#top' }] }] },
};
/** Moves the clock of the server. */
function setNow(now: number): void {
  api.app.now = () => now;
}

async function add(kind: ExperienceKind, params: object = sound[kind], as = api.account): Promise<Shown> {
  const { status, body } = await api.post(at(kind), { name: 'Welcome', ...params }, { as });
  expect(body.messages).toBeUndefined();
  expect(status).toBe(201);
  return body[kind];
}
async function change(kind: ExperienceKind, id: string, params: object): Promise<Shown> {
  const { status, body } = await api.patch(at(kind, id), params);
  expect(body.messages).toBeUndefined();
  expect(status).toBe(200);
  return body[kind];
}
const publish = (kind: ExperienceKind, id: string) => change(kind, id, { published_at: '$now' });
const show = async (kind: ExperienceKind, id: string): Promise<Shown> => (await api.get(at(kind, id))).body[kind];
const versions = async (kind: ExperienceKind, id: string, query = ''): Promise<Shown[]> =>
  (await api.get(`${at(kind, id)}/versions`, { query })).body.versions;
const version = async (kind: ExperienceKind, id: string, versionId: string): Promise<Shown> =>
  (await api.get(`${at(kind, id)}/versions/${versionId}`)).body.version;
/** The document that users see now. */
async function seen(kind: ExperienceKind, id: string): Promise<Shown> {
  const live = (await versions(kind, id)).filter((one) => one.live);
  expect(live.length).toBeLessThan(2);
  return live[0] && (await version(kind, id, live[0].id)).document;
}
const titleSeen = async (id: string) => (await seen('tour', id))?.steps[0].title;

async function expectRejected(method: string, path: string, params: object) {
  const before = await accountRows(api.app, api.account.account_id);
  const { status, body } = await api.send(method, path, { body: params });
  expect(await accountRows(api.app, api.account.account_id)).toEqual(before);
  return { status, messages: body.messages as string[] };
}

async function translate({ id }: { id: string }, language: string, texts: object): Promise<void> {
  const { account_id } = api.account;
  const params = { account_id, experience_id: id, language, texts: JSON.stringify(texts) };
  await api.app.storage.write(account_id, async (db) => {
    const rows = db.deleteFrom('translations').where('account_id', '=', account_id).where('experience_id', '=', id);
    await rows.where('language', '=', language).execute();
    await db
      .insertInto('translations')
      .values(params as never)
      .execute();
  });
}

describe.each(experienceKinds)('publishing a %s', (kind) => {
  it('makes it live immediately and creates a version', async () => {
    const made = await add(kind);
    expect([made.state, made.published_at, await versions(kind, made.id)]).toEqual(['draft', null, []]);
    setNow(clock() + 5000);
    const live = await publish(kind, made.id);
    expect(live).toMatchObject({ state: 'live', published_at: toTimestamp(api.app.now()) });
    const [only, ...others] = await versions(kind, made.id);
    expect(others).toEqual([]);
    expect(only).toMatchObject({
      experience_id: made.id,
      published_at: live.published_at,
      live: true,
      user: { name: 'ann', email: 'ann@acme.test' },
    });
    const { document } = await version(kind, made.id, only.id);
    const {
      id,
      created_at,
      updated_at,
      state,
      paused_at,
      has_unpublished_changes,
      url_groups,
      dashboard_url,
      public_page_url,
      stats,
      tags,
      segment_id,
      content_summary,
      audience_summary,
      ...frozen
    } = live;
    expect(document).toEqual(frozen);
  });

  it('publishes an Experience on creation', async () => {
    const made = await add(kind, { ...sound[kind], published_at: '$now' });
    expect(made.state).toBe('live');
    expect(await versions(kind, made.id)).toMatchObject([{ live: true, published_at: made.published_at }]);
  });

  it('creates a version of the new draft when it is published again', async () => {
    const { id } = await add(kind, { ...sound[kind], published_at: '$now' });
    const first = await seen(kind, id);
    await change(kind, id, { name: 'Renamed' });
    expect(await seen(kind, id)).toEqual(first);
    expect(await show(kind, id)).toMatchObject({ name: 'Renamed', state: 'live', published_at: first.published_at });
    setNow(clock() + 1000);
    const again = await publish(kind, id);
    expect(await seen(kind, id)).toEqual({ ...first, name: 'Renamed', published_at: again.published_at });
    expect((await versions(kind, id)).map(({ live }) => live)).toEqual([true, false]);
  });

  it('rejects a document with problems and changes nothing', async () => {
    const { id } = await add(kind, {});
    const { status, messages } = await expectRejected('PATCH', at(kind, id), { name: 'B', published_at: '$now' });
    expect(status).toBe(422);
    expect(messages).toEqual([expect.stringMatching(new RegExp(`^The ${kind} has no `))]);
    expect((await expectRejected('POST', at(kind), { name: 'A', published_at: '$now' })).status).toBe(422);
    expect((await show(kind, id)).state).toBe('draft');
  });

  it('unpublishes with null', async () => {
    const { id } = await add(kind, { ...sound[kind], published_at: '$now' });
    expect(await change(kind, id, { published_at: null })).toMatchObject({ state: 'draft', published_at: null });
    expect(await seen(kind, id)).toBeUndefined();
    expect(await versions(kind, id)).toMatchObject([{ live: false }]);
    expect((await publish(kind, id)).state).toBe('live');
    expect(await versions(kind, id)).toHaveLength(2);
  });
});

describe('published_at', () => {
  it('replaces a time in the past by now', async () => {
    setNow(clock());
    const { id } = await add('tour');
    for (const past of ['2001-01-01', 1, toTimestamp(api.app.now())]) {
      await change('tour', id, { published_at: null });
      expect((await change('tour', id, { published_at: past })).published_at).toBe(toTimestamp(api.app.now()));
    }
  });

  it('publishes nothing when published_at does not change', async () => {
    const tour = await add('tour', { ...sound.tour, published_at: '$now' });
    const steps = [{ id: tour.steps[0].id, title: 'Changed' }];
    await change('tour', tour.id, { published_at: tour.published_at, steps });
    expect(await versions('tour', tour.id)).toHaveLength(1);
    expect(await titleSeen(tour.id)).toBe('Hello');
  });

  it('schedules a time in the future', async () => {
    const now = clock();
    setNow(now);
    const { id } = await add('tour');
    const scheduled = await change('tour', id, { published_at: '+2d' });
    expect(scheduled).toMatchObject({ state: 'scheduled', published_at: toTimestamp(now + 2 * DAY) });
    expect(await titleSeen(id)).toBeUndefined();
    setNow(now + 2 * DAY - 1);
    expect((await show('tour', id)).state).toBe('scheduled');
    setNow(now + 2 * DAY);
    expect((await show('tour', id)).state).toBe('live');
    expect(await titleSeen(id)).toBe('Hello');
  });

  it('keeps the live version until the scheduled time', async () => {
    const now = clock();
    setNow(now);
    const tour = await add('tour', { ...sound.tour, published_at: '$now' });
    await change('tour', tour.id, { steps: [{ id: tour.steps[0].id, title: 'Second' }], published_at: '+2d' });
    await change('tour', tour.id, { steps: [{ id: tour.steps[0].id, title: 'Draft' }] });
    expect([(await show('tour', tour.id)).state, await titleSeen(tour.id)]).toEqual(['live', 'Hello']);
    setNow(now + 2 * DAY);
    expect([(await show('tour', tour.id)).state, await titleSeen(tour.id)]).toEqual(['live', 'Second']);
    await change('tour', tour.id, { published_at: '+1d' });
    expect(await titleSeen(tour.id)).toBe('Second');
    setNow(now + 3 * DAY);
    expect(await titleSeen(tour.id)).toBe('Draft');
  });

  it('drops a scheduled version when it is published now or unpublished', async () => {
    const now = clock();
    setNow(now);
    const tour = await add('tour', { ...sound.tour, published_at: '$now' });
    const title = (text: string) => ({ steps: [{ id: tour.steps[0].id, title: text }] });
    await change('tour', tour.id, { ...title('Later'), published_at: '+2d' });
    await change('tour', tour.id, { ...title('Now'), published_at: '$now' });
    setNow(now + 3 * DAY);
    expect(await titleSeen(tour.id)).toBe('Now');
    await change('tour', tour.id, { published_at: '+2d' });
    await change('tour', tour.id, { published_at: null });
    setNow(now + 6 * DAY);
    expect([(await show('tour', tour.id)).state, await titleSeen(tour.id)]).toEqual(['draft', undefined]);
  });
});

describe('published_until', () => {
  it('ends the Experience at published_until', async () => {
    const now = clock();
    setNow(now);
    const { id } = await add('tour', { ...sound.tour, published_at: '$now', published_until: '+1d' });
    expect((await show('tour', id)).state).toBe('live');
    setNow(now + DAY - 1);
    expect(await titleSeen(id)).toBe('Hello');
    setNow(now + DAY);
    expect([(await show('tour', id)).state, await titleSeen(id)]).toEqual(['ended', undefined]);
    expect((await change('tour', id, { published_until: null })).state).toBe('live');
    expect(await titleSeen(id)).toBe('Hello');
  });

  it('rejects a published_until before published_at', async () => {
    const { id } = await add('tour');
    const until = { published_until: '+1d' };
    for (const params of [
      { published_at: '+2d', ...until },
      { published_at: '$now', published_until: '$now' },
      { published_at: '$now', published_until: '2001-01-01' },
    ]) {
      const { status, messages } = await expectRejected('PATCH', at('tour', id), params);
      expect({ status, messages }).toEqual({ status: 422, messages: [expect.stringContaining('`published_until`')] });
    }
  });
});

it('does not count an archived Experience as live', async () => {
  const { id } = await add('tour', { ...sound.tour, published_at: '$now' });
  expect((await change('tour', id, { archived_at: '$now' })).state).toBe('archived');
  expect(await titleSeen(id)).toBeUndefined();
  expect((await change('tour', id, { archived_at: null })).state).toBe('live');
  expect(await titleSeen(id)).toBe('Hello');
});

describe('a version', () => {
  it('keeps a version unchanged when the draft changes', async () => {
    const tour = await add('tour');
    const [step] = tour.steps;
    await translate(tour, 'de', { [step.id]: { title: 'Hallo' } });
    await publish('tour', tour.id);
    const [{ id }] = await versions('tour', tour.id);
    const frozen = await version('tour', tour.id, id);
    expect(frozen.document.steps).toEqual(tour.steps);
    expect(frozen.translations).toEqual({ de: { [step.id]: { title: 'Hallo' } } });
    await change('tour', tour.id, { name: 'B', steps: [{ title: 'New' }] });
    await translate(tour, 'de', { [step.id]: { title: 'Moin' } });
    await translate(tour, 'fr', { [step.id]: { title: 'Salut' } });
    expect(await version('tour', tour.id, id)).toEqual(frozen);
    await publish('tour', tour.id);
    expect(await version('tour', tour.id, id)).toEqual({ ...frozen, live: false });
    const [{ id: next }] = await versions('tour', tour.id);
    expect((await version('tour', tour.id, next)).document.steps).toMatchObject([{ title: 'New' }]);
  });

  it('returns the keys of a version in a fixed order', async () => {
    const tour = await add('tour', {
      steps: [
        { title: 'Hello', elements: [{ selector: '#a' }], buttons: [{ text: 'Go' }], quantifier_urls: [{ url: '/' }] },
      ],
      published_at: '$now',
    });
    const [{ id }] = await versions('tour', tour.id);
    const { text } = await api.get(`${at('tour', tour.id)}/versions/${id}`);
    expect(text).toContain(`"steps":${JSON.stringify(tour.steps)}`);
  });

  it('lists versions newest first, page by page', async () => {
    const { id } = await add('tour');
    for (const offset of [1, 2, 3]) {
      setNow(clock() + offset * 1000);
      await publish('tour', id);
    }
    const all = await versions('tour', id);
    expect(all.map(({ published_at }) => published_at)).toEqual(
      all
        .map(({ published_at }) => published_at)
        .sort()
        .reverse(),
    );
    expect(all).toHaveLength(3);
    const { body } = await api.get(`${at('tour', id)}/versions`, { query: 'limit=2' });
    expect(Object.keys(body)).toEqual(['versions', 'cursor']);
    expect(body).toEqual({ versions: all.slice(0, 2), cursor: { limit: 2, before: all[1].id } });
    expect(await versions('tour', id, `before=${body.cursor.before}`)).toEqual(all.slice(2));
  });

  it('returns 404 for a version of another Experience or account', async () => {
    const mine = await add('tour', { ...sound.tour, published_at: '$now' });
    const other = await add('tour', { ...sound.tour, published_at: '$now' });
    const foreign = await add('tour', { ...sound.tour, published_at: '$now' }, api.other);
    const [{ id }] = await versions('tour', other.id);
    const theirs = (await api.get(`${at('tour', foreign.id)}/versions`, { as: api.other })).body.versions[0].id;
    const unknown = await api.get(`${at('tour', mine.id)}/versions/${unknownId}`);
    expect(unknown.status).toBe(404);
    for (const wrong of [id, theirs]) {
      const { status, text } = await api.get(`${at('tour', mine.id)}/versions/${wrong}`);
      expect([status, text]).toEqual([404, unknown.text]);
      expect((await expectRejected('POST', `${at('tour', mine.id)}/revert`, { version_id: wrong })).status).toBe(404);
    }
    expect((await api.get(`${at('tour', foreign.id)}/versions`)).status).toBe(404);
    expect((await api.get(`${at('tour', foreign.id)}/versions/${theirs}`)).status).toBe(404);
  });

  it('deletes versions with their Experience', async () => {
    const { id } = await add('tour', { ...sound.tour, published_at: '$now' });
    const [one] = await versions('tour', id);
    await api.send('DELETE', at('tour', id));
    expect((await api.get(`${at('tour', id)}/versions/${one.id}`)).status).toBe(404);
  });
});

describe('revert', () => {
  const revert = (kind: ExperienceKind, id: string, to: object) => api.post(`${at(kind, id)}/revert`, to);

  it.each(experienceKinds)('restores the draft of a %s from a version and keeps the live version', async (kind) => {
    const made = await add(kind, { ...sound[kind], goal: 'paid', published_at: '$now' });
    const [{ id: first }] = await versions(kind, made.id);
    await change(kind, made.id, { name: 'B', goal: null, position: 7, steps: [], items: [] });
    expect((await show(kind, made.id)).steps).toEqual([]);
    const { status, body } = await revert(kind, made.id, { version_id: first });
    expect(status).toBe(200);
    const { updated_at } = body[kind];
    expect(body[kind]).toEqual({ ...made, updated_at, position: 7 });
    expect(await show(kind, made.id)).toEqual(body[kind]);
    expect(await versions(kind, made.id)).toMatchObject([{ id: first, live: true }]);
  });

  it('changes nothing when the content is the same', async () => {
    const tour = await add('tour', { ...sound.tour, published_at: '$now' });
    const [{ id }] = await versions('tour', tour.id);
    const before = await accountRows(api.app, api.account.account_id);
    expect((await revert('tour', tour.id, { version_id: id })).body.tour).toEqual(tour);
    expect(await accountRows(api.app, api.account.account_id)).toEqual(before);
  });

  it('restores translations', async () => {
    const tour = await add('tour');
    const [step] = tour.steps;
    await translate(tour, 'de', { [step.id]: { title: 'Hallo' } });
    await publish('tour', tour.id);
    const [{ id }] = await versions('tour', tour.id);
    await translate(tour, 'de', { [step.id]: { title: 'Moin' } });
    expect((await revert('tour', tour.id, { version_id: id })).status).toBe(200);
    await publish('tour', tour.id);
    const [{ id: next }] = await versions('tour', tour.id);
    expect((await version('tour', tour.id, next)).translations).toEqual({ de: { [step.id]: { title: 'Hallo' } } });
  });

  it('rejects a revert without change_id and version_id', async () => {
    const tour = await add('tour', { ...sound.tour, published_at: '$now' });
    for (const params of [{}, { version_id: 'x' }, { change_id: 5 }])
      expect((await expectRejected('POST', `${at('tour', tour.id)}/revert`, params)).status).toBe(422);
    for (const params of [{ version_id: unknownId }, { change_id: unknownId }])
      expect((await expectRejected('POST', `${at('tour', tour.id)}/revert`, params)).status).toBe(404);
  });
});

describe('named tours and surveys', () => {
  const leadingTo = (id: string) => ({
    steps: [{ title: 'A', buttons: [{ text: 'B', additional_actions: ['tour'], action_campaign_id: id }] }],
  });

  it('rejects publishing while a named tour or survey is not live', async () => {
    const target = await add('tour');
    const { id } = await add('tour', leadingTo(target.id));
    const { status, messages } = await expectRejected('PATCH', at('tour', id), { published_at: '$now' });
    expect({ status, messages }).toEqual({
      status: 422,
      messages: [expect.stringContaining('Step 1 ("A"): button 1 ("B"): it starts a tour that is not published')],
    });
    await publish('tour', target.id);
    expect((await publish('tour', id)).state).toBe('live');
    await change('tour', target.id, { archived_at: '$now' });
    expect((await expectRejected('PATCH', at('tour', id), { published_at: '$now' })).status).toBe(422);
    await api.send('DELETE', at('tour', target.id));
    const { messages: gone } = await expectRejected('PATCH', at('tour', id), { published_at: '$now' });
    expect(gone).toEqual([expect.stringContaining('it starts a tour that is gone')]);
    expect((await show('tour', id)).state).toBe('live');
  });

  it('accepts a document that leads to its own Experience', async () => {
    const { id } = await add('tour');
    expect((await change('tour', id, { ...leadingTo(id), published_at: '$now' })).state).toBe('live');
  });
});

describe('concurrent publishing', () => {
  it('creates a version for each concurrent publish, and one is live', async () => {
    const { id } = await add('tour');
    const responses = await Promise.all(
      ['A', 'B', 'C'].map((name) => api.patch(at('tour', id), { name, published_at: '$now' })),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    const all = await versions('tour', id);
    expect(all.filter(({ live }) => live)).toHaveLength(1);
    const draft = await show('tour', id);
    expect((await seen('tour', id)).published_at).toBe(draft.published_at);
  });
});
