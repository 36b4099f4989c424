import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { startApi } from '../../test/api.ts';
import { Arrivals } from './per-tick-dedup.ts';

describe('what requests ask when they arrive', () => {
  function asker() {
    const asked: string[] = [];
    const ask = (key: string) => async () => {
      asked.push(key);
      if (key === 'wrong') throw new Error('no');
      return key.toUpperCase();
    };
    return { asked, ask, arrivals: new Arrivals() };
  }

  it('is asked once in a turn, by its key', async () => {
    const { asked, ask, arrivals } = asker();
    arrivals.begin();
    const answers = ['a', 'b', 'a', 'a'].map((key) => {
      arrivals.begin();
      return arrivals.once(key, ask(key));
    });
    expect(await Promise.all(answers)).toEqual(['A', 'B', 'A', 'A']);
    expect(asked).toEqual(['a', 'b']);
  });

  it('is asked anew in the next turn', async () => {
    const { asked, ask, arrivals } = asker();
    for (let turn = 0; turn < 3; turn++) {
      arrivals.begin();
      await arrivals.once('a', ask('a'));
      await nextTurn();
    }
    expect(asked).toEqual(['a', 'a', 'a']);
  });

  it('is asked each time where nothing arrives', async () => {
    const { asked, ask, arrivals } = asker();
    await Promise.all([arrivals.once('a', ask('a')), arrivals.once('a', ask('a'))]);
    expect(asked).toEqual(['a', 'a']);
  });

  it('is refused for all who asked the same', async () => {
    const { asked, ask, arrivals } = asker();
    arrivals.begin();
    const outcomes = await Promise.allSettled([1, 2].map(() => arrivals.once('wrong', ask('wrong'))));
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(asked).toEqual(['wrong']);
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
