import { type ExperienceKind, experienceKinds, pathOfKind } from '@usher/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../test/api.ts';
import { addSignedIn, type TestAdmin } from '../../../test/sign-in.ts';

/* The editor of the dashboard needs this beyond what every client uses. */

let api: Api;
let passed = 0;
beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => Date.now() + passed });
});
afterAll(() => api.stop());

const add = async (kind: ExperienceKind, params: object = {}) =>
  (await api.post(`/v3/edit/${pathOfKind(kind)}`, { name: 'Welcome', ...params })).body[kind];

describe('an Experience of any kind', () => {
  it.each(experienceKinds)('is shown with its kind: %s', async (kind) => {
    const made = await add(kind);
    const { status, body } = await api.get(`/v3/edit/experiences/${made.id}`);
    expect(status).toBe(200);
    expect(body).toEqual({ experience: made });
    expect(body.experience.kind).toBe(kind);
  });

  it('of another account, or of none, is not found', async () => {
    const { id } = await add('tour');
    expect((await api.get(`/v3/edit/experiences/${id}`, { as: api.other })).status).toBe(404);
    const { status, body } = await api.get(`/v3/edit/experiences/${'f'.repeat(24)}`);
    expect([status, body.messages]).toEqual([404, ['There is no Experience with this ID in this account']]);
  });
});

describe('an autosave', () => {
  const [step, button, other] = ['1', '2', '3'].map((digit) => digit.padStart(24, 'a')) as [string, string, string];
  const save = (id: string, params: object) => api.patch(`/v3/edit/tours/${id}`, { autosave: true, ...params });

  it('takes the IDs that an editor gave to new parts', async () => {
    const { id } = await add('tour');
    const steps = [{ id: step, title: 'New', buttons: [{ id: button, text: 'Go' }] }];
    const { body } = await save(id, { steps });
    expect(body.tour.steps).toMatchObject(steps);
    // A request whose response was lost can be repeated, and adds no second step.
    expect((await save(id, { steps })).body.tour.steps).toEqual(body.tour.steps);
  });

  it('brings a deleted step back with its ID', async () => {
    const tour = await add('tour', { steps: [{ title: 'A' }, { title: 'B' }] });
    const [first, second] = tour.steps;
    await save(tour.id, { steps: [{ id: second.id }] });
    const { body } = await save(tour.id, { steps: [first, { id: second.id }] });
    expect(body.tour.steps).toEqual(tour.steps);
  });

  it.each([
    ['a step twice', [{ id: step }, { id: step }]],
    ['a step and a button with one ID', [{ id: step, buttons: [{ id: step }] }]],
    [
      'the button of another step',
      [
        { id: other, buttons: [] },
        { id: step, buttons: [{ id: button }] },
      ],
    ],
  ])('rejects an ID that another part has: %s', async (_, steps) => {
    const { id } = await add('tour');
    await save(id, { steps: [{ id: other, buttons: [{ id: button }] }] });
    const { status, body } = await save(id, { steps });
    expect(status).toBe(422);
    expect(body.messages[0]).toMatch(/\.id` is no (Step|Button) of this Experience, or stands here twice/);
  });

  it('is the only request that takes them', async () => {
    const { id } = await add('tour');
    expect((await api.patch(`/v3/edit/tours/${id}`, { steps: [{ id: step }] })).status).toBe(422);
  });
});

describe('who has an Experience open', () => {
  const report = ({ browser }: TestAdmin, id: string, params: object = {}) =>
    browser.post(`/v3/edit/experiences/${id}/editors`, params);

  it('names the others, until they leave or have not reported for a minute', async () => {
    const { id } = await add('tour');
    const [ann, ben] = [await addSignedIn(api, 'editor'), await addSignedIn(api, 'owner')];
    expect((await report(ann, id)).body).toEqual({ editors: [] });
    expect((await report(ben, id)).body).toEqual({ editors: [{ id: ann.id, name: 'Kim editor' }] });
    expect((await report(ann, id)).body).toEqual({ editors: [{ id: ben.id, name: 'Kim owner' }] });
    expect((await report(ben, id, { open: false })).body.editors).toHaveLength(1);
    expect((await report(ann, id)).body).toEqual({ editors: [] });
    await report(ben, id);
    passed += 61_000;
    expect((await report(ann, id)).body).toEqual({ editors: [] });
  });

  it('is kept apart by Experience and account', async () => {
    const [ours, theirs] = [await add('tour'), await add('survey')];
    const ann = await addSignedIn(api, 'editor');
    await report(ann, ours.id);
    expect((await report(await addSignedIn(api, 'editor'), theirs.id)).body).toEqual({ editors: [] });
    const stranger = await addSignedIn(api, 'owner', { accountId: api.other.account_id });
    expect((await report(stranger, ours.id)).status).toBe(404);
  });
});
