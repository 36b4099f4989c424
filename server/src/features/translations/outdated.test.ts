import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../test/api.ts';
import { addSignedIn } from '../../../test/sign-in.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
afterAll(() => api.stop());
beforeEach(async () => {
  await api.replaceAccounts();
  await api.post('/v3/edit/languages', { code: 'de' });
});

// biome-ignore lint/suspicious/noExplicitAny: tests inspect JSON of any shape
type Shown = any;

/** A tour whose title and Button are translated. */
async function makeTranslated(): Promise<Shown> {
  const params = { name: 'Tour', steps: [{ title: 'Hello', body: 'Text', buttons: [{ text: 'Next' }] }] };
  const { tour } = (await api.post('/v3/edit/tours', params)).body;
  const [step] = tour.steps;
  await translate(tour.id, [step.id, 'title', 'Hallo'], [step.buttons[0].id, 'text', 'Weiter']);
  return tour;
}
async function translate(id: string, ...all: [model_id: string, field: string, text: string | null][]) {
  const texts = all.map(([model_id, field, text]) => ({ model_id, field, text }));
  const { status } = await api.patch(`/v3/edit/tours/${id}/translations`, { language: 'de', texts });
  expect(status).toBe(200);
}
const rename = async ({ id, steps: [step] }: Shown, title: string) => {
  const { status } = await api.patch(`/v3/edit/tours/${id}/steps/${step.id}`, { title });
  expect(status).toBe(200);
};

/** Returns the source texts whose translations are outdated, and expects all counts to agree. */
async function outdatedIn(id: string, as = api.account): Promise<string[]> {
  const { languages, steps } = (await api.get(`/v3/edit/tours/${id}/translations`, { as })).body.translations;
  const texts: Shown[] = steps.flatMap((step: Shown) => step.texts);
  const outdated = texts.filter(({ translations }) => translations.de?.is_outdated).map(({ text }) => text);
  const list = (await api.get('/v3/edit/translations', { as })).body.translations;
  const [listed] = list.filter(({ experience }: Shown) => experience.id === id);
  const [counted] = languages.filter(({ code }: Shown) => code === 'de');
  expect(counted.outdated_count).toBe(outdated.length);
  expect(listed.languages).toContainEqual(expect.objectContaining({ code: 'de', outdated_count: outdated.length }));
  return outdated;
}

async function download(id: string, language = 'de'): Promise<Shown> {
  return (await api.get(`/v3/edit/tours/${id}/i18n.json`, { query: `language=${language}` })).body;
}
async function upload(file: Shown): Promise<Shown> {
  const form = new FormData();
  form.append('file', new Blob([JSON.stringify(file)]), 'a.json');
  return (await api.post('/v3/edit/i18n', form)).body.i18ns[0];
}

describe('a translation', () => {
  it('is outdated while its source text differs from the one that was translated', async () => {
    const tour = await makeTranslated();
    expect(await outdatedIn(tour.id)).toEqual([]);
    await rename(tour, 'Welcome');
    expect(await outdatedIn(tour.id)).toEqual(['Welcome']);
    const { i18ns } = (await api.get('/v3/edit/i18n')).body;
    expect(i18ns[0]).toMatchObject({ texts_count: 3, translated_count: 2, outdated_count: 1 });
    await rename(tour, 'Hello');
    expect(await outdatedIn(tour.id)).toEqual([]);
  });

  it('is up to date again when it is written, also with the same text', async () => {
    const tour = await makeTranslated();
    const [step] = tour.steps;
    await rename(tour, 'Welcome');
    const changes = async () => (await api.get(`/v3/edit/tours/${tour.id}/changes`)).body.changes.length;
    const before = await changes();
    await translate(tour.id, [step.id, 'body', 'Text']);
    expect(await outdatedIn(tour.id)).toEqual(['Welcome']);
    await translate(tour.id, [step.id, 'title', 'Hallo']);
    expect(await outdatedIn(tour.id)).toEqual([]);
    expect(await changes()).toBe(before + 1);
    await rename(tour, 'Good day');
    await translate(tour.id, [step.id, 'title', null]);
    expect(await outdatedIn(tour.id)).toEqual([]);
  });

  it('stays outdated when a file leaves it as it is, and is up to date when the file changes it', async () => {
    const tour = await makeTranslated();
    await rename(tour, 'Welcome');
    const file = await download(tour.id);
    expect(await upload(file)).toMatchObject({ updated_count: 0, errors: [] });
    expect(await outdatedIn(tour.id)).toEqual(['Welcome']);
    file.experiences[0].steps[0].translations.body.text = 'Inhalt';
    expect(await upload(file)).toMatchObject({ updated_count: 1 });
    expect(await outdatedIn(tour.id)).toEqual(['Welcome']);
    file.experiences[0].steps[0].translations.title.text = 'Willkommen';
    expect(await upload(file)).toMatchObject({ updated_count: 1 });
    expect(await outdatedIn(tour.id)).toEqual([]);
  });

  it('is outdated after a file or an import changes the source text', async () => {
    const tour = await makeTranslated();
    const file = await download(tour.id, 'default');
    file.experiences[0].steps[0].translations.title.text = 'Welcome';
    await upload(file);
    expect(await outdatedIn(tour.id)).toEqual(['Welcome']);
    const [{ id, buttons }] = tour.steps;
    const document = { name: 'Tour', steps: [{ id, title: 'Hello', buttons: [{ id: buttons[0].id, text: 'Go' }] }] };
    expect((await api.post(`/v3/edit/tours/${tour.id}/import`, document)).status).toBe(200);
    expect(await outdatedIn(tour.id)).toEqual(['Go']);
  });

  it('is as outdated in a copy as in the original', async () => {
    const { browser } = await addSignedIn(api, 'owner');
    const { account_id } = api.account;
    const tour = await makeTranslated();
    await rename(tour, 'Welcome');
    const duplicate = (await api.post(`/v3/edit/tours/${tour.id}/duplicate`, {})).body.tour;
    expect(await outdatedIn(duplicate.id)).toEqual(['Welcome']);
    const copied = await browser.post(`/v3/edit/tours/${tour.id}/copy`, { account_id });
    expect(copied.body.messages).toBeUndefined();
    expect(await outdatedIn(copied.body.experience.id)).toEqual(['Welcome']);
    await rename(duplicate, 'Hello');
    expect(await outdatedIn(duplicate.id)).toEqual([]);
  });

  it('is up to date after a return to the texts that were translated', async () => {
    const tour = await makeTranslated();
    const [change] = (await api.get(`/v3/edit/tours/${tour.id}/changes`)).body.changes;
    await rename(tour, 'Welcome');
    const [renamed] = (await api.get(`/v3/edit/tours/${tour.id}/changes`)).body.changes;
    await api.patch(`/v3/edit/tours/${tour.id}`, { name: 'Other' });
    const revert = async (change_id: string) =>
      expect((await api.post(`/v3/edit/tours/${tour.id}/revert`, { change_id })).status).toBe(200);
    await revert(renamed.id);
    expect(await outdatedIn(tour.id)).toEqual(['Welcome']);
    await revert(change.id);
    expect(await outdatedIn(tour.id)).toEqual([]);
    await translate(tour.id, [tour.steps[0].id, 'title', 'Servus']);
    await rename(tour, 'Hi');
    await revert(change.id);
    expect(await outdatedIn(tour.id)).toEqual([]);
  });

  it('of a template is outdated where the request has another text', async () => {
    await api.post('/v3/edit/languages', { code: 'ar' });
    const [template] = (await api.get('/v3/edit/templates')).body.templates.filter(
      ({ kind }: Shown) => kind === 'tour',
    );
    const { id } = (await api.post('/v3/edit/tours', { template_id: template.id, name: 'Mine' })).body.tour;
    const count = async () => (await api.get(`/v3/edit/tours/${id}/translations`)).body.translations.languages[1];
    const { translated_count, ...first } = await count();
    expect(translated_count).toBeGreaterThan(1);
    // No administrator of the account has reviewed these translations.
    expect(first).toMatchObject({ code: 'ar', outdated_count: 0, unreviewed_count: translated_count });
    const { steps } = (await api.get(`/v3/edit/tours/${id}`)).body.tour;
    await api.patch(`/v3/edit/tours/${id}/steps/${steps[0].id}`, { title: 'My own' });
    expect(await count()).toMatchObject({ outdated_count: 1, unreviewed_count: translated_count - 1 });
    const { texts } = (await api.get(`/v3/edit/tours/${id}/translations`)).body.translations.steps[1];
    const [{ model_id, field, translations }] = texts;
    expect(translations.ar).toMatchObject({ is_outdated: false, is_reviewed: false });
    const confirmed = { language: 'ar', texts: [{ model_id, field, text: translations.ar.text }] };
    expect((await api.patch(`/v3/edit/tours/${id}/translations`, confirmed)).status).toBe(200);
    expect(await count()).toMatchObject({ outdated_count: 1, unreviewed_count: translated_count - 2 });
  });

  it('counts as up to date if it was stored before hashes were', async () => {
    const tour = await makeTranslated();
    const { account_id } = api.account;
    await api.app.storage.write(account_id, (db) =>
      db.updateTable('translations').set({ sources: '{}' }).where('account_id', '=', account_id).execute(),
    );
    await rename(tour, 'Welcome');
    expect(await outdatedIn(tour.id)).toEqual([]);
    await translate(tour.id, [tour.steps[0].id, 'title', 'Willkommen']);
    await rename(tour, 'Hello');
    expect(await outdatedIn(tour.id)).toEqual(['Hello']);
  });
});
