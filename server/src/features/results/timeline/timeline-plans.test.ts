import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';
import { engine } from '../../../../test/engine.ts';
import { explain, runUnchecked } from '../../../../test/explain.ts';
import type { Context } from '../../../context.ts';
import { createContext } from '../../../create-context.ts';
import { deliveriesBefore, eventsBefore, type FindMoments, interactionsOf, responsesBefore } from './queries.ts';

let api: Api;
let profileId: string;
const run = (text: string) => runUnchecked(api, text);

beforeAll(async () => {
  api = await startApi({ inTest: false });
  const { body } = await api.post('/v3/observe/hooks/profiles', { uid: '1' });
  profileId = body.profile.id;
  // SQLite decides without statistics, as it does on a server. PostgreSQL would read a small table as a whole.
  if (engine === 'sqlite') return;
  const { account_id } = api.account;
  const { body: made } = await api.post('/v3/edit/surveys', { name: 'Survey', steps: [{ title: 'Hello' }] });
  const of = `'${account_id}', lpad(n::text, 24, '0')`;
  const all = 'from generate_series(1, 20000) as n';
  await run(
    `insert into profiles (account_id, id, updated_at, uid, percent, custom) select ${of}, 1, 'u' || n, 1, '{}' ${all}`,
  );
  const whose = `case when n % 2 = 0 then '${profileId}' else lpad(n::text, 24, '0') end`;
  await run(
    `insert into events (account_id, id, profile_id, name, custom) select ${of}, ${whose}, 'opened', '{}' ${all}`,
  );
  await run(`insert into interactions (account_id, id, updated_at, experience_id, profile_id, state)
    select ${of}, 1, '${made.survey.id}', lpad(n::text, 24, '0'), 'started' ${all}`);
  await run(`insert into responses (account_id, id, updated_at, experience_id, profile_id)
    select ${of}, 1, '${made.survey.id}', lpad(n::text, 24, '0') ${all}`);
  await run(`insert into deliveries (account_id, id, updated_at, model_id, model_kind, profile_id, use_segmentation, once,
      skip_triggers, skip_url_match)
    select ${of}, 1, '${made.survey.id}', 'survey', lpad(n::text, 24, '0'), false, false, true, true ${all}`);
  for (const table of ['profiles', 'events', 'interactions', 'responses', 'deliveries']) await run(`analyze ${table}`);
}, 60_000);
afterAll(() => api.stop());

const queries = {
  eventsBefore,
  responsesBefore,
  interactionsOf,
  deliveriesBefore: (ctx: Context, find: FindMoments) => deliveriesBefore(ctx, find, 'delivery_created'),
  'triggered deliveriesBefore': (ctx: Context, find: FindMoments) => deliveriesBefore(ctx, find, 'delivery_triggered'),
  'removed deliveriesBefore': (ctx: Context, find: FindMoments) => deliveriesBefore(ctx, find, 'delivery_removed'),
};

async function planOf(name: keyof typeof queries): Promise<string> {
  const actor = { id: 'f'.repeat(24), name: 'A', email: 'a@acme.test', role: 'owner' as const };
  const ctx = createContext(api.app, { account: { id: api.account.account_id }, actor });
  const before = { at: Date.parse('2029-04-07T12:00:00.000Z'), kind: null, id: '' };
  const query = queries[name](ctx, { profileId, before, limit: 51, kinds: new Set() });
  return explain(api, query);
}

it('a page of events is a range of an index', async () => {
  const plan = await planOf('eventsBefore');
  expect(plan).toMatch(/events_pkey|SEARCH events USING PRIMARY KEY/);
  expect(plan).not.toMatch(/sort|temp b-tree/i);
});

it.each(Object.keys(queries) as (keyof typeof queries)[])('%s reads only rows of the user', async (name) => {
  const table = name.replace(/^\w+ |(Before|Of)$/g, '');
  const plan = await planOf(name);
  expect(plan).not.toMatch(new RegExp(`Seq Scan on ${table}|SCAN ${table}`));
  expect(plan).toMatch(/profile_id\s*=/);
});
