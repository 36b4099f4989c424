import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';
import { migrations } from '../../../db/migrations/index.ts';
import type { Migration } from '../../../db/migrations/migration.ts';

let api: Api;
const users = {
  pro: { plan: 'pro', email: 'Pro@Acme.test' },
  PRO: { plan: 'PRO' },
  professional: { plan: 'professional' },
  cafe: { plan: 'CAFÉ pro' },
  paris: { plan: 'Paris, France', tags: ['pro', 'a, b'] },
  wild: { plan: '100% p_o' },
  number: { plan: 12 },
  none: {},
};

beforeAll(async () => {
  api = await startApi({ inTest: false });
  for (const [uid, properties] of Object.entries(users))
    await api.post('/v3/observe/hooks/profiles', { uid, ...properties });
});
afterAll(() => api.stop());

async function found(params: object): Promise<string[]> {
  const { status, body } = await api.post('/v3/analyze/profiles', params);
  expect(status).toBe(200);
  return body.profiles.map(({ uid }: { uid: string }) => uid).sort();
}
const plan = (op: string, value: unknown) => ({ kind: 'property', prop: 'plan', op, value });

describe('filter operators', () => {
  it.each([
    [plan('in', 'pro'), ['cafe', 'pro', 'professional']],
    [plan('nin', 'pro'), ['PRO', 'none', 'paris', 'wild']],
    [plan('in', 'Paris, F'), ['paris']],
    [plan('in', '%'), ['wild']],
    [plan('in', 'p_o'), ['wild']],
    [plan('in-i', 'PRO'), ['PRO', 'cafe', 'pro', 'professional']],
    [plan('in-i', 'café P'), ['cafe']],
    [plan('nin-i', 'café'), ['PRO', 'none', 'paris', 'pro', 'professional', 'wild']],
    [plan('in-v', 'pro,12'), ['number', 'pro']],
    [plan('nin-v', 'pro,12'), ['PRO', 'cafe', 'none', 'paris', 'professional', 'wild']],
    [{ ...plan('in-a', 'a, b'), prop: 'tags' }, ['paris']],
    [{ ...plan('nin-a', 'x'), prop: 'tags' }, Object.keys(users).sort()],
    [{ ...plan('in', 'pro'), prop: 'tags' }, []],
    [{ ...plan('in', 'PRO@ACME'), prop: 'email' }, ['pro']],
    [{ ...plan('in-v', 'x@acme.test,PRO@acme.TEST'), prop: 'email' }, ['pro']],
    [{ ...plan('gte', 'PRO@ACME.TEST'), prop: 'email' }, ['pro']],
  ])('%j finds %j', async (filter, expected) => {
    expect(await found({ filters: [filter] })).toEqual(expected);
  });
});

describe('Segments that were stored with the former operators', () => {
  /** The users that each operator selected before the migration. */
  const former = [
    ['in', ['pro', 12], ['number', 'pro']],
    ['nin', ['pro', 12], ['PRO', 'cafe', 'none', 'paris', 'professional', 'wild']],
    ['in-i', ['Pro'], ['PRO', 'pro']],
    ['nin-i', ['Pro'], ['cafe', 'none', 'paris', 'professional', 'wild']],
    ['in-v', ['pro', 'Paris'], ['cafe', 'paris', 'pro', 'professional']],
    ['nin-v', ['pro', 'Paris'], ['PRO', 'none', 'wild']],
    ['eq', 'pro', ['pro']],
  ] as const;
  const now = ['in-v', 'nin-v', 'in-vi', 'nin-vi', 'in', 'nin', 'eq'];

  it('select the same users after the migration, and Changes contain the new operators', async () => {
    const { account_id } = api.account;
    const segments: string[] = [];
    for (const _ of former)
      segments.push(
        (await api.post('/v3/edit/segments', { name: 'Stored', items: [plan('eq', 'x')] })).body.segment.id,
      );
    const { body } = await api.post('/v3/edit/tours', { name: 'Uses them', segment_ids: segments });
    for (const id of segments) await api.patch(`/v3/edit/segments/${id}`, { items: [plan('eq', 'y')] });
    const group = (filter: object) => [{ kind: 'group', filters: [filter], filters_op: 'and' }];
    await api.app.storage.write(account_id, async (db) => {
      for (const [index, [op, value]] of former.entries()) {
        const items = index % 2 === 0 ? [plan(op, value)] : group(plan(op, value));
        await db
          .updateTable('segments')
          .set({ items: JSON.stringify(items) })
          .where('account_id', '=', account_id)
          .where('id', '=', segments[index] ?? '')
          .execute();
        await db
          .updateTable('changes')
          .set({ object: JSON.stringify({ items: [[], items] }) })
          .where('account_id', '=', account_id)
          .where('path', '=', `segments.${segments[index]}`)
          .execute();
      }
    });
    migrations['9999-again'] = migrations['0015-filter-operators'] as Migration;
    try {
      await api.app.storage.migrate();
    } finally {
      delete migrations['9999-again'];
    }
    const { body: feed } = await api.get(`/v3/edit/tours/${body.tour.id}/changes`);
    for (const [index, [, , expected]] of former.entries()) {
      const id = segments[index];
      const shown = (await api.get(`/v3/edit/segments/${id}`)).body.segment.items;
      const [filter] = shown[0].filters ?? shown;
      expect(filter.op).toBe(now[index]);
      expect(await found({ segment_id: id })).toEqual(expected);
      const change = feed.changes.find(({ path }: { path: string }) => path === `segments.${id}`);
      const [recorded] = change.object.items[1][0].filters ?? change.object.items[1];
      expect(recorded.op).toBe(now[index]);
    }
  });
});
