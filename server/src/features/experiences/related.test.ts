import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountRows } from '../../../test/account-rows.ts';
import { type Api, startApi } from '../../../test/api.ts';
import { createContext } from '../../create-context.ts';
import { recordRelatedChanges } from './record-related-changes.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
afterAll(() => api.stop());

const plan = (value: string) => ({ kind: 'property', prop: 'plan', op: 'eq', value });

async function add(path: string, params: object = {}, as = api.account) {
  const { status, body } = await api.post(`/v3/edit/${path}`, { name: 'Made', ...params }, { as });
  expect(status).toBe(201);
  return Object.values<{ id: string }>(body)[0] as { id: string };
}
const change = async (path: string, params: object) => {
  const { status } = await api.patch(`/v3/edit/${path}`, params);
  expect(status).toBe(200);
};

/** The Changes of an Experience after its creation. */
async function relatedOf({ id }: { id: string }, as = api.account) {
  const { account_id } = as;
  return api.app.storage
    .reader(account_id)
    .selectFrom('changes')
    .select(['model_id', 'model_type', 'kind', 'op', 'path', 'object', 'options', 'admin_id'])
    .where('account_id', '=', account_id)
    .where('experience_id', '=', id)
    .where('kind', '!=', 'create')
    .orderBy('id')
    .execute();
}
const propertiesOf = async ({ id }: { id: string }) => {
  const rows = (await accountRows(api.app, api.account.account_id)).change_properties ?? [];
  const names = rows.map((row) => JSON.parse(row)).filter((row) => row.experience_id === id);
  return new Set(names.map(({ property }) => property));
};

describe('a change of a Segment', () => {
  it('records a changed Segment in every Experience that uses it', async () => {
    const segment = await add('segments', { items: [plan('pro')] });
    const using = { segment_ids: [segment.id] };
    const users = [
      ['Campaign', await add('tours', using)],
      ['Campaign', await add('surveys', using)],
      ['Campaign', await add('embeds', using)],
      ['Tooltip', await add('tooltips', using)],
      ['List', await add('launchers', using)],
      ['List', await add('launchers', { items: [{ title: 'A' }, { title: 'B', segment_id: segment.id }] })],
    ] as const;
    const bystander = await add('tours', { segment_ids: [(await add('segments')).id] });
    await change(`segments/${segment.id}`, { name: 'Paying', items: [plan('max')], items_op: 'or' });
    for (const [model_type, user] of users)
      expect(await relatedOf(user)).toEqual([
        {
          model_id: user.id,
          model_type,
          kind: 'related',
          op: 'update',
          path: `segments.${segment.id}`,
          object: { name: ['Made', 'Paying'], items: [[plan('pro')], [plan('max')]], items_op: ['and', 'or'] },
          options: { capture_id: [model_type === 'List' ? expect.any(String) : null, null] },
          admin_id: api.account.user_id,
        },
      ]);
    expect(await relatedOf(bystander)).toEqual([]);
    expect([...(await propertiesOf(users[0][1]))]).toEqual(expect.arrayContaining(['items', 'items_op', 'name']));
  });

  it('records only the changed properties of a Segment', async () => {
    const segment = await add('segments');
    const tour = await add('tours', { segment_ids: [segment.id] });
    await change(`segments/${segment.id}`, { name: 'Second', items_op: 'and' });
    await change(`segments/${segment.id}`, { name: 'Third' });
    expect((await relatedOf(tour)).map(({ object }) => object)).toEqual([
      { name: ['Made', 'Second'] },
      { name: ['Second', 'Third'] },
    ]);
  });

  it('does not change the Experiences that use the Segment', async () => {
    const segment = await add('segments');
    const tour = await add('tours', { segment_ids: [segment.id] });
    await change(`segments/${segment.id}`, { name: 'Second' });
    // The sentence names the Segment.
    const { audience_summary } = (await api.get(`/v3/edit/tours/${tour.id}`)).body.tour;
    expect(audience_summary).toContain('Second');
    expect((await api.get(`/v3/edit/tours/${tour.id}`)).body.tour).toEqual({ ...tour, audience_summary });
  });

  it('records nothing when nothing changes', async () => {
    const segment = await add('segments', { items: [plan('pro')] });
    const tour = await add('tours', { segment_ids: [segment.id] });
    await change(`segments/${segment.id}`, { name: 'Made', items: [plan('pro')], items_op: 'and' });
    await change(`segments/${segment.id}`, {});
    expect((await api.patch(`/v3/edit/segments/${segment.id}`, { name: '' })).status).toBe(422);
    expect(await relatedOf(tour)).toEqual([]);
  });

  it('records nothing for a Segment that the draft does not use any more', async () => {
    const segment = await add('segments');
    const tour = await add('tours', { segment_ids: [segment.id] });
    await change(`tours/${tour.id}`, { segment_ids: [] });
    await change(`segments/${segment.id}`, { name: 'Second' });
    expect((await relatedOf(tour)).map(({ kind }) => kind)).toEqual(['update']);
  });

  it('records the change in an Experience that concurrently begins to use the Segment', async () => {
    for (let round = 0; round < 10; round++) {
      const segment = await add('segments');
      const [old, fresh] = [await add('tours', { segment_ids: [segment.id] }), await add('tours')];
      await Promise.all([
        change(`segments/${segment.id}`, { name: 'Second' }),
        change(`tours/${fresh.id}`, { segment_ids: [segment.id] }),
      ]);
      expect((await relatedOf(old)).map(({ kind }) => kind)).toEqual(['related']);
      expect([['update', 'related'], ['update']]).toContainEqual((await relatedOf(fresh)).map(({ kind }) => kind));
    }
  });

  it('records a large change in more Experiences than one statement writes', async () => {
    const segment = await add('segments');
    const drafts = Array.from({ length: 11 }, () => add('tours', { segment_ids: [segment.id] }));
    const users = await Promise.all(drafts);
    const actor = { id: api.account.user_id, name: 'Ann', email: 'ann@acme.test', role: 'owner' as const };
    const ctx = createContext(api.app, { account: { id: api.account.account_id }, actor });
    const named = (name: string) => ({ id: segment.id, updated_at: name, name });
    const large = 'x'.repeat(900_000);
    await ctx.transaction((ctx) => recordRelatedChanges(ctx, 'segments', named('Made'), named(large)));
    for (const user of users)
      expect((await relatedOf(user)).map(({ object }) => object)).toEqual([{ name: ['Made', large] }]);
  });
});

describe('a change of an Environment', () => {
  it('records a changed Environment in every Experience that is assigned to it', async () => {
    const group = await add('url_groups', { name: 'Staging' });
    const [mine, everywhere] = [await add('embeds', { url_group_ids: [group.id] }), await add('tours')];
    const elsewhere = await add('tours', { url_group_ids: [(await add('url_groups')).id] });
    const archived_at = '2029-04-07T12:18:00.000Z';
    await change(`url_groups/${group.id}`, { name: 'Staging EU', short_name: 'EU', archived_at });
    expect(await relatedOf(mine)).toEqual([
      {
        model_id: mine.id,
        model_type: 'Campaign',
        kind: 'related',
        op: 'update',
        path: `url_groups.${group.id}`,
        object: { archived_at: [null, archived_at], name: ['Staging', 'Staging EU'], short_name: [null, 'EU'] },
        options: { capture_id: [null, null] },
        admin_id: api.account.user_id,
      },
    ]);
    for (const other of [everywhere, elsewhere]) expect(await relatedOf(other)).toEqual([]);
  });

  it('does not change the Experiences when an Environment changes or is archived', async () => {
    const group = await add('url_groups');
    const tour = await add('tours', { url_group_ids: [group.id] });
    await change(`url_groups/${group.id}`, { archived_at: '$now', urls_action_on_archive: 'archive' });
    expect((await api.get(`/v3/edit/tours/${tour.id}`)).body.tour).toEqual(tour);
    await change(`tours/${tour.id}`, { name: 'Renamed' });
  });

  it('records nothing when nothing changes', async () => {
    const group = await add('url_groups');
    const tour = await add('tours', { url_group_ids: [group.id] });
    await change(`url_groups/${group.id}`, { name: 'Made', description: null, urls_action_on_archive: 'archive' });
    expect(await relatedOf(tour)).toEqual([]);
  });
});

it('records nothing in Experiences of another account', async () => {
  const [mine, theirs] = [await add('segments'), await add('segments', {}, api.other)];
  const tour = await add('tours', { segment_ids: [theirs.id] }, api.other);
  await change(`segments/${mine.id}`, { name: 'Second' });
  expect(await relatedOf(tour, api.other)).toEqual([]);
});
