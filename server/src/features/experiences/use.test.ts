import { dayOf } from '@usher/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountRows } from '../../../test/account-rows.ts';
import { type Api, startApi } from '../../../test/api.ts';
import { loadPage } from '../../../test/open-page.ts';
import { addActivity, recountUse } from '../../../test/use-rows.ts';
import { createAccount } from '../team/accounts/create-account.ts';

/*
 * The use of an Experience is counted. The counts are deleted with the user or with the Experience.
 */

let now = Date.UTC(2029, 3, 7, 12, 18);
let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => ++now });
});
afterAll(() => api.stop());

let count = 0;
const newUid = () => `user ${++count}`;

interface Made {
  id: string;
  steps: { id: string; buttons: { id: string }[] }[];
}

async function addExperience(kind: 'tours' | 'surveys', as = api.account): Promise<Made> {
  const question = kind === 'surveys' ? { preset: 'survey_nps' } : {};
  const steps = [{ title: 'Hello', body: 'This is it.', buttons: [{ text: 'Next' }], ...question }];
  const { status, body } = await api.post(`/v3/edit/${kind}`, { name: 'Used', steps, published_at: '$now' }, { as });
  expect([status, body.messages]).toEqual([201, undefined]);
  const [made] = Object.values(body) as Made[];
  return made as Made;
}

/** A page reports that a user completes a survey. */
async function answer({ id, steps }: Made, uid: string, as = api.account): Promise<string> {
  const { profile, report } = await loadPage(api, uid, { as });
  const step_id = steps[0]?.id;
  for (const params of [
    { state: 'displayed' },
    { state: 'started', step_id, button_id: steps[0]?.buttons[0]?.id },
    { step_id, response: { value: '10', input: `${uid} likes it` } },
    { state: 'completed' },
  ]) {
    const { status, body } = await report({ experience_id: id, ...params });
    expect([status, body.messages]).toEqual([200, undefined]);
  }
  return profile.id;
}

const deliver = async (model_id: string, profile_id: string, params: object = {}, as = api.account) => {
  const sent = { model_kind: 'tour', model_id, profile_id, delivery_ids_position: 'last', ...params };
  const { status, body } = await api.post('/v3/edit/deliveries', sent, { as });
  expect([status, body.messages]).toEqual([201, undefined]);
  return body.delivery.id as string;
};
const pendingOf = async (id: string, as = api.account): Promise<string[]> =>
  (await api.get(`/v3/analyze/profiles/${id}`, { as })).body.profile.delivery_ids;
const remove = (kind: string, id: string, as = api.account) => api.send('DELETE', `/v3/edit/${kind}/${id}`, { as });
const rowsWith = async (text: string, tables: string[], { account_id } = api.account) => {
  const rows = await accountRows(api.app, account_id);
  return tables.flatMap((table) => (rows[table] ?? []).filter((row) => row.includes(text)));
};
const used = ['interactions', 'answers', 'responses', 'activities', 'findings'];

/** Everything that counts users of a survey. */
async function countsOf({ id, steps }: Made, as = api.account) {
  const { survey } = (await api.get(`/v3/edit/surveys/${id}`, { as })).body;
  const { stats } = (await api.get(`/v3/analyze/surveys/${id}/stats`, { as })).body;
  const filters = [{ kind: 'survey', value: id, op: 'ex' }];
  const list = async (path: string, name: string) =>
    (await api.get(path, { as, query: `id=${id}` })).body[name].length as number;
  const { displayed, started, completed } = stats.totals;
  return {
    experience: [survey.stats.displayed_count, survey.stats.started_count, survey.stats.completed_count],
    totals: [displayed, started, completed],
    today: stats.days.at(-1).completed,
    steps: [stats.steps[0].seen, stats.steps[0].buttons[0].clicked],
    answers: stats.answers.map((one: { step_id: string; value: string; count: number }) => [
      one.step_id === steps[0]?.id,
      one.value,
      one.count,
    ]),
    nps: stats.nps?.count ?? 0,
    inSegment: (await api.post('/v3/analyze/profiles/count', { filters }, { as })).body.count,
    listed: [await list('/v3/analyze/interactions', 'interactions'), await list('/v3/analyze/responses', 'responses')],
  };
}
const countsFor = (users: number) => ({
  experience: [users, users, users],
  totals: [users, users, users],
  today: users,
  steps: [users, users],
  answers: users === 0 ? [] : [[true, '10', users]],
  nps: users,
  inSegment: users,
  listed: [users, users],
});

describe('the use of an Experience', () => {
  it('counts each user once', async () => {
    const survey = await addExperience('surveys');
    expect(await countsOf(survey)).toEqual(countsFor(0));
    const uid = newUid();
    await answer(survey, uid);
    expect(await countsOf(survey)).toEqual(countsFor(1));
    await answer(survey, newUid());
    expect(await countsOf(survey)).toEqual(countsFor(2));
  });

  it.each([
    ['cleared', (id: string) => api.send('DELETE', `/v3/edit/profiles/${id}`)],
    ['forgotten', (id: string) => api.send('DELETE', `/v3/edit/profiles/${id}/forget`)],
  ])('does not count a user who is %s', async (_, work) => {
    const survey = await addExperience('surveys');
    const uid = newUid();
    const profile = await answer(survey, uid);
    await answer(survey, newUid());
    expect((await work(profile)).status).toBe(200);
    expect(await countsOf(survey)).toEqual(countsFor(1));
    expect(await rowsWith(profile, used)).toEqual([]);
    // The next answer counts as the first one.
    await answer(survey, uid);
    expect(await countsOf(survey)).toEqual(countsFor(2));
  });

  it('does not count users who were forgotten with their Company', async () => {
    const as = await createAccount(api.app, { name: 'Companies', email: 'ann@companies.test' });
    const survey = await addExperience('surveys', as);
    const [mine, other] = [newUid(), newUid()];
    const profile = await answer(survey, mine, as);
    await answer(survey, other, as);
    await deliver(survey.id, profile, { model_kind: 'survey' }, as);
    await api.post('/v3/observe/hooks/profiles', { uid: mine, company: { uid: 'gone' } }, { as });
    const { status } = await api.send('DELETE', '/v3/edit/company?uid=gone&cascade=profiles', { as });
    expect(status).toBe(200);
    expect(await countsOf(survey, as)).toEqual(countsFor(1));
    expect(await rowsWith(profile, [...used, 'deliveries', 'profiles'], as)).toEqual([]);
    expect(JSON.stringify(await accountRows(api.app, as.account_id))).not.toContain(`${mine} likes it`);
  });

  it('keeps the counts of an archived Experience', async () => {
    const survey = await addExperience('surveys');
    await answer(survey, newUid());
    await api.patch(`/v3/edit/surveys/${survey.id}`, { archived_at: '$now' });
    expect(await countsOf(survey)).toEqual(countsFor(1));
  });
});

describe('a deleted Experience', () => {
  it('returns the counts of a deleted Experience', async () => {
    const survey = await addExperience('surveys');
    await answer(survey, newUid());
    const shown = (await api.get(`/v3/edit/surveys/${survey.id}`)).body;
    const { status, body } = await remove('surveys', survey.id);
    expect([status, body]).toEqual([200, shown]);
    expect(body.survey.stats.completed_count).toBe(1);
  });

  it('deletes the records of its use and nothing else', async () => {
    const [gone, kept] = [await addExperience('surveys'), await addExperience('surveys')];
    const profile = await answer(gone, newUid());
    const [mine] = (await api.get('/v3/analyze/interactions', { query: `id=${gone.id}` })).body.interactions;
    await answer(kept, newUid());
    expect(await rowsWith(gone.id, used)).not.toEqual([]);
    await remove('surveys', gone.id);
    expect(await rowsWith(gone.id, used)).toEqual([]);
    expect(await countsOf(kept)).toEqual(countsFor(1));
    expect((await api.get(`/v3/analyze/profiles/${profile}`)).status).toBe(200);
    expect((await api.get(`/v3/analyze/interactions/${mine.id}`)).status).toBe(404);
    for (const path of ['interactions', 'responses'])
      expect((await api.get(`/v3/analyze/${path}`, { query: `id=${gone.id}` })).status).toBe(404);
    expect((await api.get(`/v3/analyze/surveys/${gone.id}/stats`)).status).toBe(404);
  });

  it('deletes more records than one transaction does', async () => {
    const [{ id }, other] = [await addExperience('surveys'), await addExperience('surveys')];
    const { account_id } = api.account;
    const many = api.app.storage.dialect.rowsPerWrite + 1;
    const profiles = Array.from({ length: many }, () => ({ uid: newUid() }));
    await api.post('/v3/observe/hooks/profiles/batch', { profiles });
    const rows = await api.app.storage
      .reader(account_id)
      .selectFrom('profiles')
      .select('id')
      .where('account_id', '=', account_id)
      .where(
        'uid',
        'in',
        profiles.map(({ uid }) => uid),
      )
      .execute();
    const today = dayOf(now);
    const all = rows.map((row) => ({ account_id, experience_id: id, profile_id: row.id, new_id: api.app.newId() }));
    await api.app.storage.write(account_id, async (db) => {
      const insert = (table: string, more: object) =>
        db
          .insertInto(table as 'responses')
          .values(all.map(({ new_id, ...of }) => ({ ...of, ...fill(more, new_id) }) as never))
          .execute();
      const fill = (more: object, new_id: string) =>
        Object.fromEntries(Object.entries(more).map(([name, value]) => [name, value === 'new' ? new_id : value]));
      await insert('interactions', { id: 'new', updated_at: now, state: 'started' });
      await insert('responses', { id: 'new', updated_at: now, showing_from: 1 });
      await insert('answers', { response_id: 'new', step_id: '', question_order: 0 });
      for (const part_id of ['', id]) await insert('activities', { day: today, what: 'step', part_id });
      await insert('findings', { day: today, part_id: id, path: '/home', finding: 'hidden', at: now });
    });
    await recountUse(api.app, account_id);
    await addActivity(api.app, { account_id, experience_id: other.id, profile_id: rows[0]?.id ?? '' }, today, 'goal');
    expect(await rowsWith(id, used)).toHaveLength(6 * many);
    expect((await remove('surveys', id)).status).toBe(200);
    expect(await rowsWith(id, used)).toEqual([]);
    expect(await rowsWith(other.id, used)).toHaveLength(1);
  });

  it('removes its pending Deliveries from the lists of their users and keeps the order of the others', async () => {
    const [gone, kept] = [await addExperience('tours'), await addExperience('tours')];
    const [one, two] = [(await loadPage(api, newUid())).profile.id, (await loadPage(api, newUid())).profile.id];
    const first = await deliver(kept.id, one);
    const mine = [await deliver(gone.id, one, { idempotency_key: 'once' }), await deliver(gone.id, two)];
    const last = await deliver(kept.id, one);
    expect(await pendingOf(one)).toEqual([first, mine[0], last]);
    expect((await remove('tours', gone.id)).status).toBe(200);
    expect([await pendingOf(one), await pendingOf(two)]).toEqual([[first, last], []]);
    for (const id of mine) expect((await api.get(`/v3/edit/deliveries/${id}`)).status).toBe(404);
    expect((await api.get(`/v3/edit/deliveries/${last}`)).status).toBe(200);
    // An idempotency key stays used.
    const again = { model_kind: 'tour', model_id: kept.id, profile_id: one, idempotency_key: 'once' };
    expect((await api.post('/v3/edit/deliveries', again)).body.delivery.id).toBe(mine[0]);
  });

  it('removes more pending Deliveries than one transaction does', async () => {
    const { id } = await addExperience('tours');
    const { account_id } = api.account;
    const many = api.app.storage.dialect.rowsPerWrite + 1;
    const profiles = Array.from({ length: many }, () => ({ uid: newUid() }));
    await api.post('/v3/observe/hooks/profiles/batch', { profiles });
    await api.app.storage.write(account_id, (db) =>
      db.updateTable('profiles').set({ last_seen_at: 1000 }).where('account_id', '=', account_id).execute(),
    );
    for (const { uid } of profiles) await api.post('/v3/edit/deliveries', { model_kind: 'tour', model_id: id, uid });
    const ids = JSON.stringify((await rowsWith(id, ['deliveries'])).map((row) => JSON.parse(row).id));
    expect(JSON.parse(ids)).toHaveLength(many);
    expect((await remove('tours', id)).status).toBe(200);
    const rows = (await accountRows(api.app, account_id)).profiles ?? [];
    const pending = rows.flatMap((row) => JSON.parse(row).delivery_ids as string[]);
    expect(pending.filter((one) => ids.includes(one))).toEqual([]);
    const left = (await rowsWith(id, ['deliveries'])).map((row) => JSON.parse(row).removed_at);
    expect(left.filter((removed) => removed === null)).toEqual([]);
  });

  it('keeps triggered Deliveries', async () => {
    const tour = await addExperience('tours');
    const uid = newUid();
    const { profile } = await loadPage(api, uid);
    const delivery_id = await deliver(tour.id, profile.id);
    const page = await loadPage(api, uid);
    const { body } = await page.report({ experience_id: tour.id, state: 'started', delivery_id });
    expect(body.delivery).toEqual({ id: delivery_id, triggered: true });
    await remove('tours', tour.id);
    const { delivery } = (await api.get(`/v3/edit/deliveries/${delivery_id}`)).body;
    expect(delivery).toMatchObject({ model_id: tour.id, at: expect.any(String) });
  });

  it('leaves no Delivery that is created concurrently in the list of a user', async () => {
    for (let round = 0; round < 10; round++) {
      const tour = await addExperience('tours');
      const users = [await loadPage(api, newUid()), await loadPage(api, newUid())];
      const params = { model_kind: 'tour', model_id: tour.id };
      const [removed, ...delivered] = await Promise.all([
        remove('tours', tour.id),
        ...users.flatMap(({ profile }) =>
          ['first', 'last'].map((delivery_ids_position) =>
            api.post('/v3/edit/deliveries', { ...params, profile_id: profile.id, delivery_ids_position }),
          ),
        ),
      ]);
      expect(removed.status).toBe(200);
      for (const { status } of delivered) expect([201, 404]).toContain(status);
      for (const { profile } of users) expect(await pendingOf(profile.id)).toEqual([]);
    }
  });

  it('deletes nothing when a Segment names it', async () => {
    const survey = await addExperience('surveys');
    const profile = await answer(survey, newUid());
    const pending = await deliver(survey.id, profile, { model_kind: 'survey' });
    const items = [{ kind: 'survey', value: survey.id, op: 'ex' }];
    const { body } = await api.post('/v3/edit/segments', { name: 'Answered', items });
    const before = await accountRows(api.app, api.account.account_id);
    expect((await remove('surveys', survey.id)).status).toBe(409);
    expect(await accountRows(api.app, api.account.account_id)).toEqual(before);
    expect(await pendingOf(profile)).toEqual([pending]);
    await api.send('DELETE', `/v3/edit/segments/${body.segment.id}`);
    expect((await remove('surveys', survey.id)).status).toBe(200);
    expect(await pendingOf(profile)).toEqual([]);
  });

  it('succeeds for one of several concurrent deletions', async () => {
    const survey = await addExperience('surveys');
    await answer(survey, newUid());
    const responses = await Promise.all(Array.from({ length: 5 }, () => remove('surveys', survey.id)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404]);
    expect(await rowsWith(survey.id, used)).toEqual([]);
  });
});
