import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as apiModule from './api.ts';
import { copyWithNewKind, removeCopy } from './new-kind.ts';
import { loadPage, type OpenPage } from './open-page.ts';

/*
 * Tests the server of a copy that has an additional kind. dashboard/test/new-kind.test.ts tests the script and the
 * dashboard of such a copy.
 */

let folder: string;
let api: apiModule.Api;
let id: string;
let stepId: string;
let ann: OpenPage;
const path = () => `/v3/edit/notices/${id}`;
const notice = async () => (await api.get(path())).body.notice;
const idOf = async (uid: string) => (await api.get(`/v3/analyze/profile?uid=${uid}`)).body.profile.id as string;

beforeAll(async () => {
  folder = await copyWithNewKind();
  const { startApi }: typeof apiModule = await import(join(folder, 'server/test/api.ts'));
  api = await startApi({ inTest: false });
  await api.post('/v3/edit/urls', { host: 'localhost', enabled: 'on' });
  await api.post('/v3/edit/languages', { code: 'de' });
  const steps = [{ title: 'We are back', buttons: [{ text: 'Good', tour_action: 'next' }] }];
  const { status, body } = await api.post('/v3/edit/notices', {
    name: 'Outage',
    headline: 'Sorry, {{name}}',
    steps,
  });
  expect([status, body.messages]).toEqual([201, undefined]);
  ({ id } = body.notice);
  stepId = body.notice.steps[0].id;
  await api.post('/v3/edit/webhooks', { url: 'https://example.com/hook', topics: ['notice.*'] });
  const published = await api.patch(path(), { published_at: '$now' });
  expect([published.status, published.body.messages]).toEqual([200, undefined]);
  ann = await loadPage(api, 'ann', { properties: { name: 'Ann' } });
});
afterAll(async () => {
  await api?.stop();
  removeCopy(folder);
});

describe('a new kind', () => {
  it('is listed, shown, changed and copied by the API, which rejects wrong fields', async () => {
    expect(await notice()).toMatchObject({ kind: 'notice', state: 'live', headline: 'Sorry, {{name}}' });
    expect((await api.get('/v3/edit/notices')).body.notices.map((one: { id: string }) => one.id)).toEqual([id]);
    const { body } = await api.get('/v3/edit/experiences', { query: 'kind=notice&search=outage&fields=list' });
    expect(body.experiences).toMatchObject([{ id, kind: 'notice' }]);
    const long = await api.patch(path(), { headline: 'x'.repeat(81) });
    expect([long.status, long.body.messages]).toEqual([422, [expect.stringContaining('`headline`')]]);
    expect((await api.post(`${path()}/steps`, { title: 'Two' })).status).toBe(422);
    expect((await api.get(`/v3/edit/tours/${id}`)).status).toBe(404);
    const copy = (await api.post(`${path()}/duplicate`, {})).body.notice;
    expect((await api.send('DELETE', `/v3/edit/notices/${copy.id}`)).status).toBe(200);
    expect((await api.get('/v3/edit/notices', { as: api.other })).body.notices).toEqual([]);
    expect((await api.get('/v3/edit/notices', { as: null })).status).toBe(403);
    const part = await api.patch(`${path()}/steps/${stepId}`, { title: 'We are back' });
    expect(part.body.step.id).toBe(stepId);
  });

  it('is in the description of the API', async () => {
    const { text, body } = await api.get('/openapi.json', { as: null });
    expect(body.paths['/v3/edit/notices'].post.operationId).toBe('createNotice');
    expect(Object.keys(body.webhooks)).toContain('notice.completed');
    for (const part of ['"headline"', '"notice.*"', 'tour, survey or notice']) expect(text).toContain(part);
  });

  it('reaches pages, which report what users do', async () => {
    expect(ann.experiences).toMatchObject([{ id, kind: 'notice', headline: ['Sorry, Ann'] }]);
    await ann.report({ experience_id: id, state: 'started', step_id: stepId });
    await ann.report({ experience_id: id, state: 'completed', step_id: stepId });
    const { body } = await api.get(`/v3/analyze/interactions?id=${id}`);
    expect(body.interactions).toMatchObject([{ state: 'completed' }]);
    const { stats } = (await api.get(`/v3/analyze/notices/${id}/stats`)).body;
    expect(stats.totals).toMatchObject({ started: 1, completed: 1 });
    const profile = await idOf('ann');
    const { text } = await api.get(`/v3/edit/profiles/${profile}/timeline`);
    expect(text).toContain('"notice"');
    expect((await api.get('/v3/analyze/live')).text).toContain(id);
  });

  it('is in webhooks', async () => {
    const items = await api.app.storage.write(api.account.account_id, (db) =>
      db.selectFrom('webhook_events').select('kind').where('account_id', '=', api.account.account_id).execute(),
    );
    expect(items.map(({ kind }) => kind)).toContain('notice.completed');
  });

  it('is translated, its own text too', async () => {
    const { text } = await api.get(`${path()}/i18n.json`);
    const form = new FormData();
    form.append(
      'file',
      new Blob([text.replace('"default"', '"de"').replace('Sorry, {{name}}', 'Verzeihung')]),
      'de.json',
    );
    expect((await api.post('/v3/edit/i18n', form)).body.i18ns[0].updated_count).toBe(1);
    await api.patch(path(), { published_at: '$now' });
    const sent = {
      account_token: api.account.account_token,
      uid: 'bea',
      href: 'http://localhost/',
      browser: { l: 'de' },
    };
    const { body } = await api.post('/v3/observe/visits', sent, { as: null });
    expect(body.experiences[0].headline).toEqual(['Verzeihung']);
    expect((await api.get(`${path()}/translations`)).body.translations.steps).toHaveLength(2);
    expect((await api.get('/v3/edit/translations?kind=notice')).text).toContain(id);
  });

  it('is in Changes and captures, and is checked before it is published', async () => {
    await api.patch(path(), { headline: 'Sorry {{oops' });
    const { body } = await api.get(`${path()}/changes`);
    expect(body.changes[0]).toMatchObject({
      model_type: 'Campaign',
      object: { headline: ['Sorry, {{name}}', 'Sorry {{oops'] },
    });
    const [, capture] = body.changes[0].options.capture_id;
    expect((await api.get(`/v3/edit/captures/${capture}`)).body.capture.look).toMatchObject({
      kind: 'notice',
      fields: { headline: 'Sorry {{oops', title: 'We are back' },
    });
    expect((await api.get(`/v3/edit/captures/${capture}.svg`)).text).toContain('Sorry {{oops');
    const published = await api.patch(path(), { published_at: '$now' });
    expect(published.body.messages).toEqual([expect.stringContaining('The headline of the notice: `{{oops`')]);
    await api.patch(path(), { headline: 'Sorry, {{name}}' });
    expect((await api.get(`${path()}/versions`)).body.versions).toHaveLength(2);
  });

  it('is started by Deliveries, pages and buttons, and is limited, queued and explained', async () => {
    const sent = { model_kind: 'notice', model_id: id, uid: 'cem' };
    await loadPage(api, 'cem');
    const delivery = await api.post('/v3/edit/deliveries', sent);
    expect([delivery.status, delivery.body.messages]).toEqual([201, undefined]);
    const cem = await idOf('cem');
    const { queue } = (await api.post(`/v3/edit/profiles/${cem}/queue`, { href: 'http://localhost/' })).body;
    expect(queue.next).toMatchObject([{ experience: { id, kind: 'notice' }, why: 'delivery' }]);
    const limit = { name: 'Rarely', max_count: 1, period_hours: 24, experience_ids: [id] };
    expect((await api.post('/v3/edit/limit_groups', limit)).status).toBe(201);
    const explained = await api.post(`${path()}/explanations`, { uid: 'cem', href: 'http://localhost/' });
    expect(explained.body.explanation.live).toEqual({ shows: true, reasons: [], waits_for: null });
    expect((await api.post(`${path()}/audience`, {})).status).toBe(200);
    const page = await loadPage(api, 'cem');
    expect(page.deliveries).toMatchObject([{ model_id: id, ready: true }]);
    const show = { visit_token: page.token, experience_id: id, href: 'http://localhost/' };
    expect((await api.post('/v3/observe/shows', show, { as: null })).body.experience).toMatchObject({
      id,
      kind: 'notice',
    });
    const button = { text: 'More', additional_actions: ['tour'], action_campaign_id: id };
    const tour = await api.post('/v3/edit/tours', {
      name: 'Tour',
      steps: [{ title: 'One', buttons: [button] }],
      published_at: '$now',
    });
    expect([tour.status, tour.body.messages]).toEqual([201, undefined]);
  });

  it('is counted where Segments are used, and named in the audit log', async () => {
    const items = [{ kind: 'property', prop: 'plan', op: 'eq', value: 'pro' }];
    const segment = (await api.post('/v3/edit/segments', { name: 'Pro', items })).body.segment;
    await api.patch(path(), { segment_ids: [segment.id] });
    const { segments } = (await api.get('/v3/analyze/segments')).body;
    expect(segments[0].uses).toMatchObject({ tours: 0, notices: 1 });
    expect((await api.get(`/v3/edit/segments/${segment.id}/notices`)).body.notices).toHaveLength(1);
    const { body } = await api.get('/v3/analyze/audit_entries');
    expect(body.audit_entries).toContainEqual(expect.objectContaining({ target_type: 'notice', target_id: id }));
  });
});
