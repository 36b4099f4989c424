import { isId } from '@usher/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';
import { type CreatedAccount, createAccount } from '../../team/accounts/create-account.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
afterAll(() => api.stop());

// biome-ignore lint/suspicious/noExplicitAny: tests inspect JSON of any shape
type Shown = any;
let count = 0;
const newAccount = () => createAccount(api.app, { name: 'Fresh', email: `fresh${++count}@acme.test` });
const create = (code: unknown, as: CreatedAccount) => api.post('/v3/edit/languages', { code }, { as });
const codes = async (as: CreatedAccount): Promise<string[]> =>
  (await api.get('/v3/edit/languages', { as })).body.languages.map(({ code }: Shown) => code);
const remove = (id: string, as: CreatedAccount, query = '') =>
  api.send('DELETE', `/v3/edit/languages/${id}`, { as, query });

/** A tour with a German title. */
async function translate(as: CreatedAccount): Promise<{ id: string; step: string }> {
  const [tour] = await translateMany(as, 1);
  return tour as { id: string; step: string };
}

async function translateMany(as: CreatedAccount, count: number): Promise<{ id: string; step: string }[]> {
  const tours: Shown[] = [];
  for (let n = 0; n < count; n++)
    tours.push((await api.post('/v3/edit/tours', { name: 'Tour', steps: [{ title: 'Hello' }] }, { as })).body.tour);
  const { body: file } = await api.get('/v3/edit/experiences/i18n.json', { query: 'language=de', as });
  for (const { steps } of file.experiences) steps[0].translations.title.text = 'Hallo';
  const form = new FormData();
  form.append('file', new Blob([JSON.stringify(file)]), 'de.json');
  expect((await api.post('/v3/edit/i18n', form, { as })).status).toBe(200);
  return tours.map(({ id, steps }) => ({ id, step: steps[0].id }));
}

describe('languages', () => {
  it('adds a language by its code in canonical form', async () => {
    const account = await newAccount();
    const { status, body } = await create('PT-br', account);
    expect(status).toBe(201);
    const { id, created_at, updated_at, code } = body.language;
    expect(Object.keys(body.language)).toEqual(['id', 'created_at', 'updated_at', 'code']);
    expect(isId(id)).toBe(true);
    expect(updated_at).toBe(created_at);
    expect(code).toBe('pt-BR');
    expect((await api.get('/v3/edit/languages', { as: account })).body).toEqual({
      languages: [body.language],
      cursor: { limit: 50, before: null },
    });
  });

  it('lists languages newest first, page by page', async () => {
    const account = await newAccount();
    for (const code of ['de', 'fr', 'it']) await create(code, account);
    const first = await api.get('/v3/edit/languages', { query: 'limit=2', as: account });
    expect(first.body.languages.map(({ code }: Shown) => code)).toEqual(['it', 'fr']);
    const query = `before=${first.body.cursor.before}`;
    const second = await api.get('/v3/edit/languages', { query, as: account });
    expect(second.body.languages.map(({ code }: Shown) => code)).toEqual(['de']);
  });

  it('returns 409 for a language that exists already', async () => {
    const account = await newAccount();
    await create('de-AT', account);
    const { status, body } = await create('DE-at', account);
    expect([status, body.messages]).toEqual([409, ['The language `de-AT` is there already']]);
    expect(await codes(account)).toEqual(['de-AT']);
    expect(await codes(await newAccount())).toEqual([]);
  });

  it.each(['default', '', 'german', 'de_DE', 'd', 12, null, undefined])('rejects the code %j', async (code) => {
    const account = await newAccount();
    const { status, body } = await create(code, account);
    expect(status).toBe(422);
    expect(body.messages[0]).toContain('`code`');
    expect(await codes(account)).toEqual([]);
  });
});

describe('delete', () => {
  it('removes a language without texts', async () => {
    const account = await newAccount();
    const { language } = (await create('de', account)).body;
    const { status, body } = await remove(language.id, account);
    expect([status, body]).toEqual([200, { language }]);
    expect(await codes(account)).toEqual([]);
    expect((await remove(language.id, account)).status).toBe(404);
  });

  it('returns 404 for the language of another account', async () => {
    const [account, other] = [await newAccount(), await newAccount()];
    const { language } = (await create('de', other)).body;
    expect((await remove(language.id, account)).status).toBe(404);
    expect(await codes(other)).toEqual(['de']);
  });

  it('returns 409 while there are texts', async () => {
    const account = await newAccount();
    await translate(account);
    const [language] = (await api.get('/v3/edit/languages', { as: account })).body.languages;
    const { status, body } = await remove(language.id, account);
    expect(status).toBe(409);
    expect(body.messages[0]).toContain('1 Experiences have texts in `de`');
    expect((await remove(language.id, account, 'cascade=all')).status).toBe(422);
    expect(await codes(account)).toEqual(['de']);
  });

  it('deletes the texts with cascade and records each', async () => {
    const account = await newAccount();
    const tours = await translateMany(account, 52);
    const [language] = (await api.get('/v3/edit/languages', { as: account })).body.languages;
    expect((await remove(language.id, account, 'cascade=translations')).status).toBe(200);
    expect(await codes(account)).toEqual([]);
    const db = api.app.storage.reader(account.account_id);
    const left = await db.selectFrom('translations').selectAll().where('account_id', '=', account.account_id).execute();
    expect(left).toEqual([]);
    const changes = await db
      .selectFrom('changes')
      .select(['experience_id', 'model_id', 'kind', 'path', 'object'])
      .where('account_id', '=', account.account_id)
      .orderBy('id', 'desc')
      .limit(52)
      .execute();
    expect(changes.toReversed()).toEqual(
      tours.map(({ id, step }) => ({
        experience_id: id,
        model_id: id,
        kind: 'update',
        path: 'translations.de',
        object: { [`${step}.title`]: ['Hallo', null] },
      })),
    );
  });

  it('restores a deleted language when a tour reverts to its texts', async () => {
    const account = await newAccount();
    const { id } = await translate(account);
    const { changes } = (await api.get(`/v3/edit/tours/${id}/changes`, { as: account })).body;
    const [language] = (await api.get('/v3/edit/languages', { as: account })).body.languages;
    await remove(language.id, account, 'cascade=translations');
    const reverted = await api.post(`/v3/edit/tours/${id}/revert`, { change_id: changes[0].id }, { as: account });
    expect(reverted.status).toBe(200);
    expect(await codes(account)).toEqual(['de']);
    const { text } = await api.get(`/v3/edit/tours/${id}/i18n.json`, { query: 'language=de', as: account });
    expect(text).toContain('Hallo');
  });
});
