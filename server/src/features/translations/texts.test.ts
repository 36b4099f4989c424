import { type ExperienceKind, noCounts } from '@usher/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accountRows } from '../../../test/account-rows.ts';
import { type Api, startApi } from '../../../test/api.ts';
import { addSignedIn } from '../../../test/sign-in.ts';
import { newUid, openDomain, visit } from '../../../test/visiting.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
afterAll(() => api.stop());
beforeEach(() => api.replaceAccounts());

// biome-ignore lint/suspicious/noExplicitAny: tests inspect JSON of any shape
type Shown = any;
const unknownId = 'f'.repeat(24);

async function add(kind: ExperienceKind, params: object): Promise<Shown> {
  const { status, body } = await api.post(`/v3/edit/${kind}s`, { name: `A ${kind}`, ...params });
  expect([status, body.messages]).toEqual([201, undefined]);
  return body[kind];
}
async function addLanguages(...codes: string[]): Promise<void> {
  for (const code of codes) expect((await api.post('/v3/edit/languages', { code })).status).toBe(201);
}
const tour = {
  steps: [
    { title: 'Hello', body: '**Bold**', label_low: 'Low', buttons: [{ text: 'Next' }] },
    { title: 'Bye', dropdown_items: ['One', 'Two'] },
  ],
};
const pathOf = (id: string) => `/v3/edit/tours/${id}/translations`;
const showTexts = async (id: string): Promise<Shown> => (await api.get(pathOf(id))).body.translations;
const patch = (id: string, language: string, ...texts: object[]) => api.patch(pathOf(id), { language, texts });
const textAt = (translations: Shown, model_id: string, field: string): Shown =>
  translations.steps
    .flatMap(({ texts }: Shown) => texts)
    .find((text: Shown) => text.model_id === model_id && text.field === field);
const rowsOf = () => accountRows(api.app, api.account.account_id);

describe('the texts of an Experience', () => {
  it('have their keys, limits and translations, also the texts that users cannot see', async () => {
    await addLanguages('pt', 'pt-BR', 'ar');
    const made = await add('tour', tour);
    const [step] = made.steps;
    await patch(made.id, 'pt', { model_id: step.id, field: 'title', text: 'Olá' });
    const { status, body } = await patch(made.id, 'pt-BR', { model_id: step.id, field: 'body', text: '**Negrito**' });
    expect(status).toBe(200);
    expect(body.translations).toEqual(await showTexts(made.id));
    const counts = { ...noCounts, texts_count: 4 };
    expect(body.translations).toMatchObject({
      experience: { id: made.id, kind: 'tour', name: 'A tour', updated_at: made.updated_at },
      languages: [
        { code: 'pt', direction: 'ltr', ...counts, translated_count: 1 },
        { code: 'pt-BR', direction: 'ltr', ...counts, translated_count: 1, inherited_count: 1 },
        { code: 'ar', direction: 'rtl', ...counts },
      ],
    });
    const plain = { model_id: step.id, is_markdown: false, max_length: 500, is_shown: true };
    expect(body.translations.steps[0]).toEqual({
      id: step.id,
      name: 'Hello',
      texts: [
        {
          ...{ ...plain, field: 'title', key: 'title', text: 'Hello' },
          translations: { pt: { text: 'Olá', is_outdated: false, is_reviewed: true } },
          inherited: { 'pt-BR': { code: 'pt', text: 'Olá' } },
        },
        {
          ...{ ...plain, field: 'body', key: 'body', text: '**Bold**', is_markdown: true, max_length: 20_000 },
          translations: { 'pt-BR': { text: '**Negrito**', is_outdated: false, is_reviewed: true } },
          inherited: {},
        },
        {
          ...{ ...plain, field: 'label_low', key: 'label_low', text: 'Low', max_length: 200, is_shown: false },
          translations: {},
          inherited: {},
        },
        {
          ...{ ...plain, model_id: step.buttons[0].id, field: 'text', text: 'Next', max_length: 200 },
          key: `buttons:${step.buttons[0].id}:text`,
          translations: {},
          inherited: {},
        },
      ],
    });
    expect(body.translations.steps[1].texts.map(({ field }: Shown) => field)).toEqual([
      'title',
      'dropdown_items.0',
      'dropdown_items.1',
    ]);
  });

  it('are those of a launcher and its items', async () => {
    await addLanguages('de');
    const made = await add('launcher', { title: 'Help', items: [{ title: 'Docs', url: '/docs' }] });
    const path = `/v3/edit/launchers/${made.id}/translations`;
    const texts = [
      { model_id: made.id, field: 'title', text: 'Hilfe' },
      { model_id: made.items[0].id, field: 'title', text: 'Handbuch' },
    ];
    const { body } = await api.patch(path, { language: 'de', texts });
    expect(body.translations.languages[0]).toMatchObject({ texts_count: 2, translated_count: 2 });
    expect(body.translations.steps.map(({ id, name }: Shown) => [id, name])).toEqual([
      [made.id, 'Help'],
      [made.items[0].id, 'Docs'],
    ]);
  });
});

describe('writing translations', () => {
  it('stores them with Changes of the kind partial, for users after publishing', async () => {
    await openDomain(api, api.account);
    await addLanguages('de');
    const made = await add('tour', { steps: [{ title: 'Hello', body: 'Text' }], published_at: '$now' });
    const [step] = made.steps;
    const { body } = await patch(made.id, 'DE', { model_id: step.id, field: 'title', text: 'Hallo', previous: null });
    expect(textAt(body.translations, step.id, 'title').translations.de.text).toBe('Hallo');
    const { changes } = (await api.get(`/v3/edit/tours/${made.id}/changes`)).body;
    expect(changes[0]).toMatchObject({
      ...{ kind: 'partial', model_id: made.id, path: 'translations.de' },
      object: { [`${step.id}.title`]: [null, 'Hallo'] },
    });
    const seen = async () =>
      (await visit(api, { uid: newUid(), browser: { l: 'de' } })).body.experiences[0].steps[0].title;
    expect(await seen()).toEqual(['Hello']);
    await api.patch(`/v3/edit/tours/${made.id}`, { published_at: '$now' });
    expect(await seen()).toEqual(['Hallo']);
    const file = (await api.get(`/v3/edit/tours/${made.id}/i18n.json`, { query: 'language=de' })).body;
    expect(file.experiences[0].steps[0].translations).toEqual({ title: { text: 'Hallo' }, body: { text: 'Text' } });
  });

  it('records no Change for a text that is there already, and removes texts with null or an empty text', async () => {
    await addLanguages('de');
    const made = await add('tour', tour);
    const [first, second] = made.steps;
    const one = { model_id: first.id, field: 'title', text: 'Hallo' };
    const other = { model_id: second.id, field: 'title', text: 'Tschüss' };
    const changes = async () => (await api.get(`/v3/edit/tours/${made.id}/changes`)).body.changes;
    await patch(made.id, 'de', one, other);
    const before = await changes();
    expect((await patch(made.id, 'de', { ...one, previous: 'Hallo' })).status).toBe(200);
    expect(await changes()).toEqual(before);
    const { body } = await patch(made.id, 'de', { ...one, text: null }, { ...other, text: '', previous: 'Tschüss' });
    expect(body.translations.languages[0].translated_count).toBe(0);
    expect((await changes())[0].object).toEqual({
      [`${first.id}.title`]: ['Hallo', null],
      [`${second.id}.title`]: ['Tschüss', null],
    });
    expect((await rowsOf()).translations ?? []).toEqual([]);
  });

  it('stores a text that equals the one of the parent language', async () => {
    await addLanguages('pt', 'pt-BR');
    const made = await add('tour', tour);
    const text = { model_id: made.steps[0].id, field: 'title', text: 'Olá' };
    await patch(made.id, 'pt', text);
    await patch(made.id, 'pt-BR', text);
    await patch(made.id, 'pt', { ...text, text: 'Oi' });
    const { translations, inherited } = textAt(await showTexts(made.id), text.model_id, 'title');
    expect(translations).toMatchObject({ pt: { text: 'Oi' }, 'pt-BR': { text: 'Olá' } });
    expect(inherited).toEqual({});
  });

  it('returns 409 and writes nothing if another text is stored than the client has seen', async () => {
    await addLanguages('de');
    const made = await add('tour', tour);
    const [first, second] = made.steps;
    const title = { model_id: first.id, field: 'title' };
    await patch(made.id, 'de', { ...title, text: 'Hallo' });
    const before = await rowsOf();
    const other = { model_id: second.id, field: 'title', text: 'Tschüss', previous: null };
    for (const previous of [null, 'Guten Tag']) {
      const { status, body } = await patch(made.id, 'de', other, { ...title, text: 'Servus', previous });
      expect([status, body.messages]).toEqual([409, [expect.stringContaining('`texts[1]`')]]);
    }
    expect(await rowsOf()).toEqual(before);
    expect((await patch(made.id, 'de', other, { ...title, text: 'Servus', previous: 'Hallo' })).status).toBe(200);
  });

  it('loses nothing when translators write different texts together', async () => {
    await addLanguages('de', 'fr');
    const steps = Array.from({ length: 20 }, (_, at) => ({ title: `Step ${at}` }));
    const made = await add('tour', { steps });
    const responses = await Promise.all(
      ['de', 'fr'].flatMap((code) =>
        made.steps.map(({ id }: Shown, at: number) =>
          patch(made.id, code, { model_id: id, field: 'title', text: `${code} ${at}`, previous: null }),
        ),
      ),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    const { steps: shown } = await showTexts(made.id);
    for (const [at, { texts }] of shown.entries())
      expect(texts[0].translations).toMatchObject({ de: { text: `de ${at}` }, fr: { text: `fr ${at}` } });
    const { changes } = (await api.get(`/v3/edit/tours/${made.id}/changes`, { query: 'limit=500' })).body;
    expect(changes.filter(({ kind }: Shown) => kind === 'partial')).toHaveLength(40);
  });

  it('lets one of two translators of the same text win', async () => {
    await addLanguages('de');
    const made = await add('tour', tour);
    const write = (text: string) =>
      patch(made.id, 'de', { model_id: made.steps[0].id, field: 'title', text, previous: null });
    const responses = await Promise.all(['Eins', 'Zwei', 'Drei'].map(write));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  });

  it('rejects what it cannot write with a clear message, and writes nothing', async () => {
    await addLanguages('de');
    const made = await add('tour', tour);
    const [step] = made.steps;
    const title = { model_id: step.id, field: 'title' };
    const before = await rowsOf();
    const good = { model_id: made.steps[1].id, field: 'title', text: 'Tschüss' };
    const rejected: [object, RegExp][] = [
      [{ ...title, text: ' ' }, /`texts\[1\]\.text` must not be blank/],
      [{ ...title, text: 'x'.repeat(501) }, /`texts\[1\]\.text` must have 500 characters at most/],
      [{ ...title, text: 'Hi {{ name' }, /`texts\[1\]\.text` has a merge tag or a link that cannot be read/],
      [{ ...title, field: 'body', text: '[x](javascript:alert(1))' }, /cannot be read/],
      [{ ...title, field: 'name', text: 'x' }, /`texts\[1\]` is no text of this Experience/],
      [{ ...title, field: 'dropdown_items.0', text: 'x' }, /is no text of this Experience/],
      [{ ...title, field: '__proto__', text: 'x' }, /is no text of this Experience/],
      [{ ...title, model_id: unknownId, text: 'x' }, /is no text of this Experience/],
      [{ ...good, text: 'twice' }, /`texts\[1\]` is there twice/],
      [{ ...title }, /`texts\[1\]\.text` is required/],
      [{ ...title, text: ['x'] }, /`texts\[1\]\.text` must be one value/],
      [{ ...title, text: 'a\0b' }, /valid Unicode/],
      [{ ...title, text: 'a', previous: 7 }, /previous/],
    ];
    for (const [text, message] of rejected) {
      const { status, body } = await patch(made.id, 'de', good, text);
      expect([text, status, body.messages]).toEqual([text, 422, [expect.stringMatching(message)]]);
    }
    for (const [language, message] of [
      ['default', /source texts are changed in the Experience/],
      ['fr', /no language of this account/],
      ['not a code', /no language of this account/],
    ] as const)
      expect((await patch(made.id, language, good)).body.messages).toEqual([expect.stringMatching(message)]);
    const many = await api.patch(pathOf(made.id), { language: 'de', texts: Array(1001).fill(good) });
    expect(many.status).toBe(422);
    expect(await rowsOf()).toEqual(before);
  });

  it('rejects a text whose step was removed meanwhile', async () => {
    await addLanguages('de');
    const made = await add('tour', tour);
    const [first, second] = made.steps;
    await api.patch(`/v3/edit/tours/${made.id}`, { steps: [{ id: first.id }] });
    const { status, body } = await patch(made.id, 'de', { model_id: second.id, field: 'title', text: 'x' });
    expect([status, body.messages[0]]).toEqual([422, expect.stringContaining('load it again')]);
    await api.send('DELETE', `/v3/edit/tours/${made.id}`);
    expect((await patch(made.id, 'de', { model_id: first.id, field: 'title', text: 'x' })).status).toBe(404);
  });

  it('is for translators, who may write nothing else', async () => {
    await addLanguages('de');
    const made = await add('tour', tour);
    const texts = [{ model_id: made.steps[0].id, field: 'title', text: 'Hallo' }];
    const { browser: translator } = await addSignedIn(api, 'translator');
    const { browser: viewer } = await addSignedIn(api, 'viewer');
    expect((await viewer.patch(pathOf(made.id), { language: 'de', texts })).status).toBe(403);
    expect((await translator.patch(pathOf(made.id), { language: 'de', texts })).status).toBe(200);
    expect((await translator.get('/v3/edit/translations')).status).toBe(200);
    const before = await rowsOf();
    expect((await translator.patch(pathOf(made.id), { language: 'default', texts })).status).toBe(422);
    expect((await translator.patch(`/v3/edit/tours/${made.id}`, { name: 'Mine' })).status).toBe(403);
    expect((await translator.post('/v3/edit/languages', { code: 'fr' })).status).toBe(403);
    expect(await rowsOf()).toEqual(before);
  });

  it('does not reach other accounts', async () => {
    const as = api.other;
    await addLanguages('de');
    const made = await add('tour', tour);
    const texts = [{ model_id: made.steps[0].id, field: 'title', text: 'Hallo' }];
    await api.post('/v3/edit/languages', { code: 'de' }, { as });
    const before = await rowsOf();
    expect((await api.get(pathOf(made.id), { as })).status).toBe(404);
    expect((await api.patch(pathOf(made.id), { language: 'de', texts }, { as })).status).toBe(404);
    expect((await api.get('/v3/edit/translations', { as })).body.translations).toEqual([]);
    expect(await rowsOf()).toEqual(before);
  });
});

describe('the list', () => {
  it('has the progress of each Experience, newest first, page by page', async () => {
    await addLanguages('de', 'de-AT');
    const first = await add('tour', tour);
    const nps = { steps: [{ title: 'How?', preset: 'survey_nps', placeholder: 'not shown', label_low: 'Bad' }] };
    const second = await add('survey', nps);
    const archived = await add('tour', tour);
    await api.patch(`/v3/edit/tours/${archived.id}`, { archived_at: '$now' });
    await patch(first.id, 'de', { model_id: first.steps[0].id, field: 'title', text: 'Hallo' });
    const { texts_count: _, ...counts } = noCounts;
    const { body } = await api.get('/v3/edit/translations', { query: 'limit=1' });
    expect(body.translations).toEqual([
      {
        experience: { id: second.id, kind: 'survey', name: 'A survey', updated_at: second.updated_at, state: 'draft' },
        languages: [
          { code: 'de', texts_count: 2, ...counts },
          { code: 'de-AT', texts_count: 2, ...counts },
        ],
      },
    ]);
    const next = await api.get('/v3/edit/translations', { query: `before=${body.cursor.before}` });
    expect(next.body).toMatchObject({
      translations: [
        {
          experience: { id: first.id },
          languages: [
            { code: 'de', texts_count: 4, ...counts, translated_count: 1 },
            { code: 'de-AT', texts_count: 4, ...counts, inherited_count: 1 },
          ],
        },
      ],
      cursor: { before: null },
    });
    const surveys = await api.get('/v3/edit/translations', { query: 'kind=survey' });
    expect(surveys.body.translations).toEqual(body.translations);
    expect((await api.get('/v3/edit/translations', { query: 'kind=page' })).status).toBe(422);
  });
});
