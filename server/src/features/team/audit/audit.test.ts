import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';
import { addSignedIn, addToAccount, Browser, PASSWORD, storeSession } from '../../../../test/sign-in.ts';
import { FailedSignIns } from '../sessions/failed-sign-ins.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false, env: { USHER_LIMIT_SIGN_INS: '0' } });
});
beforeEach(() => api.replaceAccounts());
afterAll(() => api.stop());

interface Entry {
  id: string;
  action: string;
  target_type: string;
  target_id: string;
  target_name: string | null;
  details: Record<string, unknown>;
  secret_id: string | null;
  network: string | null;
  user: { id: string; name: string } | null;
}
const list = async (query = ''): Promise<Entry[]> =>
  (await api.get('/v3/analyze/audit_entries', { query })).body.audit_entries;

describe('the audit log', () => {
  it('records each action of an administrator with who did it, from where and to what', async () => {
    const { browser, id, email } = await addSignedIn(api, 'owner');
    const viewer = await addSignedIn(api, 'viewer');
    await browser.signIn(email);
    const { secret } = (await browser.post('/v3/edit/secrets', { name: 'Export', scope: 'read' })).body;
    await browser.delete(`/v3/edit/secrets/${secret.id}`);
    await browser.patch('/v3/edit/account', { name: 'Renamed', allow_scripts: true });
    await browser.post('/v3/edit/account/uid_secret');
    const { invitation } = (await browser.post('/v3/edit/invitations', { role: 'viewer' })).body;
    await browser.delete(`/v3/edit/invitations/${invitation.id}`);
    await browser.patch(`/v3/edit/admins/${viewer.id}`, { role: 'editor' });
    await browser.delete(`/v3/edit/admins/${viewer.id}`);
    const steps = [{ title: 'Hello', body: 'This is it.', buttons: [{ text: 'Next' }] }];
    const { tour } = (await browser.post('/v3/edit/tours', { name: 'Live', steps, published_at: '$now' })).body;
    await browser.patch(`/v3/edit/tours/${tour.id}`, { published_at: null });
    const hook = { url: 'https://hooks.acme.test/very-secret-path', topics: ['tour.*'] };
    const { webhook } = (await browser.post('/v3/edit/webhooks', hook)).body;
    await browser.post(`/v3/edit/webhooks/${webhook.id}/rotate`);
    await browser.patch(`/v3/edit/webhooks/${webhook.id}`, { topics: ['survey.*'] });
    await browser.delete(`/v3/edit/webhooks/${webhook.id}`);
    const { url } = (await browser.post('/v3/edit/urls', { host: 'app.acme.test' })).body;
    await browser.patch(`/v3/edit/urls/${url.id}`, { enabled: 'off' });
    const { url_group } = (await browser.post('/v3/edit/url_groups', { name: 'Staging' })).body;
    await browser.patch(`/v3/edit/url_groups/${url_group.id}`, { name: 'Test' });
    const { language } = (await browser.post('/v3/edit/languages', { code: 'de' })).body;
    await browser.delete(`/v3/edit/languages/${language.id}`);
    const group = { name: 'Few', max_count: 1, period_hours: 24 };
    const { limit_group } = (await browser.post('/v3/edit/limit_groups', group)).body;
    await browser.patch(`/v3/edit/limit_groups/${limit_group.id}`, { max_count: 2 });
    await browser.delete(`/v3/edit/limit_groups/${limit_group.id}`);
    const { alert_group } = (await browser.post('/v3/edit/alert_groups', { name: 'Quiet', interval: 7 })).body;
    await browser.patch(`/v3/edit/alert_groups/${alert_group.id}`, { interval: 14 });
    await browser.delete(`/v3/edit/alert_groups/${alert_group.id}`);
    await api.post('/v3/observe/hooks/profiles', { uid: 'forgotten-user' });
    await browser.send('DELETE', '/v3/edit/profiles/forget', { query: 'uid=forgotten-user' });
    await browser.patch('/v3/person', { name: 'Kim Lee', password: 'another password' });
    await browser.delete('/v3/session');

    const entries = (await list()).filter(({ user }) => user?.id === id).toReversed();
    expect(entries.map(({ action }) => action)).toEqual([
      'session.create',
      'secret.create',
      'secret.delete',
      'account.update',
      'account.create_uid_secret',
      'invitation.create',
      'invitation.delete',
      'admin.update',
      'admin.delete',
      'experience.publish',
      'experience.unpublish',
      'webhook.create',
      'webhook.rotate',
      'webhook.update',
      'webhook.delete',
      'url.create',
      'url.update',
      'url_group.create',
      'url_group.update',
      'language.create',
      'language.delete',
      'limit_group.create',
      'limit_group.update',
      'limit_group.delete',
      'alert_group.create',
      'alert_group.update',
      'alert_group.delete',
      'profile.forget',
      'person.update',
      'session.delete',
    ]);
    for (const entry of entries)
      expect(entry).toMatchObject({ network: '127.0.0.1', secret_id: null, target_id: expect.any(String) });
    const [, made, , settings] = entries;
    expect(made).toMatchObject({ target_type: 'secret', target_id: secret.id, details: { scope: 'read' } });
    expect(settings?.details).toEqual({ name: ['Acme', 'Renamed'], allow_scripts: [false, true] });
    const text = JSON.stringify(entries);
    for (const hidden of [secret.secret, PASSWORD, 'another password', 'very-secret-path', 'forgotten-user'])
      expect(text).not.toContain(hidden);
  });

  it('names the secret that was used, and nobody for the command line', async () => {
    await api.post('/v3/edit/account/uid_secret');
    const [entry] = await list('action=account.create_uid_secret');
    expect(entry).toMatchObject({ user: { id: api.account.user_id }, secret_id: expect.any(String) });
    await addSignedIn(api, 'viewer');
    expect((await list('action=admin.create'))[0]).toMatchObject({ user: null, secret_id: null, network: null });
  });

  it('names what was changed as it is called now, also people who were removed', async () => {
    const { browser } = await addSignedIn(api, 'owner');
    const viewer = await addSignedIn(api, 'viewer');
    await browser.patch(`/v3/edit/admins/${viewer.id}`, { role: 'editor' });
    await browser.delete(`/v3/edit/admins/${viewer.id}`);
    const steps = [{ title: 'Hello', body: 'This is it.', buttons: [{ text: 'Next' }] }];
    const { tour } = (await browser.post('/v3/edit/tours', { name: 'Before', steps, published_at: '$now' })).body;
    await browser.patch(`/v3/edit/tours/${tour.id}`, { name: 'Welcome' });
    const { url_group } = (await browser.post('/v3/edit/url_groups', { name: 'Staging' })).body;
    const theirs = (await api.post('/v3/edit/url_groups', { name: 'Theirs' }, { as: api.other })).body.url_group;
    const nameOf = async (id: string) => (await list()).find(({ target_id }) => target_id === id)?.target_name;
    expect(await nameOf(viewer.id)).toBe('Kim viewer');
    expect(await nameOf(tour.id)).toBe('Welcome');
    expect(await nameOf(url_group.id)).toBe('Staging');
    expect(await nameOf(theirs.id)).toBe(undefined);
    await browser.delete(`/v3/edit/tours/${tour.id}`);
    expect(await nameOf(tour.id)).toBe(null);
  });

  it('records nothing of an action that fails', async () => {
    const before = await list();
    await api.patch('/v3/edit/account', { require_uid_hash: true });
    await api.patch(`/v3/edit/admins/${api.account.user_id}`, { role: 'viewer' });
    await api.post('/v3/edit/secrets', { name: 'Export', scope: 'read', expires_at: '2001-01-01' });
    expect(await list()).toEqual(before);
  });

  it('pages, and filters by action and administrator', async () => {
    const { browser, id } = await addSignedIn(api, 'owner');
    for (const name of ['A', 'B', 'C']) await browser.patch('/v3/edit/account', { name });
    await api.patch('/v3/edit/account', { name: 'D' });
    expect(await list(`action=account.update&admin_id=${id}`)).toHaveLength(3);
    expect(await list('action=account.update')).toHaveLength(4);
    const first = (await api.get('/v3/analyze/audit_entries', { query: 'limit=2' })).body;
    const second = await list(`limit=2&before=${first.cursor.before}`);
    expect([...first.audit_entries, ...second]).toEqual((await list()).slice(0, 4));
    expect((await api.get('/v3/analyze/audit_entries', { query: 'action=nothing' })).status).toBe(422);
  });

  it('belongs to its account', async () => {
    await api.patch('/v3/edit/account', { name: 'Theirs' }, { as: api.other });
    expect(await list()).toEqual([]);
    expect((await api.get('/v3/analyze/audit_entries', { query: `admin_id=${api.other.user_id}` })).status).toBe(404);
  });

  it('is exported as CSV and JSON', async () => {
    const { browser } = await addSignedIn(api, 'owner');
    await browser.patch('/v3/person', { name: '=cmd("x"),Kim' });
    await browser.patch('/v3/edit/account', { name: 'Acme, Inc.' });
    const json = await api.get('/v3/analyze/audit_entries.json');
    expect(json.headers.get('content-disposition')).toBe('attachment; filename="audit.json"');
    expect(json.body.audit_entries).toEqual(await list());
    const csv = await api.get('/v3/analyze/audit_entries.csv', { query: 'action=account.update' });
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const [head, line, end] = csv.text.split('\r\n');
    expect(head).toBe('created_at,user,email,action,target_type,target_id,details,network,secret_id,id');
    expect(line).toContain(`"'=cmd(""x""),Kim"`);
    expect(line).toContain('account.update,account,');
    expect(end).toBe('');
    expect((await api.get('/v3/analyze/audit_entries.xml')).status).toBe(422);
  });

  it.each([
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['＝1+1', "'＝1+1"],
    ['Kim;=1+1', `"Kim;'=1+1"`],
    ['Kim "K" Lee', '"Kim ""K"" Lee"'],
    ['Kim-Lee', 'Kim-Lee'],
  ])('exports the name %s as a text that no spreadsheet runs', async (name, cell) => {
    const { browser } = await addSignedIn(api, 'owner');
    await browser.patch('/v3/person', { name });
    const csv = await api.get('/v3/analyze/audit_entries.csv', { query: 'action=person.update' });
    const [, line = ''] = csv.text.split('\r\n');
    expect(line.replace(/^[^,]*,/, '').startsWith(`${cell},`)).toBe(true);
  });
});

describe('wrong passwords in the audit log', () => {
  const rejected = () => list('action=session.reject');

  it('are recorded for the person, from which network, and as done by nobody', async () => {
    const { browser, id, email } = await addSignedIn(api, 'viewer');
    await new Browser(api).signIn(email, 'wrong password');
    await expect.poll(rejected).toHaveLength(1);
    expect(await rejected()).toMatchObject([
      {
        user: null,
        network: '127.0.0.1',
        target_type: 'admin',
        target_id: id,
        details: { count: 1, networks: ['127.0.0.1'] },
      },
    ]);
    // A second wrong password within the minute is only counted, and recorded when the minute is over or the server
    // stops.
    await browser.post('/v3/session/confirm', { password: 'wrong password' });
    await new Browser(api).signIn(email, 'wrong password');
    expect(await rejected()).toHaveLength(1);
    await api.app.failedSignIns.flush();
    expect((await rejected()).map(({ details }) => details.count)).toEqual([2, 1]);
  });

  it('of unknown emails are not recorded', async () => {
    await new Browser(api).signIn('nobody@people.test');
    await api.app.failedSignIns.flush();
    expect(await rejected()).toEqual([]);
  });

  it('fill one entry a period, however many there are', async () => {
    const { personId } = await addSignedIn(api, 'viewer');
    const failed = new FailedSignIns(api.app.storage, api.app.now, 300);
    onTestFinished(() => failed.flush());
    const networks = Array.from({ length: 500 }, (_, at) => `192.0.2.${at % 250}`);
    for (const network of networks) failed.record(personId, network);
    await expect.poll(rejected).toHaveLength(2);
    const [rest, first] = await rejected();
    expect([first?.details.count, rest?.details.count]).toEqual([1, 499]);
    expect(rest?.details.networks).toHaveLength(10);
    failed.record(personId, '192.0.2.1');
    await expect.poll(rejected).toHaveLength(3);
  });

  it('are recorded in the account that the person works in', async () => {
    const { email, personId } = await addSignedIn(api, 'viewer');
    await addToAccount(api, personId, api.other.account_id, 'viewer');
    const moved = new Browser(api, await storeSession(api, personId, api.account.account_id));
    await moved.patch('/v3/session', { account_id: api.other.account_id });
    await new Browser(api).signIn(email, 'wrong password');
    const theirs = async () =>
      (await api.get('/v3/analyze/audit_entries', { as: api.other, query: 'action=session.reject' })).body
        .audit_entries;
    await expect.poll(theirs).toHaveLength(1);
    expect(await rejected()).toEqual([]);
  });
});

describe('who may publish', () => {
  const steps = [{ title: 'Hello', body: 'This is it.', buttons: [{ text: 'Next' }] }];

  it('covers everything that changes what users see', async () => {
    const { browser } = await addSignedIn(api, 'editor');
    const make = async (published_at: string | null) =>
      (await api.post('/v3/edit/tours', { name: 'T', steps, published_at })).body.tour;
    const [live, later, draft, archived] = [
      await make('$now'),
      await make('+3d'),
      await make(null),
      await make('$now'),
    ];
    const { changes } = (await api.get(`/v3/edit/tours/${live.id}/changes`)).body;
    await api.patch(`/v3/edit/tours/${archived.id}`, { archived_at: '$now' });
    await api.patch('/v3/edit/account', { who_may_publish: 'owners' });
    const versions = async () =>
      api.app.storage
        .reader(api.account.account_id)
        .selectFrom('experiences')
        .select(['id', 'version_id', 'next_version_id', 'published_at', 'published_until', 'archived_at'])
        .where('account_id', '=', api.account.account_id)
        .orderBy('id')
        .execute();
    const before = await versions();
    for (const [method, path, body] of [
      ['POST', '/v3/edit/tours', { name: 'T', steps, published_at: '$now' }],
      ['POST', '/v3/edit/tours', { name: 'T', steps, published_at: '+3d' }],
      ['PATCH', `/v3/edit/tours/${draft.id}`, { published_at: '$now' }],
      ['PATCH', `/v3/edit/tours/${live.id}`, { published_at: '+3d' }],
      ['PATCH', `/v3/edit/tours/${live.id}`, { published_at: null }],
      ['PATCH', `/v3/edit/tours/${later.id}`, { published_at: null }],
      ['PATCH', `/v3/edit/tours/${live.id}`, { published_until: '+1d' }],
      ['PATCH', `/v3/edit/tours/${later.id}`, { published_until: '+9d' }],
      ['PATCH', `/v3/edit/tours/${live.id}`, { archived_at: '$now' }],
      ['PATCH', `/v3/edit/tours/${archived.id}`, { archived_at: null }],
      ['POST', `/v3/edit/tours/${live.id}/import`, { name: 'T', steps, published_at: '+3d' }],
      ['DELETE', `/v3/edit/tours/${live.id}`, undefined],
      ['DELETE', `/v3/edit/tours/${later.id}`, undefined],
    ] as const) {
      const { status, body: error } = await browser.send(method, path, { body });
      const expected = [403, expect.stringContaining('only owners publish')];
      expect([method, path, body, status, error.messages?.[0]]).toEqual([method, path, body, ...expected]);
    }
    // Changes of the draft alone are still possible, because they change nothing for users.
    for (const [method, path, body] of [
      ['PATCH', `/v3/edit/tours/${live.id}`, { name: 'Renamed' }],
      ['PATCH', `/v3/edit/tours/${live.id}`, { position: 3 }],
      ['POST', `/v3/edit/tours/${live.id}/import`, { name: 'Imported', steps }],
      ['POST', `/v3/edit/tours/${live.id}/revert`, { change_id: changes[0].id }],
      ['POST', `/v3/edit/tours/${live.id}/duplicate`, {}],
      ['PATCH', `/v3/edit/tours/${draft.id}`, { published_until: '+9d' }],
      ['PATCH', `/v3/edit/tours/${draft.id}`, { archived_at: '$now' }],
      ['DELETE', `/v3/edit/tours/${draft.id}`, undefined],
    ] as const) {
      const { status } = await browser.send(method, path, { body });
      expect([method, path, body, status < 300]).toEqual([method, path, body, true]);
    }
    const ids = [live.id, later.id, archived.id];
    const ofThese = (rows: Awaited<ReturnType<typeof versions>>) => rows.filter(({ id }) => ids.includes(id));
    expect(ofThese(await versions())).toEqual(ofThese(before));
  });

  it('is recorded, also for what ends, archives or deletes what is published', async () => {
    const { browser, id } = await addSignedIn(api, 'editor');
    const { tour } = (await browser.post('/v3/edit/tours', { name: 'T', steps, published_at: '$now' })).body;
    for (const params of [{ published_until: '+1d' }, { archived_at: '$now' }, { archived_at: null }])
      await browser.patch(`/v3/edit/tours/${tour.id}`, params);
    await browser.delete(`/v3/edit/tours/${tour.id}`);
    const { tour: draft } = (await browser.post('/v3/edit/tours', { name: 'T', steps })).body;
    await browser.patch(`/v3/edit/tours/${draft.id}`, { archived_at: '$now' });
    await browser.delete(`/v3/edit/tours/${draft.id}`);
    const entries = (await list(`admin_id=${id}`)).toReversed();
    expect(entries.map(({ action, target_id }) => [action, target_id])).toEqual(
      ['publish', 'schedule', 'archive', 'restore', 'delete'].map((verb) => [`experience.${verb}`, tour.id]),
    );
  });

  it('is everybody who edits, unless the account leaves it to owners', async () => {
    const editor = await addSignedIn(api, 'editor');
    const owner = await addSignedIn(api, 'owner');
    const make = (published_at: string | null) =>
      editor.browser.post('/v3/edit/tours', { name: 'T', steps, published_at });
    const { status, body } = await make('$now');
    expect(status).toBe(201);
    await owner.browser.patch('/v3/edit/account', { who_may_publish: 'owners' });
    expect((await editor.browser.get('/v3/session')).body.user.permissions).not.toContain('publish');
    const rejected = await make('$now');
    expect([rejected.status, rejected.body.messages]).toEqual([403, [expect.stringContaining('only owners publish')]]);
    expect((await editor.browser.patch(`/v3/edit/tours/${body.tour.id}`, { published_at: null })).status).toBe(403);
    expect((await editor.browser.patch(`/v3/edit/tours/${body.tour.id}`, { name: 'Draft' })).status).toBe(200);
    expect((await make(null)).status).toBe(201);
    expect((await owner.browser.patch(`/v3/edit/tours/${body.tour.id}`, { published_at: '$now' })).status).toBe(200);
  });
});

describe('translators', () => {
  const upload = (
    browser: { post(path: string, body: unknown): Promise<{ status: number; body: unknown }> },
    code: string,
  ) => {
    const file = { id: api.account.account_id, language: { code, options: ['default', 'de'] }, experiences: [] };
    const form = new FormData();
    form.append('file', new Blob([JSON.stringify(file)]), `${code}.json`);
    return browser.post('/v3/edit/i18n', form);
  };

  it('upload texts of languages that exist, and neither original texts nor new languages', async () => {
    const { browser } = await addSignedIn(api, 'translator');
    await api.post('/v3/edit/languages', { code: 'de' });
    expect((await upload(browser, 'de')).status).toBe(200);
    for (const code of ['default', 'fr']) {
      const { status, body } = await upload(browser, code);
      expect([code, status, body]).toMatchObject([code, 422, { messages: [expect.stringContaining('Translators')] }]);
    }
    const { browser: viewer } = await addSignedIn(api, 'viewer');
    expect((await upload(viewer, 'de')).status).toBe(403);
    expect((await browser.post('/v3/edit/languages', { code: 'it' })).status).toBe(403);
    expect((await browser.patch('/v3/edit/account', { name: 'Mine' })).status).toBe(403);
  });
});
