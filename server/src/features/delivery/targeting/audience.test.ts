import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomRuns } from '../../../../../domain/test/random-runs.ts';
import { type Api, startApi } from '../../../../test/api.ts';
import { engine } from '../../../../test/engine.ts';
import { anonymous, createContext } from '../../../create-context.ts';
import { createAccount } from '../../team/accounts/create-account.ts';
import { countAudience } from './count-audience.ts';

const HOUR = 60 * 60_000;
const USERS = 200;
let now = Date.parse('2029-04-07T12:00:00.000Z');
let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => now });
  const profiles = Array.from({ length: USERS }, (_, number) => ({
    uid: `user ${number}`,
    name: `User ${number}`,
    plan: ['free', 'pro', 'team'][number % 3],
    seats: number % 40,
    ...(number % 4 !== 0 && { company: { uid: `company ${number % 5}`, size: (number % 5) * 10 } }),
    ...(number % 17 === 0 && { disabled: true }),
    ...(number % 23 === 0 && { disabled: 'no' }),
  }));
  const { body } = await api.post('/v3/observe/hooks/profiles/batch', { profiles });
  expect(body.messages).toBeUndefined();
});
afterAll(() => api.stop());

async function add(params: object): Promise<string> {
  const { status, body } = await api.post('/v3/edit/tours', { name: 'One', steps: [{ title: 'Hello' }], ...params });
  expect([status, body.messages]).toEqual([201, undefined]);
  return body.tour.id;
}

async function audienceOf(id: string, as = api.account) {
  const { status, body } = await api.post(`/v3/edit/tours/${id}/audience`, {}, { as });
  expect([status, body.messages]).toEqual([200, undefined]);
  return body.audience;
}

/** Counts the raw rows by hand-written SQL. */
async function countRows(condition: string): Promise<number> {
  const json = engine === 'sqlite' ? `json_extract(custom, '$.disabled')` : `custom->'disabled'`;
  const enabled =
    engine === 'sqlite'
      ? `coalesce(json_type(custom, '$.disabled'), '') <> 'true'`
      : `coalesce(${json}, 'null') <> 'true'::jsonb`;
  const text = `select count(*) as count from profiles where account_id = '${api.account.account_id}' and ${enabled} and (${condition})`;
  const { storage } = api.app;
  const rows = await storage.runSql<{ count: number }>(storage.reader(null), text, [], false);
  return Number(rows[0]?.count);
}

const text = (name: string) => (engine === 'sqlite' ? `json_extract(custom, '$.${name}')` : `custom->>'${name}'`);
const number = (name: string) => `cast(${text(name)} as integer)`;
const companySize = (op: string, size: number) => {
  const value = engine === 'sqlite' ? `json_extract(c.custom, '$.size')` : `(c.custom->>'size')::integer`;
  return `exists (select 1 from companies c where c.account_id = profiles.account_id and c.id = profiles.company_id and ${value} ${op} ${size})`;
};

/** A filter, and the same in SQL. */
interface Tested {
  filter: object;
  sql: string;
}
const property = (prop: string, op: string, value: unknown) => ({ kind: 'property', prop, op, value });
const tested: fc.Arbitrary<Tested> = fc.oneof(
  fc.constantFrom('free', 'pro', 'team').map((plan) => ({
    filter: property('plan', 'eq', plan),
    sql: `coalesce(${text('plan')} = '${plan}', false)`,
  })),
  fc.nat(40).map((seats) => ({
    filter: property('seats', 'gt', seats),
    sql: `coalesce(${number('seats')} > ${seats}, false)`,
  })),
  fc.nat(40).map((size) => ({ filter: property('company.size', 'gte', size), sql: companySize('>=', size) })),
  fc.nat(100).map((percent) => ({ filter: property('percent', 'lt', percent), sql: `percent < ${percent}` })),
);
const segment = fc.record({
  items: fc.array(tested, { minLength: 1, maxLength: 3 }),
  items_op: fc.constantFrom('and', 'or'),
});
type RandomSegment = typeof segment extends fc.Arbitrary<infer One> ? One : never;
const segmentSql = ({ items, items_op }: RandomSegment) => `(${items.map((item) => item.sql).join(` ${items_op} `)})`;
const addSegment = async ({ items, items_op }: RandomSegment): Promise<string> => {
  const params = { name: 'Random', items: items.map(({ filter }) => filter), items_op };
  const { status, body } = await api.post('/v3/edit/segments', params);
  expect([status, body.messages]).toEqual([201, undefined]);
  return body.segment.id;
};
const range = fc.option(fc.constantFrom([0, 50], [30, 100], [10, 20]), { freq: 3 });

describe('the audience', () => {
  it('is everybody who is not switched off, without Segments', async () => {
    const audience = await audienceOf(await add({}));
    const count = await countRows('1 = 1');
    expect(count).toBeLessThan(USERS);
    expect(audience).toMatchObject({ count, before: null });
    expect(audience.sample).toHaveLength(5);
    expect(audience.sample[0]).toEqual({
      id: expect.any(String),
      uid: expect.stringMatching(/^user /),
      email: null,
      name: expect.stringMatching(/^User /),
    });
  });

  it('agrees with SQL over the raw rows for random Segments', async () => {
    const cases = fc.record({
      wanted: fc.array(segment, { maxLength: 3 }),
      any: fc.boolean(),
      excluded: fc.array(segment, { maxLength: 2 }),
      range,
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ wanted, any, excluded, range }) => {
        now += 1;
        const ids = [];
        for (const one of [...wanted, ...excluded]) ids.push(await addSegment(one));
        const id = await add({
          segment_ids: ids.slice(0, wanted.length),
          segments_op: any ? 'or' : 'and',
          excluded_segment_ids: ids.slice(wanted.length),
          ...(range && { experiment_at: new Date(now - HOUR).toISOString(), experiment_range: range.join('-') }),
        });
        const parts = [
          wanted.length === 0 ? '1 = 1' : `(${wanted.map(segmentSql).join(any ? ' or ' : ' and ')})`,
          ...excluded.map((one) => `not ${segmentSql(one)}`),
          ...(range ? [`percent >= ${range[0]} and (percent < ${range[1]} or ${range[1]} = 100)`] : []),
        ];
        const audience = await audienceOf(id);
        expect(audience.count).toBe(await countRows(parts.join(' and ')));
        expect(audience.sample).toHaveLength(Math.min(5, audience.count));
      }),
      { numRuns: randomRuns(40) },
    );
  }, 120_000);

  it('has the count of the draft and of what is live', async () => {
    const id = await add({ published_at: '$now' });
    const pro = await addSegment({ items: [{ filter: property('plan', 'eq', 'pro'), sql: '' }], items_op: 'and' });
    await api.patch(`/v3/edit/tours/${id}`, { segment_ids: [pro] });
    expect(await audienceOf(id)).toMatchObject({
      count: await countRows(`${text('plan')} = 'pro'`),
      before: await countRows('1 = 1'),
    });
  });

  it('ignores an experiment that has not begun', async () => {
    const later = { experiment_at: new Date(now + HOUR).toISOString(), experiment_range: '0-0' };
    expect((await audienceOf(await add(later))).count).toBe(await countRows('1 = 1'));
  });

  it('is not counted any further after the client has disconnected', async () => {
    const pro = await addSegment({ items: [{ filter: property('plan', 'eq', 'pro'), sql: '' }], items_op: 'and' });
    const id = await add({ segment_ids: [pro] });
    const actor = { id: api.account.user_id, name: 'owner', email: '', role: 'owner' } as const;
    const ctx = createContext(api.app, { account: { id: api.account.account_id }, actor });
    const leaving = new AbortController();
    const request = { signal: leaving.signal } as NonNullable<typeof ctx.request>;
    expect((await countAudience({ ...ctx, request }, 'tour', id)).count).toBe(
      await countRows(`${text('plan')} = 'pro'`),
    );
    leaving.abort();
    await expect(countAudience({ ...ctx, request }, 'tour', id)).rejects.toThrow('The client has disconnected');
  });

  it('counts as many as it can within a time, and says whether these are all', async () => {
    const as = await createAccount(api.app, { name: 'Large', email: 'large@acme.test' });
    const profiles = Array.from({ length: 300 }, (_, index) => ({ uid: `u${index}` }));
    await api.post('/v3/observe/hooks/profiles/batch', { profiles }, { as });
    const { body } = await api.post('/v3/edit/tours', { name: 'For all' }, { as });
    const items = [{ kind: 'property', prop: 'plan', op: 'nx' }];
    const { segment } = (await api.post('/v3/edit/segments', { name: 'Without a plan', items }, { as })).body;
    const actor = { id: as.user_id, name: 'owner', email: '', role: 'owner' } as const;
    const ctx = createContext(api.app, { account: { id: as.account_id }, actor });
    const audience = (maxMs?: number) => countAudience(ctx, 'tour', body.tour.id, maxMs);
    const everybody = { count: 300, is_complete: true, estimate: { count: 300, before: null }, sample: { length: 5 } };
    expect(await audience(0)).toMatchObject(everybody);
    await api.patch(`/v3/edit/tours/${body.tour.id}`, { segment_ids: [segment.id] }, { as });
    expect(await audience(0)).toMatchObject({ ...everybody, count: 100, is_complete: false });
    expect(await audience()).toMatchObject(everybody);
    await api.post('/v3/observe/hooks/profiles', { uid: 'u0', disabled: true }, { as });
    expect(await audience()).toMatchObject({ count: 299, is_complete: true });
    await api.patch(`/v3/edit/tours/${body.tour.id}`, { segment_ids: [] }, { as });
    // There is no time to read the users: who is switched off or a test user is subtracted from all.
    expect(await audience(0)).toMatchObject({ count: 299, is_complete: true });
    await api.patch('/v3/edit/profiles', { uid: 'u1', test: true }, { as });
    await api.post('/v3/observe/hooks/profiles', { uid: 'u1', disabled: true }, { as });
    await api.post('/v3/observe/hooks/profiles', { uid: 'u2', disabled: 'yes' }, { as });
    expect(await audience(0)).toMatchObject({ count: 298, is_complete: true });
  });

  it('looks only once whether a user is switched off', async () => {
    const as = await createAccount(api.app, { name: 'Enabled', email: 'enabled@example.com' });
    await api.post('/v3/observe/hooks/profiles', { uid: 'one', plan: 'pro' }, { as });
    const params = { name: 'One', steps: [{ title: 'Hello' }], published_at: '$now' };
    const { body } = await api.post('/v3/edit/tours', params, { as });
    const items = [{ kind: 'property', prop: 'plan', op: 'eq', value: 'pro' }];
    const { segment } = (await api.post('/v3/edit/segments', { name: 'Pro', items }, { as })).body;
    await api.patch(`/v3/edit/tours/${body.tour.id}`, { segment_ids: [segment.id] }, { as });
    const ctx = createContext(api.app, { account: { id: as.account_id }, actor: anonymous });
    let looked = 0;
    const heavyDb = ctx.heavyDb.withPlugin({
      transformQuery: ({ node }) => {
        if (JSON.stringify(node).includes('disabled')) looked++;
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    expect(await countAudience({ ...ctx, heavyDb }, 'tour', body.tour.id)).toMatchObject({ count: 1, before: 1 });
    expect(looked).toBe(1);
  });

  it('is empty for an account without users, and 404 for the Experience of another', async () => {
    const { body } = await api.post('/v3/edit/tours', { name: 'Theirs' }, { as: api.other });
    expect(await audienceOf(body.tour.id, api.other)).toEqual({
      count: 0,
      before: null,
      is_complete: true,
      estimate: { count: 0, before: null },
      sample: [],
    });
    expect((await api.post(`/v3/edit/tours/${body.tour.id}/audience`)).status).toBe(404);
  });
});
