import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ExperienceKind, noCounts } from '@usher/domain';
import fc from 'fast-check';
import { load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { randomRuns } from '../../../../domain/test/random-runs.ts';
import { type Api, type ApiResponse, startApi } from '../../../test/api.ts';
import { engine } from '../../../test/engine.ts';
import { newUid, openDomain, visit } from '../../../test/visiting.ts';
import { type CreatedAccount, createAccount } from '../team/accounts/create-account.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
afterAll(() => api.stop());

// biome-ignore lint/suspicious/noExplicitAny: tests inspect JSON of any shape
type Shown = any;
type Format = 'yaml' | 'json';
const formats: Format[] = ['yaml', 'json'];
const unknownId = 'f'.repeat(24);
let count = 0;
const newAccount = () => createAccount(api.app, { name: 'Fresh', email: `fresh${++count}@acme.test` });

const guide = {
  steps: [
    {
      title: 'Hello {{first_name | fallback: "there"}} 👋',
      body: 'First line\n\n- one\n- two',
      dismiss_text: 'Close',
      buttons: [{ text: 'Next' }, { text: 'Later: maybe' }],
    },
    { title: 'no', buttons: [{}] },
  ],
};
const survey = {
  steps: [
    {
      title: 'How was it?',
      preset: 'survey_dropdown',
      dropdown_items: ['Good', 'Bad'],
      label_low: 'Not likely',
      label_high: 'Very likely',
      placeholder: 'Your words',
      other_text: 'Something else',
    },
  ],
};
const launcher = {
  title: 'Help',
  description: 'All there is',
  trigger_text: 'Open',
  empty_state_content: 'Nothing yet',
  items: [{ title: 'Docs', description: 'Read on', url: '/docs' }, { kind: 'divider' }],
};

async function add(kind: ExperienceKind, params: object, as: CreatedAccount = api.account): Promise<Shown> {
  const { status, body } = await api.post(`/v3/edit/${kind}s`, { name: `${kind} ${++count}`, ...params }, { as });
  expect(body.messages).toBeUndefined();
  expect(status).toBe(201);
  return body[kind];
}
const show = async (kind: ExperienceKind, id: string, as: CreatedAccount = api.account): Promise<Shown> =>
  (await api.get(`/v3/edit/${kind}s/${id}`, { as })).body[kind];

async function download(path: string, query = '', as: CreatedAccount = api.account): Promise<string> {
  const { status, text } = await api.get(`/v3/edit/${path}`, { query, as });
  expect(status).toBe(200);
  return text;
}
const parse = (text: string): Shown => (text.startsWith('{') ? JSON.parse(text) : load(text));

interface Params {
  name?: string;
  text: string | Uint8Array;
}
function upload(files: Params | Params[], as: CreatedAccount = api.account): Promise<ApiResponse> {
  const form = new FormData();
  const blob = ({ text }: Params) => new Blob([text as string]);
  if (Array.isArray(files)) for (const file of files) form.append('files[]', blob(file), file.name ?? 'a.yaml');
  else form.append('file', blob(files), files.name ?? 'a.yaml');
  return api.post('/v3/edit/i18n', form, { as });
}
/** A changed file as JSON. */
function edited(text: string, change: (file: Shown) => void): string {
  const file = parse(text);
  change(file);
  return JSON.stringify(file);
}
/** Expects that a file is rejected and changes nothing, and returns its errors. */
async function errorsOf(text: string | Uint8Array): Promise<string[]> {
  const before = await traces();
  const { status, body } = await upload({ text });
  expect(status).toBe(422);
  expect(await traces()).toEqual(before);
  return body.messages.map((message: string) => message.replace(/^a\.yaml: /, ''));
}

/** Writes the texts of the first step of a tour in a language. */
async function translate(
  id: string,
  language: string,
  change: (texts: Shown) => void,
  as: CreatedAccount = api.account,
): Promise<void> {
  const text = edited(await download(`tours/${id}/i18n.json`, `language=${language}`, as), (file) =>
    change(file.experiences[0].steps[0].translations),
  );
  expect((await upload({ text }, as)).status).toBe(200);
}

async function traces() {
  const { account_id } = api.account;
  const db = api.app.storage.reader(account_id);
  const changes = await db.selectFrom('changes').select('id').where('account_id', '=', account_id).execute();
  const drafts = await db
    .selectFrom('experiences')
    .select(['id', 'updated_at'])
    .where('account_id', '=', account_id)
    .orderBy('id')
    .execute();
  const translations = await db
    .selectFrom('translations')
    .selectAll()
    .where('account_id', '=', account_id)
    .orderBy('experience_id')
    .orderBy('language')
    .execute();
  const languages = await db.selectFrom('languages').selectAll().where('account_id', '=', account_id).execute();
  return { changes: changes.length, drafts, translations, languages: languages.length };
}

async function changesOf(id: string, as: CreatedAccount = api.account): Promise<Shown[]> {
  const db = api.app.storage.reader(as.account_id);
  return db
    .selectFrom('changes')
    .selectAll()
    .where('account_id', '=', as.account_id)
    .where('experience_id', '=', id)
    .orderBy('id')
    .execute();
}

describe('download', () => {
  it('contains the texts of one Experience by key, in order', async () => {
    const tour = await add('tour', { name: 'Welcome', ...guide });
    const [first, second] = tour.steps;
    const file = parse(await download(`tours/${tour.id}/i18n.json`));
    expect(Object.keys(file)).toEqual(['id', 'language', 'experiences']);
    expect(file.id).toBe(tour.id);
    expect(file.language.code).toBe('default');
    expect(file.experiences).toEqual([
      {
        id: tour.id,
        name: 'Welcome',
        steps: [
          {
            id: first.id,
            translations: {
              title: { text: 'Hello {{first_name | fallback: "there"}} 👋' },
              body: { text: 'First line\n\n- one\n- two' },
              dismiss_text: { text: 'Close' },
              [`buttons:${first.buttons[0].id}:text`]: { text: 'Next' },
              [`buttons:${first.buttons[1].id}:text`]: { text: 'Later: maybe' },
            },
          },
          { id: second.id, translations: { title: { text: 'no' } } },
        ],
      },
    ]);
    expect(Object.keys(file.experiences[0].steps[0].translations).slice(0, 3)).toEqual([
      'title',
      'body',
      'dismiss_text',
    ]);
  });

  it('shows dropdown items and the labels of a survey', async () => {
    const { id } = await add('survey', survey);
    const { experiences } = parse(await download(`surveys/${id}/i18n.yaml`));
    expect(experiences[0].steps[0].translations).toEqual({
      title: { text: 'How was it?' },
      'dropdown_items:0:text': { text: 'Good' },
      'dropdown_items:1:text': { text: 'Bad' },
      label_low: { text: 'Not likely' },
      label_high: { text: 'Very likely' },
      placeholder: { text: 'Your words' },
      other_text: { text: 'Something else' },
    });
  });

  it('shows a launcher and its items as steps with their IDs', async () => {
    const { id, items } = await add('launcher', launcher);
    const { experiences } = parse(await download(`launchers/${id}/i18n.yaml`));
    expect(experiences[0].steps).toEqual([
      {
        id,
        translations: {
          title: { text: 'Help' },
          description: { text: 'All there is' },
          trigger_text: { text: 'Open' },
          empty_state_content: { text: 'Nothing yet' },
        },
      },
      { id: items[0].id, translations: { title: { text: 'Docs' }, description: { text: 'Read on' } } },
      { id: items[1].id, translations: {} },
    ]);
  });

  it.each(['tour', 'survey', 'launcher', 'tooltip', 'embed'] as const)(
    'responds to GET and POST on every path, for one %s and for all',
    async (kind) => {
      const account = await newAccount();
      const made = [
        await add(kind, kind === 'launcher' ? launcher : { steps: [{ title: 'One' }] }, account),
        await add(kind, {}, account),
      ];
      const paths = {
        [`${kind}s/${made[0].id}/i18n`]: made.slice(0, 1),
        [`${kind}s/i18n`]: made,
        'experiences/i18n': made,
      };
      for (const [path, wanted] of Object.entries(paths))
        for (const method of ['GET', 'POST']) {
          const bySuffix = await api.send(method, `/v3/edit/${path}.json`, { as: account });
          expect(bySuffix.body.experiences.map(({ id }: Shown) => id)).toEqual(wanted.map(({ id }) => id));
          expect(bySuffix.body.id).toBe(wanted.length === 1 ? made[0].id : account.account_id);
          const byQuery = await api.send(method, `/v3/edit/${path}`, { query: 'format=json', as: account });
          expect(byQuery.text).toBe(bySuffix.text);
        }
      const byBody = await api.post(`/v3/edit/${kind}s/i18n`, { format: 'yaml' }, { as: account });
      expect(byBody.text).toBe(await download(`${kind}s/i18n.yaml`, '', account));
    },
  );

  it('contains Experiences of several kinds in the requested order', async () => {
    const tour = await add('tour', guide);
    const list = await add('launcher', launcher);
    const experiences = [
      { kind: 'launcher', id: list.id },
      { kind: 'tour', id: tour.id },
    ];
    const byBody = await api.post('/v3/edit/experiences/i18n', { experiences, format: 'json' });
    expect(byBody.body.experiences.map(({ id }: Shown) => id)).toEqual([list.id, tour.id]);
    expect(byBody.body.id).toBe(api.account.account_id);
    const query = new URLSearchParams({ experiences: JSON.stringify(experiences) }).toString();
    expect(await download('experiences/i18n.json', query)).toBe(byBody.text);
    const named = `experiences[0][kind]=launcher&experiences[0][id]=${list.id}&experiences[1][kind]=tour&experiences[1][id]=${tour.id}`;
    expect(await download('experiences/i18n.json', named)).toBe(byBody.text);
  });

  it('rejects a list with an unknown ID, a wrong kind, or an ID of another account', async () => {
    const { id } = await add('tour', guide);
    const foreign = await add('tour', guide, api.other);
    for (const wrong of [
      { kind: 'tour', id: unknownId },
      { kind: 'survey', id },
      { kind: 'tour', id: foreign.id },
    ]) {
      const { status } = await api.post('/v3/edit/experiences/i18n.json', {
        experiences: [{ kind: 'tour', id }, wrong],
      });
      expect(status).toBe(404);
    }
    const { status, body } = await api.post('/v3/edit/experiences/i18n.json', {
      experiences: [{ kind: 'page', id: 'x' }],
    });
    expect(status).toBe(422);
    expect(body.messages.join()).toMatch(/experiences\[0\]\.kind.*experiences\[0\]\.id/);
  });

  it('returns 404 for an unknown ID, an ID of another kind or account, and an unknown kind', async () => {
    const { id } = await add('tour', guide);
    const foreign = await add('tour', guide, api.other);
    for (const path of [`tours/${unknownId}/i18n.json`, `tours/${foreign.id}/i18n.json`, `surveys/${id}/i18n.json`])
      expect((await api.get(`/v3/edit/${path}`)).status).toBe(404);
    expect((await api.get('/v3/edit/pages/i18n.json')).status).toBe(404);
  });

  it('requires the format yaml or json', async () => {
    const { id } = await add('tour', guide);
    for (const path of [`tours/${id}/i18n`, 'tours/i18n', 'experiences/i18n']) {
      const missing = await api.get(`/v3/edit/${path}`);
      expect(missing.status).toBe(422);
      expect(missing.body.messages[0]).toContain('`format` is required');
      for (const other of [`${path}.xml`, `${path}?format=yml`]) {
        const { status, body } = await api.get(`/v3/edit/${other}`);
        expect(status).toBe(422);
        expect(body.messages[0]).toContain('`format` must be one of `yaml`, `json`');
      }
    }
  });

  it('serves YAML as a file with a name, and JSON as JSON', async () => {
    const { id } = await add('tour', guide);
    const yaml = await api.get(`/v3/edit/tours/${id}/i18n.yaml`);
    expect(yaml.headers.get('content-type')).toMatch(/^application\/yaml/);
    expect(yaml.headers.get('content-disposition')).toBe(`attachment; filename="tour-${id}.default.yaml"`);
    const json = await api.get('/v3/edit/tours/i18n.json', { query: 'language=de' });
    expect(json.headers.get('content-type')).toMatch(/^application\/json/);
    expect(json.headers.get('content-disposition')).toBe('attachment; filename="tours.de.json"');
  });

  it('streams the file without a content length', async () => {
    const account = await newAccount();
    for (let n = 0; n < 120; n++) await add('tour', { steps: [{ title: `Step of tour ${n}` }] }, account);
    const { headers, body } = await api.get('/v3/edit/tours/i18n.json', { as: account });
    expect(headers.get('content-length')).toBeNull();
    expect(headers.get('transfer-encoding')).toBe('chunked');
    const titles = body.experiences.map(({ steps }: Shown) => steps[0].translations.title.text);
    expect(titles).toEqual(Array.from({ length: 120 }, (_, n) => `Step of tour ${n}`));
  });

  it('contains archived Experiences unless archived=false', async () => {
    const account = await newAccount();
    const { id } = await add('tour', guide, account);
    await api.patch(`/v3/edit/tours/${id}`, { archived_at: '$now' }, { as: account });
    const countOf = async (path: string, query = '') => parse(await download(path, query, account)).experiences.length;
    const paths = ['tours/i18n.yaml', 'tours/i18n.json', 'experiences/i18n.json', `tours/${id}/i18n.yaml`];
    expect(await Promise.all(paths.map((path) => countOf(path)))).toEqual([1, 1, 1, 1]);
    expect(await countOf('tours/i18n.yaml', 'archived=true')).toBe(1);
    expect(await countOf('tours/i18n.yaml', 'archived=false')).toBe(0);
    expect(await countOf('experiences/i18n.yaml', 'archived=false')).toBe(0);
  });

  it.each(formats)(
    'contains as %s what a user of the language sees: its own text, its parent language, or the source',
    async (format) => {
      const account = await newAccount();
      const { id } = await add('tour', { steps: [{ title: 'Menu', body: 'Food', dismiss_text: 'Close' }] }, account);
      const put = (language: string, title: string, body?: string) =>
        translate(
          id,
          language,
          (texts) => {
            texts.title.text = title;
            if (body) texts.body.text = body;
          },
          account,
        );
      await put('pt', 'Cardápio', 'Comida');
      await put('pt-BR', 'Menu');
      const text = await download(`tours/${id}/i18n.${format}`, 'language=pt-BR', account);
      const { translations } = parse(text).experiences[0].steps[0];
      expect(translations).toEqual({
        title: { text: 'Menu' },
        body: { text: 'Comida' },
        dismiss_text: { text: 'Close' },
      });
      if (format === 'yaml') {
        expect(text).toContain('text: "Comida"\n');
        expect(text).toContain('text: "Close" # not translated\n');
      }
      const { body } = await upload({ text }, account);
      expect(body.i18ns[0]).toMatchObject({ updated_count: 0, unchanged_count: 3 });
      expect(await download(`tours/${id}/i18n.${format}`, 'language=pt-BR', account)).toBe(text);
    },
  );

  it('contains the languages of the account as options, default first', async () => {
    const account = await newAccount();
    const options = async () => parse(await download('tours/i18n.yaml', '', account)).language.options;
    expect(await options()).toEqual(['default']);
    for (const code of ['pt-BR', 'de']) await api.post('/v3/edit/languages', { code }, { as: account });
    expect(await options()).toEqual(['default', 'pt-BR', 'de']);
  });

  it('contains translated texts, and the default text with a note for the others', async () => {
    const account = await newAccount();
    const tour = await add('tour', guide, account);
    const text = edited(await download(`tours/${tour.id}/i18n.json`, 'language=de', account), (file) => {
      file.experiences[0].steps[0].translations.dismiss_text.text = 'Schließen';
    });
    await upload({ text }, account);
    const yaml = await download(`tours/${tour.id}/i18n.yaml`, 'language=DE', account);
    const { language, experiences } = parse(yaml);
    expect(language).toEqual({ code: 'de', options: ['default', 'de'] });
    expect(experiences[0].steps[0].translations).toMatchObject({
      body: { text: 'First line\n\n- one\n- two' },
      dismiss_text: { text: 'Schließen' },
    });
    expect(yaml).toContain('text: "Schließen"\n');
    expect(yaml).toContain('text: "Next" # not translated\n');
    expect(yaml).toContain('text: |- # not translated\n              First line\n\n              - one\n');
    expect(await download(`tours/${tour.id}/i18n.yaml`, '', account)).not.toContain('#');
  });

  it('rejects an invalid language', async () => {
    const { status, body } = await api.get('/v3/edit/tours/i18n.json', { query: 'language=german' });
    expect(status).toBe(422);
    expect(body.messages[0]).toContain('`language` must be `default` or a BCP 47 code');
  });
});

it('contains no Experience for an empty list', async () => {
  const { status, body } = await api.post('/v3/edit/experiences/i18n', { format: 'json', experiences: [] });
  expect([status, body.experiences]).toEqual([200, []]);
});

describe('upload', () => {
  it('overwrites the default texts and records Changes of the kind apply', async () => {
    const tour = await add('tour', guide);
    const [first, second] = tour.steps;
    const before = (await changesOf(tour.id)).length;
    const text = edited(await download(`tours/${tour.id}/i18n.yaml`), ({ experiences: [{ steps }] }) => {
      steps[0].translations.title.text = 'Welcome {{first_name}}';
      steps[0].translations[`buttons:${first.buttons[1].id}:text`].text = 'Not now';
      steps[1].translations.title.text = 'yes';
    });
    const { status, body } = await upload({ name: 'tour.json', text });
    expect(status).toBe(200);
    expect(Object.keys(body.i18ns[0])).toEqual([
      'file',
      'language',
      'experiences_count',
      'updated_count',
      'unchanged_count',
      'errors',
    ]);
    expect(body.i18ns).toEqual([
      {
        file: 'tour.json',
        language: { code: 'default' },
        experiences_count: 1,
        updated_count: 3,
        unchanged_count: 3,
        errors: [],
      },
    ]);
    const { steps, updated_at, stats, ...rest } = await show('tour', tour.id);
    expect(steps[0]).toEqual({
      ...first,
      title: 'Welcome {{first_name}}',
      buttons: [first.buttons[0], { ...first.buttons[1], text: 'Not now' }],
    });
    expect(steps[1]).toEqual({ ...second, title: 'yes' });
    expect(rest).toEqual(expect.objectContaining({ name: tour.name, published_at: null }));
    expect(updated_at > tour.updated_at).toBe(true);
    expect(stats).toEqual(tour.stats);
    const changes = (await changesOf(tour.id)).slice(before);
    expect(changes.map(({ kind, op, model_id, path, object }) => ({ kind, op, model_id, path, object }))).toEqual([
      {
        kind: 'apply',
        op: 'update',
        model_id: first.id,
        path: 'steps.0',
        object: { title: ['Hello {{first_name | fallback: "there"}} 👋', 'Welcome {{first_name}}'] },
      },
      {
        kind: 'apply',
        op: 'update',
        model_id: first.buttons[1].id,
        path: 'steps.0.buttons.1',
        object: { text: ['Later: maybe', 'Not now'] },
      },
      { kind: 'apply', op: 'update', model_id: second.id, path: 'steps.1', object: { title: ['no', 'yes'] } },
    ]);
  });

  it('overwrites several Experiences, each with its own write, and keeps the others', async () => {
    const account = await newAccount();
    const made: Shown[] = [];
    for (let n = 0; n < 3; n++) made.push(await add('tour', { steps: [{ title: `Tour ${n}`, body: 'x' }] }, account));
    const text = await download('tours/i18n.yaml', '', account);
    const { status } = await upload({ text: text.replace('"Tour 0"', '"One"').replace('"Tour 2"', '"Two"') }, account);
    expect(status).toBe(200);
    const shown = await Promise.all(made.map(({ id }) => show('tour', id, account)));
    expect(shown.map(({ steps }) => steps[0].title)).toEqual(['One', 'Tour 1', 'Two']);
    expect(shown[1]).toEqual(made[1]);
    for (const at of [0, 2]) {
      const [first, ...changes] = (await changesOf(made[at].id, account)).slice(-2);
      expect(changes.map(({ id, write_id, kind, object }) => [write_id === id, kind, object])).toEqual([
        [true, 'apply', { title: [`Tour ${at}`, shown[at].steps[0].title] }],
      ]);
      const [was, is] = changes[0].options.capture_id;
      const looks = await Promise.all([was, is].map((id) => api.get(`/v3/edit/captures/${id}`, { as: account })));
      expect(looks.map(({ body }) => body.capture.look.fields.title)).toEqual([`Tour ${at}`, shown[at].steps[0].title]);
      const { body } = await api.post(`/v3/edit/tours/${made[at].id}/revert`, { change_id: first.id }, { as: account });
      expect(body.tour.steps[0].title).toBe(`Tour ${at}`);
    }
  });

  it('changes nothing for a download with an unknown ID', async () => {
    const account = await newAccount();
    const made: Shown[] = [];
    for (let n = 0; n < 2; n++) made.push(await add('tour', { steps: [{ title: `Tour ${n}` }] }, account));
    const file = (await download('tours/i18n.yaml', '', account)).replaceAll('"Tour', '"Other tour');
    const wrong = [made[1].id, made[1].steps[0].id].map((id) => file.replace(id, 'f'.repeat(24)));
    const { status, body } = await upload(
      wrong.map((text, at) => ({ name: `${at}.yaml`, text })),
      account,
    );
    expect([status, body.messages]).toEqual([
      422,
      [
        '0.yaml: `experiences[1].id` is the ID of no Experience in this account',
        '1.yaml: `experiences[1].steps[0].id` is the ID of no step of this Experience',
      ],
    ]);
    for (const tour of made) expect(await show('tour', tour.id, account)).toEqual(tour);
  });

  it('stores another language and records Changes of the kind apply', async () => {
    const account = await newAccount();
    const made = await add('survey', survey, account);
    const [step] = made.steps;
    const text = edited(await download('surveys/i18n.json', '', account), (file) => {
      file.language.code = 'pt-br';
      const { translations } = file.experiences[0].steps[0];
      translations.title.text = 'Como foi? 🇧🇷';
      translations['dropdown_items:1:text'].text = 'Ruim';
      translations.label_high.text = 'Muito';
    });
    const { body } = await upload({ text }, account);
    expect(body.i18ns[0]).toMatchObject({ language: { code: 'pt-BR' }, updated_count: 3, unchanged_count: 4 });
    expect(await show('survey', made.id, account)).toEqual(made);
    const [change] = (await changesOf(made.id, account)).slice(-1);
    expect(change).toMatchObject({
      kind: 'apply',
      op: 'update',
      model_id: made.id,
      model_type: 'Campaign',
      path: 'translations.pt-BR',
      object: {
        [`${step.id}.title`]: [null, 'Como foi? 🇧🇷'],
        [`${step.id}.dropdown_items.1`]: [null, 'Ruim'],
        [`${step.id}.label_high`]: [null, 'Muito'],
      },
    });
    expect(change.options.capture_id).toEqual([null, null]);
    const shown = parse(await download(`surveys/${made.id}/i18n.yaml`, 'language=pt-BR', account));
    expect(shown.experiences[0].steps[0].translations).toMatchObject({
      title: { text: 'Como foi? 🇧🇷' },
      'dropdown_items:0:text': { text: 'Good' },
      'dropdown_items:1:text': { text: 'Ruim' },
    });
  });

  it('translates launchers and their items', async () => {
    const account = await newAccount();
    const { id, items } = await add('launcher', launcher, account);
    const text = edited(
      await download('launchers/i18n.yaml', 'language=de', account),
      ({ experiences: [{ steps }] }) => {
        steps[0].translations.trigger_text.text = 'Öffnen';
        steps[1].translations.title.text = 'Doku';
      },
    );
    expect((await upload({ text }, account)).body.i18ns[0].updated_count).toBe(2);
    const file = parse(await download(`launchers/${id}/i18n.json`, 'language=de', account));
    expect(file.experiences[0].steps[0].translations.trigger_text.text).toBe('Öffnen');
    expect(file.experiences[0].steps[1]).toMatchObject({ id: items[0].id, translations: { title: { text: 'Doku' } } });
  });

  it('removes a translation with an empty text', async () => {
    const account = await newAccount();
    const { id, steps } = await add('tooltip', { steps: [{ title: 'New', dismiss_text: 'OK' }] }, account);
    const put = async (title: string, dismiss: string) => {
      const text = edited(await download('tooltips/i18n.json', 'language=de', account), ({ experiences }) => {
        const { translations } = experiences[0].steps[0];
        translations.title.text = title;
        translations.dismiss_text.text = dismiss;
      });
      return (await upload({ text }, account)).body.i18ns[0].updated_count;
    };
    expect(await put('Neu', '')).toBe(1);
    expect(await put('', '')).toBe(1);
    expect((await changesOf(id, account)).at(-1)).toMatchObject({
      model_id: id,
      object: { [`${steps[0].id}.title`]: ['Neu', null] },
    });
    expect(await download('tooltips/i18n.yaml', 'language=de', account)).toContain('text: "New" # not translated');
  });

  it.each(formats)(
    'stores from %s a text that equals the source where the parent language has another',
    async (format) => {
      const account = await newAccount();
      await openDomain(api, account);
      const { id } = await add('tour', { steps: [{ title: 'Menu' }] }, account);
      await translate(
        id,
        'pt',
        (texts) => {
          texts.title.text = 'Cardápio';
        },
        account,
      );
      const path = `tours/${id}/i18n.${format}`;
      const brazilian = await download(path, 'language=pt-BR', account);
      expect(brazilian).toContain('Cardápio');
      const { body } = await upload({ text: brazilian.replace('Cardápio', 'Menu') }, account);
      expect(body.i18ns[0]).toMatchObject({ updated_count: 1, errors: [] });
      const seenIn = async (l: string) =>
        (await visit(api, { uid: newUid(), browser: { l } }, { as: account })).body.experiences[0].steps[0].title[0];
      await api.patch(`/v3/edit/tours/${id}`, { published_at: '$now' }, { as: account });
      expect([await seenIn('pt-BR'), await seenIn('pt-PT'), await seenIn('en')]).toEqual(['Menu', 'Cardápio', 'Menu']);
      const { steps } = await show('tour', id, account);
      await api.patch(`/v3/edit/tours/${id}`, { steps: [{ id: steps[0].id, title: 'Card' }] }, { as: account });
      await api.patch(`/v3/edit/tours/${id}`, { published_at: '$now' }, { as: account });
      expect([await seenIn('pt-BR'), await seenIn('en')]).toEqual(['Menu', 'Card']);
    },
  );

  it('keeps a translation that equals the default text', async () => {
    const account = await newAccount();
    await add('tooltip', { steps: [{ title: 'New' }] }, account);
    const put = async (title: string) => {
      const text = edited(await download('tooltips/i18n.json', 'language=de', account), ({ experiences }) => {
        experiences[0].steps[0].translations.title.text = title;
      });
      return (await upload({ text }, account)).body.i18ns[0].updated_count;
    };
    expect(await put('Neu')).toBe(1);
    expect(await put('New')).toBe(1);
    expect(await download('tooltips/i18n.yaml', 'language=de', account)).toContain('text: "New"\n');
  });

  it('adds a valid language that the account does not have', async () => {
    const account = await newAccount();
    await add('tour', guide, account);
    const file = await download('tours/i18n.json', '', account);
    await upload({ text: edited(file, ({ language }) => Object.assign(language, { code: 'zh-hant-tw' })) }, account);
    const { body } = await api.get('/v3/edit/languages', { as: account });
    expect(body.languages.map(({ code }: Shown) => code)).toEqual(['zh-Hant-TW']);
  });

  it.each(['', 'deutsch', 'd', 'de_DE', 'de-', 'DEFAULT', 'x-private', 12, null, {}])(
    'rejects the code %j',
    async (code) => {
      const { id } = await add('tour', guide);
      const file = await download(`tours/${id}/i18n.json`);
      const errors = await errorsOf(edited(file, ({ language }) => Object.assign(language, { code })));
      expect(errors).toEqual(['`language.code` must be `default` or a BCP 47 code such as `de` or `pt-BR`']);
    },
  );

  it('accepts YAML in the layout of other tools', async () => {
    const { id, steps } = await add('tooltip', { steps: [{ title: 'Old', body: 'Old' }] });
    const text = `# of the translator\n---\nid: '${id}'\nlanguage: {code: default}\nexperiences:\n- id: ${id}\n  name: other\n  steps:\n  - id: "${steps[0].id}"\n    translations:\n      body: {text: >-\n\n        folded\n        text}\n      title:\n        text: plain: no\n`;
    expect(await errorsOf(text)).toHaveLength(1);
    const sound = text
      .replace('{text: >-\n\n        folded\n        text}', '\n        text: >-\n          folded\n          text')
      .replace('plain: no', "it's plain");
    expect((await upload({ text: sound })).body.i18ns[0]).toMatchObject({ updated_count: 2, errors: [] });
    expect((await show('tooltip', id)).steps[0]).toMatchObject({ title: "it's plain", body: 'folded text' });
  });

  it('accepts a file with a byte order mark', async () => {
    const tour = await add('tour', guide);
    const text = `\ufeff${(await download(`tours/${tour.id}/i18n.yaml`)).replace('"Close"', '"Schließen → ✓"')}`;
    const { body } = await upload({ text });
    expect(body.i18ns[0]).toMatchObject({ updated_count: 1, errors: [] });
    expect((await show('tour', tour.id)).steps[0].dismiss_text).toBe('Schließen → ✓');
  });

  it('ignores a changed name', async () => {
    const { id, name } = await add('tour', guide);
    const before = await traces();
    const text = edited(await download(`tours/${id}/i18n.json`), (file) => {
      file.experiences[0].name = 'Another';
      file.language.options = ['default', 'xx'];
    });
    expect((await upload({ text })).body.i18ns[0]).toMatchObject({ updated_count: 0, errors: [] });
    expect(await traces()).toEqual(before);
    expect((await show('tour', id)).name).toBe(name);
  });

  it('applies valid files when others are invalid', async () => {
    const [one, other] = [await add('tour', guide), await add('tour', guide)];
    const put = async (id: string, title: unknown) =>
      edited(await download(`tours/${id}/i18n.json`), ({ experiences: [{ steps }] }) => {
        steps[0].translations.title.text = title;
        steps[1].translations.title.text = 'from a file';
      });
    const { status, body } = await upload([
      { name: 'bad.yaml', text: await put(one.id, 12) },
      { name: 'good.yaml', text: await put(other.id, 'Hi') },
      { name: 'worse.yaml', text: 'a: *b' },
    ]);
    expect(status).toBe(200);
    expect(body.i18ns.map(({ file, updated_count, errors }: Shown) => [file, updated_count, errors.length])).toEqual([
      ['bad.yaml', 0, 1],
      ['good.yaml', 2, 0],
      ['worse.yaml', 0, 1],
    ]);
    expect(body.i18ns[0].language.code).toBe('default');
    expect(body.i18ns[2].language.code).toBeNull();
    expect((await show('tour', one.id)).steps).toEqual(one.steps);
    expect((await show('tour', other.id)).steps[0].title).toBe('Hi');
  });

  it('applies nothing of a file whose last Experience is invalid', async () => {
    const account = await newAccount();
    const made = [];
    for (let n = 0; n < 60; n++) made.push(await add('tooltip', { steps: [{ title: `Tip ${n}` }] }, account));
    const text = edited(await download('tooltips/i18n.json', '', account), ({ experiences }) => {
      for (const { steps } of experiences) steps[0].translations.title.text = 'changed';
      experiences[59].steps[0].translations.title.text = 'open {{';
    });
    for (const code of ['default', 'de']) {
      const { status, body } = await upload(
        { text: edited(text, ({ language }) => Object.assign(language, { code })) },
        account,
      );
      expect(status).toBe(422);
      expect(body.messages).toHaveLength(1);
      expect((await show('tooltip', made[0].id, account)).steps).toEqual(made[0].steps);
    }
    expect((await api.get('/v3/edit/languages', { as: account })).body.languages).toEqual([]);
  });

  it('writes each text once when a file takes several queries', async () => {
    const account = await newAccount();
    const made: Shown[] = [];
    for (let n = 0; n < 110; n++) made.push(await add('tooltip', { steps: [{ title: `Tip ${n}` }] }, account));
    for (const code of ['de', 'default']) {
      const original = await download('tooltips/i18n.yaml', `language=${code}`, account);
      // The last text does not change.
      const text = original
        .replaceAll(/text: "Tip (?!109)/g, `text: "Tip in ${code}, `)
        .replaceAll(' # not translated', '');
      const { body } = await upload({ text }, account);
      expect(body.i18ns[0]).toMatchObject({
        experiences_count: 110,
        updated_count: 109,
        unchanged_count: 1,
        errors: [],
      });
      const stored = await download('tooltips/i18n.yaml', `language=${code}`, account);
      const experiences = (file: string) => file.slice(file.indexOf('experiences:')).replace(' # not translated', '');
      expect(experiences(stored)).toBe(experiences(text));
    }
    for (const at of [0, 49, 50, 99, 100, 108, 109]) {
      const changes = (await changesOf(made[at].id, account)).filter(({ kind }) => kind === 'apply');
      expect(changes.map(({ path }) => path)).toEqual(at === 109 ? [] : ['translations.de', 'steps.0']);
    }
  });

  it('returns 422 when every file fails, with the errors of each', async () => {
    const { status, body } = await upload([
      { name: 'a.yaml', text: '[1]' },
      { name: 'b.json', text: '{' },
    ]);
    expect(status).toBe(422);
    expect(body.messages).toEqual([
      'a.yaml: The file must have `id`, `language` and `experiences`, as it was downloaded',
      expect.stringMatching(/^b\.json: The file is not valid JSON: /),
    ]);
  });

  it('requires a file', async () => {
    const form = new FormData();
    form.append('other', new Blob(['x']), 'a.yaml');
    for (const body of [form, '', '{"file": "x"}']) {
      const response = await api.post('/v3/edit/i18n', body);
      expect(response.status).toBe(422);
      expect(response.body.messages[0]).toContain('`file` is required');
    }
  });

  it('accepts a field as a file, and the secret as a field', async () => {
    const { id } = await add('tour', guide);
    const form = new FormData();
    form.append('account_secret', api.account.account_secret);
    form.append('file', await download(`tours/${id}/i18n.yaml`));
    const { status, body } = await api.post('/v3/edit/i18n', form, { as: null });
    expect([status, body.i18ns[0].unchanged_count]).toEqual([200, 6]);
    form.set('account_secret', 'wrong');
    expect((await api.post('/v3/edit/i18n', form, { as: null })).status).toBe(403);
  });

  it('rejects a broken form and leaves no file on disk', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'usher-test-'));
    vi.stubEnv('TMPDIR', folder);
    onTestFinished(() => {
      vi.unstubAllEnvs();
      rmSync(folder, { recursive: true });
    });
    const { id } = await add('tour', guide);
    const file = edited(await download(`tours/${id}/i18n.json`), ({ experiences: [{ steps }] }) => {
      steps[0].translations.title.text = 'changed';
    });
    const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.json"\r\n\r\n';
    const headers = { 'Content-Type': 'multipart/form-data; boundary=x' };
    const before = await traces();
    for (const body of [`${head}${file}`, `${head}${file}\r\n--x\r\nbroken`, 'nothing of it', head]) {
      const { status, body: response } = await api.post('/v3/edit/i18n', body, { headers });
      expect([status, response.messages]).toEqual([422, ['The body is not a valid multipart form']]);
    }
    const noBoundary = { 'Content-Type': 'multipart/form-data' };
    expect((await api.post('/v3/edit/i18n', head, { headers: noBoundary })).status).toBe(422);
    expect(await traces()).toEqual(before);
    expect(readdirSync(folder)).toEqual([]);
    expect((await api.post('/v3/edit/i18n', `${head}${file}\r\n--x--\r\n`, { headers })).status).toBe(200);
  });

  it('accepts 20 files and rejects 21', async () => {
    const { id } = await add('tour', guide);
    const text = await download(`tours/${id}/i18n.yaml`);
    const files = Array.from({ length: 21 }, (_, n) => ({ name: `${n}.yaml`, text }));
    const { status, body } = await upload(files.slice(1));
    expect([status, body.i18ns.length]).toEqual([200, 20]);
    const rejected = await upload(files);
    expect([rejected.status, rejected.body.messages]).toEqual([422, ['An upload has 20 files at most']]);
  });

  it('accepts a file of 10 MB, and returns 413 without applying any file when one is larger', async () => {
    const { id } = await add('tour', guide);
    const small = await download(`tours/${id}/i18n.json`);
    const padded = (bytes: number) => small.padEnd(small.length + bytes - Buffer.byteLength(small));
    const { body } = await upload({ text: padded(10 * 1024 * 1024) });
    expect(body.i18ns[0]).toMatchObject({ unchanged_count: 6, errors: [] });
    const before = await traces();
    const changed = edited(small, ({ experiences: [{ steps }] }) => {
      steps[0].translations.title.text = 'changed';
    });
    const large = { name: 'large.json', text: padded(10 * 1024 * 1024 + 1) };
    const rejected = await upload([{ text: changed }, large, { text: changed }]);
    expect([rejected.status, rejected.body.messages]).toEqual([
      413,
      ['The file large.json is larger than 10 MB: give it in parts'],
    ]);
    expect(await traces()).toEqual(before);
  });

  it('is visible to users only after publishing', async () => {
    const { id } = await add('tour', { steps: [{ title: 'no', buttons: [{ text: 'Go' }] }] });
    const put = async (title: string) => {
      const text = edited(await download(`tours/${id}/i18n.json`, 'language=de'), ({ experiences: [{ steps }] }) => {
        steps[0].translations.title.text = title;
      });
      expect((await upload({ text })).status).toBe(200);
    };
    const published = async () => {
      const rows = await api.app.storage
        .reader(api.account.account_id)
        .selectFrom('versions')
        .select('content')
        .where('account_id', '=', api.account.account_id)
        .where('experience_id', '=', id)
        .orderBy('id')
        .execute();
      return rows.map(({ content: { translations } }) => Object.values(translations.de ?? {})[0]?.title);
    };
    await put('nein');
    expect(await published()).toEqual([]);
    expect((await api.patch(`/v3/edit/tours/${id}`, { published_at: '$now' })).status).toBe(200);
    expect(await published()).toEqual(['nein']);
    await put('doch');
    expect(await published()).toEqual(['nein']);
    await api.patch(`/v3/edit/tours/${id}`, { published_at: '$now' });
    expect(await published()).toEqual(['nein', 'doch']);
  });
});

describe('a changed structure', () => {
  const wrong: Record<string, [(file: Shown) => void, RegExp]> = {
    'an unknown Experience': [(file) => (file.experiences[0].id = unknownId), /`id` is of no translation file/],
    'an unknown Experience in a file of the account': [
      (file) => {
        file.id = api.account.account_id;
        file.experiences[0].id = unknownId;
      },
      /^`experiences\[0\]\.id` is the ID of no Experience in this account$/,
    ],
    'an unknown step': [
      ({ experiences: [{ steps }] }) => (steps[1].id = unknownId),
      /^`experiences\[0\]\.steps\[1\]\.id` is the ID of no step of this Experience$/,
    ],
    'an unknown button': [
      ({ experiences: [{ steps }] }) => (steps[1].translations[`buttons:${unknownId}:text`] = { text: 'x' }),
      /buttons:f+:text` is no field of this file/,
    ],
    'an unknown set': [(file) => (file.id = unknownId), /^`id` is of no translation file/],
    'a missing step': [({ experiences: [{ steps }] }) => steps.pop(), /`experiences\[0\]\.steps` has 1 of 2 steps/],
    'a step twice': [({ experiences: [{ steps }] }) => steps.push(steps[0]), /steps\[2\]\.id` must be `left out`/],
    'steps in another order': [({ experiences: [{ steps }] }) => steps.reverse(), /steps\[0\]\.id` must be `/],
    'a missing text': [
      ({ experiences: [{ steps }] }) => delete steps[0].translations.body,
      /translations\.body` is missing/,
    ],
    'a text that the step does not have': [
      ({ experiences: [{ steps }] }) => (steps[1].translations.body = { text: 'x' }),
      /steps\[1\]\.translations\.body` is no field/,
    ],
    'a field beside the text': [
      ({ experiences: [{ steps }] }) => (steps[0].translations.title.note = 'x'),
      /translations\.title\.note` is no field/,
    ],
    'a text that is none': [
      ({ experiences: [{ steps }] }) => (steps[0].translations.title.text = 12),
      /translations\.title\.text` must be a text: put it in quotes$/,
    ],
    'no text': [
      ({ experiences: [{ steps }] }) => (steps[0].translations.title = {}),
      /translations\.title\.text` is missing$/,
    ],
    'a text in the place of its object': [
      ({ experiences: [{ steps }] }) => (steps[0].translations.title = 'x'),
      /translations\.title` must be an object with `text`$/,
    ],
    'texts that are a list': [
      ({ experiences: [{ steps }] }) => (steps[0].translations = []),
      /steps\[0\]\.translations` must be an object/,
    ],
    'a field at the root': [(file) => (file.extra = 1), /^`extra` is no field/],
    'a field of the language': [(file) => (file.language.name = 'x'), /^`language\.name` is no field/],
    'a field of an Experience': [
      (file) => (file.experiences[0].kind = 'tour'),
      /^`experiences\[0\]\.kind` is no field/,
    ],
    'a field of a step': [
      ({ experiences: [{ steps }] }) => (steps[0].buttons = []),
      /steps\[0\]\.buttons` is no field/,
    ],
    'an Experience twice': [
      (file) => file.experiences.push(file.experiences[0]),
      /^`experiences\[1\]\.id` stands twice in this file$/,
    ],
    'no Experiences': [(file) => delete file.experiences, /^`experiences` must be a list/],
    'no steps': [(file) => delete file.experiences[0].steps, /steps` must be the list of steps/],
    'a blank text': [
      ({ experiences: [{ steps }] }) => (steps[0].translations.title.text = ' '),
      /title\.text` must not be blank$/,
    ],
    'a text that is too long': [
      ({ experiences: [{ steps }] }) => (steps[0].translations.title.text = '👋'.repeat(501)),
      /title\.text` must have 500 characters at most$/,
    ],
    'a NUL character': [
      ({ experiences: [{ steps }] }) => (steps[0].translations.title.text = 'a\0b'),
      /title\.text` must be valid Unicode/,
    ],
    'a merge tag that is never closed': [
      ({ experiences: [{ steps }] }) => (steps[0].translations.title.text = 'Hi {{name'),
      /^`experiences\[0\]\.steps\[0\]\.translations\.title\.text` has a merge tag or a link that cannot be read: .*never closed.*\(character 4\)$/,
    ],
    'a merge tag in Markdown that is no such': [
      ({ experiences: [{ steps }] }) => (steps[0].translations.body.text = 'Hi\n{{#each x}}'),
      /translations\.body\.text` has a merge tag or a link that cannot be read: .*line 2/,
    ],
  };

  it.each(Object.entries(wrong))('rejects %s', async (_title, [change, message]) => {
    const { id } = await add('tour', guide);
    const errors = await errorsOf(edited(await download(`tours/${id}/i18n.json`), change));
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatch(message);
  });

  it('rejects an Experience of another account', async () => {
    const foreign = await add('tour', guide, api.other);
    const text = await download(`tours/${foreign.id}/i18n.json`, '', api.other);
    expect(await errorsOf(text)).toEqual(['`experiences[0].id` is the ID of no Experience in this account']);
  });

  it('returns a limited number of errors', async () => {
    const { id } = await add('tour', guide);
    const text = edited(await download(`tours/${id}/i18n.json`), (file) => {
      for (let n = 0; n < 1000; n++) file[`key ${n}`] = n;
    });
    const errors = await errorsOf(text);
    expect(errors).toHaveLength(51);
    expect(errors.at(-1)).toBe('There are more problems: mend these first');
  });
});

describe.runIf(engine === 'sqlite')('YAML', () => {
  const MB = 1024 * 1024;
  const hostile: Record<string, [string | Uint8Array, RegExp]> = {
    'an alias': ['id: &a x\nlanguage: *a\n', /anchor|alias/],
    'an anchor': ['id: &a x\n', /^The file has an anchor \(`&`\) in line 1/],
    'an alias without an anchor': ['a:\n  b: *a\n', /^The file has an alias \(`\*`\) in line 2/],
    'a bomb of aliases': [
      `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghi'.replace(/./g, (name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[at]}`)}]\n`)}`,
      /anchor|alias/,
    ],
    'a custom tag': ['id: !secret x\n', /^The file has a tag \(`!`\) in line 1/],
    'a tag of YAML itself': ['id: !!binary aGk=\n', /^The file has a tag/],
    'a tag of a function': ['id: !!js/function "function () {}"\n', /^The file has a tag/],
    'a directive': ['%TAG ! tag:x,2000:\n---\nid: x\n', /^The file has a directive/],
    'a merge key': ['<<: {id: x}\nid: x\n', /^`<<` is no field of this file/],
    'a duplicate key': ['id: x\nid: y\n', /^The file is not valid YAML: dupli.*line 2/],
    'a duplicate key in JSON': ['{"id": "x", "id": "y"}', /^The file has a key twice in one object$/],
    'several documents': ['id: x\n---\nid: y\n', /several documents/],
    'tabs as indentation': ['id:\n\t- x\n', /^The file is not valid YAML/],
    nothing: ['', /must have `id`, `language` and `experiences`/],
    'a byte that is no UTF-8': [Uint8Array.from([0x69, 0x64, 0x3a, 0x20, 0xff]), /^The file is not valid UTF-8$/],
    'UTF-16': [Buffer.from('id: x\n', 'utf16le'), /^The file is not valid/],
    'deep lists': ['['.repeat(100_000), /^The file is not valid YAML/],
    'deep objects in JSON': [`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`, /nested deeper|cannot be read/],
    'deep indentation': [
      Array.from({ length: 1000 }, (_, n) => `${' '.repeat(n)}a:\n`).join(''),
      /^The file is not valid/,
    ],
    'one line of 10 MB': [`id: ${'x'.repeat(10 * MB - 10)}`, /a text of more than 100000 characters/],
    'one quoted line of 10 MB': [`id: "${'\\"'.repeat(5 * MB - 10)}"`, /a text of more than|too much memory/],
    '10 MB of open brackets': ['{'.repeat(10 * MB), /^The file is not valid JSON/],
    '10 MB of dashes': ['- '.repeat(5 * MB), /^The file is not valid YAML/],
    '10 MB of question marks': ['? '.repeat(5 * MB), /^The file is not valid YAML/],
    '10 MB of colons': [': '.repeat(5 * MB), /^The file/],
    '10 MB of spaces': [' '.repeat(10 * MB), /^The file/],
    'a million keys': [
      Array.from({ length: 1_000_000 }, (_, n) => `k${n}: \n`)
        .join('')
        .slice(0, 10 * MB),
      /is no field|more than|too long/,
    ],
    'a million keys in JSON': [
      `{${Array.from({ length: 800_000 }, (_, n) => `"${n}":1`).join(',')}}`.slice(0, 10 * MB),
      /is no field|more than|not valid/,
    ],
  };

  it.each(Object.entries(hostile))('rejects %s with a clear error', async (_title, [text, message]) => {
    const [error] = await errorsOf(text);
    expect(error).toMatch(message);
    expect(error?.length).toBeLessThan(500);
  });

  it('does not change a prototype', async () => {
    await errorsOf('__proto__: {polluted: yes}\nconstructor: {prototype: {polluted: yes}}\n');
    await errorsOf('{"__proto__": {"polluted": "yes"}}');
    expect(({} as Shown).polluted).toBeUndefined();
  });
});

describe('progress', () => {
  it('counts the texts of each language that users can see', async () => {
    const account = await newAccount();
    await add('tour', guide, account);
    await add('launcher', launcher, account);
    const text = edited(await download('tours/i18n.json', 'language=de', account), ({ experiences: [{ steps }] }) => {
      steps[0].translations.title.text = 'Hallo';
      steps[1].translations.title.text = 'nein';
    });
    await upload({ text }, account);
    await api.post('/v3/edit/languages', { code: 'fr' }, { as: account });
    const { body } = await api.get('/v3/edit/i18n', { as: account });
    // Users do not see the tab of a launcher that has an icon, nor the text for an empty list of a launcher that always
    // has an item.
    const counts = { ...noCounts, experiences_count: 2, texts_count: 10 };
    expect(body.i18ns).toEqual([
      { language: { code: 'de' }, ...counts, translated_count: 2 },
      { language: { code: 'fr' }, ...counts, translated_count: 0 },
    ]);
  });
});

describe('the round trip', () => {
  const lookalikes = [
    'no',
    'Yes',
    'null',
    '~',
    '1e3',
    '0x1f',
    '.inf',
    '2029-01-01',
    '12:30:45',
    '*a',
    '&a',
    '!tag',
    '- a',
  ];
  const odd = [
    '? a',
    '%a',
    '@a',
    '`a`',
    '# a',
    'a #b',
    'a: b',
    ':',
    '[a',
    '{a}',
    '|',
    '>-',
    "'",
    '"',
    '\\',
    '---',
    '...',
    '<<',
  ];
  const spaces = [
    ' a',
    'a ',
    '\ta',
    'a\tb',
    'a\nb',
    'a\n',
    'a\n\n',
    '\na',
    'a\n  b',
    'a\n\tb',
    'a \nb',
    'a\r\nb',
    'a\rb',
  ];
  const rare = [
    'a\u2028b',
    'a\u2029b\n',
    'a\u0085b\nc',
    '\ufeffa',
    'a\u007f',
    'a\u00a0b',
    '\u200fא',
    '👩‍👩‍👧‍👦',
    '🇧🇷\n🇩🇪',
    'e\u0301',
    '\ufffe',
    '\u{10ffff}',
  ];
  const samples = [...lookalikes, ...odd, ...spaces, ...rare];
  const written = (text: string) => text.trim() !== '' && !text.includes('\0') && text.isWellFormed();
  const text = (most: number) =>
    fc
      .oneof(
        fc.constantFrom(...samples),
        fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }),
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
        fc
          .array(fc.constantFrom(...samples, ' ', '\n', '"'), { minLength: 1, maxLength: 8 })
          .map((parts) => parts.join('')),
        fc.string({ unit: 'grapheme-ascii', minLength: most / 2, maxLength: most }),
      )
      .map((value) => [...value].slice(0, most).join(''))
      .filter(written);
  const optional = (most: number) => fc.option(text(most), { nil: null });
  const button = fc.record({ text: optional(200) });
  const step = fc.record({
    title: optional(500),
    body: optional(2000),
    dismiss_text: optional(200),
    dropdown_items: fc.array(text(200), { maxLength: 3 }),
    label_low: optional(200),
    placeholder: optional(200),
    buttons: fc.array(button, { maxLength: 3 }),
  });
  const item = fc.record({ title: optional(500), description: optional(200) });
  const experience = fc.oneof(
    fc.record({
      kind: fc.constantFrom('tour', 'survey', 'embed'),
      name: text(100),
      steps: fc.array(step, { maxLength: 3 }),
    }),
    fc.record({
      kind: fc.constant('launcher'),
      name: text(100),
      title: optional(500),
      items: fc.array(item, { maxLength: 3 }),
    }),
  );
  /** A made-up translation of a text. */
  const translated = (value: string) => `${value.slice(0, 150).toWellFormed().replaceAll('{{', '((')}ß`;

  it('returns every text that was uploaded', async () => {
    const account = await newAccount();
    const { id } = await add('survey', { steps: [{ dropdown_items: samples.filter(written) }] }, account);
    for (const format of formats) {
      const { experiences } = parse(await download(`surveys/${id}/i18n.${format}`, '', account));
      const texts = Object.values(experiences[0].steps[0].translations).map((one) => (one as Shown).text);
      expect(texts).toEqual(samples.filter(written));
    }
  });

  it('records no Change for an unchanged file, and the next download is identical', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(experience, { minLength: 1, maxLength: 3 }), async (params) => {
        const account = await newAccount();
        for (const { kind, ...fields } of params) await add(kind as ExperienceKind, fields, account);
        const changes = async () =>
          (
            await api.app.storage
              .reader(account.account_id)
              .selectFrom('changes')
              .select('id')
              .where('account_id', '=', account.account_id)
              .execute()
          ).length;
        // Every second text gets a translation.
        let at = 0;
        const german = edited(await download('experiences/i18n.json', 'language=de', account), (file) => {
          for (const { steps } of file.experiences)
            for (const { translations } of steps)
              for (const one of Object.values<Shown>(translations)) if (at++ % 2 === 0) one.text = translated(one.text);
        });
        expect((await upload({ text: german }, account)).body.i18ns?.[0].updated_count).toBe(Math.ceil(at / 2));
        const before = await changes();
        await api.post('/v3/edit/languages', { code: 'de-AT' }, { as: account });
        for (const language of ['default', 'de', 'de-AT'])
          for (const format of formats) {
            const file = () => download(`experiences/i18n.${format}`, `language=${language}`, account);
            const text = await file();
            const { status, body } = await upload({ text }, account);
            expect(status).toBe(200);
            expect(body.i18ns[0]).toMatchObject({ updated_count: 0, unchanged_count: at, errors: [] });
            expect(await file()).toBe(text);
          }
        const [yaml, json] = await Promise.all(
          formats.map((format) => download(`experiences/i18n.${format}`, '', account)),
        );
        expect(parse(yaml as string)).toEqual(parse(json as string));
        expect(await changes()).toBe(before);
      }),
      { numRuns: randomRuns(4) },
    );
  });
});
