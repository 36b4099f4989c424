import { describe, expect, it, vi } from 'vitest';
import { SignInLimits } from '../features/team/sessions/sign-in-limits.ts';
import type { Group } from '../group.ts';
import { Limits } from '../http/limits.ts';
import { RequestQueues } from '../http/request-queues.ts';
import { GroupState } from './group-state.ts';
import type { MessageFromWorker, MessageToWorker } from './messages.ts';
import { WholeLines } from './whole-lines.ts';
import { joinGroup } from './worker-group.ts';

const soon = { interval: 5, timeout: 5000 };
const request = () => ({ signal: new AbortController().signal });

/** Workers in this process: their messages are copied as between processes. */
function createGroup(count: number) {
  const state = new GroupState({ bodyTimeout: 10, requestTimeout: 120_000 }, () => '');
  const copy = <T>(message: T): T => JSON.parse(JSON.stringify(message));
  const groups = Array.from({ length: count }, (_, index): Group => {
    const worker = index + 1;
    const listeners: ((message: MessageToWorker) => void)[] = [];
    state.join(worker, (message) => {
      const sent = copy(message);
      setImmediate(() => {
        for (const listener of listeners) listener(sent);
      });
    });
    return joinGroup({
      worker,
      workers: count,
      send: async (message: MessageFromWorker) => void setImmediate(() => state.receive(worker, copy(message))),
      onMessage: (listener) => void listeners.push(listener),
    });
  });
  return { state, groups: groups as [Group, Group, ...Group[]] };
}

describe('a group of workers', () => {
  it('counts the requests of all workers', async () => {
    const { groups } = createGroup(2);
    const settings = { limitPerSecret: 0, limitPerAddress: 10, limitWrongSecrets: 0 };
    const [one, other] = groups.map((group) => new Limits(settings, Date.now, group)) as [Limits, Limits];
    for (let n = 0; n < 10; n += 1) one.countPage('192.0.2.1');
    await vi.waitFor(() => expect(() => other.countPage('192.0.2.1')).toThrow('Pages may make 10 requests'), soon);
    expect(() => other.countPage('192.0.2.2')).not.toThrow();
  });

  it('allows as many attempts to sign in as one process, however they are divided', async () => {
    const { groups } = createGroup(3);
    const limits = groups.map((group) => new SignInLimits(10, Date.now, group));
    const attempts = Array.from({ length: 60 }, (_, n) => limits[n % 3]?.countAttempt('192.0.2.1'));
    const outcomes = await Promise.allSettled(attempts);
    const rejected = outcomes.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    expect(outcomes.length - rejected.length).toBe(10);
    expect(rejected[0]?.reason).toMatchObject({ code: 429, limit: 10, limitKind: 'sign_in' });
    await expect(limits[0]?.countAttempt('192.0.2.2')).resolves.toBe(undefined);
  });

  it('has each place in a queue once, and frees the places of a worker that ends', async () => {
    const { state, groups } = createGroup(2);
    const [one, other] = groups.map((group) => new RequestQueues(Date.now, 10_000, 120_000, group).heavyReads);
    const read = { path: '/v3/analyze/profiles/count' };
    const started = vi.fn();
    void one?.run(read, 'account', request(), () => new Promise(() => started('one')));
    await vi.waitFor(() => expect(started).toHaveBeenCalledWith('one'), soon);
    const second = other?.run(read, 'account', request(), async () => 'done');
    await other?.run(read, 'another account', request(), async () => started('another account'));
    expect(started).toHaveBeenCalledTimes(2);
    state.leave(1);
    expect(await second).toBe('done');
  });

  it('rejects with the error of the queue, and removes a request whose client has disconnected', async () => {
    const { groups } = createGroup(2);
    const [one, other] = groups.map((group) => new RequestQueues(Date.now, 10_000, 120_000, group).batches.accepted);
    const release: (() => void)[] = [];
    const running = Array.from({ length: 3 }, () =>
      one?.run('account', request(), () => new Promise<void>((resolve) => void release.push(resolve))),
    );
    await vi.waitFor(() => expect(release).toHaveLength(3), soon);
    const client = new AbortController();
    const waiting = other?.run('account', client, async () => {});
    await vi.waitFor(() => expect(other?.count).toEqual({ running: 0, waiting: 1 }), soon);
    client.abort();
    await expect(waiting).rejects.toMatchObject({ code: 429, limit: 50, limitKind: 'batches' });
    for (const finish of release) finish();
    await Promise.all(running);
    expect([one?.count, other?.count]).toEqual([
      { running: 0, waiting: 0 },
      { running: 0, waiting: 0 },
    ]);
    expect(await other?.run('account', request(), async () => 'next')).toBe('next');
  });

  it('renders the metrics once for many readers at the same time', async () => {
    const { groups } = createGroup(2);
    const [one, other] = groups;
    const render = vi.fn(async () => '# TYPE usher_test_total counter\nusher_test_total 2\n');
    other.onMetrics(render);
    const own = '# TYPE usher_test_total counter\nusher_test_total 3\n';
    const read = await Promise.all(Array.from({ length: 50 }, () => one.mergeMetrics(own)));
    expect(new Set(read)).toEqual(new Set(['# TYPE usher_test_total counter\nusher_test_total 5\n']));
    expect(render).toHaveBeenCalledTimes(1);
  });

  it('sends a new worker what is open, and subtracts what a worker that ended had open', async () => {
    const { state, groups } = createGroup(2);
    const [one, other] = groups.map((group) => group.shareOpen('connections'));
    one?.add('192.0.2.1', 1);
    one?.add('192.0.2.1', 1);
    await vi.waitFor(() => expect(other?.elsewhere('192.0.2.1')).toBe(2), soon);
    const sent: MessageToWorker[] = [];
    state.join(3, (message) => sent.push(message));
    expect(sent).toEqual([{ open: [['connections', '192.0.2.1', 2]] }]);
    state.leave(1);
    await vi.waitFor(() => expect(other?.elsewhere('192.0.2.1')).toBe(0), soon);
  });
});

describe('WholeLines', () => {
  it('passes on whole lines, and completes the last one', () => {
    const lines: string[] = [];
    const whole = new WholeLines((text) => lines.push(text));
    for (const text of ['{"a"', ':1}\n{"b":', '2}\n', '{"c', '":3}']) whole.add(text);
    expect(lines).toEqual(['{"a":1}\n', '{"b":2}\n']);
    whole.end();
    expect(lines.at(-1)).toBe('{"c":3}\n');
  });
});
