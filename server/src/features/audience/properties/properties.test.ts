import { firstIdAt, isId } from '@usher/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';
import { type CreatedAccount, createAccount } from '../../team/accounts/create-account.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
afterAll(() => api.stop());

const unknownId = 'f'.repeat(24);
let count = 0;
const newName = () => `Property ${++count}`;

const create = (params: object, as = api.account) => api.post('/v3/edit/properties', params, { as });
async function addProperty(params: object = {}, as = api.account) {
  const { status, body } = await create({ name: newName(), description: 'Anything', kind: 'profile', ...params }, as);
  expect(status).toBe(201);
  return body.property;
}
const list = async (query: string, as = api.account) => {
  const { status, body } = await api.get('/v3/edit/properties', { as, query });
  expect(status).toBe(200);
  return body.properties;
};
const names = (properties: { name: string }[]) => properties.map(({ name }) => name);
const newAccount = () => createAccount(api.app, { name: 'Fresh', email: `fresh${++count}@acme.test` });

interface Seed {
  name: string;
  kind?: 'profile' | 'company' | 'event';
  integration?: string;
  last_seen_at?: number;
  types?: string;
  samples?: string;
}

/** Properties as the ingestion of data will leave them: the API alone makes none with a source or a time. */
async function seed({ account_id }: CreatedAccount, seeds: Seed[]): Promise<void> {
  const rows = seeds.map((params, index) => ({
    account_id,
    id: firstIdAt(Date.UTC(2020, 0, 1) + index),
    updated_at: 1000,
    description: null,
    kind: 'profile' as const,
    prop: params.name,
    integration: null,
    last_seen_at: null,
    types: '[]',
    samples: '[]',
    ...params,
  }));
  await api.app.storage.write(account_id, (db) => db.insertInto('properties').values(rows).execute());
}

async function backdate(id: string): Promise<string> {
  const account_id = api.account.account_id;
  await api.app.storage.write(account_id, (db) =>
    db
      .updateTable('properties')
      .set({ updated_at: 1000 })
      .where('account_id', '=', account_id)
      .where('id', '=', id)
      .execute(),
  );
  return '1970-01-01T00:00:01.000Z';
}

describe('create', () => {
  it('adds a Property with every field', async () => {
    const { status, body } = await create({ name: 'Favourite Colour', description: 'What they like', kind: 'profile' });
    expect(status).toBe(201);
    expect(Object.keys(body)).toEqual(['property']);
    const { id, created_at, updated_at, ...rest } = body.property;
    expect(isId(id)).toBe(true);
    expect(Date.parse(updated_at)).toBeGreaterThanOrEqual(Date.parse(created_at));
    expect(rest).toEqual({
      name: 'Favourite Colour',
      description: 'What they like',
      kind: 'profile',
      prop: 'favourite_colour',
      integration: null,
      last_seen_at: null,
      types: [],
      values: [],
      hidden: false,
    });
    expect(await list('kind=profile')).toContainEqual(body.property);
  });

  it.each(['profile', 'event', 'company'])('accepts the kind %s', async (kind) => {
    const property = await addProperty({ kind });
    expect(property.kind).toBe(kind);
    expect(await list(`kind=${kind}`)).toContainEqual(property);
  });

  it.each(['User Role', 'userRole', 'user-role', 'user_role', 'USER ROLE', ' User  Role ', 'User.Role!'])(
    'derives user_role from %s',
    async (name) => {
      expect(await addProperty({ name }, await newAccount())).toMatchObject({ name, prop: 'user_role' });
    },
  );

  it.each([
    ['Größe', 'größe'],
    ['役割', '役割'],
    ['APIKey2Use', 'api_key2_use'],
    ['__proto__', '__proto__'],
  ])('derives the key of %s', async (name, prop) => {
    expect((await addProperty({ name }, await newAccount())).prop).toBe(prop);
  });

  it('does not accept a key from the client', async () => {
    const property = await addProperty({ name: 'Plan Name', prop: 'mine', integration: 'api', types: ['string'] });
    expect(property).toMatchObject({ prop: 'plan_name', integration: null, types: [] });
  });

  it.each([
    ['name', undefined],
    ['name', null],
    ['name', ''],
    ['name', '  '],
    ['name', 12],
    ['name', ['Role']],
    ['name', 'n'.repeat(256)],
    ['name', '!?'],
    ['description', undefined],
    ['description', null],
    ['description', ''],
    ['description', 12],
    ['description', 'd'.repeat(2001)],
    ['kind', undefined],
    ['kind', null],
    ['kind', ''],
    ['kind', 'user'],
    ['kind', 'Profile'],
    ['kind', ['profile']],
  ])('rejects a wrong %s %#', async (name, value) => {
    const params = { name: newName(), description: 'Anything', kind: 'profile', [name]: value };
    const { status, body } = await create(params);
    expect(status).toBe(422);
    expect(body.messages).toEqual([expect.stringContaining(`\`${name}\``)]);
  });

  it('reports all missing parameters together', async () => {
    const { status, body } = await create({});
    expect(status).toBe(422);
    expect(body.messages).toEqual([
      expect.stringContaining('`name` is required'),
      expect.stringContaining('`description` is required'),
      expect.stringContaining('`kind` is required: give one of `profile`, `event`, `company`'),
    ]);
  });

  it('rejects a key that exists in the same kind', async () => {
    await addProperty({ name: 'Seat Count' });
    const { status, body } = await create({ name: 'seatCount', description: 'Again', kind: 'profile' });
    expect(status).toBe(409);
    expect(body.messages[0]).toContain('`seat_count`');
  });

  it('accepts the same key in another kind and another account', async () => {
    const params = { name: 'Region' };
    const properties = [
      await addProperty(params),
      await addProperty({ ...params, kind: 'company' }),
      await addProperty({ ...params, kind: 'event' }),
      await addProperty(params, api.other),
    ];
    expect(properties.map(({ prop }) => prop)).toEqual(Array(4).fill('region'));
    expect(new Set(properties.map(({ id }) => id)).size).toBe(4);
  });

  it('adds a key once for 20 requests at the same time', async () => {
    const params = { name: 'Raced', description: 'Anything', kind: 'profile' };
    const responses = await Promise.all(Array.from({ length: 20 }, () => create(params)));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)]);
    expect(names(await list('kind=profile')).filter((name) => name === 'Raced')).toHaveLength(1);
  });
});

describe('list', () => {
  it('requires a kind', async () => {
    const { status, body } = await api.get('/v3/edit/properties');
    expect(status).toBe(422);
    expect(body.messages).toEqual([expect.stringContaining('`kind` is required')]);
  });

  it.each(['kind=user', 'kind=', 'kind=profile&kind=company', 'kind[]=profile'])('rejects %s', async (query) => {
    const { status, body } = await api.get('/v3/edit/properties', { query });
    expect(status).toBe(422);
    expect(body.messages).toEqual([expect.stringContaining('`kind` must be')]);
  });

  it.each(['profile', 'company', 'event'])('lists only the kind %s', async (kind) => {
    const as = await newAccount();
    for (const one of ['profile', 'company', 'event']) await addProperty({ name: one, kind: one }, as);
    expect(names(await list(`kind=${kind}`, as))).toEqual([kind]);
  });

  it('lists only this account', async () => {
    const as = await newAccount();
    await addProperty({}, api.other);
    expect(await list('kind=profile', as)).toEqual([]);
  });

  it('has one key and no cursor', async () => {
    const { text } = await api.get('/v3/edit/properties?kind=profile', { as: await newAccount() });
    expect(text).toBe('{"properties":[]}');
  });

  it.each(['', '&limit=2', '&before=2020-01-01'])('returns all Properties without pages %s', async (query) => {
    const as = await newAccount();
    await seed(
      as,
      Array.from({ length: 600 }, (_, index) => ({ name: `p${index}` })),
    );
    const properties = await list(`kind=profile${query}`, as);
    expect(names(properties)).toEqual(Array.from({ length: 600 }, (_, index) => `p${599 - index}`));
  });

  it('filters by integration', async () => {
    const as = await newAccount();
    await seed(as, [
      { name: 'a', integration: 'api' },
      { name: 'b', integration: 'browser' },
      { name: 'c' },
      { name: 'd', integration: 'api' },
      { name: 'e', integration: 'api', kind: 'company' },
    ]);
    expect(names(await list('kind=profile&integration=api', as))).toEqual(['d', 'a']);
    expect(names(await list('kind=profile&integration=browser', as))).toEqual(['b']);
    expect(names(await list('kind=profile&integration=nobody', as))).toEqual([]);
    expect(names(await list('kind=profile', as))).toEqual(['d', 'c', 'b', 'a']);
  });

  it('rejects an integration that is not text', async () => {
    const { status, body } = await api.get('/v3/edit/properties?kind=profile&integration=');
    expect(status).toBe(422);
    expect(body.messages).toEqual([expect.stringContaining('`integration` must')]);
  });

  it('orders by created_at or last_seen_at, most recent first and never seen last', async () => {
    const as = await newAccount();
    await seed(as, [
      { name: 'never' },
      { name: 'long ago', last_seen_at: 0 },
      { name: 'newest', last_seen_at: 3_000_000_000_000 },
      { name: 'never too' },
      { name: 'recent', last_seen_at: 2_000_000_000_000 },
      { name: 'recent too', last_seen_at: 2_000_000_000_000 },
    ]);
    const byCreation = ['recent too', 'recent', 'never too', 'newest', 'long ago', 'never'];
    expect(names(await list('kind=profile', as))).toEqual(byCreation);
    expect(names(await list('kind=profile&order=created_at', as))).toEqual(byCreation);
    expect(names(await list('kind=profile&order=last_seen_at', as))).toEqual([
      'newest',
      'recent too',
      'recent',
      'long ago',
      'never too',
      'never',
    ]);
  });

  it.each(['name', 'updated_at', ''])('rejects the order %j', async (order) => {
    const { status, body } = await api.get('/v3/edit/properties', { query: `kind=profile&order=${order}` });
    expect(status).toBe(422);
    expect(body.messages).toEqual([expect.stringContaining('`order` must be one of `created_at`, `last_seen_at`')]);
  });

  it('shows the source, last time, types and values of a Property', async () => {
    const as = await newAccount();
    const values = ['Ann', 12, true, null, { a: ['ü'] }];
    await seed(as, [
      {
        name: 'seen',
        integration: 'browser',
        last_seen_at: 1234,
        types: '["string","integer"]',
        samples: JSON.stringify(values.map((value) => ({ value, of: unknownId }))),
      },
    ]);
    expect(await list('kind=profile', as)).toEqual([
      expect.objectContaining({
        integration: 'browser',
        last_seen_at: '1970-01-01T00:00:01.234Z',
        types: ['string', 'integer'],
        values,
      }),
    ]);
  });
});

describe('update', () => {
  it.each(['PUT', 'PATCH'])('%s changes the given fields, keeps the key and returns the Property', async (method) => {
    const property = await addProperty();
    const { status, body } = await api.send(method, `/v3/edit/properties/${property.id}`, {
      body: { name: 'Renamed' },
    });
    expect(status).toBe(200);
    expect(body).toEqual({ property: { ...property, name: 'Renamed', updated_at: body.property.updated_at } });
    expect(await list('kind=profile')).toContainEqual(body.property);
  });

  it('changes the description alone', async () => {
    const property = await addProperty();
    const { body } = await api.patch(`/v3/edit/properties/${property.id}`, { description: 'Better' });
    expect(body.property).toEqual({ ...property, description: 'Better', updated_at: body.property.updated_at });
  });

  it('does not change the kind and key', async () => {
    const property = await addProperty();
    const { body } = await api.patch(`/v3/edit/properties/${property.id}`, { kind: 'company', prop: 'mine' });
    expect(body).toEqual({
      property,
      warnings: [expect.stringContaining('`kind`'), expect.stringContaining('`prop`')],
    });
  });

  it('accepts the name of another Property, because the keys differ', async () => {
    const [first, second] = [await addProperty(), await addProperty()];
    const { status, body } = await api.patch(`/v3/edit/properties/${second.id}`, { name: first.name });
    expect(status).toBe(200);
    expect(body.property).toMatchObject({ name: first.name, prop: second.prop });
  });

  it.each([
    { name: '' },
    { name: null },
    { name: 12 },
    { name: 'n'.repeat(256) },
    { description: '' },
    { description: null },
    { description: 'd'.repeat(2001) },
  ])('rejects the change %#', async (params) => {
    const property = await addProperty();
    const { status, body } = await api.patch(`/v3/edit/properties/${property.id}`, params);
    expect(status).toBe(422);
    expect(body.messages).toEqual([expect.stringMatching(`^\`${Object.keys(params)[0]}\` (must|has)`)]);
    expect(await list('kind=profile')).toContainEqual(property);
  });

  it('keeps updated_at when nothing changes', async () => {
    const { id, name, description } = await addProperty();
    const before = await backdate(id);
    for (const params of [{}, { name }, { name, description }]) {
      const { body } = await api.patch(`/v3/edit/properties/${id}`, params);
      expect(body.property.updated_at).toBe(before);
    }
  });

  it('changes updated_at when something changes', async () => {
    const { id, created_at } = await addProperty();
    await backdate(id);
    const { body } = await api.patch(`/v3/edit/properties/${id}`, { description: 'Better' });
    expect(Date.parse(body.property.updated_at)).toBeGreaterThanOrEqual(Date.parse(created_at));
  });

  it('returns 404 for a Property that is unknown or of another account', async () => {
    const property = await addProperty({}, api.other);
    const params = { name: 'Mine now' };
    const [unknown, foreign] = [
      await api.patch(`/v3/edit/properties/${unknownId}`, params),
      await api.patch(`/v3/edit/properties/${property.id}`, params),
    ];
    expect(unknown.status).toBe(404);
    expect(foreign.text).toBe(unknown.text);
    expect(await list('kind=profile', api.other)).toContainEqual(property);
  });
});

describe('hide', () => {
  it('leaves a Property out of the list, but not when it is seen again, and shows it again', async () => {
    const as = await newAccount();
    await api.post('/v3/observe/hooks/profiles', { uid: 'ann', plan: 'pro', seats: 3 }, { as });
    const { id } = (await list('kind=profile', as)).find(({ prop }: { prop: string }) => prop === 'plan');
    const { body } = await api.patch(`/v3/edit/properties/${id}`, { hidden: true }, { as });
    expect(body.property).toMatchObject({ prop: 'plan', hidden: true });
    await api.post('/v3/observe/hooks/profiles', { uid: 'ann', plan: 'basic' }, { as });
    expect(names(await list('kind=profile', as))).toEqual(['seats']);
    expect(await list('kind=profile&hidden=true', as)).toMatchObject([{ id, hidden: true, values: ['basic', 'pro'] }]);
    expect((await api.get(`/v3/edit/properties/${id}`, { as })).status).toBe(200);
    await api.patch(`/v3/edit/properties/${id}`, { hidden: false }, { as });
    expect(await list('kind=profile', as)).toHaveLength(2);
  });
});

describe('delete', () => {
  const remove = (id: string, as = api.account) => api.send('DELETE', `/v3/edit/properties/${id}`, { as });
  const send = (uid: string, params: object, as: CreatedAccount) =>
    api.post('/v3/observe/hooks/profiles', { uid, ...params }, { as });
  const find = async (prop: string, as: CreatedAccount, kind = 'profile') =>
    (await list(`kind=${kind}`, as)).find((property: { prop: string }) => property.prop === prop);

  it('deletes and returns a Property, keeps the values, and registers it again when it is sent again', async () => {
    const as = await newAccount();
    await send('ann', { plan: 'pro' }, as);
    const property = await find('plan', as);
    const { status, body } = await remove(property.id, as);
    expect([status, body]).toEqual([200, { property }]);
    expect(await find('plan', as)).toBeUndefined();
    expect((await remove(property.id, as)).status).toBe(404);
    const { profile } = (await api.get('/v3/analyze/profile', { query: 'uid=ann', as })).body;
    expect(profile.plan).toBe('pro');
    await send('bob', { plan: 'basic' }, as);
    expect((await find('plan', as)).values).toEqual(['basic']);
  });

  it.each([
    ['a Segment', 'profile', () => ({ items: [{ kind: 'property', prop: 'plan', op: 'eq', value: 'pro' }] })],
    [
      'a group of a Segment',
      'profile',
      () => ({ items: [{ kind: 'group', filters: [{ kind: 'property', prop: 'plan.name', op: 'ex' }] }] }),
    ],
    ['a Segment by Company', 'company', () => ({ items: [{ kind: 'property', prop: 'company.plan', op: 'ex' }] })],
  ])('returns 409 with %s that uses it', async (_, kind, params) => {
    const as = await newAccount();
    await send('ann', kind === 'company' ? { company: { uid: 'acme', plan: 'pro' } } : { plan: 'pro' }, as);
    const made = await api.post('/v3/edit/segments', { name: 'Payers', ...params() }, { as });
    expect([made.status, made.body.messages]).toEqual([201, undefined]);
    const { id } = await find('plan', as, kind);
    const { status, body } = await remove(id, as);
    expect([status, body.messages]).toEqual([409, [expect.stringContaining('the Segment "Payers"')]]);
    expect(await find('plan', as, kind)).toBeDefined();
    await api.send('DELETE', `/v3/edit/segments/${made.body.segment.id}`, { as });
    expect((await remove(id, as)).status).toBe(200);
  });

  it('returns 409 while a text of a draft, a published version or a translation uses it', async () => {
    const as = await newAccount();
    await send('ann', { plan: 'pro', company: { uid: 'acme', plan: 'large' } }, as);
    const steps = [{ title: 'Hi', body: 'Your plan: {{plan | fallback: "none"}}' }];
    const params = { name: 'Plans', steps, published_at: '$now' };
    const { tour } = (await api.post('/v3/edit/tours', params, { as })).body;
    const { id } = await find('plan', as);
    const named = [expect.stringContaining('the tour "Plans"')];
    expect((await remove(id, as)).body).toEqual({ code: 409, messages: named });
    // Only the published version uses it.
    await api.patch(`/v3/edit/tours/${tour.id}`, { steps: [{ ...tour.steps[0], body: 'Nothing' }] }, { as });
    expect((await remove(id, as)).body.messages).toEqual(named);
    await api.patch(`/v3/edit/tours/${tour.id}`, { published_at: '$now' }, { as });
    // Only a translation uses it.
    const translate = async (text: string) => {
      const translation = { model_id: tour.steps[0].id, field: 'body', text };
      const params = { language: 'de', texts: [translation] };
      const { status, body } = await api.patch(`/v3/edit/tours/${tour.id}/translations`, params, { as });
      expect([status, body.messages]).toEqual([200, undefined]);
    };
    await api.post('/v3/edit/languages', { code: 'de' }, { as });
    await translate('Ihr Plan: {{plan}}');
    expect((await remove(id, as)).body.messages).toEqual(named);
    await translate('Nichts');
    expect((await remove(id, as)).status).toBe(200);
    // The Property of Companies has the same key, and is another one.
    await api.patch(`/v3/edit/tours/${tour.id}`, { steps: [{ ...tour.steps[0], body: '{{company.plan}}' }] }, { as });
    const ofCompanies = await find('plan', as, 'company');
    expect((await remove(ofCompanies.id, as)).body.messages).toEqual(named);
  });

  it('returns 404 for a Property that is unknown or of another account', async () => {
    const property = await addProperty({}, api.other);
    const [unknown, foreign] = [await remove(unknownId), await remove(property.id)];
    expect(unknown.status).toBe(404);
    expect(foreign.text).toBe(unknown.text);
    expect(await list('kind=profile', api.other)).toContainEqual(property);
  });
});
