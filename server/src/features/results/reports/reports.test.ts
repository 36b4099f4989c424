import { MAX_SAVED_REPORTS } from '@usher/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accountRows } from '../../../../test/account-rows.ts';
import { type Api, startApi } from '../../../../test/api.ts';
import { addSignedIn } from '../../../../test/sign-in.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
beforeEach(() => api.replaceAccounts());
afterAll(() => api.stop());

const path = '/v3/edit/reports';
const unknownId = 'f'.repeat(24);
const tours = { name: 'Tours', kind: 'overview', params: { days: 90, kind: 'tour' } };

async function add(params: object = {}) {
  const { status, body } = await api.post(path, { ...tours, ...params });
  expect([status, body.messages]).toEqual([201, undefined]);
  return body.report;
}

describe('saved reports', () => {
  it('are created, listed newest first, shown, changed and deleted', async () => {
    const [first, second] = [
      await add(),
      await add({ name: 'Paid', kind: 'adoption', params: {}, description: 'Why' }),
    ];
    expect(first).toMatchObject({ ...tours, description: null });
    expect(first.dashboard_url).toMatch(`/app/analytics/reports/${first.id}`);
    expect((await api.get(path)).body).toEqual({ reports: [second, first], cursor: { limit: 50, before: null } });
    const params = { from: '2029-04-01', until: '2029-04-07' };
    const { body } = await api.patch(`${path}/${first.id}`, { name: 'April', params });
    expect(body.report).toEqual({ ...first, name: 'April', params, updated_at: body.report.updated_at });
    expect((await api.get(`${path}/${first.id}`)).body).toEqual(body);
    expect((await api.send('DELETE', `${path}/${first.id}`)).body).toEqual(body);
    expect((await api.get(`${path}/${first.id}`)).status).toBe(404);
  });

  it('accept back what they returned, and change nothing', async () => {
    const report = await add({ params: { url_group_id: unknownId, days: 30, kind: 'tour' } });
    expect((await api.patch(`${path}/${report.id}`, report)).body.report).toEqual(report);
  });

  it.each([
    ['name', { name: ' ' }],
    ['kind', { kind: 'table' }],
    ['params', { params: 'days' }],
    ['params.days', { params: { days: 31 } }],
    ['params.days', { params: { days: 'many' } }],
    ['params.kind', { params: { kind: 'banner' } }],
    ['params.tag_id', { params: { tag_id: 'x' } }],
    ['params.from', { params: { from: 'yesterday' } }],
    ['params.from', { params: { from: '2029-02-30' } }],
    ['params.until', { params: { until: '2029-99-99' } }],
    ['params.from', { params: { from: '2029-04-07', until: '2029-04-01' } }],
    ['params.from', { params: { from: '2028-04-07', until: '2029-04-09' } }],
    ['params.event_name_id', { params: { event_name_id: unknownId } }],
  ])('reject a wrong %s, and store nothing %#', async (name, params) => {
    const report = await add();
    const before = await accountRows(api.app, api.account.account_id);
    const { status, body } = await api.post(path, { ...tours, ...params });
    expect([status, body.messages]).toEqual([422, [expect.stringContaining(`\`${name}\``)]]);
    if (name.startsWith('params.'))
      expect((await api.patch(`${path}/${report.id}`, params)).body.messages).toEqual(body.messages);
    expect(await accountRows(api.app, api.account.account_id)).toEqual(before);
  });

  it('return 409 for a change by somebody who has not seen the last one', async () => {
    const { id, updated_at } = await add();
    expect((await api.patch(`${path}/${id}`, { name: 'One', updated_at })).status).toBe(200);
    expect((await api.patch(`${path}/${id}`, { name: 'Two', updated_at })).status).toBe(409);
  });

  it('are read by viewers, and written by editors', async () => {
    const { id } = await add();
    const viewer = (await addSignedIn(api, 'viewer')).browser;
    expect((await viewer.get(`${path}/${id}`)).status).toBe(200);
    expect((await viewer.post(path, tours)).status).toBe(403);
    expect((await viewer.patch(`${path}/${id}`, { name: 'Mine' })).status).toBe(403);
    const editor = (await addSignedIn(api, 'editor')).browser;
    expect((await editor.patch(`${path}/${id}`, { name: 'Mine' })).status).toBe(200);
  });

  it('are in the audit log', async () => {
    const { id } = await add();
    await api.patch(`${path}/${id}`, { name: 'Mine' });
    await api.send('DELETE', `${path}/${id}`);
    const { audit_entries: entries } = (await api.get('/v3/analyze/audit_entries', { query: 'limit=3' })).body;
    expect(entries.map((entry: { action: string; details: object }) => [entry.action, entry.details])).toEqual([
      ['report.delete', { name: 'Mine', kind: 'overview' }],
      ['report.update', { name: 'Mine', kind: 'overview' }],
      ['report.create', { name: 'Tours', kind: 'overview' }],
    ]);
  });

  it('are limited in number', async () => {
    const { account_id } = api.account;
    const row = { account_id, name: 'One', kind: 'overview' as const, params: '{}', updated_at: api.app.now() };
    const rows = Array.from({ length: MAX_SAVED_REPORTS - 1 }, () => ({ ...row, id: api.app.newId() }));
    await api.app.storage.write(account_id, (db) => db.insertInto('reports').values(rows).execute());
    await add();
    const { status, body } = await api.post(path, tours);
    expect([status, body.messages]).toEqual([422, [expect.stringContaining(`at most ${MAX_SAVED_REPORTS}`)]]);
  });
});
