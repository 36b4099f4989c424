import { toEventItem } from '@usher/domain';
import { expect, it } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';
import { anonymous, createContext } from '../../../create-context.ts';
import { EventQueue } from './event-queue.ts';

/** Adds events at the same time to a server whose transactions fail one after the other. Returns what became of each event. */
async function addAll(api: Api, count: number, failures: Error[]) {
  let writes = 0;
  const storage: Api['app']['storage'] = {
    ...api.app.storage,
    isUnavailable: (error) => (error as Error).message === 'unavailable',
    write: (...args) => {
      const failure = failures[writes++];
      return failure ? Promise.reject(failure) : api.app.storage.write(...args);
    },
  };
  const account = { id: api.account.account_id };
  const ctx = createContext({ ...api.app, storage }, { account, actor: anonymous });
  const queue = new EventQueue();
  const adding = Array.from({ length: count }, (_, n) => {
    const item = toEventItem({ uid: `user-${n}`, name: 'Opened' }, [], ctx.now());
    return queue.add(ctx, item, { integration: 'api', source: 'api_v3' });
  });
  const outcomes = await Promise.allSettled(adding);
  const results = outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.message : 'stored'));
  return { results, writes: () => writes };
}

it('stores each event alone if storing them together fails', async () => {
  const { results } = await addAll(await startApi(), 3, [new Error('wrong'), new Error('wrong')]);
  expect(results).toEqual(['wrong', 'stored', 'stored']);
});

it('does not try each event while the storage is unavailable', async () => {
  const { results, writes } = await addAll(await startApi(), 50, [new Error('unavailable')]);
  expect([new Set(results), writes()]).toEqual([new Set(['unavailable']), 1]);
});

it('tries no further event alone when the storage becomes unavailable', async () => {
  const unavailable = new Error('unavailable');
  const failures = [new Error('wrong'), ...Array.from({ length: 50 }, () => unavailable)];
  const { results, writes } = await addAll(await startApi(), 50, failures);
  expect([new Set(results), writes()]).toEqual([new Set(['unavailable']), 2]);
});
