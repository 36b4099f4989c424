import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Filter, isId } from '@usher/domain';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { randomRuns } from '../../../../../domain/test/random-runs.ts';
import { accountRows } from '../../../../test/account-rows.ts';
import { type Api, startApi } from '../../../../test/api.ts';
import { createTestDatabase, engine } from '../../../../test/engine.ts';
import { addUserRows, experienceId } from '../../../../test/user-rows.ts';
import { createApp } from '../../../app.ts';
import type { AppContext } from '../../../context.ts';
import { hasCitus } from '../../../db/postgres/citus-tables.ts';
import { tables } from '../../../db/schema.ts';
import { openKey } from '../../../keys/account-keys.ts';
import { createLog } from '../../../log/log.ts';
import { readSettings } from '../../../settings/settings.ts';
import { hashProfileId } from '../deletions/deletion-log.ts';
import { hashName } from '../deletions/record-deletions.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
afterAll(() => api.stop());

let count = 0;

interface User {
  id: string;
  uid: string;
  email: string;
  /** A unique text for each place that contains user data. */
  canaries: string[];
}

/** Creates a user with a unique text in every field. */
async function addUser(at = api, as = api.account): Promise<User> {
  const tag = `${++count}x`;
  const canaries: string[] = [];
  const canary = (place: string) => {
    canaries.push(`canary${place}${tag}`);
    return `canary${place}${tag}`;
  };
  const send = async (path: string, body: object) => {
    // Only its hash is stored, also before the user is forgotten.
    const headers = { 'Idempotency-Key': `${path} ${canaries.length} ${tag}` };
    const response = await at.post(`/v3/observe/hooks/${path}`, body, { as, headers });
    expect(response.status).toBeLessThan(300);
    return response.body;
  };
  const uid = canary('uid');
  const email = `${canary('Email')}@Acme.test`;
  const { profile } = await send('profiles', {
    uid,
    email,
    plan: canary('overwritten'),
    left: canary('removed'),
    nested: { deeply: { in: canary('nested') } },
    list: ['x', canary('listed')],
    company: { uid: 'canary company', motto: 'canary motto' },
  });
  await send('profiles', { uid, plan: canary('plain'), left: null });
  await send('profiles/batch', { profiles: [{ uid, by_batch: canary('batch') }] });
  const name = canary('eventname');
  for (const place of ['event1', 'event2'])
    await send('events', { uid, name, place: canary(place), more: { of: [canary(`${place}list`)] } });
  await addUserRows(at.app, as.account_id, profile.id, canary);
  const items: Filter[] = [
    { kind: 'property', prop: 'uid', op: 'eq', value: uid },
    { kind: 'property', prop: 'email', op: 'in', value: ['kept@acme.test', email.toUpperCase()] },
    {
      kind: 'group',
      filters_op: 'or',
      filters: [
        { kind: 'property', prop: 'id', op: 'ne', value: profile.id },
        {
          kind: 'group',
          filters: [{ kind: 'property', prop: 'uid', op: 'nin', value: [uid, 'kept'] }],
          filters_op: 'and',
        },
      ],
    },
  ];
  const named = items.slice(0, 2);
  await addRelated([named, items, [], named], at, as);
  expect((await at.post('/v3/edit/segments', { name: `Named ${tag}`, items }, { as })).status).toBe(201);
  await writeSamples(at, as);
  return { id: profile.id, uid, email, canaries: [...canaries, profile.id] };
}

/** Creates a Segment that an Experience uses, and sets each of these items in turn. */
async function addRelated(changes: object[][], at = api, as = api.account): Promise<{ segment: string; tour: string }> {
  const { body } = await at.post('/v3/edit/segments', { name: 'Used', items: [] }, { as });
  const segment = body.segment.id;
  const made = await at.post('/v3/edit/tours', { name: 'Uses it', segment_ids: [segment] }, { as });
  expect(made.status).toBe(201);
  for (const items of changes)
    expect((await at.send('PATCH', `/v3/edit/segments/${segment}`, { as, body: { items } })).status).toBe(200);
  return { segment, tour: made.body.tour.id };
}

/** The Changes of the Segments of an Experience. */
async function relatedOf(tour: string): Promise<unknown[]> {
  const { account_id } = api.account;
  const rows = await api.app.storage
    .reader(account_id)
    .selectFrom('changes')
    .select('object')
    .where('account_id', '=', account_id)
    .where('experience_id', '=', tour)
    .where('kind', '=', 'related')
    .orderBy('id')
    .execute();
  return rows.map(({ object }) => object.items);
}

/** Listing Properties writes the queued samples. */
async function writeSamples(at = api, as = api.account): Promise<void> {
  for (const kind of ['profile', 'event', 'company'])
    expect((await at.get('/v3/edit/properties', { as, query: `kind=${kind}` })).status).toBe(200);
}

/** Every row of every table. */
async function everything({ app }: { app: AppContext }, accounts = [api.account, api.other]): Promise<string> {
  const rows: unknown[] = [];
  const db = app.storage.reader(null);
  for (const [name, kind] of Object.entries(tables))
    if (kind === 'global')
      rows.push(
        await db
          .selectFrom(name as 'accounts')
          .selectAll()
          .execute(),
      );
  for (const { account_id } of accounts) rows.push(...Object.values(await accountRows(app, account_id)));
  return JSON.stringify(rows).toLowerCase();
}

/** All bytes of the SQLite files. */
function files(folder: string): string {
  const names = readdirSync(folder).filter((name) => name.startsWith('usher.db'));
  expect(names).toContain('usher.db');
  return names.map((name) => readFileSync(join(folder, name), 'latin1').toLowerCase()).join('\n');
}

const found = (text: string, canaries: readonly string[]) =>
  canaries.filter((canary) => text.includes(canary.toLowerCase()));
const forget = (path: string, as = api.account) => api.send('DELETE', `/v3/edit/profiles/${path}`, { as });

describe('forget', () => {
  it('returns the IDs of the profile and of the Deletion', async () => {
    const { id } = await addUser();
    const { status, body } = await forget(`${id}/forget`);
    expect(status).toBe(200);
    expect(body).toEqual({ profile: { id }, deletion: { id: expect.any(String) } });
    expect(isId(body.deletion.id)).toBe(true);
    expect(body.deletion.id).not.toBe(id);
  });

  it.each(['id', 'uid', 'email'] as const)('finds the user by %s', async (name) => {
    const user = await addUser();
    const query = new URLSearchParams({ [name]: name === 'email' ? user.email.toUpperCase() : user[name] }).toString();
    const { status, body } = await forget(`forget?${query}`);
    expect(status).toBe(200);
    expect(body).toEqual({ profile: { id: user.id }, deletion: { id: expect.any(String) } });
    expect(found(await everything(api), user.canaries)).toEqual([]);
    expect((await api.get(`/v3/analyze/profiles/${user.id}`)).status).toBe(404);
  });

  it('leaves nothing of the user in any table', async () => {
    const user = await addUser();
    expect(found(await everything(api), user.canaries)).toEqual(user.canaries);
    expect((await forget(`${user.id}/forget`)).status).toBe(200);
    expect(found(await everything(api), user.canaries)).toEqual([]);
    await writeSamples();
    expect(found(await everything(api), user.canaries)).toEqual([]);
    expect(found(await everything(api), ['canary motto', 'canary company'])).toHaveLength(2);
  });

  it.runIf(engine === 'sqlite')('leaves nothing of the user in the SQLite files', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'usher-forget-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const fresh = await startApi({ env: { USHER_DATA: folder } });
    const [user, neighbour] = [await addUser(fresh, fresh.account), await addUser(fresh, fresh.account)];
    await fresh.post('/v3/observe/hooks/profiles', { uid: user.uid, plan: 'canary noted' });
    expect(found(files(folder), user.canaries)).toEqual(user.canaries);
    expect((await fresh.send('DELETE', `/v3/edit/profiles/${user.id}/forget`)).status).toBe(200);
    const canaries = [...user.canaries, 'canary noted'];
    expect(found(files(folder), canaries)).toEqual([]);
    await writeSamples(fresh, fresh.account);
    expect(found(files(folder), canaries)).toEqual([]);
    expect(found(files(folder), neighbour.canaries)).toEqual(neighbour.canaries);
  });

  const tablesOfUsers = [
    'activities',
    'answers',
    'deliveries',
    'events',
    'exposures',
    'findings',
    'installation_entries',
    'interactions',
    'interruption_days',
    'merged_profiles',
    'outbox',
    'picks',
    'profile_events',
    'response_tags',
    'responses',
    'webhook_attempts',
    'webhook_events',
  ];

  it('lists every table that names users', async () => {
    const schema = (await api.app.storage.dumpSchema()).split('\n\n');
    const named = schema.filter((text) => /^ +profile_id /m.test(text)).map((text) => /table "?(\w+)/i.exec(text)?.[1]);
    expect(named).toEqual(tablesOfUsers);
  });

  it('deletes its rows in each of them and no others', async () => {
    const [user, neighbour, foreign] = [await addUser(), await addUser(), await addUser(api, api.other)];
    const countRows = async () => {
      const mine = await accountRows(api.app, api.account.account_id);
      const others = await accountRows(api.app, api.other.account_id);
      const countIn = (table: string, key: string) => {
        const rows = [...(mine[table] ?? []), ...(others[table] ?? [])].map((row) => JSON.parse(row)[key]);
        return [user, neighbour, foreign].map(({ id }) => rows.filter((one) => one === id).length);
      };
      return [...tablesOfUsers.map((table) => countIn(table, 'profile_id')), countIn('profiles', 'id')];
    };
    const before = await countRows();
    expect(before.flat().every((rows) => rows > 0)).toBe(true);
    await forget(`${user.id}/forget`);
    expect(await countRows()).toEqual(before.map(([, ...others]) => [0, ...others]));
  });

  it('keeps the data of other users and accounts', async () => {
    const [user, neighbour, foreign] = [await addUser(), await addUser(), await addUser(api, api.other)];
    const theirs = [...neighbour.canaries, ...foreign.canaries];
    const before = await accountRows(api.app, api.other.account_id);
    expect(found(await everything(api), theirs)).toEqual(theirs);
    await forget(`${user.id}/forget`);
    expect(found(await everything(api), theirs)).toEqual(theirs);
    expect(await accountRows(api.app, api.other.account_id)).toEqual(before);
  });

  it('keeps the same values of another user', async () => {
    const values = { colour: 'shared canary', tones: ['shared canary in a list'] };
    const [mine, theirs] = [
      await api.post('/v3/observe/hooks/profiles', { uid: 'shares 1', ...values }),
      await api.post('/v3/observe/hooks/profiles', { uid: 'shares 2', ...values }),
    ];
    await writeSamples();
    await forget(`${mine.body.profile.id}/forget`);
    const { body } = await api.get(`/v3/analyze/profiles/${theirs.body.profile.id}`);
    expect(body.profile).toMatchObject(values);
  });

  it('removes the values from Properties and keeps the Properties', async () => {
    const user = await addUser();
    const properties = async (kind: string) => {
      const { body } = await api.get('/v3/edit/properties', { query: `kind=${kind}` });
      return JSON.stringify(body.properties);
    };
    const props = async () => [await properties('profile'), await properties('event')].join();
    const before = await props();
    expect(found(before.toLowerCase(), user.canaries).length).toBeGreaterThanOrEqual(8);
    await forget(`${user.id}/forget`);
    const after = await props();
    expect(found(after.toLowerCase(), user.canaries)).toEqual([]);
    const names = (text: string) => [...text.matchAll(/"prop":"(\w+)"/g)].map(([, name]) => name);
    expect(names(after)).toEqual(names(before));
  });

  const bare = (items: { id: string }[]) => items.map(({ id: _, ...filter }) => filter);

  it('removes the names from Segments and keeps everything else in them', async () => {
    const { id, uid } = await addUser();
    await forget(`${id}/forget`);
    const { body } = await api.get('/v3/edit/segments', { query: 'limit=1' });
    expect(bare(body.segments[0].items)).toEqual([
      { kind: 'property', prop: 'uid', op: 'eq', value: '(forgotten)' },
      { kind: 'property', prop: 'email', op: 'in', value: ['kept@acme.test', '(forgotten)'] },
      {
        kind: 'group',
        filters: [
          { kind: 'property', prop: 'id', op: 'ne', value: '(forgotten)' },
          {
            kind: 'group',
            filters: [{ kind: 'property', prop: 'uid', op: 'nin', value: ['(forgotten)', 'kept'] }],
            filters_op: 'and',
          },
        ],
        filters_op: 'or',
      },
    ]);
    expect(uid).toMatch(/^canaryuid/);
  });

  it('removes a name from the names that Segments have and had, which are made from their filters', async () => {
    const user = await addUser();
    const items = [{ kind: 'property', prop: 'email', op: 'eq', value: user.email }];
    const { body: made } = await api.post('/v3/edit/segments', { name: `People whose email is ${user.email}`, items });
    const { id } = made.segment;
    const { body } = await api.post('/v3/edit/tours', { name: 'Tour', segment_ids: [id] });
    expect(body.messages).toBe(undefined);
    const name = `Not only ${user.uid} any more`;
    expect((await api.patch(`/v3/edit/segments/${id}`, { name, items: [] })).status).toBe(200);
    await forget(`${user.id}/forget`);
    expect((await api.get(`/v3/edit/segments/${id}`)).body.segment.name).toBe('Not only (forgotten) any more');
    expect(found(await everything(api), user.canaries)).toEqual([]);
  });

  it('removes a numeric uid from Segments', async () => {
    const { body } = await api.post('/v3/observe/hooks/profiles', { uid: 918273645 });
    const items = [{ kind: 'property', prop: 'uid', op: 'in', value: [918273645, 5] }];
    const { body: made } = await api.post('/v3/edit/segments', { name: 'Numbers', items });
    expect(made.segment.items[0].value).toEqual([918273645, 5]);
    await forget(`${body.profile.id}/forget`);
    expect(found(await everything(api), ['918273645'])).toEqual([]);
  });

  it.each([
    ['id', (user: User) => user.id],
    ['uid', (user: User) => user.uid.toUpperCase()],
    ['email', (user: User) => user.email.toUpperCase()],
  ] as const)(
    'takes a name by %s out of the change feed, which keeps its form and the other names',
    async (prop, of) => {
      const user = await addUser();
      const name = of(user);
      const lists = (mine: string) => [
        [{ kind: 'property', prop, op: 'in-i', value: ['kept', mine] }],
        [{ kind: 'group', filters: [{ kind: 'property', prop, op: 'nin-i', value: [mine] }], filters_op: 'or' }],
        [],
      ];
      const expectedFor = (mine: string) => {
        const [first, second, third] = lists(mine);
        return [
          [[], first],
          [first, second],
          [second, third],
        ];
      };
      const { tour } = await addRelated(lists(name));
      expect(await relatedOf(tour)).toEqual(expectedFor(name));
      expect((await forget(`${user.id}/forget`)).status).toBe(200);
      expect(await relatedOf(tour)).toEqual(expectedFor('(forgotten)'));
      expect(found(await everything(api), user.canaries)).toEqual([]);
    },
  );

  it('records no Change when a Segment that named the user is used by an Experience', async () => {
    const user = await addUser();
    const items = (value: string) => [{ kind: 'property', prop: 'uid', op: 'eq', value }];
    const { segment, tour } = await addRelated([items(user.uid)]);
    await forget(`${user.id}/forget`);
    expect(bare((await api.get(`/v3/edit/segments/${segment}`)).body.segment.items)).toEqual(items('(forgotten)'));
    expect(await relatedOf(tour)).toEqual([[[], items('(forgotten)')]]);
  });

  it('removes the names from every Change and keeps all other Changes', async () => {
    const user = await addUser();
    const { account_id, user_id: admin_id } = api.account;
    const of = { account_id, experience_id: experienceId, model_id: experienceId, model_type: 'Campaign' as const };
    const change = { ...of, admin_id, op: 'update' as const, options: '{}', path: `segments.${experienceId}` };
    const add = (kind: 'related' | 'update', object: object) => {
      const id = api.app.newId();
      return { ...change, id, write_id: id, kind, object: JSON.stringify(object) };
    };
    const named = { items: [[], [{ kind: 'property', prop: 'uid', op: 'eq', value: user.uid }]] };
    const rows = [
      ...Array.from({ length: 450 }, () => add('related', named)),
      add('related', { name: ['"uid"', '"email"'] }),
      add('update', { items: [['"uid"'], []] }),
    ];
    await api.app.storage.write(account_id, (db) => db.insertInto('changes').values(rows).execute());
    const changes = async () =>
      ((await accountRows(api.app, account_id)).changes ?? []).filter((row) => row.includes(experienceId));
    const before = await changes();
    await forget(`${user.id}/forget`);
    expect(await changes()).toEqual(before.map((row) => row.replaceAll(user.uid, '(forgotten)')).sort());
    expect(before.filter((row) => row.includes(user.uid))).toHaveLength(450);
  });

  // PostgreSQL has foreign keys for this.
  it.runIf(engine === 'sqlite')('deletes the profile after everything that belongs to it', async () => {
    const rowsOf = (table: string) =>
      `exists (select 1 from ${table} where account_id = old.account_id and profile_id = old.id)`;
    const tables = ['events', 'profile_events', 'interactions', 'answers', 'responses', 'deliveries'];
    await forbidDeletion(tables.map(rowsOf).join(' or '));
    const user = await addUser();
    expect((await forget(`${user.id}/forget`)).status).toBe(200);
  });

  it('deletes everything or nothing', async () => {
    const user = await addUser();
    const allow = await forbidDeletion(`old.id = '${user.id}'`);
    const before = await accountRows(api.app, api.account.account_id);
    expect((await forget(`${user.id}/forget`)).status).toBe(500);
    expect(await accountRows(api.app, api.account.account_id)).toEqual(before);
    await allow();
    expect((await forget(`${user.id}/forget`)).status).toBe(200);
    expect(found(await everything(api), user.canaries)).toEqual([]);
  });

  it('stores only an ID and a keyed hash, which proves the uid', async () => {
    const { id, uid } = await addUser();
    const from = Date.now();
    const { body } = await forget(`${id}/forget`);
    const accounts = api.app.storage.reader(null).selectFrom('accounts').selectAll();
    const [mine, other] = [
      await accounts.where('id', '=', api.account.account_id).executeTakeFirstOrThrow(),
      await accounts.where('id', '=', api.other.account_id).executeTakeFirstOrThrow(),
    ];
    const rows = (await accountRows(api.app, mine.id)).deletions?.map((row) => JSON.parse(row));
    const deletion = rows?.find((row) => row.id === body.deletion.id);
    const key = openKey(api.app.secretBox, mine, 'hash_key') ?? '';
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect(deletion).toEqual({
      account_id: mine.id,
      id: body.deletion.id,
      hash: hashName(key, `profile ${uid}`),
      profile_hash: hashProfileId(mine.id, id),
      exported_in: null,
    });
    expect(hashName(key, 'profile somebody else')).not.toBe(deletion.hash);
    expect(hashName(openKey(api.app.secretBox, other, 'hash_key') ?? '', `profile ${uid}`)).not.toBe(deletion.hash);
    const second = Number.parseInt(body.deletion.id.slice(0, 8), 16);
    expect(second).toBeGreaterThanOrEqual(Math.floor(from / 1000));
  });

  it('creates the hash key once', async () => {
    const [first, second] = [await addUser(), await addUser()];
    await forget(`${first.id}/forget`);
    const again = await forget(`${first.id}/forget`);
    expect(again.status).toBe(404);
    expect((await forget(`forget?uid=${first.uid}`)).text).toBe(again.text);
    const keys = () => api.app.storage.reader(null).selectFrom('accounts').select(['id', 'hash_key']).execute();
    const before = await keys();
    await forget(`${second.id}/forget`);
    expect(await keys()).toEqual(before);
  });

  it('treats the same uid as a new user later', async () => {
    const user = await addUser();
    await forget(`${user.id}/forget`);
    const { body } = await api.post('/v3/observe/hooks/events', { uid: user.uid, name: 'Back again' });
    expect(isId(body.event.id)).toBe(true);
    const { body: back } = await api.get(`/v3/analyze/profile?uid=${user.uid}`);
    expect(back.profile.id).not.toBe(user.id);
    expect(back.profile).toMatchObject({ email: null, last_seen_session_count: 0, delivery_ids: [] });
    expect(Object.keys(back.profile)).not.toContain('plan');
    expect((await api.get(`/v3/analyze/profiles/${user.id}`)).status).toBe(404);
    expect((await forget(`forget?uid=${user.uid}`)).body.profile.id).toBe(back.profile.id);
    expect(found(await everything(api), user.canaries)).toEqual([]);
  });

  it('requires an identifier, and rejects identifiers of different users', async () => {
    const [user, other] = [await addUser(), await addUser()];
    for (const path of ['forget', `${user.id}/forget?uid=${other.uid}`, `forget?id=${user.id}&email=${other.email}`])
      expect((await forget(path)).status).toBe(422);
    expect(found(await everything(api), user.canaries)).toEqual(user.canaries);
  });

  it('returns the same 404 for an unknown user and one of another account, and changes nothing', async () => {
    const user = await addUser(api, api.other);
    const unknown = await forget(`${'f'.repeat(24)}/forget`);
    expect(unknown.status).toBe(404);
    for (const path of [`${user.id}/forget`, `forget?uid=${user.uid}`, `forget?email=${user.email}`]) {
      const { status, text } = await forget(path);
      expect([path, status, text]).toEqual([path, 404, unknown.text]);
    }
    expect(found(await everything(api), user.canaries)).toEqual(user.canaries);
  });
});

describe('forget while samples are in memory', () => {
  it('does not restore a value that was queued but not yet written', async () => {
    const uid = 'noted user';
    const send = (value: string) =>
      Promise.all([
        api.post('/v3/observe/hooks/profiles', { uid, noted: value, others: [value] }),
        api.post('/v3/observe/hooks/events', { uid, name: 'Noted', noted_too: value }),
      ]);
    await send('before');
    await writeSamples();
    await send('canary noted');
    expect((await forget(`forget?uid=${encodeURIComponent(uid)}`)).status).toBe(200);
    await writeSamples();
    expect(found(await everything(api), ['canary noted', uid])).toEqual([]);
  });

  it('does not restore a value that another server has queued', async () => {
    const database = await createTestDatabase();
    onTestFinished(() => database.remove());
    const env = { ...database.env };
    const [one, two] = [await startApi({ env }), await startApi({ env })];
    const as = one.account;
    const user = await addUser(one, as);
    await two.post('/v3/observe/hooks/profiles', { uid: user.uid, plan: 'seen by two' }, { as });
    await writeSamples(two, as);
    const late = { plan: 'canary late', list: ['canary late'], left: 'canary late' };
    await two.post('/v3/observe/hooks/profiles', { uid: user.uid, ...late }, { as });
    await two.post('/v3/observe/hooks/events', { uid: user.uid, name: 'Late', place: 'canary late' }, { as });
    const { status } = await one.send('DELETE', `/v3/edit/profiles/${user.id}/forget`, { as });
    expect(status).toBe(200);
    const canaries = [...user.canaries, 'canary late', 'seen by two'];
    for (const server of [two, one]) {
      await writeSamples(server, as);
      expect(found(await everything(server, [as]), canaries)).toEqual([]);
    }
  });
});

describe('writes while a user is forgotten', () => {
  it('leaves nothing of the old profile when writes come concurrently', async () => {
    for (let round = 0; round < 3; round++) {
      const user = await addUser();
      const writes = Array.from({ length: 60 }, (_, index) => {
        if (index === 20 || index === 40) return forget(`forget?uid=${user.uid}`);
        if (index % 3 === 0)
          return api.post('/v3/observe/hooks/events', { uid: user.uid, name: 'Storm', place: 'storm' });
        if (index % 3 === 1) return api.post('/v3/observe/hooks/profiles', { id: user.id, plan: `storm ${index}` });
        return api.post('/v3/observe/hooks/profiles/batch', {
          profiles: [{ uid: user.uid, plan: `storm ${index}`, company_uid: 'canary company' }],
        });
      });
      const statuses = new Set((await Promise.all(writes)).map(({ status }) => status));
      expect([...statuses].filter((status) => ![200, 202, 404].includes(status))).toEqual([]);
      await writeSamples();
      expect(found(await everything(api), [user.id])).toEqual([]);
      const { status, body } = await api.get(`/v3/analyze/profile?uid=${user.uid}`);
      const ids = new Set<string>(status === 200 ? [body.profile.id] : []);
      expect(ids.has(user.id)).toBe(false);
      const rows = await accountRows(api.app, api.account.account_id);
      const stormy = [...(rows.events ?? []), ...(rows.profile_events ?? [])].filter((row) => row.includes('"storm"'));
      const profiles = new Set((rows.profiles ?? []).map((row) => JSON.parse(row).id));
      expect(stormy.filter((row) => !profiles.has(JSON.parse(row).profile_id))).toEqual([]);
    }
  });

  it('leaves the user in no Change when a Segment changes concurrently', async () => {
    for (let round = 0; round < randomRuns(3); round++) {
      const user = await addUser();
      const items = [{ kind: 'property', prop: 'uid', op: 'eq', value: user.uid }];
      const { segment } = await addRelated([items]);
      const responses = await Promise.all([
        forget(`${user.id}/forget`),
        api.patch(`/v3/edit/segments/${segment}`, { items: [] }),
      ]);
      expect(responses.map(({ status }) => status)).toEqual([200, 200]);
      expect(found(await everything(api), user.canaries)).toEqual([]);
    }
  });

  it('succeeds for one of ten concurrent requests', async () => {
    const user = await addUser();
    const responses = await Promise.all(Array.from({ length: 10 }, () => forget(`${user.id}/forget`)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(404)]);
    expect(found(await everything(api), user.canaries)).toEqual([]);
  });

  it('forgets many users concurrently', async () => {
    const users: User[] = [];
    for (let each = 0; each < 8; each++) users.push(await addUser());
    const responses = await Promise.all(users.map(({ id }) => forget(`${id}/forget`)));
    expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(new Set(responses.map(({ body }) => body.deletion.id)).size).toBe(8);
    await writeSamples();
    expect(
      found(
        await everything(api),
        users.flatMap(({ canaries }) => canaries),
      ),
    ).toEqual([]);
  });
});

describe('the log', () => {
  it('does not contain user data', async () => {
    const lines: string[] = [];
    const log = createLog('trace', { write: (line) => lines.push(line) });
    const httpApp = createApp(api.app, readSettings({}), log);
    onTestFinished(() => httpApp.close());
    const url = await httpApp.listen({ host: '127.0.0.1', port: 0 });
    const logged: Api = {
      ...api,
      send: async (method, path, { query, body, as } = {}) => {
        const response = await fetch(url + path + (query ? `?${query}` : ''), {
          method,
          headers: { 'X-Account-Secret': (as ?? api.account).account_secret },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        const text = await response.text();
        return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
      },
      get: (path, sent) => logged.send('GET', path, sent),
      post: (path, body, sent) => logged.send('POST', path, { body, ...sent }),
    };
    const user = await addUser(logged);
    for (const query of [`uid=${user.uid}`, `email=${user.email}`, `uid=${user.uid}&email=nobody`])
      await logged.get('/v3/analyze/profile', { query });
    await logged.send('DELETE', `/v3/edit/profiles/${user.id}`);
    await logged.send('DELETE', '/v3/edit/profiles/forget', { query: `email=${user.email}` });
    await logged.send('DELETE', `/v3/edit/profiles/${user.id}/forget`);
    const text = lines.join('').toLowerCase();
    expect(text).toContain('/v3/edit/profiles/forget');
    expect(found(text, user.canaries)).toEqual([]);
  });
});

/**
 * Makes the database reject the deletion of such a profile: on PostgreSQL with a row that refers to it, because Citus allows no
 * triggers. Returns a function that undoes this.
 */
async function forbidDeletion(condition: string): Promise<() => Promise<void>> {
  const run = (...statements: string[]) =>
    api.app.storage.write(null, async (db) => {
      for (const statement of statements) await sql.raw(statement).execute(db.withoutPlugins());
    });
  if (engine === 'sqlite')
    await run(
      `create trigger forbid before delete on profiles when ${condition} begin select raise(abort, 'forbidden'); end`,
    );
  else {
    const id = 'text collate "C" not null';
    await run(`create table kept_profiles (account_id ${id}, id ${id}, primary key (account_id, id))`);
    if (await hasCitus(api.app.storage.reader(null)))
      await run(`select create_distributed_table('kept_profiles', 'account_id', colocate_with => 'profiles')`);
    await run('alter table kept_profiles add foreign key (account_id, id) references profiles (account_id, id)');
    await run(`insert into kept_profiles select account_id, id from profiles as old where ${condition}`);
  }
  const allow = () => run(engine === 'sqlite' ? 'drop trigger if exists forbid' : 'drop table if exists kept_profiles');
  onTestFinished(allow);
  return allow;
}
