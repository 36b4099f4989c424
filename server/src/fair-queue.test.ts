import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { FairQueue } from './fair-queue.ts';

function startQueue(limits: { running: number; runningPerAccount: number; waitingPerAccount?: number }) {
  const queue = new FairQueue({ waitingPerAccount: 10, message: 'Too many', ...limits });
  const began: string[] = [];
  const open = new Map<string, () => void>();
  const clientOf = () => new EventEmitter() as unknown as ServerResponse;
  return {
    began,
    clientOf,
    add: (account: string, name: string, client = clientOf()) =>
      queue.run(account, client, () => {
        began.push(name);
        return new Promise<void>((resolve) => open.set(name, resolve));
      }),
    /** Ends one, and waits until the next has begun. */
    async end(name: string) {
      open.get(name)?.();
      await new Promise(setImmediate);
    },
  };
}

describe('a fair queue', () => {
  it('runs no more than its limit in all, and of one account', async () => {
    const { add, began, end } = startQueue({ running: 3, runningPerAccount: 2 });
    for (const name of ['a1', 'a2', 'a3']) add('a', name);
    for (const name of ['b1', 'b2']) add('b', name);
    await new Promise(setImmediate);
    expect(began).toEqual(['a1', 'a2', 'b1']);
    await end('b1');
    expect(began).toEqual(['a1', 'a2', 'b1', 'b2']);
    await end('a1');
    expect(began).toEqual(['a1', 'a2', 'b1', 'b2', 'a3']);
  });

  it('serves accounts in turns, however many requests each has', async () => {
    const { add, began, end } = startQueue({ running: 1, runningPerAccount: 1 });
    for (const name of ['a1', 'a2', 'a3', 'a4']) add('a', name);
    for (const name of ['b1', 'b2']) add('b', name);
    add('c', 'c1');
    for (let n = 0; n < 7; n++) {
      await new Promise(setImmediate);
      await end(began.at(-1) as string);
    }
    expect(began).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
  });

  it('rejects with 429 what is one too many to wait, and of that account only', async () => {
    const { add, began, end } = startQueue({ running: 1, runningPerAccount: 1, waitingPerAccount: 1 });
    add('a', 'a1');
    add('a', 'a2');
    await expect(add('a', 'a3')).rejects.toMatchObject({ code: 429, limit: 1 });
    add('b', 'b1');
    await end('a1');
    await end('b1');
    expect(began).toEqual(['a1', 'b1', 'a2']);
  });

  it('drops a client that leaves while it waits', async () => {
    const { add, began, end, clientOf } = startQueue({ running: 1, runningPerAccount: 1 });
    add('a', 'a1');
    const client = clientOf();
    const left = add('a', 'a2', client);
    add('a', 'a3');
    client.emit('close');
    await expect(left).rejects.toThrow();
    await end('a1');
    expect(began).toEqual(['a1', 'a3']);
  });

  it('goes on after work that failed', async () => {
    const queue = new FairQueue({ running: 1, runningPerAccount: 1, waitingPerAccount: 1, message: '' });
    const client = new EventEmitter() as unknown as ServerResponse;
    const failing = queue.run('a', client, () => Promise.reject(new Error('failed')));
    const next = queue.run('a', client, async () => 'done');
    await expect(failing).rejects.toThrow('failed');
    expect(await next).toBe('done');
  });
});
