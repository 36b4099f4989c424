import { propertyKinds } from '@usher/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';
import type { Context } from '../../../context.ts';
import { createContext } from '../../../create-context.ts';
import type { Named } from '../properties/update-name.ts';
import { deleteName } from './delete-name.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
beforeEach(() => api.replaceAccounts());
afterAll(() => api.stop());

const byPlan = [{ kind: 'property', prop: 'plan', op: 'eq', value: 'pro' }];
const byEvent = [{ kind: 'event', op: 'ex', value: 'Paid' }];
const text = 'Your plan: {{plan}}';

async function create(path: string, params: object) {
  const { status, body } = await api.post(`/v3/edit/${path}`, params);
  expect([status, body.messages]).toEqual([201, undefined]);
  return Object.values(body)[0] as { id: string; steps: { id: string }[] };
}
async function change(path: string, params: object): Promise<void> {
  const { status, body } = await api.patch(`/v3/edit/${path}`, params);
  expect([status, body.messages]).toEqual([200, undefined]);
}

/** A context in which this happens after the uses of a name were looked for, and before the name is deleted. */
function contextWith(meanwhile: () => Promise<unknown>): Context {
  const { account_id, user_id } = api.account;
  const ctx = createContext(api.app, { account: { id: account_id }, actor: { id: user_id, role: 'owner' } });
  const transaction: Context['transaction'] = async (work, options) => {
    await meanwhile();
    return ctx.transaction(work, options);
  };
  return { ...ctx, transaction };
}

describe('a name that gets its first use while it is deleted', () => {
  const property: Named = { kinds: propertyKinds, what: 'Property' };
  const eventName: Named = { kinds: ['event_name'], what: 'Event Name' };

  it.each<[use: string, named: Named, prepare: () => Promise<() => Promise<unknown>>]>([
    ['a new Segment', property, async () => () => create('segments', { name: 'Late', items: byPlan })],
    [
      'a Segment that changes',
      property,
      async () => {
        const { id } = await create('segments', { name: 'Late', items: [] });
        return () => change(`segments/${id}`, { items: byPlan });
      },
    ],
    ['a new text', property, async () => () => create('tours', { name: 'Late', steps: [{ body: text }] })],
    [
      'a text that changes',
      property,
      async () => {
        const { id, steps } = await create('tours', { name: 'Late', steps: [{ body: 'Hi' }] });
        return () => change(`tours/${id}`, { steps: [{ ...steps[0], body: text }] });
      },
    ],
    [
      'a translation',
      property,
      async () => {
        const { id, steps } = await create('tours', { name: 'Late', steps: [{ body: 'Hi' }] });
        await create('languages', { code: 'de' });
        const texts = [{ model_id: steps[0]?.id, field: 'body', text }];
        return () => change(`tours/${id}/translations`, { language: 'de', texts });
      },
    ],
    ['a new Segment by an event', eventName, async () => () => create('segments', { name: 'Late', items: byEvent })],
    [
      'a goal',
      eventName,
      async () => {
        const { id } = await create('tours', { name: 'Late', steps: [{ body: 'Hi' }] });
        return () => change(`tours/${id}`, { goal: 'Paid' });
      },
    ],
  ])('stays, with 409: %s', async (_, named, prepare) => {
    await api.post('/v3/observe/hooks/profiles', { uid: 'ann', plan: 'pro' });
    await api.post('/v3/observe/hooks/events', { uid: 'ann', name: 'Paid' });
    const path = named === property ? 'properties?kind=profile' : 'event_names';
    const list = async () => Object.values((await api.get(`/v3/edit/${path}`)).body)[0] as { id: string }[];
    const [{ id } = { id: '' }] = await list();
    const ctx = contextWith(await prepare());
    const error = { code: 409, messages: [expect.stringContaining('"Late"')] };
    await expect(deleteName(ctx, named, id)).rejects.toMatchObject(error);
    expect(await list()).toMatchObject([{ id }]);
  });

  it('is deleted if what changes meanwhile does not use it', async () => {
    await api.post('/v3/observe/hooks/profiles', { uid: 'ann', plan: 'pro' });
    const [{ id }] = (await api.get('/v3/edit/properties?kind=profile')).body.properties;
    const ctx = contextWith(async () => {
      await create('segments', { name: 'Late', items: byEvent });
      await create('tours', { name: 'Late', steps: [{ body: 'Hi' }] });
    });
    expect(await deleteName(ctx, property, id)).toMatchObject({ id });
  });
});
