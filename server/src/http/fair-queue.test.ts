import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { FairQueue } from './fair-queue.ts';

function startQueue(limits: {
  running: number;
  runningPerAccount: number;
  waitingPerAccount?: number;
  maxWait?: number;
}) {
  const queue = new FairQueue({ waitingPerAccount: 10, message: 'Too many', ...limits });
  const began: string[] = [];
  const open = new Map<string, () => void>();
  return {
    queue,
    began,
    add: (account: string, name: string, client = new AbortController()) =>
      queue.run(account, client, () => {
        began.push(name);
        return new Promise<void>((resolve) => open.set(name, resolve));
      }),
    /** Ends one request, and waits until the next has begun. */
    async end(name: string) {
      open.get(name)?.();
      await new Promise(setImmediate);
    },
  };
}

describe('FairQueue', () => {
  it('limits how many tasks run in total and per account', async () => {
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

  it('alternates between accounts, however many requests each has', async () => {
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

  it('rejects with 429 only the account that has too many waiting tasks', async () => {
    const { add, began, end } = startQueue({ running: 1, runningPerAccount: 1, waitingPerAccount: 1 });
    add('a', 'a1');
    add('a', 'a2');
    await expect(add('a', 'a3')).rejects.toMatchObject({ code: 429, limit: 1 });
    add('b', 'b1');
    await end('a1');
    await end('b1');
    expect(began).toEqual(['a1', 'b1', 'a2']);
  });

  it('removes the task of a client that disconnects while it waits', async () => {
    const { add, began, end } = startQueue({ running: 1, runningPerAccount: 1 });
    add('a', 'a1');
    const client = new AbortController();
    const left = add('a', 'a2', client);
    add('a', 'a3');
    client.abort();
    await expect(left).rejects.toThrow();
    await end('a1');
    expect(began).toEqual(['a1', 'a3']);
  });

  it('rejects a task that has waited too long with 429, and runs the next', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { add, began, end } = startQueue({ running: 1, runningPerAccount: 1, maxWait: 60_000 });
    add('a', 'a1');
    const late = expect(add('b', 'b1')).rejects.toMatchObject({ code: 429, wait: 10 });
    vi.advanceTimersByTime(59_000);
    add('b', 'b2');
    vi.advanceTimersByTime(1000);
    await late;
    await end('a1');
    expect(began).toEqual(['a1', 'b2']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('keeps no data of accounts without running or waiting tasks', async () => {
    const { add, end, queue } = startQueue({ running: 1, runningPerAccount: 1 });
    add('a', 'a1');
    const client = new AbortController();
    const left = add('b', 'b1', client);
    expect(queue.size).toBe(2);
    client.abort();
    await expect(left).rejects.toThrow();
    expect(queue.size).toBe(1);
    const gone = new AbortController();
    gone.abort();
    await expect(add('c', 'c1', gone)).rejects.toThrow();
    await end('a1');
    expect(queue.size).toBe(0);
  });

  it('continues after a task fails', async () => {
    const queue = new FairQueue({ running: 1, runningPerAccount: 1, waitingPerAccount: 1, message: '' });
    const client = new AbortController();
    const failing = queue.run('a', client, () => Promise.reject(new Error('failed')));
    const next = queue.run('a', client, async () => 'done');
    await expect(failing).rejects.toThrow('failed');
    expect(await next).toBe('done');
  });
});
