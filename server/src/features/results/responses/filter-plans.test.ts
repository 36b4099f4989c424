import { firstIdAt, type ResponseFilters } from '@usher/domain';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';
import { engine } from '../../../../test/engine.ts';
import { explain, runUnchecked } from '../../../../test/explain.ts';
import { anonymous, createContext } from '../../../create-context.ts';
import type { Within } from '../../../db/pagination/chunk-size.ts';
import { findPartEnd } from '../../../db/pagination/scan-page.ts';
import { selectResponses } from './select-responses.ts';

const COUNT = 3000;
const RARE = 5;
let api: Api;
let survey: { id: string };
/** By how much each look at the clock lets it go on. */
let step = 0;
let time = Date.parse('2029-04-07T12:00:00.000Z');

beforeAll(async () => {
  api = await startApi({
    inTest: false,
    now: () => {
      time += step;
      return time;
    },
  });
  survey = (await api.post('/v3/edit/surveys', { name: 'Asks', steps: [{ title: 'Why?', preset: 'survey_input' }] }))
    .body.survey;
  const { body } = await api.post('/v3/observe/hooks/profiles', { uid: 'ann' });
  const ids = Array.from({ length: COUNT }, (_, n) => firstIdAt(Date.UTC(2029, 0, 1) + n));
  await api.app.storage.write(api.account.account_id, async (db) => {
    const of = { account_id: api.account.account_id, experience_id: survey.id, profile_id: body.profile.id };
    for (let at = 0; at < COUNT; at += 500)
      await db
        .insertInto('responses')
        .values(
          ids.slice(at, at + 500).map((id, index) => {
            const n = at + index;
            const kind = { score: n === RARE ? 11 : n % 11, language: n === RARE ? 'fr' : 'de' };
            const time = Date.UTC(2029, 0, 1) + n;
            return { ...of, ...kind, id, updated_at: time, updated_tick: time * 1024, showing_from: n };
          }),
        )
        .execute();
    const tags = ids.map((response_id, n) => ({ ...of, response_id, name: n === RARE ? 'rare' : 'usual' }));
    for (let at = 0; at < COUNT; at += 500)
      await db
        .insertInto('response_tags')
        .values(tags.slice(at, at + 500))
        .execute();
  });
  // PostgreSQL would read a small table as a whole. SQLite decides without statistics, as it does on a server.
  if (engine === 'postgres') await runUnchecked(api, 'analyze responses, response_tags');
});
afterAll(() => api.stop());
beforeEach(() => {
  step = 0;
});

const list = (params: object) => api.post('/v3/analyze/responses', { id: survey.id, ...params });

describe('a page of Responses that few match', () => {
  it.each<[string, object]>([
    ['a score', { min_score: 11 }],
    ['a range of scores, by score', { min_score: 11, order: 'highest_score' }],
    ['a language', { language: 'fr' }],
    ['a Tag', { tag: 'rare' }],
    ['a Tag and a score', { tag: 'rare', min_score: 3, max_score: 11 }],
  ])('has them by %s', async (_, params) => {
    const { body } = await list(params);
    expect(body.responses).toHaveLength(1);
    expect(body).toMatchObject({ is_complete: true, cursor: { before: null } });
  });

  it.each(['created_at', 'lowest_score'])('stops after two seconds, says so, and goes on, by %s', async (order) => {
    const params = { language: 'fr', order };
    const found: string[] = [];
    let pages = 0;
    step = 1000;
    for (let before: string | null | undefined; before !== null; pages++) {
      const { body } = await list({ ...params, ...(before && { before }) });
      if (pages === 0) expect(body).toMatchObject({ responses: [], is_complete: false });
      expect(body.is_complete).toBe(body.cursor.before === null);
      found.push(...body.responses.map(({ id }: { id: string }) => id));
      before = body.cursor.before;
    }
    expect(pages).toBeGreaterThan(2);
    expect(found).toEqual([firstIdAt(Date.UTC(2029, 0, 1) + RARE)]);
  });

  it('has no such key without filters, where every page is whole', async () => {
    expect((await list({})).body).not.toHaveProperty('is_complete');
  });
});

/** Chunks that sort, or that read rows which do not match, would make late pages slower than early ones. */
describe('a chunk of the Responses', () => {
  const within: Within = (id) =>
    sql`(${id} >= ${firstIdAt(Date.UTC(2029, 0, 1))} and ${id} < ${firstIdAt(Date.UTC(2029, 0, 1) + 50)})`;
  const scans = engine === 'sqlite' ? /SCAN|TEMP B-TREE/ : /Seq Scan|Sort/;
  it.each<[string, ResponseFilters, RegExp]>([
    ['scores', { min_score: 9 }, /responses_by_experience/],
    ['one score', { min_score: 9, max_score: 9 }, /responses_by_score/],
    ['a language', { language: 'fr' }, /responses_by_experience/],
    ['open', { finished: false }, /responses_by_experience/],
    ['a Tag', { tag: 'rare' }, engine === 'sqlite' ? /response_tags_by_name/ : /response_tags/],
  ])('by %s is a range of an index', async (_, filters, index) => {
    const ctx = createContext(api.app, { account: { id: api.account.account_id }, actor: anonymous });
    const { all, matching, idColumn } = await selectResponses(ctx, { ...filters, id: survey.id });
    const id = sql.ref<string>(idColumn);
    const end = await explain(api, findPartEnd(all, id, firstIdAt(Date.UTC(2029, 0, 1) + 2000), 100));
    expect(end).not.toMatch(scans);
    const chunk = await explain(
      api,
      matching(within).where(within(id)).selectAll('responses').orderBy(id, 'desc').limit(51),
    );
    expect(chunk).not.toMatch(engine === 'sqlite' ? scans : /Seq Scan/);
    if (engine === 'sqlite') expect(chunk).toMatch(index);
  });
});
