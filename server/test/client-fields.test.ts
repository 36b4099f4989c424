import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Api, startApi } from './api.ts';
import { loadPage } from './open-page.ts';

/* The fields that existing clients read, resource by resource, with the values that they expect. */

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
afterAll(() => api.stop());

const standard = ['id', 'created_at', 'updated_at'];
async function make(path: string, params: object): Promise<{ id: string; steps: { id: string }[] }> {
  const { status, body } = await api.post(`/v3/edit/${path}`, params);
  expect([status, body.messages]).toEqual([201, undefined]);
  return Object.values(body)[0] as { id: string; steps: { id: string }[] };
}
const read = async (path: string) => (await api.get(`/v3/${path}`)).body;

/** Expects a list at this path, newest first, whose first item is also shown alone and has these fields. */
async function expectFields(name: string, one: string, fields: string): Promise<Record<string, unknown>> {
  const body = await read(`edit/${name}`);
  expect(Object.keys(body)).toEqual([name, 'cursor']);
  const [first] = body[name];
  expect(Object.keys(first)).toEqual(expect.arrayContaining([...standard, ...fields.split(', ')]));
  expect((await read(`edit/${name}/${first.id}`))[one]).toEqual(first);
  return first;
}

it('returns every field of a Response', async () => {
  const list = { title: 'From where?', preset: 'survey_dropdown', dropdown_items: ['Ads', 'A friend'] };
  const survey = await make('surveys', { name: 'Where', published_at: '$now', steps: [list] });
  const page = await loadPage(api, 'ann');
  const step = { experience_id: survey.id, step_id: survey.steps[0]?.id };
  await page.report({ ...step, state: 'started' });
  await page.report({ ...step, response: { value: 'Ads' } });
  const { responses } = await read(`analyze/responses?id=${survey.id}`);
  const answer = 'href, button_id, button_text, button_order, input_text, dropdown_items, other_text';
  const second = 'comment_step_dropdown_items, comment_step_other_text, comment_step_buttons_selected';
  const third = 'comment_step_dropdown_items2, comment_step_other_text2, comment_step_buttons_selected2';
  const others = 'survey_id, profile_id, comment_step_input_text2, finished_at, profile, answers, last_dropdown_items';
  expect(Object.keys(responses[0])).toEqual(
    expect.arrayContaining([...standard, ...[answer, second, third, others].join(', ').split(', ')]),
  );
  expect(responses[0]).toMatchObject({ dropdown_items: ['Ads'], last_dropdown_items: ['Ads'] });
  const removed = await api.send('DELETE', `/v3/edit/responses/${responses[0].id}`);
  expect([removed.status, removed.body.response.id]).toEqual([200, responses[0].id]);
});

it('returns every field of an Event Name', async () => {
  await api.post('/v3/observe/hooks/events', { uid: 'ann', name: 'Report Exported' });
  const { event_names } = await read('edit/event_names');
  const fields = 'name, description, uid, kind, source, published_at, last_seen_at, filters, content_summary';
  expect(Object.keys(event_names[0])).toEqual(
    expect.arrayContaining([...standard, ...fields.split(', '), 'dashboard_url']),
  );
  expect((await read(`edit/event_names/${event_names[0].id}`)).event_name).toEqual(event_names[0]);
});

it('returns every field of a limit group', async () => {
  await make('limit_groups', { name: 'Calm', rate_limit_size: 2, rate_limit_kind: '30d', kind: 'tour' });
  const fields = 'name, description, kind, rate_limit_size, rate_limit_kind, tag_ids, campaign_ids';
  expect(await expectFields('limit_groups', 'limit_group', fields)).toMatchObject({
    ...{ name: 'Calm', kind: 'tour', rate_limit_size: 2, rate_limit_kind: '30d', tag_ids: [], campaign_ids: [] },
  });
});

it('returns every field of an alert group', async () => {
  await make('alert_groups', { name: 'Quiet', kind: 'survey', interval: 30, style: 'uncompleted' });
  const fields = 'name, kind, interval, style, published_at, last_notified_at, tag_ids, campaign_ids';
  expect(await expectFields('alert_groups', 'alert_group', fields)).toMatchObject({
    ...{ name: 'Quiet', kind: 'survey', interval: 30, style: 'uncompleted', tag_ids: [], campaign_ids: [] },
    ...{ published_at: null, last_notified_at: null },
  });
});

it('returns every field of a theme', async () => {
  await make('themes', { name: 'Brand', style_color_background: 'FFFFFF' });
  const texts = ['', 'title_', 'button_'].flatMap((part) =>
    ['font', 'font_size', 'font_weight', 'line_height'].map((name) => `style_${part}${name}`),
  );
  const colors =
    'background, text, title, button_highlight, button_text, button_hover, button_border, link, dismiss, shroud, hotspot, icon, icon_background, progress, timer, checkmark, border, highlight';
  const all = colors.split(', ').map((name) => `style_color_${name}`);
  const fields = ['name, description, css, default, content_summary, dashboard_url', ...texts, ...all].join(', ');
  const theme = await expectFields('themes', 'theme', fields);
  expect(Object.keys(theme).filter((name) => name.startsWith('style_color_secondary_button_'))).not.toEqual([]);
  expect(theme.style_color_background).toMatch(/^[0-9a-f]{6}$/i);
});

it('returns every field of a Tag', async () => {
  await make('tags', { name: 'VIP users' });
  const fields = 'uid, name, description, models_count, disabled_at, last_seen_at';
  expect(await expectFields('tags', 'tag', fields)).toMatchObject({ uid: 'vip_users', models_count: 0 });
});

it.each(['tour', 'survey', 'launcher', 'tooltip', 'embed', 'segment'])(
  'lists what uses a Segment by the %s in singular and plural, and gives its items IDs',
  async (kind) => {
    const items = [{ kind: 'property', prop: 'plan', op: 'eq', value: 'pro' }];
    const segment = await make('segments', { name: 'Pro', items });
    const user =
      kind === 'segment'
        ? { name: 'User', items: [{ kind: 'segment', op: 'ex', value: segment.id }] }
        : { name: 'User', segment_ids: [segment.id] };
    const { id } = await make(`${kind}s`, user);
    const body = await read(`edit/segments/${segment.id}/${kind}`);
    expect(Object.keys(body)).toEqual([`${kind}s`, 'segment', 'cursor']);
    expect(body[`${kind}s`].map((one: { id: string }) => one.id)).toEqual([id]);
    expect(body.segment.items).toEqual([{ id: expect.stringMatching(/^[0-9a-f]{24}$/), ...items[0] }]);
    expect(await read(`edit/segments/${segment.id}/${kind}s`)).toEqual(body);
  },
);

it.each(['searches', 'search_items'])('returns no %s of a help bar', async (name) => {
  expect(await read(`edit/${name}`)).toEqual({ [name]: [], cursor: { limit: 50, before: null } });
});

it('reads true and false for `enabled` of a Url', async () => {
  const { id } = await make('urls', { host: 'app.example.com', enabled: true });
  expect((await read(`edit/urls/${id}`)).url.enabled).toBe('on');
  await api.patch(`/v3/edit/urls/${id}`, { enabled: false });
  expect((await read(`edit/urls/${id}`)).url.enabled).toBe('off');
});
