import { performance } from 'node:perf_hooks';
import { untilSegmentsCounted } from '../installation.mjs';
import { fillTable } from '../installation-rows.mjs';
import { median } from '../numbers.mjs';
import { insertProfiles } from '../profiles.mjs';
import { idAt, insertRows, numbers, onBoth } from '../rows.mjs';
import { startUsher } from '../servers.mjs';
import { createStore } from '../store.mjs';

const ROUNDS = 5;
const FIRST_MS = 1_700_000_000_000;
/** A page ends after two seconds, at the end of the chunk of the list that it is in. */
const MOST_MS = 2500;
const STRIDE = 7919;
const PLACES = ['button', 'menu', 'chart', 'table', 'export'];

/**
 * @typedef {object} Filter
 * @property {Record<string, string>} query
 * @property {'few' | 'none'} [finds] instead of a whole page
 */

/**
 * A page of the Responses to a survey with a million of them, or `BENCH_RESPONSES`, for each kind of filter: page 1, and a page in the
 * middle of the list. What nearly no Response has is looked for until the end of the list.
 * @param {import('../harness.mjs').Bench} bench
 */
export async function responsesFilters(bench) {
  const rows = bench.quick ? 5000 : Number(process.env.BENCH_RESPONSES ?? 1_000_000);
  const store = await createStore(bench);
  const first = await startUsher(bench, store);
  const create = async (/** @type {string} */ path, /** @type {object} */ params) =>
    Object.values(JSON.parse(await first.post(`/v3/edit/${path}`, params, 201)))[0];
  const survey = await create('surveys', { name: 'The survey', steps: questions });
  const segmentOf = (/** @type {string} */ prop, /** @type {unknown} */ value) =>
    create('segments', { name: `${prop} ${value}`, items: [{ kind: 'property', prop, op: 'eq', value }] });
  const [pro, gold] = [await segmentOf('plan', 'pro'), await segmentOf('plan', 'gold')];
  await first.stop();
  await insertProfiles(bench, store, rows);
  const results = await insertResponses(bench, store, rows, survey);
  const usher = await startUsher(bench, store);
  await untilSegmentsCounted(usher);

  const choice = survey.steps[1].id;
  const [good] = survey.steps[1].buttons;
  /** @type {Record<string, Filter>} */
  const filters = {
    none: { query: {} },
    'order by score': { query: { order: 'highest_score' } },
    score: { query: { min_score: '9' } },
    'one score': { query: { min_score: '3', max_score: '3' } },
    'rare score': { query: { min_score: '11' }, finds: 'few' },
    answer: { query: { step_id: choice, 'options[]': good.id } },
    'unknown answer': { query: { step_id: choice, 'options[]': 'unknown' }, finds: 'none' },
    comment: { query: { has_comment: 'true' } },
    days: { query: { from: dayAt(FIRST_MS + rows / 4), until: dayAt(FIRST_MS + rows) } },
    language: { query: { language: 'de' } },
    'rare language': { query: { language: 'fr' }, finds: 'few' },
    open: { query: { finished: 'false' } },
    Segment: { query: { segment_id: pro.id } },
    'empty Segment': { query: { segment_id: gold.id }, finds: 'none' },
    Tag: { query: { tag: 'pricing' } },
    'rare Tag': { query: { tag: 'rare' }, finds: 'few' },
    text: { query: { search: 'CHART' } },
    'unknown text': { query: { search: 'unknown' }, finds: 'none' },
    'text by score': { query: { search: 'unknown', order: 'lowest_score' }, finds: 'none' },
    several: { query: { search: 'chart', min_score: '9', language: 'de' } },
  };
  const read = async (/** @type {Record<string, string>} */ query, /** @type {string} */ before = '') => {
    const params = new URLSearchParams({
      id: survey.id,
      limit: '50',
      details: 'true',
      ...query,
      ...(before && { before }),
    });
    const start = performance.now();
    const text = await usher.send('GET', `/v3/analyze/responses?${params}`);
    return { ...JSON.parse(text), ms: performance.now() - start };
  };
  const again = async (/** @type {() => ReturnType<typeof read>} */ page) => {
    const times = [];
    for (let round = 0; round < ROUNDS; round++) times.push((await page()).ms);
    return median(times);
  };
  // The first heavy read starts a thread, which is no part of a page.
  await read({ has_comment: 'true' });
  const middle = await idOf(bench, store, rows / 2);
  for (const [part, { query, finds }] of Object.entries(filters)) {
    const page = await read(query);
    if (finds !== undefined) {
      const all = await readAll(read, query, page);
      if ((finds === 'none') !== (all.count === 0)) throw new Error(`${part} finds ${all.count} Responses`);
      bench.note(
        `${part}: ${all.count} Responses in ${all.pages} pages, ${Math.round(all.ms)} ms, the slowest ${Math.round(all.most)} ms`,
      );
      results.push({ part, value: all.most, unit: 'ms', target: { most: MOST_MS } });
      results.push({ part: `${part}.all`, value: all.ms, unit: 'ms' });
      continue;
    }
    const found = page.responses.length;
    if (page.is_complete === false) bench.note(`${part}: page 1 stopped after two seconds with ${found} Responses`);
    else if (found !== Math.min(50, rows)) throw new Error(`${part} finds ${found} Responses`);
    const near = await again(() => read(query));
    const far = await again(() => read(query, query.order ? `t6-${middle}` : middle));
    bench.note(`${part}: page 1 ${near.toFixed(1)} ms, a page in the middle ${far.toFixed(1)} ms`);
    results.push({ part, value: near, unit: 'ms' }, { part: `${part}.middle`, value: far, unit: 'ms' });
  }
  const tags = await again(async () => {
    const start = performance.now();
    await usher.get(`/v3/analyze/responses/tags?id=${survey.id}`);
    return { ms: performance.now() - start };
  });
  return [...results, { part: 'Tags', value: tags, unit: 'ms' }];
}

const questions = [
  { title: 'How likely are you to recommend us?', preset: 'survey_nps' },
  { title: 'How was it?', preset: 'survey_two', buttons: [{ text: 'Good' }, { text: 'Bad' }] },
  { title: 'Why?', preset: 'survey_input' },
];

const dayAt = (/** @type {number} */ time) => new Date(time).toISOString();

/**
 * Follows the cursor to the end.
 * @param {(query: Record<string, string>, before: string) => Promise<any>} read
 * @param {Record<string, string>} query
 * @param {any} first
 */
async function readAll(read, query, first) {
  let [pages, count, ms, most] = [1, first.responses.length, first.ms, first.ms];
  for (let { before } = first.cursor; before !== null; pages++) {
    if (pages > 1000) throw new Error('The list does not end');
    const page = await read(query, before);
    before = page.cursor.before;
    count += page.responses.length;
    ms += page.ms;
    most = Math.max(most, page.ms);
  }
  return { pages, count, ms, most };
}

/** @param {'sqlite' | 'postgres'} engine */
const responseId = (engine) => idAt[engine](`${FIRST_MS} + n`);

/**
 * @param {import('../harness.mjs').Bench} bench
 * @param {import('../store.mjs').Store} store
 * @param {number} n
 */
async function idOf(bench, store, n) {
  const connection = await store.connect();
  const [row] = await connection.run(
    `select ${responseId(bench.engine)} as id from ${numbers[bench.engine](n, n + 1)} as numbered`,
  );
  await connection.close();
  return String(row?.id);
}

/**
 * Each user has one Response: mostly with a score, a choice, and for one of three a text. One in 50,000 has another score, language and Tag.
 * @param {import('../harness.mjs').Bench} bench
 * @param {import('../store.mjs').Store} store
 * @param {number} rows
 * @param {{ id: string, steps: { id: string, buttons: { id: string }[] }[] }} survey
 * @returns {Promise<import('../harness.mjs').Result[]>}
 */
async function insertResponses(bench, store, rows, survey) {
  const rare = Math.max(2, Math.floor(rows / 20));
  const who = (/** @type {'sqlite' | 'postgres'} */ engine) =>
    engine === 'sqlite'
      ? `printf('%08x%03x%013x', 1600000000 + (n * ${STRIDE} % ${rows}) / 1000, (n * ${STRIDE} % ${rows}) % 1000, 0)`
      : `(lpad(to_hex(1600000000 + (n * ${STRIDE} % ${rows}) / 1000), 8, '0') || lpad(to_hex((n * ${STRIDE} % ${rows}) % 1000), 3, '0') || repeat('0', 13))`;
  const [score, choice, text] = survey.steps;
  const scoreOf = `case when n % ${rare} = 7 then 11 else n * ${STRIDE} % 11 end`;
  const placeOf = `case n % 5 ${PLACES.map((place, at) => `when ${at} then '${place}'`).join(' ')} end`;
  const results = [];
  const statements = {
    responses: onBoth(
      (account, engine, from, to) => `
      insert into responses (account_id, id, updated_at, experience_id, profile_id, showing_from, updated_tick, href, finished_at, score, language)
      select '${account}', ${responseId(engine)}, ${FIRST_MS} + n, '${survey.id}', ${who(engine)}, 0, (${FIRST_MS} + n) * 1024,
        'https://app.example.com/reports', case when n % 10 <> 3 then ${FIRST_MS} + n + 20000 end, ${scoreOf},
        case when n % ${rare} = 7 then 'fr' when n % 3 = 0 then 'de' else '' end
      from ${numbers[engine](from, to)} as numbered`,
    ),
    answers: onBoth(
      (account, engine, from, to) => `
      insert into answers (account_id, response_id, step_id, profile_id, experience_id, question_order, button_id, button_index, button_text, value, input)
      select '${account}', ${responseId(engine)}, column2, ${who(engine)}, '${survey.id}', column1,
        case when column1 = 1 then case n % 2 when 0 then '${choice?.buttons[0]?.id}' else '${choice?.buttons[1]?.id}' end end,
        case column1 when 0 then ${scoreOf} when 1 then n % 2 end,
        case column1 when 0 then '' || (${scoreOf}) when 1 then case n % 2 when 0 then 'Good' else 'Bad' end end,
        case when column1 = 0 then '' || (${scoreOf}) end,
        case when column1 = 2 then 'The ' || (${placeOf}) || ' is good, but number ' || n || ' took long to load.' end
      from ${numbers[engine](from, to)} as numbered
      join (values (0, '${score?.id}'), (1, '${choice?.id}'), (2, '${text?.id}')) as questions on column1 < 2 or n % 3 = 0`,
    ),
    response_tags: onBoth(
      (account, engine, from, to) => `
      insert into response_tags (account_id, response_id, name, experience_id, profile_id)
      select '${account}', ${responseId(engine)}, case when n % ${rare} = 7 then 'rare' else 'pricing' end, '${survey.id}', ${who(engine)}
      from ${numbers[engine](from, to)} as numbered where n % 20 = 7`,
    ),
  };
  for (const [table, of] of Object.entries(statements)) {
    const { bytes } = await fillTable(bench, store, table, () => insertRows(bench, store, table, rows, of));
    results.push({ part: `bytes.${table}`, value: Math.round(bytes / rows), unit: 'bytes' });
  }
  return results;
}
