import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Api, type ApiResponse, startApi } from '../../../../test/api.ts';
import { addSignedIn, forgetConfirmation } from '../../../../test/sign-in.ts';
import { sweepImports } from '../import-files/sweep-files.ts';

let api: Api;
let now = Date.now();
beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => now });
});
afterAll(() => api.stop());
beforeEach(() => api.replaceAccounts());

const unknownId = 'f'.repeat(24);
const path = '/v3/edit/imports';
const uid = { name: 'id', prop: 'uid' };
const plan = { name: 'plan', prop: 'plan' };

/** A form with a file, as clients send it. */
function form(file: string | Uint8Array<ArrayBuffer>, fields: Record<string, unknown> = {}): FormData {
  const data = new FormData();
  for (const [key, value] of Object.entries(fields))
    data.append(key, typeof value === 'string' ? value : JSON.stringify(value));
  data.append('file', new Blob([file]), 'people.csv');
  return data;
}
const upload = (file: string | Uint8Array<ArrayBuffer>, fields: Record<string, unknown> = {}) =>
  api.send('POST', path, { body: form(file, { name: 'Beta', kind: 'update_csv', ...fields }) });
const show = async (id: string) => (await api.get(`${path}/${id}`)).body.import;
const problemsOf = ({ status, body }: ApiResponse) => [status, ...(body.messages ?? [])];

/** Waits until an import has ended. */
async function ended(id: string) {
  return vi.waitFor(
    async () => {
      const found = await show(id);
      expect(['completed', 'error']).toContain(found.stats.last_import_state);
      return found;
    },
    { timeout: 20_000, interval: 20 },
  );
}

/** Creates an import, starts it, and waits until it has ended. */
async function run(file: string | null, fields: Record<string, unknown>) {
  const params = { name: 'Beta', import_at: '$now', ...fields };
  const created = file === null ? await api.post(path, params) : await upload(file, params);
  expect(problemsOf(created)).toEqual([201]);
  return ended(created.body.import.id);
}

async function profile(ofUid: string) {
  const { status, body } = await api.get('/v3/analyze/profile', { query: `uid=${ofUid}` });
  return status === 404 ? undefined : body.profile;
}
async function addProfiles(...uids: string[]): Promise<void> {
  const profiles = uids.map((uid) => ({ uid, email: `${uid}@acme.test`, plan: 'free' }));
  expect((await api.post('/v3/observe/hooks/profiles/batch', { profiles })).status).toBe(202);
}
async function errorsOf(id: string): Promise<string> {
  const { status, headers, text } = await api.get(`${path}/${id}/errors.csv`);
  expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
  return text;
}
const countRows = (table: 'import_pieces' | 'import_failures') =>
  api.app.storage
    .reader(api.account.account_id)
    .selectFrom(table)
    .selectAll()
    .where('account_id', '=', api.account.account_id)
    .execute()
    .then(({ length }) => length);

describe('an import', () => {
  it('is created, listed, shown, changed and deleted', async () => {
    const { status, body } = await api.post(path, { name: 'Beta', kind: 'tag_csv' });
    expect([status, Object.keys(body)]).toEqual([201, ['import']]);
    const { id, created_at, updated_at, user, ...rest } = body.import;
    expect(updated_at).toBe(created_at);
    expect(user.email).toBe('ann@acme.test');
    expect(rest).toEqual({
      name: 'Beta',
      kind: 'tag_csv',
      model_kind: 'profile',
      tag_import_id: null,
      tag: null,
      on_model_missing: 'create',
      head_columns: null,
      import_at: null,
      dry_run: false,
      properties: [],
      filters: [],
      filters_op: 'and',
      segment_ids: [],
      segments_op: 'and',
      excluded_segment_ids: [],
      stats: {
        data_size: null,
        rows_count: null,
        last_row: 0,
        last_import_state: null,
        last_import_error: null,
        last_import_at: null,
        last_import_elapsed: null,
        is_dry_run: false,
        created_count: 0,
        updated_count: 0,
        deleted_count: 0,
        ignored_count: 0,
        failed_count: 0,
      },
    });
    const changed = await api.patch(`${path}/${id}`, { name: 'Gamma', on_model_missing: 'ignore' });
    expect(changed.body.import).toMatchObject({ id, name: 'Gamma', on_model_missing: 'ignore' });
    const companies = await api.post(path, { name: 'Firms', kind: 'delete_filters', model_kind: 'company' });
    const list = async (query: string) =>
      (await api.get(path, { query })).body.imports.map((one: { id: string }) => one.id);
    expect(await list('')).toEqual([companies.body.import.id, id]);
    expect(await list('model_kind=profile')).toEqual([id]);
    expect((await api.send('DELETE', `${path}/${id}`)).status).toBe(200);
    expect((await api.get(`${path}/${id}`)).status).toBe(404);
  });

  it('shows the columns and the first rows of its file', async () => {
    const { body } = await upload('\ufeffid;Name\r\n1;"Ann; Lee"\r\n2;Bob\r\n');
    const { id, head_columns, stats } = body.import;
    expect(head_columns).toEqual(['id', 'Name']);
    expect(stats).toMatchObject({ rows_count: 2, data_size: 33 });
    expect((await api.get(`${path}/${id}/preview`)).body.preview).toEqual({
      head_columns: ['id', 'Name'],
      rows: [
        ['1', 'Ann; Lee'],
        ['2', 'Bob'],
      ],
      properties: [
        { name: 'id', prop: 'uid' },
        { name: 'Name', prop: 'name' },
      ],
    });
    const replaced = await api.send('PATCH', `${path}/${id}`, { body: form('a\tb\n1\t2\n') });
    expect(replaced.body.import.head_columns).toEqual(['a', 'b']);
    expect(await countRows('import_pieces')).toBe(1);
  });

  it.each([
    ['an empty file', '', /The file is empty/],
    ['a file without rows', 'id,plan\r\n\r\n', /no rows below/],
    ['a quote that is not closed', 'id\n1\n"2\n', /row 3 has a quote that is not closed/],
    ['other bytes than UTF-8', new Uint8Array([0x69, 0x0a, 0xff, 0xfe]), /not UTF-8/],
    ['UTF-16', new Uint8Array(Buffer.from('id\n1\n', 'utf16le')), /not UTF-8/],
  ])('rejects %s, and stores nothing of it', async (_, file, message) => {
    const { status, body } = await upload(file);
    expect([status, body.messages]).toEqual([422, [expect.stringMatching(message)]]);
    expect((await api.get(path)).body.imports).toEqual([]);
    expect(await countRows('import_pieces')).toBe(0);
  });

  it('returns 422 for a column that is not in the file, before and after the upload', async () => {
    const early = await api.post(path, { name: 'A', kind: 'update_csv', properties: [uid, { name: 'x', prop: 'x' }] });
    expect(early.status).toBe(201);
    const late = await api.send('PATCH', `${path}/${early.body.import.id}`, { body: form('id,plan\n1,pro\n') });
    const message = '`properties[1].name` is “x”, which is no column of the file: its columns are “id”, “plan”';
    expect(problemsOf(late)).toEqual([422, message]);
    expect(problemsOf(await upload('id,plan\n1,pro\n', { properties: [uid, { name: 'x', prop: 'x' }] }))).toEqual([
      422,
      message,
    ]);
    expect(await countRows('import_pieces')).toBe(0);
  });

  it('returns 422 for a start before there are a file and a mapping of `uid`', async () => {
    const { body } = await api.post(path, { name: 'A', kind: 'update_csv' });
    const start = (params: object = {}) => api.patch(`${path}/${body.import.id}`, { import_at: '$now', ...params });
    expect((await start()).body.messages).toEqual([
      expect.stringContaining('`file` is needed'),
      expect.stringContaining('map a column to `uid`'),
    ]);
    await api.send('PATCH', `${path}/${body.import.id}`, { body: form('mail\na@b.test\n') });
    const properties = [{ name: 'mail', prop: 'email' }];
    expect((await start({ properties })).body.messages).toEqual([
      expect.stringContaining('must map a column to `uid` when missing ones are created'),
    ]);
    expect((await start({ properties, on_model_missing: 'ignore' })).status).toBe(200);
    expect((await ended(body.import.id)).stats.ignored_count).toBe(1);
  });

  it('returns 422 for parameters that its kind does not have, and 404 for unknown Segments and imports', async () => {
    const filters = [{ kind: 'property', prop: 'plan', op: 'eq', value: 'pro' }];
    const create = async (params: object) => (await api.post(path, { name: 'A', ...params })).status;
    expect(await create({ kind: 'update_csv', filters })).toBe(422);
    expect(await create({ kind: 'tag_filters', properties: [uid] })).toBe(422);
    expect(await create({ kind: 'tag_filters', import_at: '$now' })).toBe(422);
    expect(await create({ kind: 'tag_filters', filters, dry_run: true })).toBe(422);
    expect(await create({ kind: 'tag_filters', model_kind: 'company', segment_ids: [unknownId] })).toBe(422);
    expect(
      await create({ kind: 'tag_filters', model_kind: 'company', filters: [{ kind: 'event', op: 'ex', value: 'a' }] }),
    ).toBe(422);
    expect(await create({ kind: 'update_csv', tag_import_id: unknownId })).toBe(422);
    expect(await create({ kind: 'tag_csv', tag_import_id: unknownId })).toBe(404);
    expect(await create({ kind: 'tag_filters', segment_ids: [unknownId] })).toBe(404);
    expect((await api.get(path)).body.imports).toEqual([]);
  });

  it('belongs to its account, and needs an editor', async () => {
    const { body } = await upload('id\n1\n');
    const { id } = body.import;
    for (const end of ['', '/preview', '/errors.csv'])
      expect((await api.get(`${path}/${id}${end}`, { as: api.other })).status).toBe(404);
    expect((await api.patch(`${path}/${id}`, { name: 'Mine' }, { as: api.other })).status).toBe(404);
    expect((await api.send('DELETE', `${path}/${id}`, { as: api.other })).status).toBe(404);
  });
});

describe('an import of a CSV file', () => {
  it('creates and updates people with their Companies, and registers the properties', async () => {
    await addProfiles('1');
    const file = 'id,Mail,plan,Seats,Firm,Firm plan\n1,,pro,5,acme,gold\n2,two@acme.test,"a, b",,,\n\n1,,team,,,\n';
    const properties = [
      uid,
      plan,
      { name: 'Mail', prop: 'email' },
      { name: 'Seats', prop: 'Seat Count' },
      { name: 'Firm', prop: 'company_uid' },
    ];
    const done = await run(file, { kind: 'update_csv', properties });
    expect(done.stats).toMatchObject({
      last_import_state: 'completed',
      rows_count: 3,
      last_row: 3,
      created_count: 1,
      updated_count: 2,
      failed_count: 0,
      last_import_error: null,
    });
    expect(done.stats.last_import_elapsed).toBeGreaterThanOrEqual(0);
    const one = await profile('1');
    expect(one).toMatchObject({ plan: 'team', seat_count: 5, email: '1@acme.test', company: { uid: 'acme' } });
    expect(one.firm_plan).toBeUndefined();
    expect(await profile('2')).toMatchObject({ plan: 'a, b', email: 'two@acme.test' });
    const { body } = await api.get('/v3/edit/properties', { query: 'kind=profile' });
    expect(body.properties).toContainEqual(expect.objectContaining({ prop: 'seat_count', integration: 'import' }));
    expect(await countRows('import_pieces')).toBe(0);
  });

  it('creates and updates Companies', async () => {
    await api.post('/v3/observe/hooks/companies', { uid: 'acme', plan: 'free' });
    const done = await run('id,plan\nacme,gold\nother,\n', {
      kind: 'update_csv',
      model_kind: 'company',
      properties: [uid, plan],
    });
    expect(done.stats).toMatchObject({ created_count: 1, updated_count: 1 });
    const { body } = await api.get('/v3/analyze/company', { query: 'uid=acme' });
    expect(body.company.plan).toBe('gold');
  });

  it('lists the rows that failed with the reason, and with formulas as text', async () => {
    const file = `id,plan\n1,pro\n${'x'.repeat(300)},=HYPERLINK("http://a")\n3,pro,7\n"",@x\n4,\n`;
    const done = await run(file, { kind: 'update_csv', properties: [uid, plan] });
    expect(done.stats).toMatchObject({ created_count: 2, failed_count: 3, last_row: 5, rows_count: 5 });
    const [head, ...rows] = (await errorsOf(done.id)).split('\r\n');
    expect(head).toBe('row,reason,id,plan');
    expect(rows[0]).toMatch(/^3,`uid` has 300 characters: 255 at most,x{300},"'=HYPERLINK\(""http:\/\/a""\)"$/);
    expect(rows[1]).toBe('4,"The row has 3 cells, but the file has 2 columns",3,pro,7');
    expect(rows[2]).toMatch(/^5,.*`uid` is required.*,,'@x$/);
  });

  it('ignores people who do not exist, if it is to', async () => {
    await addProfiles('1');
    const done = await run('id,plan\n1,pro\n2,pro\n', {
      kind: 'update_csv',
      on_model_missing: 'ignore',
      properties: [uid, plan],
    });
    expect(done.stats).toMatchObject({ created_count: 0, updated_count: 1, ignored_count: 1 });
    expect(await profile('2')).toBeUndefined();
  });

  it('changes nothing in a dry run, counts the same, and can be changed and started after it', async () => {
    await addProfiles('1');
    const params = { kind: 'update_csv', properties: [uid, plan] };
    const dry = await run('id,plan\n1,pro\n2,pro\n,x\n', { ...params, dry_run: true });
    expect(dry).toMatchObject({ import_at: null, dry_run: true });
    const counts = { created_count: 1, updated_count: 1, failed_count: 1, last_row: 3 };
    expect(dry.stats).toMatchObject({ ...counts, is_dry_run: true });
    expect((await errorsOf(dry.id)).split('\r\n')).toHaveLength(3);
    expect((await profile('1')).plan).toBe('free');
    expect(await profile('2')).toBeUndefined();
    expect((await api.get(`${path}/${dry.id}/preview`)).body.preview.rows).toHaveLength(3);
    expect((await api.patch(`${path}/${dry.id}`, { name: 'Real' })).status).toBe(200);
    expect((await api.patch(`${path}/${dry.id}`, { import_at: '$now' })).status).toBe(200);
    const done = await vi.waitFor(
      async () => {
        const found = await show(dry.id);
        expect(found.stats).toMatchObject({ last_import_state: 'completed', is_dry_run: false });
        return found;
      },
      { timeout: 20_000, interval: 20 },
    );
    expect(done.stats).toMatchObject(counts);
    expect((await profile('1')).plan).toBe('pro');
    expect((await api.patch(`${path}/${dry.id}`, { name: 'Later' })).status).toBe(409);
    expect((await api.patch(`${path}/${dry.id}`, { import_at: '$now' })).status).toBe(409);
  });

  it('starts at its time, and can be unscheduled until then', async () => {
    const { body } = await upload('id\n1\n', { properties: [uid], import_at: '+1d' });
    const { id } = body.import;
    expect((await api.patch(`${path}/${id}`, { name: 'Later' })).status).toBe(409);
    expect((await api.patch(`${path}/${id}`, { import_at: null })).body.import.import_at).toBe(null);
    expect((await api.patch(`${path}/${id}`, { import_at: '+1d' })).status).toBe(200);
    expect((await show(id)).stats.last_import_state).toBe(null);
    const before = now;
    onTestFinished(() => {
      now = before;
    });
    now += 25 * 60 * 60_000;
    expect((await ended(id)).stats.created_count).toBe(1);
  });
});

describe('a tag import', () => {
  it('marks people, so that a Segment finds them, and adds to the tag of another import', async () => {
    await addProfiles('1', '2', '3');
    const first = await run('id\n1\n9\n', {
      name: 'Beta Customers',
      kind: 'tag_csv',
      on_model_missing: 'ignore',
      properties: [uid],
    });
    expect(first).toMatchObject({ tag: 'beta_customers', stats: { updated_count: 1, ignored_count: 1 } });
    const filters = [{ kind: 'property', prop: 'email', op: 'eq', value: '2@acme.test' }];
    const second = await run(null, { name: 'More', kind: 'tag_filters', filters, tag_import_id: first.id });
    expect(second).toMatchObject({ tag: 'beta_customers', stats: { updated_count: 1, rows_count: 1 } });
    const other = await run(null, { name: 'Other', kind: 'tag_filters', filters });
    expect(other.tag).toBe('other');
    expect((await profile('2')).import_tags).toEqual(['beta_customers', 'other']);
    const tagged = { kind: 'property', prop: 'import_tags', op: 'in-a', value: 'beta_customers' };
    const segment = await api.post('/v3/edit/segments', { name: 'Beta', items: [tagged] });
    const query = `segment_id=${segment.body.segment.id}`;
    const { body } = await api.get('/v3/analyze/profiles', { query });
    expect(body.profiles.map((one: { uid: string }) => one.uid).sort()).toEqual(['1', '2']);
  });

  it('tags Companies, and people by Segments', async () => {
    await api.post('/v3/observe/hooks/profiles', { uid: '1', plan: 'pro', company: { uid: 'a', size: 3 } });
    await api.post('/v3/observe/hooks/profiles', { uid: '2', plan: 'free', company: { uid: 'b', size: 30 } });
    const filters = [{ kind: 'property', prop: 'size', op: 'gt', value: 10 }];
    const firms = await run(null, { name: 'Large', kind: 'tag_filters', model_kind: 'company', filters });
    expect(firms.stats.updated_count).toBe(1);
    expect((await api.get('/v3/analyze/company', { query: 'uid=b' })).body.company.import_tags).toEqual(['large']);
    const add = async (value: string) => {
      const items = [{ kind: 'property', prop: 'plan', op: 'eq', value }];
      return (await api.post('/v3/edit/segments', { name: value, items })).body.segment.id;
    };
    const [pro, free] = [await add('pro'), await add('free')];
    const params = { name: 'Both', kind: 'tag_filters', segment_ids: [pro, free], segments_op: 'or' };
    const done = await run(null, { ...params, excluded_segment_ids: [free] });
    expect(done.stats.updated_count).toBe(1);
    expect((await profile('1')).import_tags).toEqual(['both']);
  });
});

describe('a delete import', () => {
  it('forgets people by a file, with Deletions, and leaves nothing of the file', async () => {
    await addProfiles('1', '2', '3');
    const dry = await run('id\n1\n3\n7\n', { kind: 'delete_csv', properties: [uid], dry_run: true });
    expect(dry.stats).toMatchObject({ deleted_count: 2, ignored_count: 1 });
    expect(await profile('1')).toBeDefined();
    const done = await run('id\n1\n3\n7\n', { kind: 'delete_csv', properties: [uid] });
    expect(done.stats).toMatchObject({ deleted_count: 2, ignored_count: 1 });
    expect(await Promise.all(['1', '2', '3'].map(profile))).toEqual([undefined, expect.anything(), undefined]);
    const { body } = await api.get('/v3/analyze/audit_entries', { query: 'action=profile.forget' });
    expect(body.audit_entries).toMatchObject([{ action: 'profile.forget', details: { count: 2 } }]);
  });

  it('forgets the people that filters find, and nobody who came later', async () => {
    await addProfiles('1', '2');
    await api.post('/v3/observe/hooks/profiles', { uid: '3', plan: 'pro' });
    const filters = [{ kind: 'property', prop: 'plan', op: 'eq', value: 'free' }];
    const done = await run(null, { kind: 'delete_filters', filters });
    expect(done.stats).toMatchObject({ deleted_count: 2, rows_count: 2 });
    expect((await api.get('/v3/analyze/profiles/count')).body.count).toBe(1);
  });

  it('deletes Companies, whose people stay', async () => {
    await api.post('/v3/observe/hooks/profiles', { uid: '1', company: { uid: 'a' } });
    await api.post('/v3/observe/hooks/companies', { uid: 'b', plan: 'old' });
    const csv = await run('id\na\nz\n', { kind: 'delete_csv', model_kind: 'company', properties: [uid] });
    expect(csv.stats).toMatchObject({ deleted_count: 1, ignored_count: 1 });
    expect((await profile('1')).company).toBeUndefined();
    const filters = [{ kind: 'property', prop: 'plan', op: 'eq', value: 'old' }];
    const found = await run(null, { kind: 'delete_filters', model_kind: 'company', filters });
    expect(found.stats.deleted_count).toBe(1);
    expect((await api.get('/v3/analyze/companies')).body.companies).toEqual([]);
  });

  it('needs the password of the last minutes of somebody who has signed in', async () => {
    const { body } = await upload('id\n1\n', { kind: 'delete_csv', properties: [uid] });
    const editor = await addSignedIn(api, 'editor');
    await forgetConfirmation(api, editor.personId);
    const start = (params: object) => editor.browser.patch(`${path}/${body.import.id}`, params);
    const rejected = await start({ import_at: '$now' });
    expect([rejected.status, rejected.body.confirm]).toEqual([403, 'password']);
    expect((await start({ import_at: '$now', dry_run: true })).status).toBe(200);
  });
});

describe('forgetting a user', () => {
  it('removes their rows from files that wait and from rows that failed, and their names from filters', async () => {
    await addProfiles('ann17', 'bob18');
    const file = 'id,plan,note\nann17,pro,\nbob18,pro,\nx,pro,ANN17@acme.test\n,pro,ann17@acme.test\n';
    const waiting = (await upload(file, { properties: [uid, plan] })).body.import;
    const failed = await run(file, { kind: 'update_csv', properties: [uid, plan] });
    expect(failed.stats.failed_count).toBe(1);
    const filters = [{ kind: 'property', prop: 'email', op: 'eq', value: 'ann17@acme.test' }];
    const named = (await api.post(path, { name: 'ann17@acme.test', kind: 'tag_filters', filters })).body.import;
    expect((await api.send('DELETE', '/v3/edit/profiles/forget', { query: 'uid=ann17' })).status).toBe(200);
    expect((await api.get(`${path}/${waiting.id}/preview`)).body.preview.rows).toEqual([['bob18', 'pro', '']]);
    expect(await errorsOf(failed.id)).toBe('row,reason,id,plan,note\r\n');
    expect(JSON.stringify(await show(named.id))).not.toContain('ann17');
    expect((await api.patch(`${path}/${waiting.id}`, { import_at: '$now' })).status).toBe(200);
    expect((await ended(waiting.id)).stats).toMatchObject({ updated_count: 1, last_row: 1 });
    expect(await profile('ann17')).toBeUndefined();
  });
});

describe('stored files', () => {
  it('are limited, and the limit says what to do', async () => {
    const small = await startApi({ env: { USHER_IMPORT_STORAGE: '1' } });
    const big = form(`id\n${`${'x'.repeat(99)}\n`.repeat(6000)}`, { name: 'A', kind: 'update_csv' });
    expect((await small.send('POST', path, { body: big })).status).toBe(201);
    const second = await small.send('POST', path, { body: big });
    expect([second.status, second.body.messages[0]]).toEqual([413, expect.stringContaining('USHER_IMPORT_STORAGE')]);
  });

  it('are deleted with their import, and a week after nobody has started it', async () => {
    const first = (await upload('id\n1\n')).body.import;
    await api.send('DELETE', `${path}/${first.id}`);
    expect(await countRows('import_pieces')).toBe(0);
    const { id } = (await upload('id\n1\n', { properties: [uid] })).body.import;
    await run('id,plan\n,pro\n', { kind: 'update_csv', properties: [uid] });
    await sweepImports(api.app);
    expect([await countRows('import_pieces'), await countRows('import_failures')]).toEqual([1, 1]);
    const before = now;
    onTestFinished(() => {
      now = before;
    });
    now += 8 * 24 * 60 * 60_000;
    await sweepImports(api.app);
    expect([await countRows('import_pieces'), await countRows('import_failures')]).toEqual([0, 1]);
    const start = await api.patch(`${path}/${id}`, { import_at: '$now' });
    expect(problemsOf(start)).toEqual([422, expect.stringContaining('`file` is needed')]);
    now += 30 * 24 * 60 * 60_000;
    await sweepImports(api.app);
    expect(await countRows('import_failures')).toBe(0);
  });
});
