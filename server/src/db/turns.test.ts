import { describe, expect, it } from 'vitest';
import { type Turn, Turns } from './turns.ts';

/** Each piece of work runs until the test ends it. */
function open(places: number) {
  let now = 0;
  const turns = new Turns(places, () => now);
  const pass = (ms: number) => {
    now += ms;
  };
  const begun: string[] = [];
  const ends = new Map<string, (ms?: number) => Promise<void>>();
  const results = new Map<string, Promise<string>>();
  const add = (account: string, name: string, { turn, label = `${account} ${name}` }: AddOptions = {}) => {
    const result = turns.run({ account, name, ...turn }, () => {
      begun.push(label);
      return new Promise<string>((resolve) =>
        ends.set(label, async () => {
          ends.delete(label);
          resolve(label);
          await runPending();
        }),
      );
    });
    result.catch(() => {});
    results.set(label, result);
  };
  const end = async (label: string) => {
    await runPending();
    await ends.get(label)?.();
  };
  /** Runs once for so long, so that later work of this name is expected to take as long. */
  const learn = (account: string, name: string, ms: number) => turns.run({ account, name }, async () => pass(ms));
  return {
    turns,
    begun,
    add,
    end,
    learn,
    pass,
    running: () => [...ends.keys()],
    result: (label: string) => results.get(label),
  };
}

interface AddOptions {
  turn?: Partial<Turn>;
  label?: string;
}

const runPending = () => new Promise((resolve) => setImmediate(resolve));
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('Turns', () => {
  it('runs as much as there are places', async () => {
    const { turns, begun, add, end } = open(2);
    for (const name of ['1', '2', '3']) add('a', name);
    await runPending();
    expect([begun, turns.count]).toEqual([['a 1', 'a 2'], { running: 2, waiting: 1 }]);
    await end('a 2');
    expect([begun.at(-1), turns.count]).toEqual(['a 3', { running: 2, waiting: 0 }]);
  });

  it('runs work of another account next, however much an account has waiting', async () => {
    const { begun, add, end, learn } = open(1);
    await learn('a', 'long', 30);
    for (const number of numbers(20)) add('a', 'long', { label: `a ${number}` });
    add('b', 'new');
    await end('a 1');
    expect(begun).toEqual(['a 1', 'b new']);
    await end('b new');
    expect(begun).toEqual(['a 1', 'b new', 'a 2']);
  });

  it('gives two accounts that always want more the same number of turns', async () => {
    const { begun, add, end, learn, pass, running } = open(1);
    for (const account of ['a', 'b']) await learn(account, 'same', 5);
    for (const number of numbers(9)) add('a', 'same', { label: `a ${number}` });
    for (const number of numbers(9)) add('b', 'same', { label: `b ${number}` });
    for (const _ of numbers(8)) {
      pass(10);
      await end(running()[0] ?? '');
    }
    const ofA = begun.slice(0, 8).filter((label) => label.startsWith('a'));
    expect(ofA).toHaveLength(4);
  });

  it('runs the short before the long of an account', async () => {
    const { begun, add, end, learn } = open(1);
    await learn('a', 'long', 60);
    await learn('a', 'short', 1);
    add('a', 'first');
    for (const number of numbers(3)) add('a', 'long', { label: `long ${number}` });
    add('a', 'short');
    await end('a first');
    expect(begun).toEqual(['a first', 'a short']);
  });

  it('does not let later short work overtake the long forever', async () => {
    const { begun, add, end, learn, pass } = open(1);
    await learn('a', 'long', 20);
    await learn('a', 'short', 1);
    add('a', 'first');
    add('a', 'long');
    pass(60);
    add('a', 'short');
    await end('a first');
    expect(begun).toEqual(['a first', 'a long']);
  });

  it('keeps one of several places for what is short', async () => {
    const { begun, add, end, learn } = open(2);
    await learn('a', 'long', 300);
    for (const number of numbers(3)) add('a', 'long', { label: `long ${number}` });
    await runPending();
    expect(begun).toEqual(['long 1']);
    add('a', 'new');
    add('b', 'new');
    await runPending();
    expect(begun).toEqual(['long 1', 'a new']);
    await end('a new');
    expect(begun).toEqual(['long 1', 'a new', 'b new']);
    await end('long 1');
    expect(begun.at(-1)).toBe('long 2');
  });

  it('never begins work whose client has left, and gives its turn to the next', async () => {
    const { turns, begun, add, end, result } = open(1);
    add('a', 'first');
    const client = new AbortController();
    add('a', 'left', { turn: { signal: client.signal } });
    add('a', 'last');
    client.abort(new Error('The client has left'));
    await expect(result('a left')).rejects.toThrow('The client has left');
    expect(turns.count).toEqual({ running: 1, waiting: 1 });
    await end('a first');
    expect(begun).toEqual(['a first', 'a last']);
    add('a', 'too late', { turn: { signal: client.signal } });
    await expect(result('a too late')).rejects.toThrow('The client has left');
  });

  it('runs work alone that needs that', async () => {
    const { begun, add, end } = open(2);
    add('a', 'before');
    add('a', 'alone', { turn: { isAlone: true } });
    add('b', 'after');
    await runPending();
    expect(begun).toEqual(['a before']);
    await end('a before');
    expect(begun).toEqual(['a before', 'a alone']);
    await end('a alone');
    expect(begun).toEqual(['a before', 'a alone', 'b after']);
  });

  it('goes on after work has failed', async () => {
    const turns = new Turns(1);
    const failing = turns.run({ account: 'a', name: 'x' }, () => Promise.reject(new Error('wrong')));
    await expect(failing).rejects.toThrow('wrong');
    expect(await turns.run({ account: 'a', name: 'x' }, async () => 1)).toBe(1);
    expect(turns.count).toEqual({ running: 0, waiting: 0 });
  });

  it('finishes after what runs and what waits', async () => {
    const { turns, begun, add, end } = open(1);
    add('a', '1');
    add('b', '1');
    let isFinished = false;
    const finished = turns.finish().then(() => {
      isFinished = true;
    });
    await end('a 1');
    expect([begun.length, isFinished]).toEqual([2, false]);
    await end('b 1');
    await finished;
  });
});
