import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';
import { askAsPage, exchange, LOOK, makePick, makeThemePick, openPick, RESULT } from '../../../../test/picking.ts';
import { openDomain, PAGE } from '../../../../test/visiting.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
afterAll(() => api.stop());
beforeEach(async () => {
  await api.replaceAccounts();
  await openDomain(api);
});

const create = (params: object) => api.post('/v3/edit/picks', { href: PAGE, ...params });
const createTheme = async (as: Api['other']): Promise<string> =>
  (await api.post('/v3/edit/themes', { name: 'Other' }, { as })).body.theme.id;
const saveLooks = (pick_token: string, looks: unknown) => askAsPage(api, '/looks', { pick_token, href: PAGE, looks });

describe('a pick for a theme', () => {
  it('names the theme to the page, and gives the editor what the page sends', async () => {
    const pick = await makeThemePick(api);
    const { body } = await exchange(api, api.account, { key: pick.key });
    expect(body.pick).toMatchObject({
      purpose: 'theme',
      theme: { id: pick.theme_id, name: 'Brand' },
      experience: null,
    });
    const looks = { light: { button: LOOK, link: { ...LOOK, border_width: 1, border_color: 'dddddd' } }, dark: {} };
    expect((await saveLooks(body.pick.token, looks)).body).toEqual({ pick: { state: 'picked' } });
    expect((await api.get(`/v3/edit/picks/${pick.id}`)).body.pick).toMatchObject({
      ...{ theme_id: pick.theme_id, experience_id: null, result: null, looks },
    });
  });

  it('needs the theme and nothing else', async () => {
    const { theme_id } = await makeThemePick(api);
    const { experience_id } = await makePick(api);
    for (const params of [
      { purpose: 'theme' },
      { purpose: 'theme', theme_id, experience_id },
      { purpose: 'pick', theme_id, experience_id },
      { purpose: 'pick' },
    ])
      expect([params, (await create(params)).status]).toEqual([params, 422]);
    const other = api.other;
    expect((await create({ purpose: 'theme', theme_id: await createTheme(other) })).status).toBe(404);
  });

  it('cannot report an element, and a pick for an element cannot report a look', async () => {
    const token = await openPick(api, api.account, await makeThemePick(api));
    const forElement = await openPick(api, api.account, await makePick(api));
    const result = await askAsPage(api, '/result', { pick_token: token, href: PAGE, result: RESULT });
    expect([result.status, (await saveLooks(forElement, { light: {} })).status]).toEqual([403, 403]);
    expect((await askAsPage(api, '/content', { pick_token: token })).status).toBe(403);
  });

  it('ends with the theme', async () => {
    const pick = await makeThemePick(api);
    const token = await openPick(api, api.account, pick);
    await api.send('DELETE', `/v3/edit/themes/${pick.theme_id}`);
    expect((await askAsPage(api, '/current', { pick_token: token })).status).toBe(403);
  });

  it('leaves out what is not part of a look', async () => {
    const pick = await makeThemePick(api);
    const token = await openPick(api, api.account, pick);
    await saveLooks(token, { light: { button: { ...LOOK, text: 'Secret' }, footer: LOOK }, other: {} });
    const { looks } = (await api.get(`/v3/edit/picks/${pick.id}`)).body.pick;
    expect(looks).toEqual({ light: { button: LOOK } });
  });

  it.each([
    ['a color in another notation', { button: { ...LOOK, color: 'red' } }],
    ['a color with a declaration', { button: { ...LOOK, background: 'ffffff;x' } }],
    ['a size that is no number', { button: { ...LOOK, font_size: 'calc(1px)' } }],
    ['a size without end', { button: { ...LOOK, radius: 1e9 } }],
    ['a font that is too long', { button: { ...LOOK, font: 'x'.repeat(201) } }],
    ['an element without its fields', { button: {} }],
  ])('rejects %s', async (_, light) => {
    const pick = await makeThemePick(api);
    const token = await openPick(api, api.account, pick);
    expect((await saveLooks(token, { light })).status).toBe(422);
    expect((await api.get(`/v3/edit/picks/${pick.id}`)).body.pick.looks).toBe(null);
  });
});
