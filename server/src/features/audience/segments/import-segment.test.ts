import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';
import { newUid, openDomain, visit } from '../../../../test/visiting.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
afterAll(() => api.stop());
beforeEach(async () => {
  await api.replaceAccounts();
  await openDomain(api);
});

const plan = { kind: 'property', prop: 'plan', op: 'eq', value: 'pro' };
const intercom = { kind: 'intercom', op: 'nx', prop: 'tags', value: ['vip', { b: 1, a: null }] };
const action = { kind: 'action', value: 'clicked', range: 3 };

async function addSegment(items: object[] = []) {
  const { status, body } = await api.post('/v3/edit/segments', { name: 'One', items });
  expect(status).toBe(201);
  return body.segment;
}
async function importSegment(items: object[], params: object = {}) {
  const { id } = await addSegment();
  const { status, body } = await api.post(`/v3/edit/segments/${id}/import`, { items, ...params });
  expect([status, body.messages]).toEqual([200, undefined]);
  return body.segment;
}
const withoutIds = (items: { id: string }[]) => items.map(({ id: _, ...item }) => item);

async function publish(params: object): Promise<string> {
  const steps = [{ title: 'Hello' }];
  const { status, body } = await api.post('/v3/edit/tours', { name: 'Tour', steps, ...params, published_at: '$now' });
  expect([status, body.messages]).toEqual([201, undefined]);
  return body.tour.id;
}
async function seenBy(plan: string): Promise<string[]> {
  const { body } = await visit(api, { uid: newUid(), properties: { plan } });
  return body.experiences.map(({ id }: { id: string }) => id);
}
async function countOf(segment_id: string): Promise<number> {
  return (await api.post('/v3/analyze/profiles/count', { segment_id })).body.count;
}

describe('the import of a Segment', () => {
  it('keeps filters of other services unchanged, also in groups, and names their kinds', async () => {
    const group = { kind: 'group', filters: [action, plan], filters_op: 'or' };
    const segment = await importSegment([intercom, group, plan], { name: 'VIPs', items_op: 'or' });
    expect(segment).toMatchObject({ name: 'VIPs', items_op: 'or', unsupported_kinds: ['intercom', 'action'] });
    expect(withoutIds(segment.items)).toEqual([intercom, group, plan]);
    expect((await api.get(`/v3/edit/segments/${segment.id}`)).body.segment).toEqual(segment);
    const again = await api.post(`/v3/edit/segments/${segment.id}/import`, segment);
    expect([again.status, again.body.segment]).toEqual([200, segment]);
  });

  it('has no list of unsupported kinds without such filters', async () => {
    expect(await importSegment([plan])).not.toHaveProperty('unsupported_kinds');
  });

  it.each<[string, object, string]>([
    ['an unknown kind', { items: [{ kind: 'other' }] }, '`items[0].kind` must be one of `property`'],
    ['too much', { items: [{ ...action, value: 'x'.repeat(5000) }] }, '`items[0]` must be valid Unicode of 4000'],
    ['a NUL character', { items: [{ ...action, value: ['\0'] }] }, '`items[0]` must be valid Unicode'],
    ['half a character', { items: [{ ...action, '\ud800': 1 }] }, '`items[0]` must be valid Unicode'],
    ['deep nesting', { items: [{ ...action, value: [[[[[[[]]]]]]] }] }, 'nested 5 levels at most'],
    ['no items', { name: 'A' }, '`items` is required'],
  ])('rejects %s', async (_, params, message) => {
    const { id } = await addSegment();
    const { status, body } = await api.post(`/v3/edit/segments/${id}/import`, params);
    expect([status, body.messages]).toEqual([422, [expect.stringContaining(message)]]);
  });

  it('returns 404 for a Segment of another account', async () => {
    const { id } = await addSegment();
    const { status } = await api.post(`/v3/edit/segments/${id}/import`, { items: [] }, { as: api.other });
    expect(status).toBe(404);
  });
});

describe('a filter of another service', () => {
  it.each([
    [intercom, '`items[0].kind` is `intercom`', 'use a filter of the kind `property`'],
    [action, '`items[0].kind` is `action`', 'use a filter of the kind `event`'],
  ])('is rejected by create, with what to use instead: %o', async (filter, what, instead) => {
    const { status, body } = await api.post('/v3/edit/segments', { name: 'One', items: [filter] });
    expect([status, body.messages]).toEqual([422, [expect.stringContaining(what)]]);
    expect(body.messages[0]).toContain(instead);
  });

  it('is rejected by an update, except where it is already', async () => {
    const { id, items } = await importSegment([intercom]);
    const update = (params: object) => api.patch(`/v3/edit/segments/${id}`, params);
    expect((await update({ items: [...items, plan] })).status).toBe(200);
    expect((await update({ name: 'Other' })).body.segment.unsupported_kinds).toEqual(['intercom']);
    const changed = await update({ items: [{ ...items[0], value: 'other' }] });
    expect([changed.status, changed.body.messages]).toEqual([422, [expect.stringContaining('`items[0].kind`')]]);
    expect((await update({ items: [plan] })).body.segment).not.toHaveProperty('unsupported_kinds');
  });

  it('is rejected by a search', async () => {
    const { status, body } = await api.post('/v3/analyze/profiles', { filters: [intercom] });
    expect([status, body.messages]).toEqual([422, [expect.stringContaining('`filters[0].kind` is `intercom`')]]);
  });

  it('matches nobody, and leaves the other filters of the Segment as they are', async () => {
    const all = await importSegment([intercom, plan]);
    const any = await importSegment([intercom, plan], { items_op: 'or' });
    const none = await addSegment([{ kind: 'segment', op: 'nx', value: all.id }]);
    const ids = [
      await publish({ segment_ids: [all.id] }),
      await publish({ segment_ids: [any.id] }),
      await publish({ segment_ids: [none.id] }),
    ];
    const seen = async (plan: string) => (await seenBy(plan)).map((id) => ids.indexOf(id));
    // Users without the plan are surely not in the first Segment.
    expect([(await seen('pro')).sort(), (await seen('free')).sort()]).toEqual([[1], [2]]);
    expect([await countOf(all.id), await countOf(any.id), await countOf(none.id)]).toEqual([0, 1, 1]);
  });

  it('never shows an Experience to users who may be in its excluded Segment', async () => {
    const { id } = await importSegment([intercom]);
    await publish({ excluded_segment_ids: [id] });
    expect([await seenBy('pro'), await seenBy('free')]).toEqual([[], []]);
  });

  it('is a warning of the check before publishing, wherever the Segment is used', async () => {
    const { id } = await importSegment([intercom], { name: 'VIPs' });
    const outer = await addSegment([{ kind: 'segment', op: 'ex', value: id }]);
    const steps = [{ title: 'Hello' }];
    const params = { name: 'Tour', steps, segment_ids: [outer.id], excluded_segment_ids: [id] };
    const { tour } = (await api.post('/v3/edit/tours', params)).body;
    const check = async () =>
      (await api.get(`/v3/edit/tours/${tour.id}/publish_check`)).body.publish_check.warnings.filter(
        ({ code }: { code: string }) => code === 'unsupported_filter',
      );
    expect((await check()).map(({ path, message }: { path: string; message: string }) => [path, message])).toEqual([
      ['segment_ids', expect.stringContaining('“One” has a filter of another service')],
      ['excluded_segment_ids', expect.stringContaining('everyone who could match it is left out too')],
    ]);
    await api.patch(`/v3/edit/segments/${id}`, { items: [plan] });
    expect(await check()).toEqual([]);
  });
});
