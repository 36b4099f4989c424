import type { ListedState } from '@usher/domain';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Api, startApi } from '../../../test/api.ts';
import { engine } from '../../../test/engine.ts';
import { explain, runUnchecked } from '../../../test/explain.ts';
import { createContext } from '../../create-context.ts';
import { filterExperiences } from './list-experiences.ts';
import { findPlaces, type OtherOrder } from './page-in-order.ts';

let api: Api;
const unknownId = 'f'.repeat(24);
const run = (text: string) => runUnchecked(api, text);

beforeAll(async () => {
  api = await startApi({ inTest: false });
  // SQLite plans without statistics, as on a server. PostgreSQL would scan a small table as a whole.
  if (engine === 'sqlite') return;
  const { body } = await api.post('/v3/edit/tours', { name: 'Tour', steps: [{ title: 'Hello' }] });
  await run(`insert into experiences (account_id, id, updated_at, kind, draft, captures, name_key, sort_key)
    select account_id, lpad(n::text, 24, '0'), n, case when n % 5 = 0 then 'survey' else 'tour' end, draft, captures,
      'tour ' || n, lpad(n::text, 24, '0')
    from experiences, generate_series(1, 5000) as n where id = '${body.tour.id}'`);
  await run('analyze experiences');
});
afterAll(() => api.stop());

type Filters = Parameters<typeof filterExperiences>[1];

async function planOf(order: OtherOrder, filters: Filters): Promise<string> {
  const actor = { id: unknownId, name: 'A', email: 'a@acme.test', role: 'owner' as const };
  const ctx = createContext(api.app, { account: { id: api.account.account_id }, actor });
  const query = findPlaces(ctx, filterExperiences(ctx, filters), order, {
    limit: 50,
    before: undefined,
    after: undefined,
  });
  return explain(api, query);
}

const current = { archived: false };
const states: ListedState[] = ['draft', 'scheduled', 'live', 'paused', 'ended'];

it.each<[OtherOrder, string]>([
  ['position', 'experiences_by_position'],
  ['name', 'experiences_by_name'],
  ['updated_at', 'experiences_by_update'],
])('a list by %s is a range of an index, from the first page on', async (order, index) => {
  for (const filters of [current, {}]) {
    const plan = await planOf(order, filters);
    expect(plan).toContain(index);
    expect(plan).not.toMatch(/sort|temp b-tree/i);
  }
});

it('a list of one kind by position is a range of an index', async () => {
  const plan = await planOf('position', { ...current, kind: 'tour' });
  expect(plan).toMatch(/experiences_by_(kind_and_)?position/);
  expect(plan).not.toMatch(/sort|temp b-tree/i);
});

it.runIf(engine === 'sqlite')('a list by position that is filtered by state or name reads no document', async () => {
  const filters: Filters[] = [current, { ...current, search: 'tour' }, ...states.map((state) => ({ state }))];
  for (const filter of filters)
    expect(await planOf('position', filter)).toContain('USING COVERING INDEX experiences_by_position');
});

it('a list by starts reads one count of each Experience by an index, and reads no document', async () => {
  const plan = await planOf('started_count', current);
  expect(plan).toMatch(/experience_counts_(pkey|1)/);
  if (engine === 'sqlite') expect(plan).toContain('USING COVERING INDEX experiences_by_position');
});

it('a list by Tag finds its Experiences by an index', async () => {
  expect(await planOf('position', { ...current, tag_id: unknownId })).toMatch(
    engine === 'sqlite' ? /experience_uses USING PRIMARY KEY/ : /Index.*experience_uses/,
  );
});
