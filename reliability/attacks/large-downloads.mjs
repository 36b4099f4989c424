import { slowestHealthCheck } from './health.mjs';

const RESPONSES = 200_000;

/**
 * Somebody who may read downloads all Responses of a large survey, and leaves other downloads after their first bytes.
 * @type {import('../figures/attacks.mjs').Attack}
 */
export const largeDownloads = {
  name: 'a viewer downloads 200,000 Responses as CSV',
  before: 'no other request was answered for 13 to 35 s',
  async run({ call, port, secret, store, engine }) {
    const as = { 'x-account-secret': secret };
    const steps = [{ title: 'Why?', preset: 'survey_input' }];
    const { survey } = (await call('/v3/edit/surveys', { name: 'S', steps, published_at: '$now' }, as)).body;
    const { profile } = (await call('/v3/observe/hooks/profiles', { uid: 'ann' }, as)).body;
    await fillSurvey(store, engine, survey, profile.id);
    const path = `/v3/analyze/responses.csv?id=${survey.id}`;
    const url = `http://127.0.0.1:${port}${path}`;
    const leave = async () => {
      const controller = new AbortController();
      const response = await fetch(url, { headers: as, signal: controller.signal });
      await response.body?.getReader().read();
      controller.abort();
    };
    const began = Date.now();
    const { result, slowest } = await slowestHealthCheck(port, async () => {
      await Promise.all(Array.from({ length: 10 }, leave));
      return call(path, undefined, as);
    });
    const lines = String(result.body).split('\r\n').length - 2;
    return {
      now: `${lines} lines in ${Date.now() - began} ms, after 10 downloads that were left; slowest health check ${slowest} ms`,
      defended: lines === RESPONSES && slowest < 500,
    };
  },
};

/**
 * @param {import('../../bench/store.mjs').Store} store
 * @param {string} engine
 * @param {{ id: string, steps: { id: string }[] }} survey
 * @param {string} profileId
 */
async function fillSurvey(store, engine, survey, profileId) {
  const connection = await store.connect();
  const [{ account_id: account } = {}] = await connection.run(
    `select account_id from profiles where id = '${profileId}'`,
  );
  const isSqlite = engine === 'sqlite';
  const numbers = isSqlite
    ? `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${RESPONSES})`
    : `with numbers as (select generate_series(1, ${RESPONSES}) as n)`;
  const seconds = Math.floor(Date.now() / 1000) - 86_400;
  const rest = isSqlite ? "printf('%016x', n)" : "lpad(to_hex(n), 16, '0')";
  const id = `'${seconds.toString(16)}' || ${rest}`;
  await connection.run(`insert into responses (account_id, id, updated_at, updated_tick, experience_id, profile_id, showing_from)
    ${numbers} select '${account}', ${id}, n, n, '${survey.id}', '${profileId}', n from numbers`);
  await connection.run(`insert into answers (account_id, response_id, step_id, profile_id, experience_id, question_order, input)
    ${numbers} select '${account}', ${id}, '${survey.steps[0]?.id}', '${profileId}', '${survey.id}', 0,
      'An answer of some words, as people write them: ' || n from numbers`);
  await connection.close();
}
