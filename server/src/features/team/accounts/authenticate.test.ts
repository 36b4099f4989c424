import { expect, it } from 'vitest';
import { startApi } from '../../../../test/api.ts';

it('tells concurrent callers apart by their secrets', async () => {
  const api = await startApi();
  await api.post('/v3/edit/urls', { host: 'mine.example.com' });
  await api.post('/v3/edit/urls', { host: 'theirs.example.com' }, { as: api.other });
  const callers = [api.account, api.other, { account_secret: 'nobodys' }];
  const responses = await Promise.all(
    Array.from({ length: 30 }, (_, n) => api.get('/v3/edit/urls', { as: callers[n % 3] as typeof api.account })),
  );
  expect(responses.map(({ status, body }) => (status === 200 ? body.urls[0].host : status))).toEqual(
    responses.map((_, n) => ['mine.example.com', 'theirs.example.com', 403][n % 3]),
  );
});
