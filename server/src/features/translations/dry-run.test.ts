import type { ExperienceKind } from '@usher/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accountRows } from '../../../test/account-rows.ts';
import { type Api, type ApiResponse, startApi } from '../../../test/api.ts';
import { addSignedIn } from '../../../test/sign-in.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
afterAll(() => api.stop());
beforeEach(() => api.replaceAccounts());

// biome-ignore lint/suspicious/noExplicitAny: tests inspect JSON of any shape
type Shown = any;

async function add(kind: ExperienceKind, params: object): Promise<Shown> {
  const { status, body } = await api.post(`/v3/edit/${kind}s`, { name: `A ${kind}`, ...params });
  expect([status, body.messages]).toEqual([201, undefined]);
  return body[kind];
}
const download = async (query: string): Promise<Shown> =>
  (await api.get('/v3/edit/experiences/i18n.json', { query })).body;

function formOf(...files: Shown[]): FormData {
  const form = new FormData();
  for (const [at, file] of files.entries()) form.append('files[]', new Blob([JSON.stringify(file)]), `${at}.json`);
  return form;
}
const upload = (...files: Shown[]) => api.post('/v3/edit/i18n', formOf(...files));
const dryRun = (...files: Shown[]) => api.post('/v3/edit/i18n', formOf(...files), { query: 'dry_run=true' });
const rowsOf = () => accountRows(api.app, api.account.account_id);

/** Uploads with `dry_run`, which must change nothing, then without it, and expects the same response. */
async function runBoth(...files: Shown[]): Promise<ApiResponse> {
  const before = await rowsOf();
  const dry = await dryRun(...files);
  expect(await rowsOf()).toEqual(before);
  const real = await upload(...files);
  expect([dry.status, dry.body]).toEqual([real.status, real.body]);
  return dry;
}

describe('a dry run', () => {
  it('returns for each file what the upload returns, and writes nothing', async () => {
    await add('tour', { steps: [{ title: 'Hello', body: 'Text' }] });
    const german = await download('language=de');
    german.experiences[0].steps[0].translations.title.text = 'Hallo';
    const source = await download('');
    source.experiences[0].steps[0].translations.body.text = 'Body';
    const broken = { ...(await download('language=fr')), experiences: [{ id: 'f'.repeat(24), name: '', steps: [] }] };
    const { status, body } = await runBoth(german, source, broken);
    expect(status).toBe(200);
    expect(body.i18ns).toMatchObject([
      { file: '0.json', language: { code: 'de' }, experiences_count: 1, updated_count: 1, unchanged_count: 1 },
      { file: '1.json', language: { code: 'default' }, updated_count: 1, unchanged_count: 1, errors: [] },
      {
        file: '2.json',
        language: { code: 'fr' },
        updated_count: 0,
        errors: [expect.stringContaining('no Experience')],
      },
    ]);
  });

  it('returns 422 if every file has errors, as the upload does', async () => {
    await add('tour', { steps: [{ title: 'Hello' }] });
    const file = await download('language=de');
    file.experiences[0].steps[0].translations.title.text = '{{ broken';
    const { status, body } = await runBoth(file, { ...file, id: 'x' });
    expect([status, body.messages.length]).toEqual([422, 2]);
  });

  it('may be a field of the form, and must be a boolean', async () => {
    await add('tour', { steps: [{ title: 'Hello' }] });
    const file = await download('language=de');
    file.experiences[0].steps[0].translations.title.text = 'Hallo';
    const before = await rowsOf();
    const form = formOf(file);
    form.append('dry_run', 'true');
    expect((await api.post('/v3/edit/i18n', form)).body.i18ns[0].updated_count).toBe(1);
    const { status, body } = await api.post('/v3/edit/i18n', formOf(file), { query: 'dry_run=maybe' });
    expect([status, body.messages]).toEqual([422, [expect.stringContaining('`dry_run`')]]);
    expect(await rowsOf()).toEqual(before);
  });

  it('tells translators what they may not upload', async () => {
    await api.post('/v3/edit/languages', { code: 'de' });
    await add('tour', { steps: [{ title: 'Hello' }] });
    const { browser } = await addSignedIn(api, 'translator');
    const files = { de: await download('language=de'), fr: await download('language=fr'), default: await download('') };
    for (const file of Object.values(files)) file.experiences[0].steps[0].translations.title.text = 'Hallo';
    const before = await rowsOf();
    const run = (file: Shown) => browser.post('/v3/edit/i18n', formOf(file), { query: 'dry_run=true' });
    expect((await run(files.de)).body.i18ns[0]).toMatchObject({ updated_count: 1, errors: [] });
    for (const file of [files.fr, files.default])
      expect((await run(file)).body.messages).toEqual([expect.stringContaining('Translators may only write')]);
    expect(await rowsOf()).toEqual(before);
  });
});

/** The fields of a step that users can see in this test, listed without the rules of the server. */
const shownBy: Record<string, string[]> = {
  tour: ['title', 'body', 'buttons'],
  survey_nps: ['title', 'label_low'],
  survey_input: ['title', 'placeholder', 'buttons'],
};

it('leads 50 Experiences through download, edit, dry run and upload with counts that a recount confirms', async () => {
  await api.post('/v3/edit/languages', { code: 'de' });
  await api.post('/v3/edit/languages', { code: 'de-AT' });
  // Every text of a step is unique in the account, so that it can be found again.
  const textOf = (at: number, step: number, field: string) => `${field} ${at}.${step}`;
  const stepOf = (at: number, step: number, preset?: string) => ({
    ...(preset && { preset }),
    ...Object.fromEntries(['title', 'body', 'label_low', 'placeholder'].map((name) => [name, textOf(at, step, name)])),
    ...(preset && { body: null }),
    buttons: [{ text: textOf(at, step, 'buttons') }],
  });
  let texts = 0;
  const isShown = new Map<string, boolean>();
  for (let at = 0; at < 50; at++) {
    const kind = at % 3 === 0 ? 'survey' : 'tour';
    const presets = Array.from({ length: 1 + (at % 4) }, (_, step) => (step % 2 ? 'survey_nps' : 'survey_input'));
    const steps = presets.map((preset, step) => stepOf(at, step, kind === 'survey' ? preset : undefined));
    await add(kind, { name: `Experience ${at}`, steps });
    for (const [step, { buttons, ...fields }] of steps.entries())
      for (const [field, text] of [...Object.entries(fields), ['buttons', buttons[0]?.text]]) {
        if (field === 'preset' || typeof text !== 'string') continue;
        texts++;
        isShown.set(
          text,
          shownBy[kind === 'tour' ? 'tour' : (presets[step] as string)]?.includes(field as string) ?? false,
        );
      }
  }

  const file = await download('language=de');
  expect(file.experiences).toHaveLength(50);
  const entries: Shown[] = file.experiences.flatMap(({ steps }: Shown) =>
    steps.flatMap(({ translations }: Shown) => Object.values(translations)),
  );
  expect(entries).toHaveLength(texts);
  const translated = new Set<string>();
  for (const [at, entry] of entries.entries()) {
    if (at % 7 < 3) continue;
    translated.add(entry.text);
    entry.text = `DE ${entry.text}`;
  }
  const { body } = await runBoth(file);
  expect(body.i18ns).toMatchObject([
    { experiences_count: 50, updated_count: translated.size, unchanged_count: texts - translated.size, errors: [] },
  ]);

  const db = api.app.storage.reader(api.account.account_id);
  const rows = await db
    .selectFrom('translations')
    .selectAll()
    .where('account_id', '=', api.account.account_id)
    .execute();
  const stored = rows.flatMap((row) => Object.values(row.texts).flatMap((own) => Object.values(own)));
  expect(new Set(stored)).toEqual(new Set([...translated].map((text) => `DE ${text}`)));

  const shownCount = [...isShown.values()].filter(Boolean).length;
  const shownTranslated = [...translated].filter((text) => isShown.get(text)).length;
  expect(shownTranslated).toBeLessThan(translated.size);
  const expected = { texts_count: shownCount, outdated_count: 0 };
  const { i18ns } = (await api.get('/v3/edit/i18n')).body;
  expect(i18ns).toMatchObject([
    { language: { code: 'de' }, ...expected, translated_count: shownTranslated, inherited_count: 0 },
    { language: { code: 'de-AT' }, ...expected, translated_count: 0, inherited_count: shownTranslated },
  ]);
  const list = (await api.get('/v3/edit/translations', { query: 'limit=500' })).body.translations;
  expect(list).toHaveLength(50);
  const sum = (name: string) => list.reduce((all: number, { languages }: Shown) => all + languages[0][name], 0);
  expect([sum('texts_count'), sum('translated_count')]).toEqual([shownCount, shownTranslated]);
});
