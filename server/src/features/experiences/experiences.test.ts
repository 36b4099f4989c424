import {
  buttonFields,
  type ExperienceKind,
  experienceKinds,
  fieldsOfKind,
  isId,
  itemFields,
  pathOfKind,
  stepFields,
} from '@usher/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { png } from '../../../../domain/test/pictures.ts';
import { accountRows } from '../../../test/account-rows.ts';
import { type Api, startApi } from '../../../test/api.ts';
import { pictureForm } from '../../../test/picture-form.ts';
import { recountUse } from '../../../test/use-rows.ts';
import { anonymous, createContext } from '../../create-context.ts';
import { createAccount } from '../team/accounts/create-account.ts';
import { createAdmin } from '../team/admins/create-admin.ts';
import { createSecret } from '../team/secrets/create-secret.ts';
import { listExperiences } from './list-experiences.ts';

let api: Api;
/** The IDs of records that documents may name, by their placeholder in the tables below. */
const ids: Record<string, string> = {};
beforeAll(async () => {
  api = await startApi({ inTest: false });
  await allowScripts();
  for (const name of ['$segment', '$second']) ids[name] = (await addSegment()).id;
  ids.$group = (await addGroup()).id;
  ids.$tag = await addTag();
  ids.$theme = (await api.post('/v3/edit/themes', { name: 'Brand' })).body.theme.id;
  ids.$picture = (await api.post('/v3/edit/pictures', pictureForm(png(7, 5)))).body.picture.path;
  ids.$tour = (await add('tour')).id;
  ids.$survey = (await add('survey')).id;
  ids.$foreign = (await addSegment(api.other)).id;
});
afterAll(() => api.stop());

type Caller = { account_secret: string };
// biome-ignore lint/suspicious/noExplicitAny: tests inspect JSON of any shape
type Shown = any;

const unknownId = 'f'.repeat(24);
const unknownPicture = `/media/${unknownId}/${'0'.repeat(32)}-7x5.png`;
const at = (kind: ExperienceKind, id = '') => `/v3/edit/${pathOfKind(kind)}${id && `/${id}`}`;
/** The smallest document of each kind that can be published. */
const sound: Record<ExperienceKind, object> = {
  tour: { steps: [{ title: 'Hello', buttons: [{ text: 'Go' }] }] },
  survey: { steps: [{ title: 'How was it?', preset: 'survey_nps' }] },
  launcher: { items: [{ title: 'Docs', url: '/docs' }] },
  tooltip: { steps: [{ title: 'New', elements: [{ selector: '#new' }] }] },
  embed: { steps: [{ title: 'Sale', position_type: 'inline', elements: [{ selector: '#top' }] }] },
};
let count = 0;
const newName = (what = 'Experience') => `${what} ${++count}`;

async function add(kind: ExperienceKind, params: object = sound[kind], as: Caller = api.account): Promise<Shown> {
  const { status, body } = await api.post(at(kind), { name: newName(), ...params }, { as });
  expect(body.messages).toBeUndefined();
  expect(status).toBe(201);
  return body[kind];
}
async function change(kind: ExperienceKind, id: string, params: object): Promise<Shown> {
  const { status, body } = await api.patch(at(kind, id), params);
  expect(body.messages).toBeUndefined();
  expect(status).toBe(200);
  return body[kind];
}
const show = async (kind: ExperienceKind, id: string): Promise<Shown> => (await api.get(at(kind, id))).body[kind];

/** Expects that a request is rejected and changes nothing. */
async function expectRejected(path: string, params: object, { method = 'PATCH', as = api.account as Caller } = {}) {
  const before = await traces();
  const { status, body } = await api.send(method, path, { body: params, as });
  expect(await traces()).toEqual(before);
  return { status, messages: body.messages as string[] };
}

/** Reads the rows that every write adds or changes. */
function traces() {
  const { account_id } = api.account;
  const db = api.app.storage.reader(account_id);
  const tables = ['experiences', 'changes', 'captures', 'versions'] as const;
  const counts = tables.map((table) =>
    db
      .selectFrom(table)
      .select(({ fn }) => [fn.countAll().as('rows'), fn.max('id').as('last')])
      .where('account_id', '=', account_id)
      .execute(),
  );
  const newest = db
    .selectFrom('experiences')
    .select(({ fn }) => fn.max('updated_at').as('at'))
    .where('account_id', '=', account_id)
    .execute();
  return Promise.all([...counts, newest]);
}

async function addSegment(as: Caller = api.account): Promise<Shown> {
  return (await api.post('/v3/edit/segments', { name: newName('Segment') }, { as })).body.segment;
}
async function addGroup(as: Caller = api.account): Promise<Shown> {
  return (await api.post('/v3/edit/url_groups', { name: newName('Group') }, { as })).body.url_group;
}
async function addTag({ account_id } = api.account): Promise<string> {
  const tag = { account_id, id: api.app.newId(), updated_at: 1, uid: newName('tag'), name: 'Tag' };
  await api.app.storage.write(account_id, (db) => db.insertInto('tags').values(tag).execute());
  return tag.id;
}
function allowScripts(allow_scripts = true, { account_id } = api.account) {
  return api.app.storage.write(null, (db) =>
    db.updateTable('accounts').set({ allow_scripts }).where('id', '=', account_id).execute(),
  );
}
async function addAdmin(role: 'editor' | 'viewer', { account_id } = api.account): Promise<Caller> {
  const email = `${role}${++count}@acme.test`;
  await createAdmin(api.app, { accountId: account_id, name: 'Kim', email, role });
  return createSecret(api.app, { accountId: account_id, email, name: 'test' });
}
const newAccount = () => createAccount(api.app, { name: 'Fresh', email: `fresh${++count}@acme.test` });

/** The default of a field, its valid values with how they are shown, and its invalid values. */
interface Field {
  start: unknown;
  good: unknown[];
  shown?: [params: unknown, shown: unknown][];
  bad: unknown[];
}

const text = (most: number): Field => ({
  start: null,
  good: ['A', ' {{first_name}} 🎉 ', '🎉'.repeat(most), null],
  shown: [['', null]],
  bad: [' ', 'a'.repeat(most + 1), 12, true, {}, ['A'], 'a\0'],
});
const word = (start: string, ...words: string[]): Field => ({
  start,
  good: [...words, start],
  bad: [null, '', 'other', start.toUpperCase(), 1, [start]],
});
const wordOrNone = (...words: string[]): Field => ({
  start: null,
  good: [...words, null],
  bad: ['', 'other', 1, [words[0]]],
});
const yesNo: Field = { start: false, good: [true, false], shown: [['true', true]], bad: [null, '', 1, 'yes'] };
const number = (most: number): Field => ({
  start: null,
  good: [0, 0.5, most, null],
  shown: [['12', 12]],
  bad: ['', -1, most + 1, 'many', true, [1]],
});
const most: Field = {
  start: null,
  good: [1, 1_000_000, null],
  shown: [['12', 12]],
  bad: ['', 0, -1, 1_000_001, 'many', true, [1]],
};
const time: Field = {
  start: null,
  good: ['2100-01-02T03:04:05.678Z', null],
  shown: [
    ['2100-01-02', '2100-01-02T00:00:00.000Z'],
    [4_102_444_800, '2100-01-01T00:00:00.000Z'],
  ],
  bad: ['', 'soon', true, {}, [1]],
};
const idOrNone = (...names: string[]): Field => ({
  start: null,
  good: [...names, null],
  bad: ['', unknownId, '$foreign', 'x', 5],
});
const idList = (name: string, most: number): Field => ({
  start: [],
  good: [[name], []],
  shown: [
    [[name, name], [name]],
    [name, [name]],
  ],
  bad: [null, '', [unknownId], ['$foreign'], ['x'], [null], 5, Array(most + 1).fill(name)],
});
const element = { selector: '#a > b', text: null, shadow_selector: null };
const elementFields = { selector: 1000, text: 500, shadow_selector: 1000 };
const wrongElements = [
  5,
  'x',
  ...Object.entries(elementFields).map(([name, most]) => ({ [name]: 'a'.repeat(most + 1) })),
  { selector: 5 },
];
const elementOrNone: Field = {
  start: null,
  good: [element, { ...element, tag: 'a', use: ['tag'] }, null],
  shown: [[{ selector: '#a > b' }, element]],
  bad: [...wrongElements, { tag: 5 }, { use: 5 }, { arity: -1 }],
};
const filters: Field = {
  start: [],
  good: [
    [{ kind: 'property', prop: 'plan', op: 'eq', value: 'pro' }],
    [{ kind: 'group', filters_op: 'or', filters: [{ kind: 'event', op: 'ex', value: 'export' }] }],
    [],
  ],
  bad: [null, 5, [{}], [{ kind: 'other' }], [{ kind: 'event' }], [{ kind: 'intercom' }]],
};
const urls: Field = {
  start: [],
  good: [
    ['simple', 'exact', 'regex', 'inverse_simple', 'inverse_exact'].map((match_type) => ({ url: '/a', match_type })),
    [],
  ],
  shown: [[[{ url: '/a' }], [{ url: '/a', match_type: 'simple' }]]],
  bad: [
    null,
    5,
    ['/a'],
    [{}],
    [{ url: ' ' }],
    [{ url: 'a'.repeat(2001) }],
    [{ url: '/a', match_type: 'other' }],
    Array(51).fill({ url: '/a' }),
  ],
};

const common: Record<string, Field> = {
  position: { start: 0, good: [1, 1_000_000, 0], shown: [['3', 3]], bad: [null, -1, 0.5, 1_000_001, 'first'] },
  segment_ids: idList('$segment', 20),
  segments_op: word('and', 'or'),
  excluded_segment_ids: idList('$segment', 20),
  url_group_ids: idList('$group', 50),
  tag_ids: idList('$tag', 50),
  theme_id: idOrNone('$theme'),
  published_at: time,
  published_until: time,
  archived_at: time,
  rate_unlimit_at: time,
  experiment_at: time,
  experiment_range: {
    start: null,
    good: ['0-50', '50-100', '0-0', '12.25-12.5', null],
    bad: ['', '50', '50-0', '0-101', '-1-5', '0-50%', 50, [0, 50]],
  },
  // With most of the others, it is rejected at publish.
  without_consent: { ...yesNo, good: [false, true] },
  goal: { ...text(255), good: ['signed_up', null], shown: [['Signed Up', 'signed_up']] },
  goals: {
    start: [],
    good: [[]],
    bad: [5, [5], [{ kind: 'other' }], [{ event_name: 'a', within_days: 0 }]],
  },
  repeat_days: number(3650),
};
const screenPositions = ['top', 'bottom', 'top_left', 'top_right', 'bottom_left', 'bottom_right'];
const slideouts = ['bottom_start', 'bottom_end', 'middle_start', 'middle_end'].map((place) => `slideout_${place}`);
const style: Field = word('auto', 'manual');
style.bad.push('banner');
const embedStyle: Field = word('banner', 'card');
embedStyle.bad.push('auto');

const fields = {
  tour: { ...common, style },
  survey: { ...common, style, public_page: yesNo, stop_after_responses: most, stop_after_responses_per_segment: most },
  launcher: {
    ...common,
    title: text(500),
    description: text(2000),
    list_type: word('default', 'checklist'),
    trigger_type: word('icon', 'tab', 'element'),
    trigger: text(1000),
    trigger_text: text(200),
    icon_size: number(200),
    screen_position: word('bottom_right', 'center', ...screenPositions.filter((place) => place !== 'bottom_right')),
    offset_x: number(500),
    offset_y: number(500),
    badge: word('count', 'dot', 'text', 'none'),
    badge_text: text(20),
    shortcut: text(30),
    position_type: word('relative_to_screen', 'snap_to_trigger'),
    empty_state_content: text(2000),
    quantifier_urls: urls,
    blocked_domains: {
      start: [],
      good: [['app.example.com', 'localhost'], []],
      shown: [
        [
          ['APP.Example.com', ' app.example.com ', 'müller.example'],
          ['app.example.com', 'xn--mller-kva.example'],
        ],
      ],
      bad: [
        null,
        '',
        [''],
        [5],
        ['https://app.example.com'],
        ['a b'],
        ['app.example.com/path'],
        Array(201).fill('a.example'),
      ],
    },
    preset: text(255),
    search_placeholder: text(200),
    in_order: yesNo,
    celebration: yesNo,
    hide_after_completed_days: number(3650),
  },
  tooltip: common,
  embed: {
    ...common,
    style: embedStyle,
    sticky: yesNo,
    overlay: yesNo,
    dismissible: { ...yesNo, start: true },
    reserved_height: number(400),
  },
  step: {
    title: text(500),
    body: text(20_000),
    picture: {
      start: null,
      good: ['$picture', null],
      bad: ['', '/media/a/b.png', unknownPicture, 5, ['$picture']],
    },
    picture_alt: text(500),
    video_url: text(2000),
    media_position: word('above', 'left', 'right', 'full_bleed'),
    dismiss_text: text(200),
    preset: wordOrNone(
      'survey_two',
      'survey_three',
      'survey_four',
      'survey_five',
      'survey_nps',
      'survey_csat',
      'survey_ces',
      'survey_input',
      'survey_dropdown',
      'response',
      'thank_you',
    ),
    dropdown_items: {
      start: [],
      good: [['A', 'B'], []],
      bad: [null, [''], ['a'.repeat(201)], [5], Array(101).fill('A')],
    },
    label_low: text(200),
    label_high: text(200),
    placeholder: text(200),
    other_text: text(200),
    step_trigger: word('page_load', 'element_match', 'element_not_match', 'event'),
    trigger_event: {
      start: null,
      good: [{ name: 'invite_sent', filters: [], delay_seconds: 5, within_seconds: 60 }, null],
      shown: [
        [{ name: 'Invite sent' }, { name: 'invite_sent', filters: [], delay_seconds: 0, within_seconds: 86_400 }],
      ],
      bad: ['invite_sent', {}, { name: '' }, { name: 'a', delay_seconds: -1 }, { name: 'a', within_seconds: 0 }],
    },
    secondary_trigger: wordOrNone(
      ...([
        'click',
        'hover',
        'time_on_page',
        'smart_delay',
        'input',
        'exit_intent',
        'scroll_percent',
        'custom_trigger',
      ] as const),
    ),
    trigger_scroll_percent: { ...number(100), good: [1, 40.5, 100, null], bad: [0, 0.5, 100.1, -1, 'x', {}] },
    trigger_delay: number(86_400),
    custom_trigger: text(10_000),
    position_type: word('relative_to_screen', 'snap_to_element', 'snap_to_trigger', 'inline'),
    screen_position: word('center', ...screenPositions, ...slideouts),
    placement: word('auto', 'top', 'right', 'bottom', 'left'),
    backdrop: yesNo,
    hotspot: yesNo,
    elements: {
      start: [],
      good: [[element, { ...element, text: 'Save', shadow_selector: 'i' }], []],
      shown: [
        [[{ selector: '#a > b' }], [element]],
        [[{ text: 'Save' }], [{ ...element, selector: null, text: 'Save' }]],
      ],
      bad: [null, ...wrongElements.map((wrong) => [wrong]), Array(11).fill(element)],
    },
    quantifier_urls: urls,
    snooze_hours: number(8760),
    snooze_choices: {
      start: [],
      good: [['1h', '4h', '1d', '3d', '7d', '14d', '30d'], ['7d'], []],
      bad: [null, '2h', ['2h'], [1], Array(8).fill('1h')],
    },
    trigger_element: elementOrNone,
    position_element: elementOrNone,
    exit_element: elementOrNone,
    trigger_additional_element: elementOrNone,
    trigger_secondary_element: elementOrNone,
    step_additional_trigger: text(255),
    follow_up_delay: number(1e12),
  },
  button: {
    text: text(200),
    tour_action: wordOrNone('next', 'previous', 'exit', 'snooze'),
    additional_actions: {
      start: [],
      good: [['cta_url', 'element_click', 'tour', 'survey', 'property', 'tag_user', 'code'], []],
      shown: [['cta_url,code', ['cta_url', 'code']]],
      bad: [null, ['other'], [5], Array(13).fill('tour')],
    },
    action_url: text(2000),
    action_new_window: yesNo,
    action_campaign_id: idOrNone('$tour', '$survey'),
    action_element: {
      start: null,
      good: [element, null],
      shown: [[{ selector: '#a > b' }, element]],
      bad: wrongElements,
    },
    action_property: text(255),
    action_value: text(500),
    action_tag: text(255),
    action_script: text(10_000),
  },
  item: {
    kind: word('url', 'tour', 'survey', 'script', 'divider'),
    title: text(500),
    description: text(2000),
    url: text(2000),
    campaign_id: idOrNone('$tour', '$survey'),
    segment_id: idOrNone('$segment'),
    completed_when: filters,
    completed_when_op: word('and', 'or'),
    visible_when: filters,
    visible_when_op: word('and', 'or'),
    hide: yesNo,
    action_script: text(10_000),
  },
} satisfies Record<string, Record<string, Field>>;
type Model = keyof typeof fields;

/** The place of a model: the params that set its field, the path in messages, and where to find it in a response. */
const places: Partial<
  Record<Model, { kind: ExperienceKind; path: string; of(whole: Shown): Shown; in(part: object, whole: Shown): object }>
> = {
  step: {
    kind: 'tour',
    path: 'steps[0].',
    of: (tour) => tour.steps[0],
    in: (part, tour) => ({ steps: [{ id: tour.steps[0].id, ...part }] }),
  },
  button: {
    kind: 'tour',
    path: 'steps[0].buttons[0].',
    of: (tour) => tour.steps[0].buttons[0],
    in: (part, { steps: [step] }) => ({ steps: [{ id: step.id, buttons: [{ id: step.buttons[0].id, ...part }] }] }),
  },
  item: {
    kind: 'launcher',
    path: 'items[0].',
    of: (launcher) => launcher.items[0],
    in: (part, launcher) => ({ items: [{ id: launcher.items[0].id, ...part }] }),
  },
};
const placeOf = (model: Model) =>
  places[model] ?? { kind: model as ExperienceKind, path: '', of: (whole: Shown) => whole, in: (part: object) => part };
const fill = (value: unknown) =>
  JSON.parse(
    JSON.stringify(value).replace(
      /\$(segment|second|group|tag|theme|picture|tour|survey|foreign)/g,
      (name) => ids[name] ?? '',
    ),
  );
const rows = Object.entries(fields).flatMap(([model, table]) =>
  Object.entries(table).map(([name, field]): [Model, string, Field] => [model as Model, name, field]),
);

/** Fields that all kinds have are tested with a tour. */
const owners = rows.filter(([model, name]) => model === 'tour' || !(name in common));

/** What only steps of surveys have. `questions.test.ts` tests these. */
const ofSurveys = ['question', 'next'];

describe('fields', () => {
  it('lists every field of every kind in these tables', () => {
    const own = Object.fromEntries(experienceKinds.map((kind) => [kind, fieldsOfKind(kind)]));
    const parts = { step: stepFields, button: buttonFields, item: itemFields };
    for (const [model, table] of Object.entries({ ...own, ...parts }))
      expect(Object.keys(fields[model as Model]).sort(), model).toEqual(
        Object.keys(table)
          .filter((name) => !['name', ...ofSurveys].includes(name))
          .sort(),
      );
  });

  /** A new Experience of each kind, as it was returned and as it is shown. */
  const blanks = new Map<ExperienceKind, Promise<Shown[]>>();
  async function addBlank(kind: ExperienceKind): Promise<Shown[]> {
    const made = await add(kind, kind === 'launcher' ? { items: [{}] } : { steps: [{ buttons: [{}] }] });
    return [made, await show(kind, made.id)];
  }

  it.each(rows)('%s %s has its default in a new Experience', async (model, name, { start }) => {
    const { kind, of } = placeOf(model);
    const blank = blanks.get(kind) ?? addBlank(kind);
    blanks.set(kind, blank);
    expect((await blank).map((one) => of(one)[name])).toEqual([start, start]);
  });

  it.each(owners)('%s %s accepts valid values on create and update', async (model, name, field) => {
    const { kind, of, in: place } = placeOf(model);
    const whole = await add(kind);
    const { id } = whole;
    const pairs = [...field.good.map((value) => [value, value]), ...(field.shown ?? [])].map(fill);
    for (const [params, shown] of pairs) {
      const changed = await change(kind, id, place({ [name]: params }, whole));
      expect(of(changed)[name]).toEqual(shown);
      expect(await show(kind, id)).toEqual(changed);
      const made = await add(kind, {
        ...sound[kind],
        ...withoutIds(place({ ...firstOf(kind, model), [name]: params }, changed)),
      });
      expect(of(made)[name]).toEqual(shown);
    }
  });

  it.each(owners)('%s %s rejects invalid values and names the path', async (model, name, field) => {
    const { kind, path, in: place } = placeOf(model);
    const whole = await add(kind);
    const before = await traces();
    for (const params of field.bad.map(fill)) {
      const { status, body } = await api.patch(at(kind, whole.id), place({ [name]: params }, whole));
      const missing = [unknownId, unknownPicture, ids.$foreign].includes([params].flat()[0]);
      expect(status, JSON.stringify(params)).toBe(missing ? 404 : 422);
      expect(body.messages).not.toEqual([]);
      for (const message of body.messages) expect(message).toContain(`\`${path}${name}`);
      const making = { name: 'A', ...withoutIds(place({ [name]: params }, whole)) };
      expect((await api.post(at(kind), making)).status).toBe(status);
    }
    expect(await traces()).toEqual(before);
  });

  it.each(experienceKinds)('returns the common fields of a %s', async (kind) => {
    const all = Object.fromEntries(Object.entries(common).map(([name, { good }]) => [name, fill(good[0])]));
    // `goal` is one of the goals.
    const { goals: _, ...params } = all;
    const later = { ...params, published_until: '2100-02-01T00:00:00.000Z' };
    const { id } = await add(kind);
    expect(await change(kind, id, later)).toMatchObject(later);
    expect(await add(kind, { ...sound[kind], ...later })).toMatchObject(later);
    expect((await expectRejected(at(kind, id), { position: -1, goal: 5, tag_ids: 5 })).messages).toHaveLength(3);
  });

  it.each(experienceKinds)('ignores fields that a %s does not have', async (kind) => {
    const others = {
      nonsense: 1,
      ...(kind === 'launcher' ? { steps: [{ title: 'A' }] } : { list_type: 'checklist', items: [{}] }),
    };
    const made = await add(kind, { ...sound[kind], ...others });
    expect(made).not.toHaveProperty('nonsense');
    if (kind === 'launcher') expect(made.steps).toEqual([]);
    else for (const name of ['list_type', 'items', 'title']) expect(made).not.toHaveProperty(name);
    expect('style' in made).toBe(kind !== 'launcher' && kind !== 'tooltip');
  });
});

/** The params that a model needs beside the field to be valid. */
function firstOf(kind: ExperienceKind, model: Model): object {
  const [first = {}] = Object.values(sound[kind])[0] as { buttons?: object[] }[];
  if (model === 'button') return first.buttons?.[0] ?? {};
  return model === 'step' || model === 'item' ? first : {};
}
function withoutIds(params: object): object {
  return JSON.parse(JSON.stringify(params, (key, value) => (key === 'id' ? undefined : value)));
}

describe.each(experienceKinds)('a %s', (kind) => {
  const list = async (query = '', as: Caller = api.account) =>
    (await api.get(at(kind), { query, as })).body[pathOfKind(kind)] as Shown[];

  it('is created with only a name', async () => {
    const { status, body } = await api.post(at(kind), { name: 'Welcome' });
    expect(status).toBe(201);
    expect(Object.keys(body)).toEqual([kind]);
    const { id, created_at, updated_at, name, state, steps, items, url_groups, dashboard_url, stats } = body[kind];
    expect(isId(id)).toBe(true);
    expect(updated_at).toBe(created_at);
    expect({ kind: body[kind].kind, name, state, steps, items, url_groups }).toEqual({
      kind,
      name: 'Welcome',
      state: 'draft',
      steps: [],
      items: kind === 'launcher' ? [] : undefined,
      url_groups: [],
    });
    expect(dashboard_url).toBe(`${api.app.publicUrl}/app/experiences/${id}`);
    expect(body[kind]).toMatchObject({ segment_id: null, tags: [], content_summary: null });
    expect(body[kind].audience_summary).toMatch(/^Shows to everybody on every page in all Environments/);
    expect(stats).toEqual({
      started_count: 0,
      completed_count: 0,
      exited_count: 0,
      displayed_count: 0,
      last_started_at: null,
      last_completed_at: null,
      last_exited_at: null,
      last_displayed_at: null,
    });
  });

  it.each([[{}], [{ name: null }], [{ name: '' }], [{ name: ' ' }], [{ name: 'a'.repeat(256) }], [{ name: 5 }]])(
    'is not created with %j',
    async (params) => {
      const { status, messages } = await expectRejected(at(kind), params, { method: 'POST' });
      expect({ status, messages }).toEqual({ status: 422, messages: [expect.stringContaining('`name`')] });
    },
  );

  it('is shown as created, with its keys in a fixed order', async () => {
    const made = await add(kind);
    const shown = (await api.get(at(kind, made.id))).text;
    expect(shown).toBe(JSON.stringify({ [kind]: made }));
    const changed = await api.patch(at(kind, made.id), { position: 1 });
    expect(changed.text.replace(/"updated_at":"[^"]+"/, '').replace('"position":1', '"position":0')).toBe(
      shown.replace(/"updated_at":"[^"]+"/, ''),
    );
    expect(JSON.stringify((await list('limit=1'))[0])).toBe(JSON.stringify(await show(kind, made.id)));
  });

  it('is listed with others of its kind, newest first, page by page', async () => {
    const fresh = await newAccount();
    const made = [];
    for (let n = 0; n < 3; n++) made.unshift((await add(kind, {}, fresh)).id);
    await add(kind === 'tour' ? 'survey' : 'tour', {}, fresh);
    const first = (await api.get(at(kind), { query: 'limit=2', as: fresh })).body;
    expect(Object.keys(first)).toEqual([pathOfKind(kind), 'cursor']);
    expect(first[pathOfKind(kind)].map(({ id }: Shown) => id)).toEqual(made.slice(0, 2));
    expect(first.cursor).toEqual({ limit: 2, before: made[1] });
    const next = await list(`limit=2&before=${first.cursor.before}`, fresh);
    expect(next.map(({ id }) => id)).toEqual(made.slice(2));
  });

  it('changes only the given fields by PATCH and PUT', async () => {
    const made = await add(kind);
    for (const method of ['PATCH', 'PUT']) {
      const { status, body } = await api.send(method, at(kind, made.id), { body: { name: method, position: 3 } });
      expect(status).toBe(200);
      const { updated_at } = body[kind];
      expect(body).toEqual({ [kind]: { ...made, name: method, position: 3, updated_at } });
      expect(updated_at > made.updated_at).toBe(true);
      expect(await show(kind, made.id)).toEqual(body[kind]);
    }
  });

  it('stays the same when it gets the values that it has', async () => {
    const made = await add(kind);
    const before = await traces();
    expect(await change(kind, made.id, made)).toEqual(made);
    expect(await change(kind, made.id, {})).toEqual(made);
    expect(await traces()).toEqual(before);
  });

  it('is still shown when it is archived', async () => {
    const { id } = await add(kind);
    const archived = await change(kind, id, { archived_at: '$now' });
    expect(archived).toMatchObject({ state: 'archived', archived_at: expect.any(String) });
    const idsIn = async (query: string) => (await list(query)).map((one) => one.id).includes(id);
    expect([await idsIn(''), await idsIn('archived=true'), await idsIn('archived=false')]).toEqual([true, true, false]);
    expect((await change(kind, id, { archived_at: null })).state).toBe('draft');
    expect([await idsIn('archived=true'), await idsIn('archived=false')]).toEqual([false, true]);
  });

  it('is deleted', async () => {
    const made = await add(kind);
    const { status, body } = await api.send('DELETE', at(kind, made.id));
    expect({ status, body }).toEqual({ status: 200, body: { [kind]: made } });
    const never = await api.get(at(kind, unknownId));
    expect(never.status).toBe(404);
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const { status, text } = await api.send(
        method,
        at(kind, made.id),
        method === 'PATCH' ? { body: { name: 'A' } } : {},
      );
      expect({ status, text }).toEqual({ status: 404, text: never.text });
    }
    expect((await list()).map(({ id }) => id)).not.toContain(made.id);
  });

  it('is duplicated as a draft with new IDs', async () => {
    const made = await add(kind, { ...sound[kind], segment_ids: [ids.$segment], published_at: '$now' });
    const { status, body } = await api.post(`${at(kind, made.id)}/duplicate`, {});
    expect(status).toBe(201);
    const copy = body[kind];
    const sameBut = {
      id: '',
      created_at: '',
      updated_at: '',
      dashboard_url: '',
      name: '',
      published_at: '',
      state: '',
    };
    const bare = (one: Shown) => withoutIds({ ...one, ...sameBut });
    expect(bare(copy)).toEqual(bare(made));
    expect(copy).toMatchObject({ name: `Copy of ${made.name}`, published_at: null, state: 'draft' });
    const idsOf = (one: Shown) => JSON.stringify(one).match(/(?<="id":")[0-9a-f]{24}/g) as string[];
    expect(idsOf(copy).filter((id) => idsOf(made).includes(id))).toEqual([]);
    expect(idsOf(copy)).toHaveLength(idsOf(made).length);
    expect(await show(kind, copy.id)).toEqual(copy);
    expect(await show(kind, made.id)).toEqual(made);
    expect((await api.post(`${at(kind, made.id)}/duplicate`, { name: 'Mine' })).body[kind].name).toBe('Mine');
  });

  it('shortens the name of a copy to the maximum length', async () => {
    const { id } = await add(kind, { name: '🎉'.repeat(255) });
    expect((await api.post(`${at(kind, id)}/duplicate`, {})).body[kind].name).toBe(`Copy of ${'🎉'.repeat(247)}`);
  });

  it('returns 404 under another account or another kind', async () => {
    const foreign = await add(kind, sound[kind], api.other);
    const other = experienceKinds[(experienceKinds.indexOf(kind) + 1) % 5] as ExperienceKind;
    const [mine] = [await add(kind)];
    const before = await accountRows(api.app, api.other.account_id);
    const calls = (path: string): [string, string, object?][] => [
      ['GET', path],
      ['PATCH', path, { name: 'A' }],
      ['DELETE', path],
      ['POST', `${path}/duplicate`, {}],
      ['POST', `${path}/import`, { name: 'A' }],
      ['GET', `${path}/versions`],
    ];
    const sendAll = async (path: string) =>
      Promise.all(calls(path).map(async ([method, url, body]) => (await api.send(method, url, { body })).text));
    const unknown = await sendAll(at(kind, unknownId));
    for (const text of unknown) expect(JSON.parse(text).code).toBe(404);
    expect(await sendAll(at(kind, foreign.id))).toEqual(unknown);
    expect((await sendAll(at(other, mine.id))).map((text) => JSON.parse(text).code)).toEqual(Array(6).fill(404));
    expect(await accountRows(api.app, api.other.account_id)).toEqual(before);
    expect(await show(kind, mine.id)).toEqual(mine);
  });

  it('can be read but not changed by viewers', async () => {
    const viewer = await addAdmin('viewer');
    const { id } = await add(kind);
    expect((await api.get(at(kind, id), { as: viewer })).status).toBe(200);
    expect((await expectRejected(at(kind), { name: 'A' }, { method: 'POST', as: viewer })).status).toBe(403);
    for (const [method, path] of [
      ['PATCH', ''],
      ['PUT', ''],
      ['DELETE', ''],
      ['POST', '/duplicate'],
      ['POST', '/import'],
      ['POST', '/revert'],
      ['POST', kind === 'launcher' ? '/items' : '/steps'],
    ] as const)
      expect((await expectRejected(at(kind, id) + path, { name: 'A' }, { method, as: viewer })).status).toBe(403);
  });
});

it('returns 404 for an unknown kind', async () => {
  const nowhere = await api.get('/v3/edit/nowhere/at/all/here');
  expect(nowhere.status).toBe(404);
  for (const kind of ['tour', 'flows', 'Tours'])
    for (const [method, path, body] of [
      ['GET', ''],
      ['POST', '', { name: 'A' }],
      ['GET', `/${unknownId}`],
      ['PATCH', `/${unknownId}`, {}],
      ['DELETE', `/${unknownId}`],
    ] as const) {
      const response = await api.send(method, `/v3/edit/${kind}${path}`, { body });
      expect([response.status, response.text]).toEqual([404, nowhere.text]);
    }
});

describe('the list of all kinds', () => {
  it('lists every kind, newest first, each with its kind', async () => {
    const fresh = await newAccount();
    const made = [];
    for (const kind of experienceKinds) made.unshift(await add(kind, sound[kind], fresh));
    const { body } = await api.get('/v3/edit/experiences', { as: fresh });
    expect(Object.keys(body)).toEqual(['experiences', 'cursor']);
    expect(body.experiences).toEqual(made);
    expect(body.experiences.map(({ kind }: Shown) => kind)).toEqual([...experienceKinds].reverse());
    const page = (await api.get('/v3/edit/experiences', { query: 'limit=2', as: fresh })).body;
    expect(page.experiences).toEqual(made.slice(0, 2));
    expect(page.cursor).toEqual({ limit: 2, before: made[1].id });
  });

  it('lists only archived or only other Experiences on request', async () => {
    const fresh = await newAccount();
    const put = await add('tour', { archived_at: '$now' }, fresh);
    const left = await add('embed', {}, fresh);
    const idsIn = async (query: string) =>
      (await api.get('/v3/edit/experiences', { query, as: fresh })).body.experiences.map(({ id }: Shown) => id);
    expect(await idsIn('')).toEqual([left.id, put.id]);
    expect(await idsIn('archived=true')).toEqual([put.id]);
    expect(await idsIn('archived=false')).toEqual([left.id]);
  });
});

describe('stats', () => {
  it('counts the users who saw, started, completed and exited it, with the last times', async () => {
    const { id } = await add('tour');
    const { account_id } = api.account;
    const row = {
      account_id,
      experience_id: id,
      updated_at: 1,
      started_at: null,
      completed_at: null,
      exited_at: null,
      displayed_at: null,
      state: 'started',
    };
    for (const times of [
      { displayed_at: 1000, started_at: 2000, completed_at: 3000 },
      { displayed_at: 4000, started_at: 1500, exited_at: 2500 },
      { displayed_at: 500 },
    ]) {
      const uid = newName('user');
      const profile_id = (await api.post('/v3/observe/hooks/profiles', { uid })).body.profile.id;
      const interaction = { ...row, id: api.app.newId(), profile_id, ...times };
      await api.app.storage.write(account_id, (db) =>
        db
          .insertInto('interactions')
          .values(interaction as never)
          .execute(),
      );
    }
    await recountUse(api.app, account_id);
    expect((await show('tour', id)).stats).toEqual({
      started_count: 2,
      completed_count: 1,
      exited_count: 1,
      displayed_count: 3,
      last_started_at: '1970-01-01T00:00:02.000Z',
      last_completed_at: '1970-01-01T00:00:03.000Z',
      last_exited_at: '1970-01-01T00:00:02.500Z',
      last_displayed_at: '1970-01-01T00:00:04.000Z',
    });
  });
});

describe('parts', () => {
  const titles = (tour: Shown) => tour.steps.map(({ title }: Shown) => title);

  it('adds, changes, moves and removes parts in one PATCH', async () => {
    const tour = await add('tour', {
      steps: ['A', 'B', 'C'].map((title) => ({ title, body: `of ${title}`, buttons: [{ text: '1' }, { text: '2' }] })),
    });
    const [a, b, c] = tour.steps;
    const changed = await change('tour', tour.id, {
      steps: [
        { id: c.id },
        { title: 'new', buttons: [{ text: 'fresh' }] },
        {
          id: a.id,
          title: 'A2',
          buttons: [{ id: a.buttons[1].id, text: '2b' }, { text: '3' }, { id: a.buttons[0].id }],
        },
      ],
    });
    const [first, second, third] = changed.steps;
    expect(first).toEqual({ ...c, position: 0 });
    expect(second).toMatchObject({ position: 1, title: 'new', body: null });
    expect(second.buttons).toMatchObject([{ position: 0, text: 'fresh' }]);
    expect(third).toEqual({ ...a, position: 2, title: 'A2', buttons: third.buttons });
    expect(third.buttons).toEqual([
      { ...a.buttons[1], position: 0, text: '2b' },
      { ...third.buttons[1], position: 1, text: '3' },
      { ...a.buttons[0], position: 2 },
    ]);
    const parts = [second.id, second.buttons[0].id, third.buttons[1].id];
    expect(parts.every(isId) && new Set([...parts, a.id, b.id, c.id]).size === 6).toBe(true);
    expect(await show('tour', tour.id)).toEqual(changed);
  });

  it('adds, changes, moves and removes the items of a launcher in one PATCH', async () => {
    const launcher = await add('launcher', { items: ['A', 'B', 'C'].map((title) => ({ title, url: '/' })) });
    const [a, , c] = launcher.items;
    const { items } = await change('launcher', launcher.id, {
      items: [{ id: c.id, hide: true }, { title: 'D' }, { id: a.id }],
    });
    expect(items).toEqual([
      { ...c, position: 0, hide: true },
      { ...items[1], position: 1, title: 'D' },
      { ...a, position: 2 },
    ]);
  });

  it('keeps parts when the list is left out', async () => {
    const tour = await add('tour');
    expect((await change('tour', tour.id, { name: 'B' })).steps).toEqual(tour.steps);
    expect((await change('tour', tour.id, { steps: [{ id: tour.steps[0].id }] })).steps).toEqual(tour.steps);
    expect((await change('tour', tour.id, { steps: [] })).steps).toEqual([]);
  });

  it('accepts parts in a form', async () => {
    const { id } = await add('tour');
    const { body } = await api.send('PATCH', at('tour', id), {
      query: 'steps[0][title]=A&steps[0][buttons][0][text]=B&steps[1][title]=C',
    });
    expect(titles(body.tour)).toEqual(['A', 'C']);
    expect(body.tour.steps[0].buttons[0].text).toBe('B');
  });

  it('rejects part IDs of other Experiences and names the path', async () => {
    const tour = await add('tour', {
      steps: [
        { title: 'A', buttons: [{ text: '1' }] },
        { title: 'B', buttons: [{ text: '2' }] },
      ],
    });
    const [a, b] = tour.steps;
    const elsewhere = (await add('tour')).steps[0];
    const foreign = (await add('tour', sound.tour, api.other)).steps[0];
    for (const [path, steps] of [
      ['steps[0].id', [{ id: unknownId }]],
      ['steps[1].id', [{ id: a.id }, { id: elsewhere.id }]],
      ['steps[0].id', [{ id: foreign.id }]],
      ['steps[1].id', [{ id: a.id }, { id: a.id }]],
      ['steps[0].id', [{ id: a.buttons[0].id }]],
      ['steps[0].buttons[0].id', [{ id: a.id, buttons: [{ id: b.buttons[0].id }] }]],
      ['steps[0].buttons[1].id', [{ id: a.id, buttons: [{ text: 'C' }, { id: unknownId }] }]],
      ['steps[0].id', [{ id: 'x' }]],
    ] as const) {
      const { status, messages } = await expectRejected(at('tour', tour.id), { steps });
      expect({ status, messages }).toEqual({ status: 422, messages: [expect.stringContaining(`\`${path}\``)] });
    }
    const launcher = await add('launcher');
    const { messages } = await expectRejected(at('launcher', launcher.id), { items: [{ id: a.id }] });
    expect(messages).toEqual([expect.stringContaining('`items[0].id`')]);
  });

  it('gives new IDs to the parts of a new Experience', async () => {
    const { steps } = await add('tour', {
      steps: [{ id: unknownId, title: 'A', buttons: [{ id: unknownId, text: 'B' }] }],
    });
    expect(steps[0]).toMatchObject({ title: 'A', buttons: [{ text: 'B' }] });
    expect([steps[0].id, steps[0].buttons[0].id]).not.toContain(unknownId);
  });

  it('accepts at most 200 steps, 10 buttons and 100 items', async () => {
    const many = (length: number) => Array.from({ length }, (_, n) => ({ title: `T${n}`, text: `T${n}` }));
    expect((await add('tour', { steps: many(200) })).steps).toHaveLength(200);
    expect((await add('tour', { steps: [{ buttons: many(10) }] })).steps[0].buttons).toHaveLength(10);
    expect((await add('launcher', { items: many(100) })).items).toHaveLength(100);
    for (const [kind, path, params] of [
      ['tour', 'steps', { steps: many(201) }],
      ['tour', 'steps[0].buttons', { steps: [{ buttons: many(11) }] }],
      ['launcher', 'items', { items: many(101) }],
    ] as const) {
      const { messages } = await expectRejected(at(kind), { name: 'A', ...params }, { method: 'POST' });
      expect(messages).toEqual([expect.stringContaining(`\`${path}\``)]);
    }
  });

  it('accepts exactly one step in a tooltip', async () => {
    const { id } = await add('tooltip');
    const two = [{ title: 'A' }, { title: 'B' }];
    for (const [path, method] of [
      [at('tooltip'), 'POST'],
      [at('tooltip', id), 'PATCH'],
    ] as const) {
      const { status, messages } = await expectRejected(path, { name: 'A', steps: two }, { method });
      expect({ status, messages }).toEqual({ status: 422, messages: [expect.stringContaining('`steps`')] });
    }
    expect((await expectRejected(`${at('tooltip', id)}/steps`, { title: 'B' }, { method: 'POST' })).status).toBe(422);
    expect((await show('tooltip', id)).steps).toHaveLength(1);
  });
});

describe.each([
  ['tour', 'steps', 'step', 'title'],
  ['launcher', 'items', 'item', 'title'],
  ['tour', 'buttons', 'button', 'text'],
] as const)('of a %s, the %s one by one', (kind, list, one, text) => {
  async function make(...texts: string[]) {
    const parts = texts.map((value) => ({ [text]: value }));
    const made = await add(kind, list === 'buttons' ? { steps: [{ title: 'A', buttons: parts }] } : { [list]: parts });
    const path =
      list === 'buttons' ? `${at(kind, made.id)}/steps/${made.steps[0].id}/buttons` : `${at(kind, made.id)}/${list}`;
    const now = async () => {
      const shown = await show(kind, made.id);
      return (list === 'buttons' ? shown.steps[0].buttons : shown[list]) as Shown[];
    };
    const textsNow = async () => {
      const parts = await now();
      expect(parts.map(({ position }) => position)).toEqual(parts.map((_, index) => index));
      return parts.map((part) => part[text]);
    };
    return { path, now, textsNow, parts: await now() };
  }

  it('adds a part at the end or at a position', async () => {
    const { path, now, textsNow } = await make('A');
    for (const [params, texts, at] of [
      [{ [text]: 'B' }, ['A', 'B'], 1],
      [{ [text]: 'C', position: 0 }, ['C', 'A', 'B'], 0],
      [{ [text]: 'D', position: 2 }, ['C', 'A', 'D', 'B'], 2],
      [{ [text]: 'E', position: 99 }, ['C', 'A', 'D', 'B', 'E'], 4],
    ] as const) {
      const { status, body } = await api.post(path, params);
      expect(status).toBe(201);
      expect(await textsNow()).toEqual(texts);
      expect(JSON.stringify(body)).toBe(JSON.stringify({ [one]: (await now())[at] }));
    }
  });

  it('changes and moves a part', async () => {
    const { path, parts, now, textsNow } = await make('A', 'B', 'C');
    const [a, b] = parts;
    for (const method of ['PATCH', 'PUT']) {
      const { status, body } = await api.send(method, `${path}/${b.id}`, { body: { [text]: method } });
      expect({ status, body }).toEqual({ status: 200, body: { [one]: { ...b, [text]: method } } });
      expect(Object.keys(body[one])).toEqual(Object.keys(b));
    }
    expect((await api.patch(`${path}/${a.id}`, { position: 2 })).body).toEqual({ [one]: { ...a, position: 2 } });
    expect(await textsNow()).toEqual(['PUT', 'C', 'A']);
    await api.patch(`${path}/${a.id}`, { position: 99 });
    expect(await textsNow()).toEqual(['PUT', 'C', 'A']);
    await api.patch(`${path}/${a.id}`, { position: 0, [text]: 'A2' });
    expect(await textsNow()).toEqual(['A2', 'PUT', 'C']);
    expect((await now()).map(({ id }) => id)).toEqual([a.id, b.id, parts[2].id]);
  });

  it('removes a part', async () => {
    const { path, parts, textsNow } = await make('A', 'B', 'C');
    const { status, body } = await api.send('DELETE', `${path}/${parts[1].id}`);
    expect(status).toBe(200);
    expect(JSON.stringify(body)).toBe(JSON.stringify({ [one]: parts[1] }));
    expect(await textsNow()).toEqual(['A', 'C']);
    expect((await api.send('DELETE', `${path}/${parts[1].id}`)).status).toBe(404);
  });

  it('rejects invalid values in a part', async () => {
    const { path, parts } = await make('A');
    const wrong: [object, string][] = [
      [{ [text]: 5 }, text],
      [{ position: -1 }, 'position'],
      [{ position: 'x' }, 'position'],
    ];
    for (const [params, name] of wrong)
      for (const [method, url] of [
        ['POST', path],
        ['PATCH', `${path}/${parts[0].id}`],
      ] as const) {
        const { status, messages } = await expectRejected(url, params, { method });
        expect({ status, messages }).toEqual({ status: 422, messages: [expect.stringContaining(`\`${name}\``)] });
      }
  });

  it('rejects a part beyond the maximum', async () => {
    const most = { buttons: 10, items: 100, steps: 200 }[list];
    const { path } = await make(...Array.from({ length: most }, (_, n) => `T${n}`));
    expect((await expectRejected(path, { [text]: 'more' }, { method: 'POST' })).status).toBe(422);
  });

  it('returns 404 for a part of another Experience', async () => {
    const { path, parts } = await make('A');
    const { path: otherPath } = await make('B');
    const unknown = await api.patch(`${path}/${unknownId}`, {});
    expect(unknown.status).toBe(404);
    const wrong = await api.patch(`${otherPath}/${parts[0].id}`, { [text]: 'C' });
    expect([wrong.status, wrong.text]).toEqual([404, unknown.text]);
    expect((await api.patch(`${path}/${parts[0].id}`, { [text]: 'C' }, { as: api.other })).status).toBe(404);
    expect((await api.post(path, { [text]: 'C' }, { as: api.other })).status).toBe(404);
    expect((await expectRejected(path, {}, { method: 'POST', as: await addAdmin('viewer') })).status).toBe(403);
  });

  if (list === 'buttons') return;
  it('lists and shows parts', async () => {
    const { path, parts } = await make('A', 'B');
    expect((await api.get(path)).body).toEqual({ [list]: parts });
    expect((await api.get(`${path}/${parts[1].id}`)).body).toEqual({ [one]: parts[1] });
    expect((await api.get(`${path}/${unknownId}`)).status).toBe(404);
    expect((await api.get(path, { as: api.other })).status).toBe(404);
  });
});

it('returns 404 for the steps of a launcher and the items of other kinds', async () => {
  const tour = await add('tour');
  const launcher = await add('launcher');
  const nowhere = await api.get('/v3/edit/nowhere/at/all/here');
  for (const [method, path] of [
    ['GET', `${at('tour', tour.id)}/items`],
    ['POST', `${at('tour', tour.id)}/items`],
    ['GET', `${at('launcher', launcher.id)}/steps`],
    ['POST', `${at('launcher', launcher.id)}/steps`],
    ['POST', `${at('launcher', launcher.id)}/steps/${unknownId}/buttons`],
  ] as const) {
    const { status, text } = await api.send(method, path, method === 'POST' ? { body: {} } : {});
    expect([path, status, text]).toEqual([path, 404, nowhere.text]);
  }
});

describe.each([
  ['url_group_id', 'url_group_ids', '$group', () => addGroup().then(({ id }) => id)],
  ['tag_id', 'tag_ids', '$tag', () => addTag()],
] as const)('%s', (name, list, known, make) => {
  it('adds an ID with + and removes one with -', async () => {
    const id = ids[known];
    const another = await make();
    const tour = await add('tour', { ...sound.tour, [list]: [id] });
    expect((await change('tour', tour.id, { [name]: `+${another}` }))[list]).toEqual([id, another]);
    expect((await change('tour', tour.id, { [name]: `+${id}` }))[list]).toEqual([id, another]);
    expect((await change('tour', tour.id, { [name]: `-${id}` }))[list]).toEqual([another]);
    expect((await change('tour', tour.id, { [name]: `-${id}` }))[list]).toEqual([another]);
    expect((await change('tour', tour.id, { [name]: `+${id}`, name: 'B' }))[list]).toEqual([another, id]);
  });

  it('rejects an ID without a sign or of an unknown record', async () => {
    const tour = await add('tour');
    for (const wrong of [ids[known], '+', `*${ids[known]}`, `+${unknownId}`, 5]) {
      const { status, messages } = await expectRejected(at('tour', tour.id), { [name]: wrong });
      expect(status).toBe(wrong === `+${unknownId}` ? 404 : 422);
      expect(messages).toEqual([expect.stringContaining(`\`${name}`)]);
    }
  });

  it('removes the ID of a deleted record', async () => {
    const tour = await add('tour');
    expect(await change('tour', tour.id, { [name]: `-${unknownId}` })).toEqual(tour);
  });
});

it('returns the Environments with their names in url_groups', async () => {
  const group = await addGroup();
  const tour = await add('tour', { ...sound.tour, url_group_ids: [ids.$group, group.id] });
  expect(tour.url_groups).toEqual([
    { id: ids.$group, name: expect.any(String), short_name: null, urls: [] },
    { id: group.id, name: group.name, short_name: null, urls: [] },
  ]);
});

describe('what an Experience names', () => {
  const summarize = (steps: object[]) => ({ steps: steps.map((step) => ({ title: 'Hello', ...step })) });

  it('is shown with it: Tags, domains, its content and its audience', async () => {
    const as = await newAccount();
    const post = async (path: string, params: object) =>
      Object.values((await api.post(`/v3/edit/${path}`, params, { as })).body)[0] as { id: string };
    const group = await post('url_groups', { name: 'Staging', short_name: 'STG' });
    const hosts: object[] = [];
    for (const host of ['a.example.com', 'b.example.com']) {
      const { id } = await post('urls', { host, enabled: 'on', url_group_id: group.id });
      await api.patch(`/v3/edit/urls/${id}`, { url_group_id: group.id }, { as });
      hosts.unshift({ id, host });
    }
    const [pro, old] = [await post('segments', { name: 'Pro' }), await post('segments', { name: 'Old' })];
    const tag = await post('tags', { name: 'Onboarding' });
    const params = {
      ...summarize([{ quantifier_urls: [{ url: '/team' }] }, { title: 'Your team' }]),
      ...{ name: 'Welcome', segment_ids: [pro.id], excluded_segment_ids: [old.id] },
      ...{ url_group_ids: [group.id], tag_ids: [tag.id], repeat_days: 30 },
    };
    const { id } = await post('tours', params);
    const { tour } = (await api.get(`/v3/edit/tours/${id}`, { as })).body;
    expect(tour).toMatchObject({
      segment_id: pro.id,
      tags: [(await api.get(`/v3/edit/tags/${tag.id}`, { as })).body.tag],
      url_groups: [{ id: group.id, name: 'Staging', short_name: 'STG', urls: hosts }],
      content_summary: '2 steps: “Hello”, “Your team”',
      audience_summary: 'Shows to everybody in “Pro” who are not in “Old” on /team in Staging, again after 30 days.',
    });
    expect(tour.tags[0].models_count).toBe(1);
    expect((await api.get('/v3/edit/experiences', { as })).body.experiences).toEqual([tour]);
  });

  it('takes as many queries for many Experiences as for one', async () => {
    const as = await newAccount();
    const post = async (path: string, params: object) =>
      Object.values((await api.post(`/v3/edit/${path}`, params, { as })).body)[0] as { id: string };
    const addOne = async (n: number) => {
      const [tag, group] = [await post('tags', { name: `Tag ${n}` }), await post('url_groups', { name: `Group ${n}` })];
      const segment = await post('segments', { name: `Segment ${n}` });
      await post('tours', {
        ...{ name: `Tour ${n}`, tag_ids: [tag.id], url_group_ids: [group.id], segment_ids: [segment.id] },
      });
    };
    await addOne(1);
    const countQueries = async () => {
      let count = 0;
      const ctx = createContext(api.app, { account: { id: as.account_id }, actor: anonymous });
      const db = ctx.db.withPlugin({
        transformQuery: ({ node }) => {
          count++;
          return node;
        },
        transformResult: async ({ result }) => result,
      });
      const page = { limit: 50, order: 'created_at', fields: 'all' } as const;
      const { rows } = await listExperiences({ ...ctx, db }, page);
      return [rows.length, count] as const;
    };
    const [, forOne] = await countQueries();
    expect(forOne).toBeGreaterThan(4);
    for (let n = 2; n < 6; n++) await addOne(n);
    expect(await countQueries()).toEqual([5, forOne]);
  });

  it('has at most 20 domains of an Environment, the newest first', async () => {
    const as = await newAccount();
    const { body } = await api.post('/v3/edit/url_groups', { name: 'Many' }, { as });
    const url_group_id = body.url_group.id;
    const ids: string[] = [];
    for (let n = 0; n < 22; n++)
      ids.unshift((await api.post('/v3/edit/urls', { host: `a${n}.example.com`, enabled: 'on' }, { as })).body.url.id);
    await api.post('/v3/edit/urls/batch', { ids, url_group_id }, { as });
    await api.patch(`/v3/edit/urls/${ids[0]}`, { archived_at: '$now' }, { as });
    const { tour } = (await api.post('/v3/edit/tours', { name: 'A', url_group_ids: [url_group_id] }, { as })).body;
    expect(tour.url_groups[0].urls.map(({ id }: { id: string }) => id)).toEqual(ids.slice(1, 21));
  });

  it('takes back a record in which one of segment_id and segment_ids was changed', async () => {
    const [one, two] = [(await addSegment()).id, (await addSegment()).id];
    const made = await add('tour', { segment_ids: [one] });
    const sent = async (params: object) => (await change('tour', made.id, params)).segment_ids;
    expect(await sent(made)).toEqual([one]);
    expect(await sent({ ...made, segment_id: two })).toEqual([two]);
    expect(await sent({ segment_ids: [one, two], segment_id: two })).toEqual([one, two]);
    expect(await sent({ segment_ids: [two, one], segment_id: two })).toEqual([two, one]);
    expect(await sent({ segment_ids: [two, one], segment_id: null })).toEqual([]);
  });
});

describe('references', () => {
  it('rejects IDs of another account like unknown IDs, and names each path', async () => {
    const [segment, group, tag] = [await addSegment(api.other), await addGroup(api.other), await addTag(api.other)];
    const tour = await add('tour', sound.tour, api.other);
    const tooltip = await add('tooltip');
    const mine = await add('tour');
    const params = (one: string, two: string, three: string, four: string) => ({
      segment_ids: [ids.$segment, one],
      excluded_segment_ids: [one],
      url_group_ids: [two],
      tag_ids: [three],
      steps: [{}, { buttons: [{}, { action_campaign_id: four }] }],
    });
    const { status, messages } = await expectRejected(at('tour', mine.id), params(segment.id, group.id, tag, tour.id));
    expect(status).toBe(404);
    expect(messages).toHaveLength(5);
    for (const [index, path] of [
      'segment_ids[1]',
      'excluded_segment_ids[0]',
      'url_group_ids[0]',
      'tag_ids[0]',
      'steps[1].buttons[1].action_campaign_id',
    ].entries())
      expect(messages[index]).toContain(`\`${path}\``);
    const unknown = await expectRejected(at('tour', mine.id), params(unknownId, unknownId, unknownId, unknownId));
    expect(unknown.messages).toEqual(messages);
    const wrongKind = await expectRejected(at('tour', mine.id), params(segment.id, group.id, tag, tooltip.id));
    expect(wrongKind.messages).toEqual(messages);
  });

  it.each([
    ['segment_id', 'segment_ids'],
    ['excluded_segment_id', 'excluded_segment_ids'],
  ])('accepts %s as a list of one', async (one, list) => {
    const made = await add('tour', { [one]: ids.$segment });
    expect(made[list]).toEqual([ids.$segment]);
    const changed = async (params: object) => (await api.patch(at('tour', made.id), params)).body.tour[list];
    expect(await changed({ [one]: null })).toEqual([]);
    expect(await changed({ [one]: ids.$segment })).toEqual([ids.$segment]);
    expect((await expectRejected(at('tour', made.id), { [one]: unknownId })).messages).toEqual([
      `\`${list}[0]\` is the ID of no Segment in this account`,
    ]);
    expect((await expectRejected(at('tour', made.id), { [one]: unknownId, [list]: [] })).messages).toEqual([
      `\`${one}\` stands for \`${list}\`: give one of the two`,
    ]);
  });

  it('rejects unknown IDs in an item', async () => {
    const { id } = await add('launcher');
    const items = [{}, { campaign_id: unknownId, segment_id: ids.$foreign }];
    const { messages } = await expectRejected(at('launcher', id), { items });
    expect(messages).toEqual([
      expect.stringContaining('`items[1].segment_id`'),
      expect.stringContaining('`items[1].campaign_id`'),
    ]);
  });

  it('allows changes while it names a deleted record', async () => {
    const target = await add('tour');
    const tour = await add('tour', {
      steps: [{ title: 'A', buttons: [{ text: 'B', action_campaign_id: target.id }] }],
    });
    expect((await api.send('DELETE', at('tour', target.id))).status).toBe(200);
    expect((await change('tour', tour.id, { name: 'B' })).steps[0].buttons[0].action_campaign_id).toBe(target.id);
  });
});

it('returns 409 for the deletion of a tour that a Segment names', async () => {
  const tour = await add('tour');
  const items = [{ kind: 'tour', op: 'ex', value: tour.id, range: 'started' }];
  const { segment } = (await api.post('/v3/edit/segments', { name: 'Saw it', items })).body;
  const { status, messages } = await expectRejected(at('tour', tour.id), {}, { method: 'DELETE' });
  expect({ status, messages }).toEqual({ status: 409, messages: [expect.stringContaining('"Saw it"')] });
  await api.send('DELETE', `/v3/edit/segments/${segment.id}`);
  expect((await api.send('DELETE', at('tour', tour.id))).status).toBe(200);
});

describe('scripts', () => {
  const scripts: [string, ExperienceKind, object][] = [
    ['action_script', 'tour', { steps: [{ buttons: [{ action_script: 'go()' }] }] }],
    ['custom_trigger', 'tour', { steps: [{ custom_trigger: 'return true' }] }],
    ['action_script', 'launcher', { items: [{ action_script: 'go()' }] }],
  ];

  it.each(scripts)('lets only owners write %s of a %s', async (name, kind, params) => {
    const editor = await addAdmin('editor');
    const { id } = await add(kind);
    for (const [path, method] of [
      [at(kind), 'POST'],
      [at(kind, id), 'PATCH'],
    ] as const) {
      const { status, messages } = await expectRejected(path, { name: 'A', ...params }, { method, as: editor });
      expect({ status, messages }).toEqual({ status: 403, messages: [expect.stringContaining(`\`${name}\``)] });
    }
    const made = await add(kind, params);
    expect((await api.patch(at(kind, made.id), { name: 'B' }, { as: editor })).status).toBe(200);
  });

  it.each(scripts)('rejects %s of a %s unless the account allows scripts', async (name, kind, params) => {
    const fresh = await newAccount();
    const { status, body } = await api.post(at(kind), { name: 'A', ...params }, { as: fresh });
    expect(status).toBe(403);
    expect(body.messages).toEqual([expect.stringContaining(`\`${name}\``)]);
    await allowScripts(true, fresh);
    expect((await add(kind, params, fresh)).id).toBeDefined();
  });
});

describe('the updated_at of the client', () => {
  it('accepts a change with the current updated_at', async () => {
    const tour = await add('tour');
    const changed = await change('tour', tour.id, { name: 'B', updated_at: tour.updated_at });
    expect(changed.updated_at > tour.updated_at).toBe(true);
    expect((await change('tour', tour.id, { name: 'C', updated_at: changed.updated_at })).name).toBe('C');
  });

  it('returns 409 for an older updated_at, with who changed it and when', async () => {
    const editor = await addAdmin('editor');
    const tour = await add('tour');
    const { body } = await api.patch(at('tour', tour.id), { name: 'Theirs' }, { as: editor });
    const { status, messages } = await expectRejected(at('tour', tour.id), {
      name: 'Mine',
      updated_at: tour.updated_at,
    });
    expect(status).toBe(409);
    expect(messages).toEqual([expect.stringMatching(/^Kim \(editor\d+@acme\.test\) changed this Experience at /)]);
    expect(messages[0]).toContain(body.tour.updated_at);
    expect((await show('tour', tour.id)).name).toBe('Theirs');
  });

  it('returns with 409 the Experience as it is now, and who changed it', async () => {
    const editor = await addAdmin('editor');
    const tour = await add('tour');
    await api.patch(at('tour', tour.id), { name: 'Theirs' }, { as: editor });
    const { status, body } = await api.patch(at('tour', tour.id), { name: 'Mine', updated_at: tour.updated_at });
    expect(status).toBe(409);
    expect(body.current).toEqual(await show('tour', tour.id));
    expect(body.changed_by).toEqual({
      id: expect.any(String),
      name: 'Kim',
      email: expect.stringMatching(/^editor\d+@acme\.test$/),
    });
  });

  it('does not name the author of a change in a Segment that it uses', async () => {
    const editor = await addAdmin('editor');
    const { body } = await api.post('/v3/edit/segments', { name: 'Used' });
    const tour = await add('tour', { segment_ids: [body.segment.id] });
    await change('tour', tour.id, { name: 'B' });
    await api.patch(`/v3/edit/segments/${body.segment.id}`, { name: 'Renamed' }, { as: editor });
    const { messages } = await expectRejected(at('tour', tour.id), { name: 'Mine', updated_at: tour.updated_at });
    expect(messages).toEqual([expect.stringMatching(/^ann \(ann@acme\.test\) changed this Experience at /i)]);
  });

  it('accepts a change without updated_at', async () => {
    const tour = await add('tour');
    await change('tour', tour.id, { name: 'B' });
    expect((await change('tour', tour.id, { name: 'C' })).name).toBe('C');
  });
});

describe('an import', () => {
  it('replaces the whole document and keeps the parts with known IDs', async () => {
    const tour = await add('tour', {
      steps: [{ title: 'A', body: 'a', buttons: [{ text: '1', action_url: '/x' }] }, { title: 'B' }],
      goal: 'paid',
      position: 3,
    });
    const [a] = tour.steps;
    const steps = [{ title: 'New' }, { id: a.id, title: 'A2', buttons: [{ id: a.buttons[0].id, text: '1' }] }];
    const { status, body } = await api.post(`${at('tour', tour.id)}/import`, { name: 'Whole', steps });
    expect(status).toBe(200);
    expect(body.tour).toMatchObject({ id: tour.id, name: 'Whole', goal: null, position: 3 });
    expect(body.tour.steps).toHaveLength(2);
    expect(body.tour.steps[1]).toEqual({
      ...a,
      position: 1,
      title: 'A2',
      body: null,
      buttons: [{ ...a.buttons[0], action_url: null }],
    });
    expect(await show('tour', tour.id)).toEqual(body.tour);
  });
});

describe('concurrent changes', () => {
  it('keeps concurrent changes of different fields', async () => {
    const tour = await add('tour');
    const fields = {
      goal: 'paid',
      position: 4,
      repeat_days: 7,
      style: 'manual',
      name: 'Raced',
      experiment_range: '0-50',
    };
    const responses = await Promise.all(
      Object.entries(fields).map(([name, value]) => api.patch(at('tour', tour.id), { [name]: value })),
    );
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    expect(await show('tour', tour.id)).toMatchObject(fields);
  });

  it('keeps one of several concurrent changes with the same updated_at', async () => {
    const tour = await add('tour');
    const names = ['A', 'B', 'C', 'D'];
    const responses = await Promise.all(
      names.map((name) => api.patch(at('tour', tour.id), { name, updated_at: tour.updated_at })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    const winner = responses.findIndex(({ status }) => status === 200);
    expect((await show('tour', tour.id)).name).toBe(names[winner]);
  });

  it('keeps all steps that are added concurrently', async () => {
    const tour = await add('tour', {});
    const titles = Array.from({ length: 6 }, (_, n) => `T${n}`);
    const responses = await Promise.all(titles.map((title) => api.post(`${at('tour', tour.id)}/steps`, { title })));
    expect(responses.map(({ body }) => body.step.title)).toEqual(titles);
    const { steps } = await show('tour', tour.id);
    expect(steps.map(({ title }: Shown) => title).sort()).toEqual(titles);
    expect(steps.map(({ position }: Shown) => position)).toEqual([0, 1, 2, 3, 4, 5]);
    const stamps = [tour.updated_at, (await show('tour', tour.id)).updated_at];
    expect(stamps[1] > stamps[0]).toBe(true);
  });

  it('leaves no partial state when it is deleted concurrently', async () => {
    const tour = await add('tour');
    const [gone, ...responses] = await Promise.all([
      api.send('DELETE', at('tour', tour.id)),
      ...['A', 'B', 'C'].map((name) => api.patch(at('tour', tour.id), { name })),
    ]);
    expect(gone?.status).toBe(200);
    for (const { status } of responses) expect([200, 404]).toContain(status);
    expect((await api.get(at('tour', tour.id))).status).toBe(404);
  });
});

describe('an empty text in JSON', () => {
  it.each([
    ['PATCH', '', { steps: '' }, '`steps` must be a list of steps'],
    ['POST', '/import', { name: 'A', steps: '' }, '`steps` must be a list of steps'],
    ['PATCH', '', { steps: [{ buttons: '' }] }, '`steps[0].buttons` must be a list of buttons'],
    ['POST', '/import', {}, 'The document is required: give its `name`, `steps` or other fields'],
    ['POST', '/import', { unknown: 1 }, 'The document is required: give its `name`, `steps` or other fields'],
    ['PATCH', '', { segment_ids: '' }, '`segment_ids` must be a list'],
    ['PATCH', '', { published_at: '' }, '`published_at` must be'],
  ])('returns 422 for %s …%s %j, and deletes nothing', async (method, end, params, message) => {
    const { id } = await add('tour', { steps: [{ title: 'First' }, { title: 'Second' }] });
    const before = await show('tour', id);
    const { status, body } = await api.send(method, at('tour', id) + end, { body: params });
    expect([status, body.messages]).toEqual([422, [expect.stringContaining(message)]]);
    expect(await show('tour', id)).toEqual(before);
  });

  it('empties the same list in JSON as in a form', async () => {
    const { id } = await add('tour', { steps: [{ title: 'First' }] });
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect((await api.patch(at('tour', id), 'steps=&archived_at=', { headers })).status).toBe(200);
    expect((await show('tour', id)).steps).toEqual([]);
  });
});
