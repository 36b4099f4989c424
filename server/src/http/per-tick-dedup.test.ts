import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { startApi } from '../../test/api.ts';
import { PerTickDedup } from './per-tick-dedup.ts';

describe('what requests ask when they arrive', () => {
  function asker() {
    const request: string[] = [];
    const ask = (key: string) => async () => {
      request.push(key);
      if (key === 'wrong') throw new Error('no');
      return key.toUpperCase();
    };
    return { request, ask, perTickDedup: new PerTickDedup() };
  }

  it('is asked once in a turn, by its key', async () => {
    const { request, ask, perTickDedup } = asker();
    perTickDedup.begin();
    const answers = ['a', 'b', 'a', 'a'].map((key) => {
      perTickDedup.begin();
      return perTickDedup.once(key, ask(key));
    });
    expect(await Promise.all(answers)).toEqual(['A', 'B', 'A', 'A']);
    expect(request).toEqual(['a', 'b']);
  });

  it('is asked anew in the next turn', async () => {
    const { request, ask, perTickDedup } = asker();
    for (let turn = 0; turn < 3; turn++) {
      perTickDedup.begin();
      await perTickDedup.once('a', ask('a'));
      await nextTurn();
    }
    expect(request).toEqual(['a', 'a', 'a']);
  });

  it('is asked each time where nothing arrives', async () => {
    const { request, ask, perTickDedup } = asker();
    await Promise.all([perTickDedup.once('a', ask('a')), perTickDedup.once('a', ask('a'))]);
    expect(request).toEqual(['a', 'a']);
  });

  it('is refused for all who asked the same', async () => {
    const { request, ask, perTickDedup } = asker();
    perTickDedup.begin();
    const outcomes = await Promise.allSettled([1, 2].map(() => perTickDedup.once('wrong', ask('wrong'))));
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(request).toEqual(['wrong']);
  });

  it('tells those who come together apart by their secrets', async () => {
    const api = await startApi();
    await api.post('/v3/edit/urls', { host: 'mine.example.com' });
    await api.post('/v3/edit/urls', { host: 'theirs.example.com' }, { as: api.other });
    const callers = [api.account, api.other, { account_secret: 'nobodys' }];
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) => api.get('/v3/edit/urls', { as: callers[n % 3] as typeof api.account })),
    );
    expect(answers.map(({ status, body }) => (status === 200 ? body.urls[0].host : status))).toEqual(
      answers.map((_, n) => ['mine.example.com', 'theirs.example.com', 403][n % 3]),
    );
  });
});
