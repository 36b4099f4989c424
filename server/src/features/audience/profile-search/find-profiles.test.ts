import { nameOf } from '@usher/domain';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Api, type ApiResponse, startApi } from '../../../../test/api.ts';

let api: Api;
/** How much later every look at the clock is. */
let step = 0;
let now = Date.parse('2029-04-07T12:00:00.000Z');
beforeAll(async () => {
  api = await startApi({
    inTest: false,
    now: () => {
      now += step;
      return now;
    },
  });
});
afterAll(() => api.stop());
beforeEach(async () => {
  step = 0;
  await api.replaceAccounts();
});

async function save(params: object, as = api.account): Promise<string> {
  const { status, body } = await api.post('/v3/observe/hooks/profiles', params, { as });
  expect([status, body.messages]).toEqual([200, undefined]);
  return body.profile.id;
}

async function saveAll(profiles: object[]): Promise<void> {
  const { status } = await api.post('/v3/observe/hooks/profiles/batch', { profiles });
  expect(status).toBe(202);
}

const search = (params: object, as = api.account) => api.post('/v3/edit/profiles/search', params, { as });
const uids = ({ body }: ApiResponse): string[] => body.profiles.map(({ uid }: { uid: string }) => uid);

async function found(params: object): Promise<string[]> {
  const response = await search(params);
  expect([response.status, response.body.messages, response.body.is_complete]).toEqual([200, undefined, true]);
  return uids(response);
}

/** Follows the cursor to the end. */
async function readPages(params: object, between: () => Promise<void> = async () => {}): Promise<string[][]> {
  const pages: string[][] = [];
  for (let before: string | undefined; ; ) {
    const response = await search({ ...params, ...(before && { before }) });
    expect(response.status).toBe(200);
    pages.push(uids(response));
    before = response.body.cursor.before;
    if (!before) return pages;
    await between();
  }
}

describe('a search for people', () => {
  it('shows who they are, newest first, with the mark of test users', async () => {
    await api.patch('/v3/edit/account', { test_emails: ['*@acme.test'] });
    const ann = await save({ uid: '1', email: 'Ann@acme.test', first_name: 'Ann', last_name: 'Ek' });
    const bob = await save({ uid: '2', name: 'Bob', company: { uid: 'c1', name: 'Acme' } });
    const { body } = await api.get('/v3/edit/profiles/search');
    const company = { id: body.profiles[0].company.id, uid: 'c1', name: 'Acme' };
    const times = { created_at: '2029-04-07T12:00:00.000Z', last_seen_at: null, last_seen_session_count: 0 };
    expect(body).toEqual({
      profiles: [
        { id: bob, uid: '2', email: null, name: 'Bob', company, ...times, is_test: false },
        { id: ann, uid: '1', email: 'Ann@acme.test', name: 'Ann Ek', company: null, ...times, is_test: true },
      ],
      is_complete: true,
      cursor: { limit: 50, before: null },
    });
  });

  it('finds the beginning of a uid or an email, and a part of a name, in any case', async () => {
    await saveAll([
      { uid: 'User-1', email: 'ann@acme.test', name: 'Ann Åberg' },
      { uid: 'x-2', email: 'Bob@acme.test', full_name: 'Bob "B" 100%_\\' },
      { uid: 'x-3', first_name: 'Joann', last_name: 'Smith' },
      { uid: 'x-4', name: '', last_name: 'Only' },
      { uid: 'x-5', name: 7, plan: 'ann' },
    ]);
    expect(await found({ text: 'USER' })).toEqual([]);
    expect(await found({ text: 'User-' })).toEqual(['User-1']);
    expect(await found({ text: 'X-' })).toEqual(['x-5', 'x-4', 'x-3', 'x-2']);
    expect(await found({ text: 'bob@ACME' })).toEqual(['x-2']);
    expect(await found({ text: 'åberg' })).toEqual(['User-1']);
    expect(await found({ text: 'ÅBERG' })).toEqual(['User-1']);
    expect(await found({ text: 'joann smith' })).toEqual(['x-3']);
    expect(await found({ text: ' only ' })).toEqual(['x-4']);
    for (const text of ['"b"', '100%_\\']) expect(await found({ text })).toEqual(['x-2']);
    for (const text of ['nn\u{1f600}', '%', '_n', '7'])
      expect(await found({ text })).toEqual(text === '%' ? ['x-2'] : []);
  });

  it('lists whose uid or email begins with the text before those whose name contains it', async () => {
    await saveAll([{ uid: 'ann' }, { uid: '2', email: 'ann@acme.test' }, { uid: '3', name: 'Joann' }, { uid: '4' }]);
    await save({ uid: '5', name: 'Ann' });
    expect(await found({ text: 'ann' })).toEqual(['2', 'ann', '5', '3']);
    for (const limit of [1, 2, 3])
      expect((await readPages({ text: 'ann', limit })).flat()).toEqual(['2', 'ann', '5', '3']);
  });

  it('finds people of a Company and of a Segment, and who match filters, all together', async () => {
    await saveAll([
      { uid: '1', name: 'Ann', plan: 'pro', company_uid: 'a' },
      { uid: '2', name: 'Ann', plan: 'pro', company_uid: 'b' },
      { uid: '3', name: 'Ann', plan: 'free', company_uid: 'a' },
      { uid: '4', name: 'Bob', plan: 'pro', company_uid: 'a' },
    ]);
    const filters = [{ kind: 'property', prop: 'plan', op: 'eq', value: 'pro' }];
    const { body } = await api.post('/v3/edit/segments', { name: 'Pro', items: filters });
    const segment_id = body.segment.id;
    const company_id = (await api.get('/v3/analyze/company?uid=a')).body.company.id;
    expect(await found({ company_id })).toEqual(['4', '3', '1']);
    expect(await found({ segment_id })).toEqual(['4', '2', '1']);
    expect(await found({ filters })).toEqual(['4', '2', '1']);
    expect(await found({ company_id, segment_id, filters, text: 'ann' })).toEqual(['1']);
    expect(await found({ company_id, text: '2' })).toEqual([]);
    expect(await found({ filters: [{ ...filters[0], prop: 'company.uid', value: 'b' }], text: 'ann' })).toEqual(['2']);
  });

  it('misses and repeats no one on its pages while people are added', async () => {
    const people = Array.from({ length: 30 }, (_, index) => ({ uid: `ann-${index}`, name: 'Ann', plan: 'pro' }));
    await saveAll(people);
    const newestFirst = people.map(({ uid }) => uid).reverse();
    const filters = [{ kind: 'property', prop: 'plan', op: 'eq', value: 'pro' }];
    for (const params of [{}, { text: 'ann' }, { text: 'nn' }, { filters }, { text: 'ann', filters }]) {
      let added = 0;
      const pages = await readPages({ ...params, limit: 7 }, async () => {
        added++;
        await saveAll([
          { uid: `ann-new-${added}`, name: 'Ann', plan: 'pro' },
          { uid: `new-${added}`, name: 'Joann', plan: 'pro' },
        ]);
      });
      const old = pages.flat().filter((uid) => !uid.includes('new'));
      expect(old).toEqual(newestFirst);
      expect(new Set(pages.flat()).size).toBe(pages.flat().length);
    }
  });

  it('goes on where it stopped after two seconds, and says so', async () => {
    const people = Array.from({ length: 2500 }, (_, index) => ({
      uid: `p${index}`,
      ...(index === 5 && { name: 'Ann' }),
    }));
    await saveAll(people);
    step = 1000;
    const filters = [{ kind: 'property', prop: 'name', op: 'eq', value: 'Ann' }];
    for (const params of [{ text: 'ann' }, { filters }, { text: 'ann', filters }]) {
      const first = await search(params);
      expect(first.body).toMatchObject({ profiles: [], is_complete: false, cursor: { before: expect.any(String) } });
      const pages = await readPages(params);
      expect(pages.length).toBeGreaterThan(2);
      expect(pages.flat()).toEqual(['p5']);
    }
    // An index finds a uid immediately, whatever the names.
    expect((await search({ text: 'p2000' })).body).toMatchObject({ profiles: [{ uid: 'p2000' }], is_complete: false });
  });

  it('finds exactly the people whose name contains the text', async () => {
    const word = fc.constantFrom('', 'a', 'A', 'ann', 'é', 'É', ' ', '%', '"', 'ß', 'İ', '\u{1f600}');
    const value = fc.oneof(
      fc.array(word, { maxLength: 4 }).map((words) => words.join('')),
      fc.integer(),
      fc.boolean(),
    );
    const custom = fc.record(
      { name: value, full_name: value, first_name: value, last_name: value },
      { requiredKeys: [] },
    );
    const customs = fc.sample(custom, { numRuns: 150, seed: 7 });
    await saveAll(customs.map((one, index) => ({ uid: `p${index}`, ...one })));
    const names = new Map<string, string | null>();
    for (const { uid, name } of (await search({ limit: 500 })).body.profiles) names.set(uid, name);
    for (const { uid, ...custom } of (await api.get('/v3/analyze/profiles?limit=500')).body.profiles)
      expect(names.get(uid)).toBe(nameOf(custom));
    const lower = (text: string) => [...text].map((one) => (one === 'İ' ? one : one.toLowerCase())).join('');
    for (const text of ['a', 'AN', 'é', 'É', 'a ', '%', '"', 'ß', 'İ', 'é\u{1f600}', 'n é']) {
      const part = lower(text.trim());
      const expected = [...names].filter(([, name]) => name !== null && lower(name).includes(part));
      const read = (await readPages({ text, limit: 40 })).flat();
      expect([text, new Set(read)]).toEqual([text, new Set(expected.map(([uid]) => uid))]);
    }
  });

  it('shows nothing of another account', async () => {
    const id = await save({ uid: 'ann', name: 'Ann', company: { uid: 'c' } }, api.other);
    const company_id = (await api.get('/v3/analyze/company?uid=c', { as: api.other })).body.company.id;
    expect(await found({ text: 'ann' })).toEqual([]);
    expect((await search({ company_id })).status).toBe(404);
    expect((await api.get(`/v3/edit/profiles/${id}`)).status).toBe(404);
    expect((await api.get(`/v3/edit/companies/${company_id}`)).status).toBe(404);
  });

  it.each<[object, string]>([
    [{ text: '' }, '`text`'],
    [{ text: 'a\0' }, '`text`'],
    [{ text: 'a'.repeat(256) }, '`text`'],
    [{ limit: 0 }, '`limit`'],
    [{ before: 'soon' }, '`before`'],
    [{ before: `names::${'a'.repeat(24)}` }, '`before`'],
    [{ text: 'a', before: `age::${'a'.repeat(24)}` }, '`before`'],
    [{ company_id: 'acme' }, '`company_id`'],
    [{ filters: [{ kind: 'shoe' }] }, '`filters[0].kind`'],
    [{ filters_op: 'xor' }, '`filters_op`'],
  ])('rejects %j', async (params, message) => {
    const { status, body } = await search(params);
    expect([status, body.code]).toEqual([422, 422]);
    expect(body.messages.join()).toContain(message);
  });
});
