import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../test/api.ts';
import { newUid, openDomain, PAGE, visit } from '../../../test/visiting.ts';

let now = Date.parse('2029-04-07T12:00:00.000Z');
const HOUR = 60 * 60_000;
let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => now });
  await openDomain(api);
});
afterAll(() => api.stop());

async function queueOf(id: string, href = PAGE) {
  const { status, body } = await api.post(`/v3/edit/profiles/${id}/queue`, { href });
  expect([status, body.messages]).toEqual([200, undefined]);
  return body.queue;
}

async function add(kind: string, params: object): Promise<{ id: string; kind: string; name: string }> {
  const { status, body } = await api.post(`/v3/edit/${kind}s`, {
    steps: [{ title: 'Hello' }],
    published_at: '$now',
    ...params,
  });
  expect([status, body.messages]).toEqual([201, undefined]);
  const { id, name } = body[kind];
  return { id, kind, name };
}

describe('the queue of a user', () => {
  it('is what a page would show in order, and why not the rest', async () => {
    const first = await add('tour', { name: 'First', position: 1 });
    const second = await add('tour', { name: 'Second', position: 2 });
    const hidden = await add('tour', { name: 'By hand', position: 3, style: 'manual' });
    const uid = newUid();
    const { body } = await visit(api, { uid });
    const { id } = body.profile;
    expect(await queueOf(id)).toEqual({
      href: PAGE,
      problem: null,
      next: [{ experience: first, delivery_id: null, why: 'automatic' }],
      rest: [
        {
          experience: second,
          delivery_id: null,
          reasons: [{ rule: 'another', message: 'Another one comes first: “First”', field: 'position' }],
        },
        { experience: hidden, delivery_id: null, reasons: expect.arrayContaining([expect.anything()]) },
      ],
      limits: [],
      snoozes: [],
    });
    now += HOUR;
  });
});
