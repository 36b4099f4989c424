import { firstIdAt } from '@usher/domain';
import { expect, it } from 'vitest';
import { startApi } from '../../../test/api.ts';
import { sweepWebhooks } from './sweep.ts';

const DAY = 24 * 60 * 60_000;

it('deletes finished items and all attempts after 30 days, and keeps pending items', async () => {
  const clock = { now: Date.UTC(2029, 0, 1) };
  const api = await startApi({ now: () => clock.now });
  const { account_id } = api.account;
  const { storage } = api.app;
  const made = await api.post('/v3/edit/webhooks', { url: 'https://example.com/hooks', topics: ['tour.*'] });
  const webhook_id: string = made.body.webhook.id;
  const deleted = 'a'.repeat(24);
  const many = storage.dialect.rowsPerWrite + 1;
  let count = 0;
  const idAt = (days: number) => firstIdAt(clock.now - days * DAY).slice(0, -6) + String(++count).padStart(6, '0');
  const item = (webhook: string, days: number, next_at: number | null) => ({
    ...{ account_id, webhook_id: webhook, id: idAt(days), kind: 'ping' as const, payload: '{}', attempts: 1, next_at },
    state: next_at === null ? ('sent' as const) : ('pending' as const),
  });
  const attempt = (days: number) => ({
    ...{ account_id, webhook_id, id: idAt(days), item_id: idAt(days), kind: 'ping' as const, at: 0, ms: 1 },
  });
  const items = [
    ...Array.from({ length: many }, () => item(webhook_id, 31, null)),
    item(webhook_id, 29, null),
    item(webhook_id, 31, clock.now),
    item(deleted, 31, clock.now),
    item(deleted, 29, clock.now),
  ];
  const attempts = [...Array.from({ length: many }, () => attempt(31)), attempt(29)];
  for (const row of items) await storage.write(account_id, (db) => db.insertInto('outbox').values(row).execute());
  for (const row of attempts)
    await storage.write(account_id, (db) => db.insertInto('webhook_attempts').values(row).execute());

  const ofNobody = {
    ...{ account_id: api.other.account_id, id: idAt(0), profile_id: 'b'.repeat(24), webhook_ids: deleted },
    ...{ kind: 'tour.started' as const, payload: '{}', at: clock.now },
  };
  for (const row of [ofNobody, { ...ofNobody, account_id }])
    await storage.write(row.account_id, (db) => db.insertInto('webhook_events').values(row).execute());

  await sweepWebhooks(api.app);

  const db = storage.reader(account_id);
  const left = await db.selectFrom('outbox').select('id').where('account_id', '=', account_id).orderBy('id').execute();
  const kept = [items[many], items[many + 1], items[many + 3]].map((row) => row?.id);
  expect(left.map(({ id }) => id)).toEqual(kept.toSorted());
  const listed = await db.selectFrom('webhook_attempts').select('id').where('account_id', '=', account_id).execute();
  expect(listed).toEqual([{ id: attempts.at(-1)?.id }]);
  const webhookEventsOf = (id: string) =>
    storage.reader(id).selectFrom('webhook_events').select('id').where('account_id', '=', id);
  expect(await webhookEventsOf(account_id).execute()).toHaveLength(1);
  expect(await webhookEventsOf(api.other.account_id).execute()).toEqual([]);
});
