import { setImmediate as nextTick } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { PerTickDedup } from './per-tick-dedup.ts';

describe('PerTickDedup', () => {
  function start() {
    const lookups: string[] = [];
    const lookUp = (key: string) => async () => {
      lookups.push(key);
      if (key === 'wrong') throw new Error('no');
      return key.toUpperCase();
    };
    return { lookups, lookUp, dedup: new PerTickDedup() };
  }

  it('looks up each key once in a tick', async () => {
    const { lookups, lookUp, dedup } = start();
    const results = ['a', 'b', 'a', 'a'].map((key) => {
      dedup.begin();
      return dedup.once(key, lookUp(key));
    });
    expect(await Promise.all(results)).toEqual(['A', 'B', 'A', 'A']);
    expect(lookups).toEqual(['a', 'b']);
  });

  it('looks up a key again in the next tick', async () => {
    const { lookups, lookUp, dedup } = start();
    for (let tick = 0; tick < 3; tick++) {
      dedup.begin();
      await dedup.once('a', lookUp('a'));
      await nextTick();
    }
    expect(lookups).toEqual(['a', 'a', 'a']);
  });

  it('looks up a key each time if no request arrives', async () => {
    const { lookups, lookUp, dedup } = start();
    await Promise.all([dedup.once('a', lookUp('a')), dedup.once('a', lookUp('a'))]);
    expect(lookups).toEqual(['a', 'a']);
  });

  it('rejects for every request with the same wrong key', async () => {
    const { lookups, lookUp, dedup } = start();
    dedup.begin();
    const outcomes = await Promise.allSettled([1, 2].map(() => dedup.once('wrong', lookUp('wrong'))));
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(lookups).toEqual(['wrong']);
  });
});
