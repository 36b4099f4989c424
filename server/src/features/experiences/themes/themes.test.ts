import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';
import { askAsPage, makePick, openPick } from '../../../../test/picking.ts';
import { addSignedIn } from '../../../../test/sign-in.ts';
import { newUid, openDomain, PAGE, visit } from '../../../../test/visiting.ts';
import { sweepChanges } from '../sweep-changes.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
beforeEach(async () => {
  await api.replaceAccounts();
  await openDomain(api);
});
afterAll(() => api.stop());

const NOBODY = '5fb70dcbc39330000325a818';
const dark = { style_color_button_highlight: '1f5f4a', style_dark_color_button_highlight: 'a3b1ff' };

async function create(path: string, params: object = {}) {
  const { status, body } = await api.post(`/v3/edit/${path}`, { name: 'Made', ...params });
  expect([status, body.messages]).toEqual([201, undefined]);
  return Object.values(body)[0] as { id: string; updated_at: string; published_at: string | null };
}
const createTheme = (params: object = {}) => create('themes', { name: 'Brand', ...params });
const createTour = (params: object = {}) =>
  create('tours', { name: 'Tour', style: 'auto', steps: [{ title: 'Hi' }], published_at: '$now', ...params });
async function change(path: string, params: object) {
  const { status, body } = await api.patch(`/v3/edit/${path}`, params);
  expect([status, body.messages]).toEqual([200, undefined]);
  return Object.values(body)[0] as Record<string, unknown>;
}
const show = async (id: string) => (await api.get(`/v3/edit/themes/${id}`)).body.theme;
const changesOf = async (path: string) => (await api.get(`/v3/edit/${path}/changes`)).body.changes;
const load = async (params: object = {}) => (await visit(api, { uid: newUid(), ...params })).body;
/** Loads a page of a user whom the backend knows. */
const loadAs = async (user: object) => {
  const uid = newUid();
  const { status } = await api.post('/v3/observe/hooks/profiles', { uid, ...user });
  expect(status).toBeLessThan(300);
  return load({ uid });
};

describe('a theme', () => {
  it('is created, listed, shown, changed and deleted', async () => {
    const { id } = await createTheme({
      description: 'Green',
      style_radius: 4,
      style_font: 'Inter, sans-serif',
      ...dark,
    });
    const theme = await show(id);
    expect(theme).toMatchObject({
      ...{ id, name: 'Brand', description: 'Green', css: null, default: false, published_at: null, variations: [] },
      ...{ style_radius: '4', style_font: 'Inter, sans-serif', style_color_text: null, content_summary: null, ...dark },
      ...{ has_unpublished_changes: false, experiences_count: 0 },
    });
    expect(theme.dashboard_url).toMatch(new RegExp(`/themes/${id}$`));
    expect((await api.get('/v3/edit/themes')).body.themes).toEqual([theme]);
    expect((await api.get('/v3/edit/themes', { as: api.other })).body.themes).toEqual([]);
    expect(await change(`themes/${id}`, { style_radius: null, style_color_text: '#ABCDEF' })).toMatchObject({
      ...{ style_radius: null, style_color_text: 'abcdef' },
    });
    expect((await api.send('DELETE', `/v3/edit/themes/${id}`)).status).toBe(200);
    expect((await api.get(`/v3/edit/themes/${id}`)).status).toBe(404);
  });

  it('is copied without being published or the default', async () => {
    const { id } = await createTheme({ default: true, published_at: '$now', ...dark });
    const { status, body } = await api.post(`/v3/edit/themes/${id}/duplicate`);
    expect([status, body.theme]).toEqual([
      201,
      expect.objectContaining({ name: 'Copy of Brand', default: false, published_at: null, ...dark }),
    ]);
  });

  it('rejects wrong values with what they must be', async () => {
    const params = {
      ...{
        name: 'Bad',
        style_color_text: 'red',
        style_radius: 4000,
        style_shadow: 'huge',
        style_font: 'a; color: red',
      },
      variations: [
        { name: 'One', filters: [{ kind: 'event', value: 'Signed up' }] },
        { name: 'Two', filters: [{ kind: 'property', prop: 'email', op: 'eq', value: 'ann@acme.test' }] },
        { name: 'Three', overrides: { css: 'x', style_color_text: '{{company.color | fallback: "red"}}' } },
        { name: 'Four', overrides: { style_color_text: '{{company.color', style_radius: '{{delivery "a"}}' } },
      ],
    };
    const { status, body } = await api.post('/v3/edit/themes', params);
    expect(status).toBe(422);
    expect(body.messages.map((message: string) => message.split(' ')[0])).toEqual([
      ...['`variations[0].filters[0].kind`', '`variations[1].filters[0].prop`', '`variations[2].overrides.css`'],
      ...['`variations[2].overrides.style_color_text`', '`variations[3].overrides.style_color_text`'],
      ...[
        '`variations[3].overrides.style_radius`',
        '`style_font`',
        '`style_radius`',
        '`style_shadow`',
        '`style_color_text`',
      ],
    ]);
    expect((await api.post('/v3/edit/themes', { name: 'Many', css: 'a'.repeat(20_001) })).status).toBe(422);
    const variations = Array.from({ length: 21 }, (_, at) => ({ name: `V${at}` }));
    expect((await api.post('/v3/edit/themes', { name: 'Many', variations })).status).toBe(422);
  });

  it('rejects a change of what somebody else changed, and shows it', async () => {
    const { id, updated_at } = await createTheme();
    await change(`themes/${id}`, { name: 'Other' });
    const { status, body } = await api.patch(`/v3/edit/themes/${id}`, { name: 'Mine', updated_at });
    expect([status, body.current.name, body.changed_by.email]).toEqual([409, 'Other', expect.any(String)]);
  });

  it('has a style sheet of its own that only owners write', async () => {
    const editor = await addSignedIn(api, 'editor');
    const css = '.title { letter-spacing: 1px }';
    expect((await editor.browser.post('/v3/edit/themes', { name: 'Theirs', css })).status).toBe(403);
    const { id } = await createTheme({ css });
    expect((await editor.browser.patch(`/v3/edit/themes/${id}`, { css: '.title { color: red }' })).status).toBe(403);
    expect((await editor.browser.patch(`/v3/edit/themes/${id}`, { name: 'Renamed', css })).status).toBe(200);
    expect((await editor.browser.patch(`/v3/edit/themes/${id}`, { css: null })).status).toBe(200);
    expect((await show(id)).css).toBeNull();
  });

  it('keeps an account from having more than 100', async () => {
    for (let n = 0; n < 100; n++) await createTheme({ name: `Theme ${n}` });
    const { status, body } = await api.post('/v3/edit/themes', { name: 'One more' });
    expect([status, body.messages]).toEqual([422, [expect.stringContaining('100 themes at most')]]);
  });
});

describe('publishing a theme', () => {
  it('keeps later changes in the draft, and shows versions', async () => {
    const { id } = await createTheme(dark);
    const published = await change(`themes/${id}`, { published_at: '2020-01-01' });
    expect(published.published_at).not.toContain('2020');
    expect(await change(`themes/${id}`, { style_radius: '2' })).toMatchObject({ has_unpublished_changes: true });
    const { versions } = (await api.get(`/v3/edit/themes/${id}/versions`)).body;
    expect(versions).toEqual([expect.objectContaining({ experience_id: id, live: true })]);
    const { version } = (await api.get(`/v3/edit/themes/${id}/versions/${versions[0].id}`)).body;
    expect(version.document).toMatchObject({ style_radius: null, ...dark });
    expect(await change(`themes/${id}`, { published_at: null })).toMatchObject({ has_unpublished_changes: false });
    expect((await api.get(`/v3/edit/themes/${id}/versions`)).body.versions[0].live).toBe(false);
    expect((await api.patch(`/v3/edit/themes/${id}`, { published_at: '+1d' })).status).toBe(422);
  });

  it('rejects colors that cannot be read, and names the nearest color that can', async () => {
    const { id } = await createTheme({
      ...{
        style_color_text: 'cccccc',
        variations: [{ name: 'Gray', overrides: { style_color_background: '888888' } }],
      },
    });
    const { publish_check } = (await api.get(`/v3/edit/themes/${id}/publish_check`)).body;
    const [first] = publish_check.problems;
    expect(first).toMatchObject({
      ...{ path: 'style_color_text', suggestion: { field: 'style_color_text', value: '767676' }, line: null },
      message: expect.stringMatching(/^On light pages, .* contrast of 1\.6 .*needs 4\.5.*#767676/),
    });
    expect(publish_check.problems.map(({ path }: { path: string }) => path)).toContain(
      'variations.0.overrides.style_color_text',
    );
    const { status, body } = await api.patch(`/v3/edit/themes/${id}`, { published_at: '$now' });
    expect([status, body.messages[0]]).toEqual([422, first.message]);
    expect((await show(id)).published_at).toBeNull();
  });

  it('rejects a style sheet with its line and column', async () => {
    const { id } = await createTheme({ css: '.title {\n  color: red;\n  position: fixed;\n}' });
    const { status, body } = await api.patch(`/v3/edit/themes/${id}`, { published_at: '$now' });
    expect([status, body.messages]).toEqual([422, [expect.stringContaining('`css`, line 3, column 3')]]);
    const { problems } = (await api.get(`/v3/edit/themes/${id}/publish_check`)).body.publish_check;
    expect(problems).toEqual([expect.objectContaining({ path: 'css', line: 3, column: 3, suggestion: null })]);
  });

  it('is for owners only where the account says so', async () => {
    const { id } = await createTheme({ default: true });
    await change('account', { who_may_publish: 'owners' });
    const editor = await addSignedIn(api, 'editor');
    expect((await editor.browser.patch(`/v3/edit/themes/${id}`, { style_radius: '3' })).status).toBe(200);
    expect((await editor.browser.patch(`/v3/edit/themes/${id}`, { published_at: '$now' })).status).toBe(403);
    await change(`themes/${id}`, { published_at: '$now' });
    expect((await editor.browser.patch(`/v3/edit/themes/${id}`, { default: false })).status).toBe(403);
    expect((await editor.browser.send('DELETE', `/v3/edit/themes/${id}`)).status).toBe(403);
  });

  it('is in the audit log with the name of the theme', async () => {
    const { id } = await createTheme({ default: true, published_at: '$now' });
    await change(`themes/${id}`, { published_at: null });
    await change(`themes/${id}`, { published_at: '$now' });
    await api.send('DELETE', `/v3/edit/themes/${id}`);
    const { audit_entries: entries } = (await api.get('/v3/analyze/audit_entries')).body;
    const actions = entries.map(({ action }: { action: string }) => action);
    expect(actions.filter((action: string) => action.startsWith('theme.'))).toEqual([
      ...['theme.delete', 'theme.publish', 'theme.unpublish', 'theme.set_default', 'theme.publish'],
    ]);
  });
});

describe('the history of a theme', () => {
  it('has its Changes, and goes back to a Change or a version', async () => {
    const { id } = await createTheme({ published_at: '$now', style_radius: '1' });
    const variations = [{ name: 'Pro', filters: [], filters_op: 'and', overrides: { style_radius: '9' } }];
    await change(`themes/${id}`, { style_radius: '2', variations });
    await change(`themes/${id}`, { style_radius: '3', variations: [], autosave: true });
    const [last, middle, first] = await changesOf(`themes/${id}`);
    expect(last).toMatchObject({
      ...{ experience_id: id, model_id: id, model_type: 'Theme', kind: 'partial', path: 'model' },
      object: { style_radius: ['2', '3'], variations: [variations, []] },
      options: { capture_id: [null, null] },
    });
    expect(first).toMatchObject({ kind: 'create', object: { name: 'Brand', style_radius: '1' } });
    expect(first.options.version_id).toEqual([null, expect.any(String)]);
    const revert = async (to: object) => (await api.post(`/v3/edit/themes/${id}/revert`, to)).body.theme;
    expect(await revert({ change_id: middle.id })).toMatchObject({ style_radius: '2', variations });
    const before = await show(id);
    expect(await revert({ version_id: first.options.version_id[1] })).toMatchObject({
      ...{ style_radius: '1', variations: [], published_at: before.published_at, has_unpublished_changes: false },
    });
    expect((await changesOf(`themes/${id}`))[0].kind).toBe('revert');
    expect((await api.post(`/v3/edit/themes/${id}/revert`, { change_id: NOBODY })).status).toBe(404);
    expect((await api.post(`/v3/edit/themes/${id}/revert`)).status).toBe(422);
  });

  it('stays when the theme is deleted', async () => {
    const { id } = await createTheme();
    await api.send('DELETE', `/v3/edit/themes/${id}`);
    expect((await changesOf(`themes/${id}`)).map(({ kind }: { kind: string }) => kind)).toEqual(['destroy', 'create']);
    expect((await api.get(`/v3/edit/themes/${NOBODY}/changes`)).status).toBe(404);
  });

  it('is kept since the last version when old Changes are deleted', async () => {
    const { id } = await createTheme();
    await change(`themes/${id}`, { published_at: '$now' });
    await change(`themes/${id}`, { style_radius: '3' });
    await sweepChanges({ ...api.app, now: () => api.app.now() + 10 * 86_400_000 }, 1);
    const kept = await changesOf(`themes/${id}`);
    expect(kept.map(({ object }: { object: object }) => Object.keys(object))).toEqual([
      ['style_radius'],
      ['published_at'],
    ]);
  });

  it('is part of the history of the Experiences with the theme, when it is published', async () => {
    const { id } = await createTheme();
    const users = [await createTour({ theme_id: id }), await create('launchers', { theme_id: id })];
    const [bystander, draft] = [await createTour(), await createTour({ published_at: null })];
    await change(`themes/${id}`, { style_radius: '3' });
    await change(`themes/${id}`, { published_at: '$now' });
    const related = async (path: string, one: { id: string }) =>
      (await changesOf(`${path}/${one.id}`)).filter(({ kind }: { kind: string }) => kind === 'related');
    for (const [path, user] of [
      ['tours', users[0]],
      ['launchers', users[1]],
    ] as const)
      expect(await related(path, user as { id: string })).toEqual([
        expect.objectContaining({
          path: `themes.${id}`,
          object: { style_radius: [null, '3'], published_at: [null, expect.any(String)] },
        }),
      ]);
    expect(await related('tours', bystander)).toEqual([]);
    await change(`themes/${id}`, { default: true });
    expect(await related('tours', bystander)).toEqual([
      expect.objectContaining({ object: { default: [false, true] } }),
    ]);
    expect([await related('tours', draft), await related('launchers', users[1] as { id: string })]).toMatchObject([
      [],
      [{}],
    ]);
  });
});

describe('the default theme', () => {
  it('is one at most', async () => {
    const [one, two] = [await createTheme({ default: true }), await createTheme()];
    await change(`themes/${two.id}`, { default: true });
    expect([(await show(one.id)).default, (await show(two.id)).default]).toEqual([false, true]);
    expect((await changesOf(`themes/${one.id}`))[0].object).toEqual({ default: [true, false] });
    const three = await createTheme({ default: true });
    expect((await show(two.id)).default).toBe(false);
    await change(`themes/${three.id}`, { default: false });
    const { themes } = (await api.get('/v3/edit/themes')).body;
    expect(themes.map((theme: { default: boolean }) => theme.default)).toEqual([false, false, false]);
  });

  it('is one at most when several become it at the same time', async () => {
    const ids = (await Promise.all(Array.from({ length: 4 }, () => createTheme({ default: true })))).map(
      ({ id }) => id,
    );
    await Promise.all(ids.map((id) => change(`themes/${id}`, { default: true })));
    const { themes } = (await api.get('/v3/edit/themes')).body;
    expect(themes.filter((theme: { default: boolean }) => theme.default)).toHaveLength(1);
  });

  it('is what Experiences without a theme have', async () => {
    const [other, fallback] = [await createTheme(), await createTheme({ default: true })];
    await createTour();
    await createTour({ published_at: null });
    await create('surveys', { theme_id: other.id });
    const { themes } = (await api.get('/v3/edit/themes')).body;
    expect(themes).toEqual([
      expect.objectContaining({ id: fallback.id, experiences_count: 2, content_summary: '2 tours' }),
      expect.objectContaining({ id: other.id, experiences_count: 1, content_summary: '1 survey' }),
    ]);
  });
});

describe('Experiences with a theme', () => {
  it('reject a theme that does not exist, or of another account', async () => {
    const { body } = await api.post('/v3/edit/themes', { name: 'Theirs' }, { as: api.other });
    for (const theme_id of [NOBODY, body.theme.id]) {
      const { status, body } = await api.post('/v3/edit/tours', { name: 'Tour', theme_id });
      expect([status, body.messages]).toEqual([404, ['`theme_id` is the ID of no theme in this account']]);
    }
  });

  it('are listed, in a draft or published', async () => {
    const [old, current] = [await createTheme(), await createTheme()];
    const both = await createTour({ name: 'Both', theme_id: old.id });
    const moved = await createTour({ name: 'Moved', theme_id: old.id });
    await change(`tours/${moved.id}`, { theme_id: current.id });
    const draft = await createTour({ name: 'Draft', theme_id: old.id, published_at: null });
    const list = async (id: string, query = '') =>
      (await api.get(`/v3/edit/themes/${id}/experiences`, { query })).body.experiences;
    expect(await list(old.id)).toEqual([
      { id: draft.id, kind: 'tour', name: 'Draft', state: 'draft', is_in_draft: true, is_published: false },
      { id: moved.id, kind: 'tour', name: 'Moved', state: 'live', is_in_draft: false, is_published: true },
      { id: both.id, kind: 'tour', name: 'Both', state: 'live', is_in_draft: true, is_published: true },
    ]);
    expect((await list(old.id, 'live=true')).map(({ id }: { id: string }) => id)).toEqual([moved.id, both.id]);
    const without = await createTour({ name: 'Without' });
    expect((await list(current.id)).map(({ id }: { id: string }) => id)).toEqual([moved.id]);
    await change(`themes/${current.id}`, { default: true });
    expect(await list(current.id)).toEqual([
      { id: without.id, kind: 'tour', name: 'Without', state: 'live', is_in_draft: true, is_published: true },
      { id: moved.id, kind: 'tour', name: 'Moved', state: 'live', is_in_draft: true, is_published: false },
    ]);
  });

  it('get another theme when theirs is deleted, in their draft and for users', async () => {
    const [old, replacement] = [
      await createTheme(dark),
      await createTheme({ style_radius: '3', published_at: '$now' }),
    ];
    const tour = await createTour({ theme_id: old.id });
    await change(`tours/${tour.id}`, { name: 'Renamed' });
    const remove = (query = '') => api.send('DELETE', `/v3/edit/themes/${old.id}`, { query });
    const rejected = await remove();
    expect([rejected.status, rejected.body.messages]).toEqual([409, [expect.stringContaining('the tour "Renamed"')]]);
    expect((await remove(`replacement_id=${NOBODY}`)).status).toBe(404);
    expect((await remove(`replacement_id=${old.id}`)).status).toBe(422);
    expect((await remove(`replacement_id=${replacement.id}`)).status).toBe(200);
    const { body } = await api.get(`/v3/edit/tours/${tour.id}`);
    expect(body.tour).toMatchObject({ theme_id: replacement.id, name: 'Renamed', has_unpublished_changes: true });
    const { experiences, themes } = await load();
    expect(experiences[0].theme_id).toBe(replacement.id);
    expect(Object.keys(themes)).toEqual([replacement.id]);
    await api.send('DELETE', `/v3/edit/themes/${replacement.id}`, { body: { replacement_id: null } });
    expect((await api.get(`/v3/edit/tours/${tour.id}`)).body.tour.theme_id).toBeNull();
    expect(await load()).not.toHaveProperty('themes');
  });

  it('record another theme as a visible change', async () => {
    const { id } = await createTheme();
    const tour = await createTour();
    await change(`tours/${tour.id}`, { theme_id: id });
    const [{ object, options }] = await changesOf(`tours/${tour.id}`);
    expect([object, options.capture_id[1]]).toEqual([{ theme_id: [null, id] }, expect.any(String)]);
    const { capture } = (await api.get(`/v3/edit/captures/${options.capture_id[1]}`)).body;
    expect(capture.look.theme_id).toBe(id);
  });
});

describe('page loads', () => {
  it('have no themes in an account without published themes', async () => {
    const draft = await createTheme({ default: true, ...dark });
    await createTour({ theme_id: draft.id });
    const body = await load();
    expect(body.experiences).toHaveLength(1);
    expect(body).not.toHaveProperty('themes');
  });

  it('have each theme of their Experiences once', async () => {
    const [one, two] = [
      await createTheme({ style_radius: '1', published_at: '$now' }),
      await createTheme({ style_radius: '2', published_at: '$now', default: true }),
    ];
    await createTheme({ style_radius: '3', published_at: '$now' });
    const launcher = { items: [{ title: 'Help', url: '/help' }], published_at: '$now' };
    await create('launchers', { ...launcher, theme_id: one.id });
    expect(Object.keys((await load()).themes)).toEqual([one.id]);
    await create('launchers', { ...launcher, theme_id: one.id });
    await create('launchers', launcher);
    const { experiences, themes } = await load();
    const used = experiences.map(({ theme_id }: { theme_id?: string }) => theme_id ?? 'default');
    expect(used.sort()).toEqual([one.id, one.id, 'default']);
    expect(Object.keys(themes).sort()).toEqual([one.id, 'default']);
    for (const sheet of Object.values(themes) as { class: string; css: string }[])
      expect(sheet.css).toContain(`.${sheet.class}{--radius:`);
    expect(themes.default.css).toContain('--radius:2px');
    await change(`themes/${two.id}`, { published_at: null });
    expect(Object.keys((await load()).themes)).toEqual([one.id]);
  });

  it('show what is published, from the next page load on', async () => {
    const { id } = await createTheme({ style_radius: '1', published_at: '$now', default: true });
    await createTour();
    const css = async () => (await load()).themes?.default?.css;
    expect(await css()).toContain('--radius:1px');
    await change(`themes/${id}`, { style_radius: '2' });
    expect(await css()).toContain('--radius:1px');
    await change(`themes/${id}`, { published_at: '$now' });
    expect(await css()).toContain('--radius:2px');
    await change(`themes/${id}`, { default: false });
    expect(await css()).toBeUndefined();
  });

  it('leave out a theme that changes nothing', async () => {
    await createTheme({ published_at: '$now', default: true });
    await createTour();
    expect(await load()).not.toHaveProperty('themes');
  });

  it('have the theme of an Experience that the page asks for', async () => {
    const { id } = await createTheme({ style_radius: '1', published_at: '$now' });
    const tour = await createTour({ style: 'manual', theme_id: id });
    const { visit: made, themes } = await load();
    expect(themes).toBeUndefined();
    const params = { visit_token: made.token, experience_id: tour.id, href: PAGE };
    const shown = await api.post('/v3/observe/shows', params, { as: null });
    expect(Object.keys(shown.body.themes ?? {})).toEqual([id]);
  });
});

describe('trying a draft', () => {
  it('shows the published theme of the draft', async () => {
    const { id } = await createTheme({ style_radius: '1', published_at: '$now' });
    const tour = await createTour();
    await change(`tours/${tour.id}`, { theme_id: id });
    const pick = await makePick(api, api.account, { experience_id: tour.id, purpose: 'try' });
    const pick_token = await openPick(api, api.account, pick);
    const { body } = await askAsPage(api, '/content', { pick_token });
    expect([body.experience.theme_id, Object.keys(body.themes)]).toEqual([id, [id]]);
  });
});

describe('a variation', () => {
  const forPros = [{ kind: 'property', prop: 'plan', op: 'eq', value: 'pro' }];
  const radius = async (params: object) => /--radius:(\d+)px/.exec((await loadAs(params)).themes.default.css)?.[1];

  it('is for the users that match first', async () => {
    const segment = await create('segments', {
      items: [{ kind: 'property', prop: 'company.size', op: 'gt', value: 100 }],
    });
    const variations = [
      { name: 'Pro', filters: forPros, overrides: { style_radius: '2' } },
      { name: 'Large', filters: [{ kind: 'segment', value: segment.id }], overrides: { style_radius: 3 } },
      { name: 'Others', filters: [{ kind: 'property', prop: 'plan', op: 'ex' }], overrides: { style_radius: '4' } },
    ];
    await createTheme({ style_radius: '1', variations, default: true, published_at: '$now' });
    await createTour();
    const large = { company: { uid: 'acme', size: 500 } };
    expect(await radius({ plan: 'pro', ...large })).toBe('2');
    expect(await radius(large)).toBe('3');
    expect(await radius({ plan: 'free' })).toBe('4');
    expect(await radius({})).toBe('1');
    const { status, body } = await api.send('DELETE', `/v3/edit/segments/${segment.id}`);
    expect([status, body.messages]).toEqual([409, [expect.stringContaining('the theme "Brand"')]]);
    const { uses } = (await api.get(`/v3/analyze/segments/${segment.id}/uses`)).body;
    expect(uses.themes).toEqual([{ id: expect.any(String), name: 'Brand' }]);
  });

  it('depends on no Segment by events, and on none that does not exist', async () => {
    const items = [{ kind: 'event', value: 'Signed up' }];
    const inner = await create('segments', { items });
    const outer = await create('segments', { items: [{ kind: 'segment', value: inner.id }] });
    const use = (value: string) =>
      api.post('/v3/edit/themes', { name: 'T', variations: [{ name: 'V', filters: [{ kind: 'segment', value }] }] });
    for (const { id } of [inner, outer])
      expect([(await use(id)).status, (await use(id)).body.messages]).toEqual([
        422,
        [expect.stringContaining('`variations[0].filters[0].value` is a Segment by events')],
      ]);
    expect((await use(NOBODY)).status).toBe(404);
  });

  it('has the brand of the Company, or a fallback where that cannot be used', async () => {
    const overrides = {
      style_color_button_highlight: '{{company.brand_color | fallback: "#1f5f4a"}}',
      style_font: '{{company.font}}',
    };
    await createTheme({
      ...{ default: true, published_at: '$now', style_font: 'Inter', style_color_button_highlight: '3a4bd0' },
      variations: [{ name: 'Companies', filters: [{ kind: 'property', prop: 'company.uid', op: 'ex' }], overrides }],
    });
    await createTour();
    const look = async (company: object) => {
      const { css } = (await loadAs({ company })).themes.default;
      return [/--t-button-highlight:(#\w+)/.exec(css)?.[1], /font-family:([^}]*)/.exec(css)?.[1]];
    };
    expect(await look({ uid: 'one', brand_color: '#7A1F5F', font: 'Georgia' })).toEqual(['#7a1f5f', 'Georgia']);
    expect(await look({ uid: 'two' })).toEqual(['#1f5f4a', 'Inter']);
    expect(await look({ uid: 'three', brand_color: 'red;} .x{}', font: 'a;b' })).toEqual(['#1f5f4a', 'Inter']);
    // White text cannot be read on yellow.
    expect(await look({ uid: 'four', brand_color: 'ffee00', font: 'Georgia' })).toEqual(['#1f5f4a', 'Georgia']);
  });

  it('has no values of a user whom the page does not prove', async () => {
    await createTheme({
      ...{ default: true, published_at: '$now' },
      variations: [{ name: 'All', overrides: { style_radius: '{{corner | fallback: "5"}}' } }],
    });
    await createTour();
    expect(await radius({ corner: 7 })).toBe('7');
    await api.post('/v3/edit/account/uid_secret');
    expect(await radius({ corner: 7 })).toBe('5');
  });
});
