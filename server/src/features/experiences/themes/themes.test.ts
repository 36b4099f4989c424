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
    expect(theme.dashboard_url).toBe(`${api.app.publicUrl}/app/themes/${id}`);
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
        { name: 'Five', overrides: { style_radius: '{{global "a"}}' } },
      ],
    };
    const { status, body } = await api.post('/v3/edit/themes', params);
    expect(status).toBe(422);
    expect(body.messages.map((message: string) => message.split(' ')[0])).toEqual([
      ...['`variations[0].filters[0].kind`', '`variations[1].filters[0].prop`', '`variations[2].overrides.css`'],
      ...['`variations[2].overrides.style_color_text`', '`variations[3].overrides.style_color_text`'],
      ...[
        '`variations[3].overrides.style_radius`',
        '`variations[4].overrides.style_radius`',
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

  it('resumes what users saw before it was unpublished, and keeps the draft', async () => {
    const { id } = await createTheme({ ...dark, default: true, published_at: '$now' });
    await createTour();
    const [before] = Object.values((await load()).themes);
    const resume = () => api.post(`/v3/edit/themes/${id}/resume`);
    expect((await resume()).status).toBe(409);
    await change(`themes/${id}`, { style_radius: '2', style_color_text: 'ffffff' });
    await change(`themes/${id}`, { published_at: null });
    expect(await load()).not.toHaveProperty('themes');
    const { status, body } = await resume();
    expect([status, body.theme]).toEqual([
      200,
      expect.objectContaining({ style_radius: '2', has_unpublished_changes: true, published_at: expect.any(String) }),
    ]);
    expect(Object.values((await load()).themes)).toEqual([before]);
    expect((await resume()).status).toBe(409);
    const { id: never } = await createTheme();
    expect((await api.post(`/v3/edit/themes/${never}/resume`)).status).toBe(409);
  });

  it('does not resume what names a Segment that was deleted since', async () => {
    const segment = await create('segments', { items: [{ kind: 'property', prop: 'plan', op: 'eq', value: 'pro' }] });
    const filters = [{ kind: 'segment', value: segment.id }];
    const variations = [{ name: 'Pro', filters, overrides: { style_radius: '9' } }];
    const { id } = await createTheme({ variations, published_at: '$now' });
    await change(`themes/${id}`, { published_at: null });
    await change(`themes/${id}`, { variations: [] });
    expect((await api.send('DELETE', `/v3/edit/segments/${segment.id}`)).status).toBe(200);
    const { status, body } = await api.post(`/v3/edit/themes/${id}/resume`);
    expect([status, body.messages]).toEqual([409, [expect.stringContaining('Segments that were deleted')]]);
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
      ...[
        'theme.delete',
        'theme.set_default',
        'theme.publish',
        'theme.unpublish',
        'theme.set_default',
        'theme.publish',
      ],
    ]);
  });
});

describe('importing a theme', () => {
  it('replaces the document, and keeps what publishing decides', async () => {
    const { id } = await createTheme({ ...dark, description: 'Old', default: true, published_at: '$now' });
    const { status, body } = await api.post(`/v3/edit/themes/${id}/import`, { style_radius: '7' });
    expect([status, body.warnings]).toEqual([200, undefined]);
    expect(body.theme).toMatchObject({
      ...{ name: 'Brand', description: null, style_color_button_highlight: null, style_radius: '7' },
      ...{ default: true, published_at: expect.any(String), has_unpublished_changes: true },
    });
    expect((await changesOf(`themes/${id}`))[0].kind).toBe('raw');
    expect((await api.post(`/v3/edit/themes/${id}/import`)).status).toBe(422);
  });

  it('publishes colors with too little contrast, and warns', async () => {
    const { id } = await createTheme({ default: true });
    await createTour();
    const document = { style_color_text: 'cccccc', published_at: '$now', nonsense: 1 };
    const { status, body } = await api.post(`/v3/edit/themes/${id}/import`, document);
    expect([status, body.warnings]).toEqual([
      200,
      [
        ...Array(body.warnings.length - 1).fill(expect.stringContaining('contrast')),
        expect.stringContaining('nonsense'),
      ],
    ]);
    expect(body.warnings.length).toBeGreaterThan(1);
    expect(Object.values((await load()).themes)).toMatchObject([{ css: expect.stringContaining('#cccccc') }]);
    await change(`themes/${id}`, { published_at: null });
    expect((await api.post(`/v3/edit/themes/${id}/resume`)).status).toBe(200);
  });

  it('rejects a style sheet with a problem, and then changes nothing', async () => {
    const { id } = await createTheme({ style_radius: '3' });
    const { status, body } = await api.post(`/v3/edit/themes/${id}/import`, { css: '.title {\n  position: fixed;\n}' });
    expect([status, body.messages]).toEqual([422, [expect.stringContaining('`css`, line 2, column 3')]]);
    expect((await show(id)).style_radius).toBe('3');
    const editor = await addSignedIn(api, 'editor');
    expect((await editor.browser.post(`/v3/edit/themes/${id}/import`, { css: '.title { color: red }' })).status).toBe(
      403,
    );
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
    const { id } = await createTheme({ css: '.title { letter-spacing: 1px }' });
    const users = [await createTour({ theme_id: id }), await create('launchers', { theme_id: id })];
    const [bystander, draft] = [await createTour(), await createTour({ published_at: null })];
    await change(`themes/${id}`, { style_radius: '3' });
    await change(`themes/${id}`, { published_at: '$now' });
    const [version] = (await api.get(`/v3/edit/themes/${id}/versions`)).body.versions;
    const related = async (path: string, one: { id: string }) =>
      (await changesOf(`${path}/${one.id}`)).filter(({ kind }: { kind: string }) => kind === 'related');
    for (const [path, user] of [
      ['tours', users[0]],
      ['launchers', users[1]],
    ] as const)
      expect(await related(path, user as { id: string })).toEqual([
        expect.objectContaining({ path: `themes.${id}`, object: { version_id: [null, version.id] } }),
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

describe('deleting the default theme', () => {
  const remove = (id: string, body: object = {}) => api.send('DELETE', `/v3/edit/themes/${id}`, { body });

  it('asks for the next default while live Experiences have none of their own', async () => {
    const [old, next] = [
      await createTheme({ ...dark, default: true, published_at: '$now' }),
      await createTheme({ style_radius: '3', published_at: '$now' }),
    ];
    const tour = await createTour({ name: 'Without' });
    const named = await createTour({ name: 'Named', theme_id: old.id });
    const rejected = await remove(old.id);
    expect([rejected.status, rejected.body.messages]).toEqual([409, [expect.stringContaining('the tour "Without"')]]);
    expect(rejected.body.messages[0]).toContain('the look of the script');
    expect((await remove(old.id, { replacement_id: next.id })).status).toBe(200);
    expect((await show(next.id)).default).toBe(true);
    expect((await api.get(`/v3/edit/tours/${tour.id}`)).body.tour.theme_id).toBeNull();
    expect((await api.get(`/v3/edit/tours/${named.id}`)).body.tour.theme_id).toBe(next.id);
    const { themes } = await load();
    expect(themes).toEqual({ default: expect.objectContaining({ css: expect.stringContaining('3px') }) });
    expect((await changesOf(`tours/${tour.id}`))[0]).toMatchObject({
      kind: 'related',
      object: { default: [false, true] },
    });
  });

  it('leaves the look of the script if that is wanted', async () => {
    const { id } = await createTheme({ ...dark, default: true, published_at: '$now' });
    const tour = await createTour();
    expect((await remove(id, { replacement_id: null })).status).toBe(200);
    expect(await load()).not.toHaveProperty('themes');
    expect((await changesOf(`tours/${tour.id}`))[0]).toMatchObject({
      kind: 'related',
      object: { default: [true, false] },
    });
  });

  it('rejects a next default that users would not see, and asks nothing when no Experience is live', async () => {
    const old = await createTheme({ ...dark, default: true, published_at: '$now' });
    const draft = await createTheme({ name: 'Draft' });
    const tour = await createTour();
    const rejected = await remove(old.id, { replacement_id: draft.id });
    expect([rejected.status, rejected.body.messages]).toEqual([
      409,
      [expect.stringContaining('Publish this theme first')],
    ]);
    expect((await show(old.id)).default).toBe(true);
    await change(`tours/${tour.id}`, { published_at: null });
    expect((await remove(old.id)).status).toBe(200);
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
      {
        id: draft.id,
        kind: 'tour',
        name: 'Draft',
        state: 'draft',
        is_in_draft: true,
        is_published: false,
        version_id: null,
      },
      {
        id: moved.id,
        kind: 'tour',
        name: 'Moved',
        state: 'live',
        is_in_draft: false,
        is_published: true,
        version_id: expect.any(String),
      },
      {
        id: both.id,
        kind: 'tour',
        name: 'Both',
        state: 'live',
        is_in_draft: true,
        is_published: true,
        version_id: expect.any(String),
      },
    ]);
    expect((await list(old.id, 'live=true')).map(({ id }: { id: string }) => id)).toEqual([moved.id, both.id]);
    const without = await createTour({ name: 'Without' });
    expect((await list(current.id)).map(({ id }: { id: string }) => id)).toEqual([moved.id]);
    await change(`themes/${current.id}`, { default: true });
    expect(await list(current.id)).toEqual([
      {
        id: without.id,
        kind: 'tour',
        name: 'Without',
        state: 'live',
        is_in_draft: true,
        is_published: true,
        version_id: expect.any(String),
      },
      {
        id: moved.id,
        kind: 'tour',
        name: 'Moved',
        state: 'live',
        is_in_draft: true,
        is_published: false,
        version_id: expect.any(String),
      },
    ]);
    const inherited = await list(old.id, 'inherited=true&live=true');
    expect(
      inherited.map((one: object) => [(one as { name: string }).name, (one as { is_published: boolean }).is_published]),
    ).toEqual([['Without', true]]);
    const { version } = (await api.get(`/v3/edit/tours/${without.id}/versions/${inherited[0].version_id}`)).body;
    expect(version.live).toBe(true);
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

  it('get another theme when theirs is deleted, also in what is shown again after a pause', async () => {
    const [old, replacement] = [await createTheme(dark), await createTheme()];
    const tour = await createTour({ theme_id: old.id });
    await change(`tours/${tour.id}`, { published_at: null });
    await change(`tours/${tour.id}`, { theme_id: null });
    const remove = (query = '') => api.send('DELETE', `/v3/edit/themes/${old.id}`, { query });
    expect((await remove()).status).toBe(409);
    expect((await remove(`replacement_id=${replacement.id}`)).status).toBe(200);
    const { status, body } = await api.post(`/v3/edit/tours/${tour.id}/resume`);
    expect([status, body.messages]).toEqual([200, undefined]);
    expect((await load()).experiences[0].theme_id).toBe(replacement.id);
  });

  it('go back to a time when they had a theme that was deleted since, without it', async () => {
    const { id } = await createTheme();
    const tour = await createTour({ theme_id: id, published_at: null });
    const [{ id: change_id }] = await changesOf(`tours/${tour.id}`);
    await change(`tours/${tour.id}`, { name: 'Renamed', theme_id: null });
    expect((await api.send('DELETE', `/v3/edit/themes/${id}`)).status).toBe(200);
    const { status, body } = await api.post(`/v3/edit/tours/${tour.id}/revert`, { change_id });
    expect([status, body.messages]).toEqual([200, undefined]);
    expect(body.tour).toMatchObject({ name: 'Tour', theme_id: null });
  });

  it('record another theme as a visible change', async () => {
    const { id } = await createTheme();
    const tour = await createTour();
    await change(`tours/${tour.id}`, { theme_id: id });
    const [{ object, options }] = await changesOf(`tours/${tour.id}`);
    expect([object, options.capture_id[1]]).toEqual([{ theme_id: [null, id] }, expect.any(String)]);
    const { capture } = (await api.get(`/v3/edit/captures/${options.capture_id[1]}`)).body;
    expect(capture.look).toMatchObject({ theme_id: id, theme: null });
  });

  it('have captures that show the published theme, and do not change with it', async () => {
    const styles = { style_color_background: 'fff1e6', style_dark_color_background: '331a00', style_radius: '3' };
    const font = `"Inter", sans-serif`;
    const theme = await createTheme({ ...styles, style_font: font, default: true, published_at: '$now' });
    const tour = await createTour({ steps: [{ title: 'Hi', buttons: [{ text: 'Next' }] }] });
    const latest = async () => (await changesOf(`tours/${tour.id}`))[0].options.capture_id[1];
    const stepChange = (await changesOf(`tours/${tour.id}`)).find(
      ({ model_type }: { model_type: string }) => model_type === 'Step',
    );
    const id = stepChange.options.capture_id[1];
    const draw = async () =>
      Promise.all(['svg', 'html'].map(async (format) => (await api.get(`/v3/edit/captures/${id}.${format}`)).text));
    const before = await draw();
    for (const drawing of before)
      for (const part of ['#fff1e6', '#331a00', '"Inter", sans-serif']) expect(drawing).toContain(part);
    expect(before[0]).toContain('rx="3"');
    expect(before[1]).toContain('border-radius:3px');
    expect((await api.get(`/v3/edit/captures/${id}`)).body.capture.look).toMatchObject({
      ...{ theme_id: null, theme: { ...styles, style_font: font } },
    });
    await change(`themes/${theme.id}`, { style_color_background: 'e6f1ff', published_at: '$now' });
    await change(`tours/${tour.id}`, { steps: [{ id: stepChange.model_id, title: 'Other' }] });
    expect((await api.get(`/v3/edit/captures/${await latest()}`)).body.capture.look.theme.style_color_background).toBe(
      'e6f1ff',
    );
    expect((await api.send('DELETE', `/v3/edit/themes/${theme.id}`, { body: { replacement_id: null } })).status).toBe(
      200,
    );
    expect(await draw()).toEqual(before);
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

  it('have it from another server on the same database, as it is published now', async () => {
    const beside = await startApi({ beside: api });
    const sheet = async () => {
      const { body } = await visit(beside, { uid: newUid() });
      return body.themes?.default?.css;
    };
    await createTour();
    expect(await sheet()).toBeUndefined();
    const { id } = await createTheme({ default: true, published_at: '$now', style_radius: '3' });
    expect(await sheet()).toContain('3px');
    await change(`themes/${id}`, { style_radius: '37', published_at: '$now' });
    expect(await sheet()).toContain('37px');
    await change(`themes/${id}`, { published_at: null });
    expect(await sheet()).toBeUndefined();
    expect((await beside.post(`/v3/edit/themes/${id}/resume`, {}, { as: api.account })).status).toBe(200);
    expect((await load()).themes.default.css).toContain('37px');
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

  it('shows the draft of a theme that is tried on it', async () => {
    const [own, { id: theme_id }] = [
      await createTheme({ style_radius: '1', published_at: '$now' }),
      await createTheme({ style_radius: '31', css: '.title { letter-spacing: 7px }' }),
    ];
    for (const [params, key] of [
      [{}, 'default'],
      [{ theme_id: own.id }, own.id],
    ] as const) {
      const tour = await createTour(params);
      const pick = await makePick(api, api.account, { experience_id: tour.id, purpose: 'try', theme_id });
      expect((await api.get(`/v3/edit/picks/${pick.id}`)).body.pick).toMatchObject({
        experience_id: tour.id,
        theme_id,
      });
      const pick_token = await openPick(api, api.account, pick);
      const { body } = await askAsPage(api, '/content', { pick_token });
      expect(body.themes).toEqual({ [key]: { class: expect.any(String), css: expect.stringMatching(/31px.*7px/) } });
    }
    const tour = await createTour();
    const wrong = { href: PAGE, experience_id: tour.id, theme_id };
    expect((await api.post('/v3/edit/picks', { ...wrong, purpose: 'pick' })).status).toBe(422);
    expect((await api.post('/v3/edit/picks', { ...wrong, purpose: 'try', theme_id: NOBODY })).status).toBe(404);
    const pick = await makePick(api, api.account, { experience_id: tour.id, purpose: 'try', theme_id });
    const pick_token = await openPick(api, api.account, pick);
    await api.send('DELETE', `/v3/edit/themes/${theme_id}`);
    const { status, body } = await askAsPage(api, '/content', { pick_token });
    expect([status, body.messages]).toEqual([403, [expect.stringContaining('theme of this pick was deleted')]]);
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
