import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';
import { askAsPage, makePick, makePicked, openPick, RESULT } from '../../../../test/picking.ts';
import { openDomain, PAGE, visit } from '../../../../test/visiting.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
afterAll(() => api.stop());
beforeEach(async () => {
  await api.replaceAccounts();
  await openDomain(api);
});

const keep = (id: string, sent: object = {}) => api.post(`/v3/edit/picks/${id}/sketch`, {}, sent);
const list = async (id: string) => (await api.get(`/v3/edit/tours/${id}/sketches`)).body.sketches;
const rows = () =>
  api.app.storage
    .reader(api.account.account_id)
    .selectFrom('step_sketches')
    .selectAll()
    .where('account_id', '=', api.account.account_id)
    .execute();

describe('a sketch of a page', () => {
  it('is kept when the administrator uses the pick, and not before', async () => {
    const { id, experience_id, step_id } = await makePicked(api);
    expect(await list(experience_id)).toEqual([]);
    const { status, body } = await keep(id);
    const kept = { step_id, updated_at: expect.any(String), elements: RESULT.elements, sketch: RESULT.sketch };
    expect([status, body]).toEqual([200, { sketch: kept }]);
    expect(await list(experience_id)).toEqual([kept]);
  });

  it('is replaced by the next one of the step', async () => {
    const { id, experience_id, step_id } = await makePicked(api);
    await keep(id);
    const pick = await makePick(api, api.account, { experience_id, step_id });
    const pick_token = await openPick(api, api.account, pick);
    const sketch = { ...RESULT.sketch, width: 800 };
    await askAsPage(api, '/result', { pick_token, href: PAGE, result: { ...RESULT, sketch } });
    await keep(pick.id);
    expect((await list(experience_id)).map((one: { sketch: object }) => one.sketch)).toEqual([sketch]);
  });

  it('is deleted with the Experience', async () => {
    const { id, experience_id } = await makePicked(api);
    await keep(id);
    expect(await rows()).toHaveLength(1);
    await api.patch(`/v3/edit/tours/${experience_id}`, { published_at: null });
    expect((await api.send('DELETE', `/v3/edit/tours/${experience_id}`)).status).toBe(200);
    expect(await rows()).toEqual([]);
  });

  it('is not listed when its step is removed, and is deleted when the next one is kept', async () => {
    const { id, experience_id, step_id } = await makePicked(api);
    await keep(id);
    await api.post(`/v3/edit/tours/${experience_id}/steps`, { title: 'Second' });
    expect((await api.send('DELETE', `/v3/edit/tours/${experience_id}/steps/${step_id}`)).status).toBe(200);
    expect(await list(experience_id)).toEqual([]);
    const { steps } = (await api.get(`/v3/edit/tours/${experience_id}`)).body.tour;
    const next = await makePick(api, api.account, { experience_id, step_id: steps[0].id });
    const pick_token = await openPick(api, api.account, next);
    await askAsPage(api, '/result', { pick_token, href: PAGE, result: RESULT });
    await keep(next.id);
    expect((await rows()).map((row) => row.step_id)).toEqual([steps[0].id]);
  });

  it('is not found by other accounts and other administrators, and never sent to pages of users', async () => {
    const { id, experience_id } = await makePicked(api);
    const other = api.other;
    expect((await keep(id, { as: other })).status).toBe(404);
    await keep(id);
    expect((await api.get(`/v3/edit/tours/${experience_id}/sketches`, { as: other })).status).toBe(404);
    const response = await visit(api, { uid: 'ann' });
    expect(JSON.stringify(response.body)).toContain(experience_id);
    expect(JSON.stringify(response.body)).not.toMatch(/sketch|1f6feb/);
  });

  it('needs a pick for a step, with a result', async () => {
    const { id } = await makePick(api);
    expect((await keep(id)).status).toBe(422);
    const { experience_id, step_id } = await makePicked(api);
    const unpicked = await makePick(api, api.account, { experience_id, step_id });
    expect((await keep(unpicked.id)).status).toBe(422);
  });

  it('leaves out what is not part of a sketch', async () => {
    const pick = await makePick(api);
    const pick_token = await openPick(api, api.account, pick);
    const result = { ...RESULT, sketch: { ...RESULT.sketch, text: 'Secret' } };
    expect((await askAsPage(api, '/result', { pick_token, href: PAGE, result })).status).toBe(200);
    expect((await api.get(`/v3/edit/picks/${pick.id}`)).body.pick.result.sketch).toEqual(RESULT.sketch);
  });

  it.each([
    ['an unknown kind', { boxes: [[9, 0, 0, 1, 1]] }],
    ['a negative size', { boxes: [[0, 0, 0, -1, 1]] }],
    ['a color that is not listed', { boxes: [[0, 0, 0, 1, 1, 2]] }],
    ['a text in a box', { boxes: [[1, 0, 0, 1, 'Secret']] }],
    ['a fraction', { boxes: [[1, 0.5, 0, 1, 1]] }],
    ['a box with more values', { boxes: [[1, 0, 0, 1, 1, 0, 7]] }],
    ['too many boxes', { boxes: Array.from({ length: 501 }, () => [1, 0, 0, 1, 1]) }],
    ['more than 8 KB', { boxes: Array.from({ length: 500 }, () => [1, 10_000, 10_000, 10_000, 10_000]) }],
    ['a color in another notation', { colors: ['red', '1f6feb'] }],
    ['a page without a size', { width: 0 }],
    ['a target with a negative size', { target: [0, 0, -5, 1] }],
  ])('rejects %s', async (_, fields) => {
    const pick = await makePick(api);
    const pick_token = await openPick(api, api.account, pick);
    const result = { ...RESULT, sketch: { ...RESULT.sketch, ...fields } };
    expect((await askAsPage(api, '/result', { pick_token, href: PAGE, result })).status).toBe(422);
  });
});
