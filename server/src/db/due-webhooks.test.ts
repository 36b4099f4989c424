import pg from 'pg';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { type Api, startApi } from '../../test/api.ts';
import { engine } from '../../test/engine.ts';
import { dueOfAllSql } from './due-webhooks.ts';
import { hasCitus } from './postgres/citus-tables.ts';

const NOW = Date.parse('2029-04-07T12:00:00.000Z');
let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
afterAll(() => api.stop());

interface Queue {
  enabled?: boolean;
  /** When its items are due; null for items that were sent. */
  items?: (number | null)[];
}

/** Creates an account with these webhooks. */
async function addAccount(queues: Queue[], { events = 0 } = {}) {
  const account_id = api.app.newId();
  const webhooks = queues.map(() => api.app.newId());
  const ofUser = { account_id, profile_id: api.app.newId(), kind: 'tour.started' as const, payload: '{}' };
  await api.app.storage.write(account_id, async (db) => {
    for (const [at, { enabled = true, items = [] }] of queues.entries()) {
      const webhook_id = webhooks[at] ?? '';
      const texts = { kind: 'webhook' as const, uid: `https://hook.example.com/${at}`, name: '' };
      const row = { account_id, id: webhook_id, updated_at: NOW, ...texts, secret_version: 1, enabled };
      await db
        .insertInto('webhooks')
        .values({ ...row, topics: '[]', experience_ids: '[]' })
        .execute();
      for (const next_at of items) {
        const state = next_at === null ? ('sent' as const) : ('pending' as const);
        const item = { ...ofUser, webhook_id, id: api.app.newId(), attempts: 0, next_at, state };
        await db.insertInto('outbox').values(item).execute();
      }
    }
    for (let n = 0; n < events; n++)
      await db
        .insertInto('webhook_events')
        .values({ ...ofUser, id: api.app.newId(), webhook_ids: webhooks.join(' '), at: NOW })
        .execute();
  });
  return webhooks.map((id) => ({ account_id, id }));
}

it('finds the webhooks that have something to send, in all accounts or in one', async () => {
  await addAccount([{}, { items: [null, null] }, { items: [NOW + 1] }, { enabled: false, items: [NOW] }]);
  const [, first, second] = await addAccount([{}, { items: [NOW + 1, NOW, null, NOW - 5] }, { items: [NOW] }]);
  const recorded = await addAccount([{}, { enabled: false }, { items: [NOW + 1] }], { events: 3 });
  await addAccount([], { events: 1 });
  const both = await addAccount([{ items: [NOW] }], { events: 1 });
  const due = [first, second, recorded[0], recorded[2], ...both];
  const list = async (accountId: string | null) => {
    const found = await api.app.storage.dueWebhooks.list(NOW, accountId);
    return found.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  };
  expect(await list(null)).toEqual(due);
  expect(await list(first?.account_id ?? '')).toEqual([first, second]);
  expect(await list(recorded[0]?.account_id ?? '')).toEqual([recorded[0], recorded[2]]);
});

it.runIf(engine === 'postgres')('reads no webhook that has nothing to send', async ({ skip }) => {
  // There the statement runs on each shard, and not on the coordinator.
  skip(await hasCitus(api.app.storage.reader(null)));
  await addAccount(Array(500).fill({}));
  const client = new pg.Client({ connectionString: api.database.env.DATABASE_URL });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('analyze webhooks, outbox, webhook_events');
  const { rows } = await client.query(`explain (analyze, format json) ${dueOfAllSql('postgres', String(NOW))}`);
  expect(countReads(rows[0]['QUERY PLAN'][0].Plan)).toBeLessThan(20);
});

interface Plan {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  Plans?: Plan[];
}

/** How many rows of `webhooks` a plan has read. */
function countReads(plan: Plan): number {
  const own = plan['Relation Name'] === 'webhooks' ? plan['Actual Rows'] * plan['Actual Loops'] : 0;
  return own + (plan.Plans ?? []).reduce((sum, inner) => sum + countReads(inner), 0);
}
