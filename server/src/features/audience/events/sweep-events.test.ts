import { firstIdAt } from '@usher/domain';
import { expect, it } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';
import { sweepEvents } from './sweep-events.ts';

const DAY_MS = 24 * 60 * 60_000;

async function insertEvents(api: Api, profileId: string, times: number[]): Promise<void> {
  const { account_id } = api.account;
  const rows = times.map((time, index) => ({
    account_id,
    id: firstIdAt(time).slice(0, -6) + String(index).padStart(6, '0'),
    profile_id: profileId,
    name: 'report_exported',
    custom: '{}',
  }));
  const [first_at, last_at] = [Math.min(...times), Math.max(...times)];
  const counted = {
    account_id,
    profile_id: profileId,
    name: 'report_exported',
    count: times.length,
    first_at,
    last_at,
  };
  await api.app.storage.write(account_id, async (db) => {
    await db.insertInto('events').values(rows).execute();
    await db
      .insertInto('profile_events')
      .values(counted)
      .onConflict((counts) => counts.columns(['account_id', 'profile_id', 'name']).doUpdateSet({ first_at }))
      .execute();
  });
}

async function timesOfEvents(api: Api): Promise<number> {
  const { account_id } = api.account;
  const reader = api.app.storage.reader(account_id);
  return (await reader.selectFrom('events').select('id').where('account_id', '=', account_id).execute()).length;
}

it('deletes all events older than the limit, and keeps the counts', async () => {
  const api = await startApi();
  const { body } = await api.post('/v3/observe/hooks/events', { uid: 'ann', name: 'Report exported' });
  expect(body.event.id).toMatch(/^[0-9a-f]{24}$/);
  const { profile } = (await api.get('/v3/analyze/profile?uid=ann')).body;
  const now = api.app.now();
  const many = api.app.storage.dialect.rowsPerWrite * 2 + 1;
  await insertEvents(api, profile.id, [...Array(many).fill(now - 31 * DAY_MS), now - 29 * DAY_MS, now - DAY_MS]);
  expect(await timesOfEvents(api)).toBe(many + 3);

  await sweepEvents(api.app, 30);

  expect(await timesOfEvents(api)).toBe(3);
  const filters = [{ kind: 'event', value: 'report_exported' }];
  expect((await api.post('/v3/analyze/profiles/count', { filters })).body).toEqual({ count: 1 });
});

it('deletes old events that arrive after newer ones', async () => {
  const api = await startApi();
  const now = api.app.now();
  const report = (daysAgo: number) => {
    const occurred_at = new Date(now - daysAgo * DAY_MS).toISOString();
    return api.post('/v3/observe/hooks/events/batch', {
      events: [{ uid: 'ann', name: 'Report exported', occurred_at }],
    });
  };
  for (const daysAgo of [1, 29, 31]) expect((await report(daysAgo)).status).toBe(202);
  await sweepEvents(api.app, 30);
  expect(await timesOfEvents(api)).toBe(2);

  // The user is known to have done something before, although nothing is left of it.
  await sweepEvents(api.app, 30);
  expect(await timesOfEvents(api)).toBe(2);
  expect((await report(40)).status).toBe(202);
  await sweepEvents(api.app, 30);
  expect(await timesOfEvents(api)).toBe(2);
});

it('deletes old events of many users', async () => {
  const api = await startApi();
  const now = api.app.now();
  const uids = Array.from({ length: 50 }, (_, n) => `user-${n}`);
  await api.post('/v3/observe/hooks/profiles/batch', { profiles: uids.map((uid) => ({ uid })) });
  const { account_id } = api.account;
  const profiles = api.app.storage.reader(account_id).selectFrom('profiles').select('id');
  for (const { id } of await profiles.where('account_id', '=', account_id).execute())
    await insertEvents(api, id, [...Array(150).fill(now - 31 * DAY_MS), now - 29 * DAY_MS]);

  await sweepEvents(api.app, 30);

  expect(await timesOfEvents(api)).toBe(uids.length);
});
