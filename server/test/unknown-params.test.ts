import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, startApi } from './api.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
afterAll(() => api.stop());

const ignored = (path: string) => `\`${path}\` is no parameter of this endpoint, and is ignored`;

describe('unknown parameters of writes under edit', () => {
  it('lists unknown parameters with their paths in warnings, the last key', async () => {
    const params = { name: 'A', segmnt_ids: [], steps: [{ title: 'A', buttons: [{ text: 'Go', colour: 'red' }] }] };
    const { status, body } = await api.post('/v3/edit/tours', params);
    expect(status).toBe(201);
    expect(Object.keys(body)).toEqual(['tour', 'warnings']);
    expect(body.warnings).toEqual([ignored('segmnt_ids'), ignored('steps[0].buttons[0].colour')]);
    const changed = await api.patch(`/v3/edit/tours/${body.tour.id}`, { nmae: 'B' }, { query: 'other=1' });
    expect(changed.body.warnings).toEqual([ignored('other'), ignored('nmae')]);
    const removed = await api.send('DELETE', `/v3/edit/tours/${body.tour.id}`, { query: 'cascade=true' });
    expect(removed.body.warnings).toEqual([ignored('cascade')]);
  });

  it('returns no warnings when there are no unknown parameters', async () => {
    const { body } = await api.post('/v3/edit/tours', { name: 'A' }, { query: 'strict=true' });
    expect(Object.keys(body)).toEqual(['tour']);
    expect((await api.get('/v3/edit/tours', { query: 'other=1' })).body.warnings).toBeUndefined();
    const { body: saved } = await api.post('/v3/observe/hooks/profiles', { uid: 'a', other: 1 });
    expect(Object.keys(saved)).toEqual(['profile']);
  });

  it('warns about parameters that only other kinds accept', async () => {
    const { body } = await api.post('/v3/edit/tours', { name: 'A', items: [{ title: 'A' }], list_type: 'checklist' });
    expect(body.warnings).toEqual([ignored('list_type'), ignored('items')]);
    const { body: launcher } = await api.post('/v3/edit/launchers', { name: 'A', steps: [{ title: 'A' }] });
    expect(launcher.warnings).toEqual([ignored('steps')]);
  });

  it('returns 422 with strict and writes nothing', async () => {
    const count = async () => (await api.get('/v3/edit/segments')).body.segments.length;
    const before = await count();
    const items = [{ kind: 'property', prop: 'plan', op: 'eq', value: 'pro', oper: 'in' }];
    for (const strict of [true, 'true']) {
      const { status, body } = await api.post('/v3/edit/segments', { name: 'A', items, strict });
      expect([status, body.messages]).toEqual([422, ['`items[0].oper` is no parameter of this endpoint']]);
    }
    expect((await api.post('/v3/edit/segments', { name: 'A', items }, { query: 'strict=true' })).status).toBe(422);
    expect(await count()).toBe(before);
    expect((await api.post('/v3/edit/segments', { name: 'A', items, strict: false })).status).toBe(201);
    expect((await api.post('/v3/edit/segments', { name: 'A', items, strict: 'maybe' })).status).toBe(422);
  });

  it('names up to 20 unknown parameters and counts the others', async () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`x${index}`, index]));
    const { body } = await api.post('/v3/edit/tags', { name: 'A', ...many });
    expect(body.warnings).toHaveLength(21);
    expect(body.warnings[20]).toBe('10 others are no parameters of this endpoint either');
  });
});
