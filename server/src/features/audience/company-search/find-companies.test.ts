import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
afterAll(() => api.stop());
beforeEach(() => api.replaceAccounts());

async function saveAll(companies: object[], as = api.account): Promise<void> {
  const { status } = await api.post('/v3/observe/hooks/companies/batch', { companies }, { as });
  expect(status).toBe(202);
}

async function found(params: object): Promise<string[]> {
  const { status, body } = await api.post('/v3/edit/companies/search', params);
  expect([status, body.messages, body.is_complete]).toEqual([200, undefined, true]);
  return body.companies.map(({ uid }: { uid: string }) => uid);
}

describe('a search for Companies', () => {
  it('shows each with how many people it has, without test users', async () => {
    await saveAll([{ uid: 'acme', name: 'Acme' }, { uid: 'globex' }]);
    for (const [uid, company_uid] of Object.entries({ ann: 'acme', bob: 'acme', cat: 'acme', dan: 'other' }))
      await api.post('/v3/observe/hooks/profiles', { uid, company_uid });
    await api.patch('/v3/edit/profiles', { uid: 'cat', test: true });
    const { body } = await api.get('/v3/edit/companies/search');
    const text = expect.any(String);
    const fields = { id: text, created_at: text, updated_at: text };
    expect(body).toEqual({
      companies: [
        { ...fields, uid: 'other', name: null, profiles_count: 1 },
        { ...fields, uid: 'globex', name: null, profiles_count: 0 },
        { ...fields, uid: 'acme', name: 'Acme', profiles_count: 2 },
      ],
      is_complete: true,
      cursor: { limit: 50, before: null },
    });
  });

  it('finds the beginning of a uid, a part of a name, and what filters match', async () => {
    await saveAll([
      { uid: 'C1', name: 'Acme Corp', plan: 'gold' },
      { uid: 'c2', name: 'Corp of Bob', plan: 'free' },
      { uid: 'x', name: 'C1 Ltd', plan: 'gold' },
    ]);
    await saveAll([{ uid: 'c1', name: 'Corp' }], api.other);
    const filters = [{ kind: 'property', prop: 'plan', op: 'eq', value: 'gold' }];
    expect(await found({ text: 'corp' })).toEqual(['c2', 'C1']);
    expect(await found({ text: 'c1' })).toEqual(['C1', 'x']);
    expect(await found({ filters })).toEqual(['x', 'C1']);
    expect(await found({ filters, text: 'corp' })).toEqual(['C1']);
    const { status, body } = await api.post('/v3/edit/companies/search', { filters: [{ kind: 'event', value: 'a' }] });
    expect([status, body.code]).toEqual([422, 422]);
  });

  it('misses and repeats nothing on its pages while Companies are added', async () => {
    await saveAll(Array.from({ length: 12 }, (_, index) => ({ uid: `c${index}`, name: 'Corp' })));
    for (const params of [{}, { text: 'corp' }, { text: 'c' }]) {
      const read: string[] = [];
      for (let before: string | null | undefined; before !== null; ) {
        const page = { ...params, limit: 5, ...(before && { before }) };
        const { body } = await api.post('/v3/edit/companies/search', page);
        read.push(...body.companies.map(({ uid }: { uid: string }) => uid));
        before = body.cursor.before;
        await saveAll([{ uid: `c-new-${read.length}-${Object.values(params)}`, name: 'Corp' }]);
      }
      expect(new Set(read).size).toBe(read.length);
      expect(read.filter((uid) => !uid.includes('new'))).toEqual(Array.from({ length: 12 }, (_, at) => `c${11 - at}`));
    }
  });

  it('shows one Company with its properties and their names', async () => {
    await saveAll([{ uid: 'acme', name: 'Acme', seats: 5, tags: ['a'], since_at: '2029-01-01' }]);
    const { companies } = (await api.get('/v3/edit/companies/search')).body;
    const properties = (await api.get('/v3/edit/properties?kind=company')).body.properties;
    const seats = properties.find(({ prop }: { prop: string }) => prop === 'seats');
    await api.patch(`/v3/edit/properties/${seats.id}`, { name: 'Licenses' });
    const { body } = await api.get(`/v3/edit/companies/${companies[0].id}`);
    expect(body.company).toEqual({
      ...companies[0],
      properties: [
        { prop: 'seats', name: 'Licenses', value: 5, type: 'integer' },
        { prop: 'name', name: 'name', value: 'Acme', type: 'string' },
        { prop: 'since_at', name: 'since_at', value: '2029-01-01T00:00:00.000Z', type: 'timestamp' },
        { prop: 'tags', name: 'tags', value: ['a'], type: 'array' },
      ],
    });
  });
});
