import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
afterAll(() => api.stop());

const send = async (params: object): Promise<string> =>
  (await api.post('/v3/observe/hooks/profiles', params)).body.profile.id;

async function addSegment(name: string, items: object[], items_op = 'and'): Promise<string> {
  const { status, body } = await api.post('/v3/edit/segments', { name, items, items_op });
  expect([status, body.messages]).toEqual([201, undefined]);
  return body.segment.id;
}

const segmentsOf = async (id: string) =>
  (await api.get(`/v3/edit/profiles/${id}/segments`)).body.segments.map(({ name }: { name: string }) => name);

it('lists the Segments of a user as the search with each Segment finds them, more than fit into one query', async () => {
  const ann = await send({ uid: 'ann', plan: 'pro', seats: 3, company: { uid: 'acme', size: 500 } });
  const bob = await send({ uid: 'bob', plan: 'free', seats: 9 });
  expect(await segmentsOf(ann)).toEqual([]);
  const pro = await addSegment('Pro', [{ kind: 'property', prop: 'plan', op: 'eq', value: 'pro' }]);
  await addSegment('Not pro', [{ kind: 'segment', op: 'nx', value: pro }]);
  await addSegment('Large', [{ kind: 'property', prop: 'company.size', op: 'gt', value: 100 }]);
  await addSegment('Everybody', []);
  for (let seats = 1; seats <= 9; seats++)
    await addSegment(`At least ${seats}`, [{ kind: 'property', prop: 'seats', op: 'gte', value: seats }]);
  const { segments } = (await api.get('/v3/edit/segments')).body;
  for (const id of [ann, bob]) {
    const expected = [];
    for (const segment of segments) {
      const { profiles } = (await api.get('/v3/analyze/profiles', { query: `segment_id=${segment.id}` })).body;
      if (profiles.some((profile: { id: string }) => profile.id === id)) expected.push(segment.name);
    }
    expect(await segmentsOf(id)).toEqual(expected.sort((one, other) => one.localeCompare(other, 'en')));
  }
  expect(await segmentsOf(ann)).toEqual(expect.arrayContaining(['At least 3', 'Everybody', 'Large', 'Pro']));
  expect(await segmentsOf(bob)).toEqual(expect.arrayContaining(['At least 9', 'Everybody', 'Not pro']));
  expect(await segmentsOf(bob)).not.toContain('Large');
});
