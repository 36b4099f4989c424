import { type FindPeople, firstIdAt } from '@usher/domain';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';
import { engine } from '../../../../test/engine.ts';
import { explain, runUnchecked } from '../../../../test/explain.ts';
import { anonymous, createContext } from '../../../create-context.ts';
import { findPartEnd } from '../../../db/pagination/scan-page.ts';
import { chunkAfter } from '../counts/count-in-chunks.ts';
import { buildSearch, textOf } from './find-profiles.ts';
import { queryFirst } from './search-by-text.ts';

let api: Api;
let companyId: string;
const run = (text: string) => runUnchecked(api, text);

beforeAll(async () => {
  api = await startApi({ inTest: false });
  const company = { uid: 'acme' };
  const { body } = await api.post('/v3/observe/hooks/profiles', { uid: 'ann', email: 'ann@acme.test', company });
  companyId = (await api.get('/v3/analyze/company?uid=acme')).body.company.id;
  // SQLite decides without statistics, as it does on a server. PostgreSQL would read a small table as a whole.
  if (engine === 'sqlite') return;
  await run(`insert into profiles (account_id, id, updated_at, uid, email, email_key, percent, custom, company_id)
    select account_id, lpad(n::text, 24, '0'), n, 'user' || n, 'u' || n || '@a.test', 'u' || n || '@a.test', 1, custom,
      case when n % 10 = 0 then company_id end
    from profiles, generate_series(1, 20000) as n where id = '${body.profile.id}'`);
  await run('analyze profiles');
});
afterAll(() => api.stop());

const ctx = () => createContext(api.app, { account: { id: api.account.account_id }, actor: anonymous });

const params: FindPeople = { filters_op: 'and', limit: 50 };
const scans = engine === 'sqlite' ? /SCAN|TEMP B-TREE/ : /Seq Scan|Sort/;
const id = sql.ref<string>('profiles.id');

it('an index finds whose uid or email begins with a text, also on later pages and within a Company', async () => {
  for (const company_id of [undefined, companyId]) {
    const { table, idColumn } = await buildSearch(ctx(), { ...params, ...(company_id && { company_id }) });
    const { beginnings } = textOf(ctx(), 'ann');
    for (const [index, beginning] of beginnings.entries())
      for (const before of [undefined, firstIdAt(Date.now())]) {
        const plan = await explain(api, queryFirst(table, idColumn, beginning, before));
        expect(plan).not.toMatch(scans);
        const isEmail = index === beginnings.length - 1;
        if (engine === 'sqlite')
          expect(plan).toContain(isEmail ? 'profiles_by_email' : 'account_id=? AND uid>? AND uid<?');
        else expect(plan).toContain(isEmail ? 'profiles_by_email' : 'profiles_account_id_uid_key');
      }
  }
});

it.each(['everybody', 'a Company'])('a chunk of the list of %s is a range of an index', async (of) => {
  const search = await buildSearch(ctx(), { ...params, ...(of === 'a Company' && { company_id: companyId }) });
  const end = await explain(api, findPartEnd(search.all, id, firstIdAt(Date.now()), 100));
  expect(end).not.toMatch(scans);
  expect(end).toMatch(engine === 'sqlite' ? /COVERING INDEX/ : /Index Only Scan|Index Scan/);
  const { name } = textOf(ctx(), 'ann');
  const chunk = search.matching().where(name).where(id, '<', firstIdAt(Date.now())).where(id, '>=', '0'.repeat(23));
  expect(await explain(api, chunk.orderBy(id, 'desc').limit(51))).not.toMatch(scans);
});

it.each([
  ['event', 'profile_events_by_name'],
  ['tour', 'interactions_by_experience_and_profile'],
  ['survey', 'answers_by_experience_and_profile'],
] as const)('a chunk of the people with the %s starts from its index on SQLite', async (kind, index) => {
  if (engine !== 'sqlite') return;
  const filters = [{ kind, op: 'ex', value: kind === 'event' ? 'paid' : 'f'.repeat(24) }] as FindPeople['filters'];
  const { matching } = await buildSearch(ctx(), { ...params, ...(filters && { filters }) });
  const within = chunkAfter('0'.repeat(24), 'f'.repeat(24));
  const plan = await explain(api, matching(within).where(within(id)));
  expect(plan).toContain('(account_id=? AND id=?)');
  expect(plan).toContain(index);
  expect(plan).toContain('profile_id>? AND profile_id<?');
  expect(plan).not.toMatch(/CORRELATED|SCAN/);
});
