import { dayOf, firstIdAt, startOfDay, toDate } from '@usher/domain';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomRuns } from '../../../../../domain/test/random-runs.ts';
import { type Api, startApi } from '../../../../test/api.ts';
import { recountUse } from '../../../../test/use-rows.ts';

/*
 * The numbers of the results page, compared with SQL over the raw rows.
 */

const NOW = Date.UTC(2029, 3, 7, 12, 18);
const TODAY = dayOf(NOW);
const PEOPLE = 12;

let api: Api;
let people: string[];
let account_id: string;
beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => NOW });
  account_id = api.account.account_id;
  const profiles = Array.from({ length: PEOPLE }, (_, n) => ({
    uid: `user ${n}`,
    ...(n === 0 && { email: 'ann@acme.test', first_name: 'Ann', last_name: '=Lee' }),
  }));
  people = [];
  for (const profile of profiles) people.push((await api.post('/v3/observe/hooks/profiles', profile)).body.profile.id);
});
afterAll(() => api.stop());

interface Survey {
  id: string;
  steps: { id: string; buttons: { id: string }[] }[];
}

const steps = [
  { title: 'How likely are you to recommend us?', preset: 'survey_nps' },
  { title: 'How was it?', preset: 'survey_two', buttons: [{ text: 'Good' }, { text: 'Bad' }] },
  { title: 'Which plan?', preset: 'survey_dropdown', dropdown_items: ['Free', 'Pro'], other_text: 'Another' },
  { title: 'Why?', preset: 'survey_input' },
  { title: 'Thank you', preset: 'thank_you' },
];

async function addSurvey(): Promise<Survey> {
  const { status, body } = await api.post('/v3/edit/surveys', { name: 'Asks', steps });
  expect([status, body.messages]).toEqual([201, undefined]);
  return body.survey;
}

const get = async (path: string, query = '') => {
  const { status, body } = await api.get(path, { query });
  expect([status, body.messages]).toEqual([200, undefined]);
  return body;
};

interface GeneratedAnswer {
  person: number;
  daysAgo: number;
  nps: number | null;
  button: number | null;
  item: string | null;
  text: string | null;
}

const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 3 });
const answer: fc.Arbitrary<GeneratedAnswer> = fc.record({
  person: fc.nat(PEOPLE - 1),
  daysAgo: fc.nat(12),
  nps: orNull(fc.nat(10)),
  button: orNull(fc.nat(1)),
  item: orNull(fc.constantFrom('Free', 'Pro', 'My own plan')),
  text: orNull(fc.constantFrom('Fine', '=1+1', 'So "so"; bad\nnews')),
});
const whats = ['displayed', 'started', 'completed', 'exited', 'snoozed', 'goal', 'step', 'button'] as const;
interface GeneratedActivity {
  person: number;
  daysAgo: number;
  what: (typeof whats)[number];
  part: number;
}
const activity: fc.Arbitrary<GeneratedActivity> = fc.record({
  person: fc.nat(PEOPLE - 1),
  daysAgo: fc.nat(12),
  what: fc.constantFrom(...whats),
  part: fc.nat(steps.length - 1),
});

const insert = (table: 'activities' | 'responses' | 'answers', rows: readonly object[]) =>
  rows.length === 0
    ? undefined
    : api.app.storage.write(account_id, (db) =>
        db
          .insertInto(table)
          .values(rows as never)
          .execute(),
      );

async function store(survey: Survey, activities: readonly GeneratedActivity[]) {
  const [, two] = survey.steps;
  const rows = activities.map(({ person, daysAgo, what, part }) => ({
    account_id,
    experience_id: survey.id,
    profile_id: people[person],
    day: TODAY - daysAgo,
    what,
    part_id: what === 'step' ? survey.steps[part]?.id : what === 'button' ? two?.buttons[part % 2]?.id : '',
  }));
  await insert('activities', [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()]);
  await recountUse(api.app, account_id);
}

let responseCount = 0;
async function storeAnswers(survey: Survey, generated: readonly GeneratedAnswer[]) {
  const [nps, two, list, why] = survey.steps;
  const responses: object[] = [];
  const answers: object[] = [];
  for (const [n, { person, daysAgo, ...given }] of generated.entries()) {
    const at = startOfDay(TODAY - daysAgo) + n * 1000;
    const response_id = firstIdAt(at).slice(0, 15) + String(++responseCount).padStart(9, '0');
    const whose = { account_id, experience_id: survey.id, profile_id: people[person] };
    responses.push({ ...whose, id: response_id, updated_at: at, updated_tick: at, showing_from: n });
    const none = { button_id: null, button_index: null, button_text: null, value: null, input: null };
    const add = (step_id: string | undefined, question_order: number, fields: object) =>
      answers.push({ ...whose, response_id, step_id, question_order, ...none, ...fields });
    const { nps: score, button, item, text } = given;
    if (score !== null) add(nps?.id, 0, { value: `${score}`, button_index: score, button_text: `${score}` });
    if (button !== null)
      add(two?.id, 1, {
        button_id: two?.buttons[button]?.id,
        button_index: button,
        button_text: ['Good', 'Bad'][button],
      });
    const index = ['Free', 'Pro'].indexOf(item ?? '');
    if (item !== null) add(list?.id, 2, { value: item, button_index: index < 0 ? null : index });
    if (text !== null) add(why?.id, 3, { input: text });
  }
  await insert('responses', responses);
  await insert('answers', answers);
  await recountUse(api.app, account_id);
}

/** One number that SQL counts over the raw rows. */
async function count(query: ReturnType<typeof sql<{ n: number | string }>>): Promise<number> {
  const { rows } = await query.execute(api.app.storage.reader(account_id));
  return Number(rows[0]?.n);
}

const FROM = TODAY - 8;
const UNTIL = TODAY - 2;
const range = `from=${toDate(FROM)}&until=${toDate(UNTIL)}`;

describe('the numbers', () => {
  it('equal what SQL counts over the raw rows', async () => {
    const cases = fc.tuple(
      fc.array(activity, { minLength: 30, maxLength: 80 }),
      fc.array(answer, { minLength: 20, maxLength: 60 }),
    );
    const property = fc.asyncProperty(cases, async ([activities, answers]) => {
      const survey = await addSurvey();
      await store(survey, activities);
      await storeAnswers(survey, answers);
      const { stats } = await get(`/v3/analyze/surveys/${survey.id}/stats`, range);
      const whose = sql`account_id = ${account_id} and experience_id = ${survey.id}`;
      const inDays = sql`${whose} and day between ${FROM} and ${UNTIL}`;
      for (const what of ['displayed', 'started', 'completed', 'exited', 'snoozed', 'goal'] as const) {
        const total = sql<{
          n: number;
        }>`select count(distinct profile_id) as n from activities where ${inDays} and what = ${what}`;
        expect([what, stats.totals[what]]).toEqual([what, await count(total)]);
      }
      const { rows: days } = await sql<{ day: number; what: string; n: number | string }>`
        select day, what, count(*) as n from activities where ${inDays} and part_id = '' and what <> 'shown' group by day, what
      `.execute(api.app.storage.reader(account_id));
      const counted = days.map(({ day, what, n }) => `${toDate(Number(day))} ${what} ${n}`);
      const shown = stats.days.flatMap(({ day, ...counts }: Record<string, number>) =>
        Object.entries(counts).flatMap(([what, n]) => (n === 0 ? [] : `${day} ${what} ${n}`)),
      );
      expect(shown.sort()).toEqual(counted.sort());
      expect(stats.days.map(({ day }: { day: string }) => day)).toEqual(
        Array.from({ length: UNTIL - FROM + 1 }, (_, at) => toDate(FROM + at)),
      );
      expect(stats.steps.map(({ id }: { id: string }) => id)).toEqual(survey.steps.map(({ id }) => id));
      for (const { id, seen, buttons } of stats.steps) {
        const parts = (what: string, part: string) =>
          count(
            sql`select count(distinct profile_id) as n from activities where ${inDays} and what = ${what} and part_id = ${part}`,
          );
        expect([id, seen]).toEqual([id, await parts('step', id)]);
        for (const button of buttons) expect(button.clicked).toBe(await parts('button', button.id));
      }
      const answered = sql`${whose} and ${inRange('response_id')}`;
      const distribution = await sql<Record<'step_id' | 'button_id' | 'value' | 'n', string | null>>`
        select step_id, button_id, value, count(distinct profile_id) as n from answers where ${answered}
        group by step_id, button_id, value
      `.execute(api.app.storage.reader(account_id));
      const line = (...cells: unknown[]) => cells.join(' ');
      expect(
        stats.answers
          .map((one: Record<string, unknown>) => line(one.step_id, one.button_id, one.value, one.count))
          .sort(),
      ).toEqual(distribution.rows.map((one) => line(one.step_id, one.button_id, one.value, one.n)).sort());
      const npsStep = survey.steps[0]?.id ?? '';
      const last = sql`select profile_id, max(response_id) as last_id from answers where ${answered} and step_id = ${npsStep} group by profile_id`;
      const between = (low: number, high: number) =>
        count(
          sql`select count(*) as n from answers a join (${last}) l on l.last_id = a.response_id
            where a.account_id = ${account_id} and a.step_id = ${npsStep} and a.button_index between ${low} and ${high}`,
        );
      const [promoters, passives, detractors] = [await between(9, 10), await between(7, 8), await between(0, 6)];
      const total = promoters + passives + detractors;
      const share = (100 * (promoters - detractors)) / total;
      const score = Math.sign(share) * Math.round(Math.abs(share));
      expect(stats.nps).toEqual(total === 0 ? null : { score, promoters, passives, detractors, count: total });
      await expectTexts(survey, answered);
      await expectFiles(survey, stats.days, answered);
    });
    await fc.assert(property, { numRuns: randomRuns(3), endOnFailure: true });
  });

  type Condition = ReturnType<typeof sql>;

  async function expectTexts(survey: Survey, answered: Condition) {
    const list = async (step: number) => {
      const texts: string[] = [];
      for (let before: string | null = ''; before !== null; ) {
        const path = `/v3/analyze/surveys/${survey.id}/steps/${survey.steps[step]?.id}/texts`;
        const page = await get(path, `${range}&limit=5${before && `&before=${before}`}`);
        for (const { profile, text } of page.texts) texts.push(`${profile.id} ${text}`);
        before = page.cursor.before;
      }
      return texts.sort();
    };
    const written = async (text: Condition, step: number) => {
      const { rows } = await sql<{ profile_id: string; text: string }>`
        select profile_id, ${text} as text from answers
        where ${answered} and step_id = ${survey.steps[step]?.id} and ${text} is not null and button_index is null
      `.execute(api.app.storage.reader(account_id));
      return rows.map((row) => `${row.profile_id} ${row.text}`).sort();
    };
    expect(await list(3)).toEqual(await written(sql`input`, 3));
    // What was written instead of one of the answers.
    expect(await list(2)).toEqual(await written(sql`value`, 2));
    expect(await list(0)).toEqual([]);
  }

  async function expectFiles(survey: Survey, days: Record<string, unknown>[], answered: Condition) {
    const file = await api.get(`/v3/analyze/surveys/${survey.id}/days.csv`, { query: range });
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="days.csv"');
    const lines = file.text.trimEnd().split('\r\n');
    expect(lines).toEqual([Object.keys(days[0] ?? {}).join(','), ...days.map((day) => Object.values(day).join(','))]);
    const responses = await api.get('/v3/analyze/responses.csv', { query: `id=${survey.id}&${range}` });
    const [head = [], ...rows] = responses.text.trimEnd().split('\r\n').map(readCells);
    expect(head.slice(10, 12)).toEqual(['2. How was it?', '2. How was it? (text)']);
    const reader = api.app.storage.reader(account_id);
    const { rows: stored } = await sql<{ id: string; profile_id: string }>`
      select id, profile_id from responses
      where account_id = ${account_id} and experience_id = ${survey.id} and ${inRange('id')}
    `.execute(reader);
    const { rows: answers } = await sql<StoredAnswer>`select * from answers where ${answered}`.execute(reader);
    const cellsOf = (answer: StoredAnswer | undefined) => {
      if (!answer) return ['', ''];
      const { button_text, button_index, value, input } = answer;
      const isOwn = value !== null && button_index === null;
      return [isOwn ? '' : (button_text ?? value ?? ''), withoutFormula(isOwn ? value : (input ?? ''))];
    };
    const answerTo = (response: string, step: string) =>
      answers.find(({ response_id, step_id }) => response_id === response && step_id === step);
    expect(rows.map(([id, , , uid, , , , , ...cells]) => [id, uid, ...cells]).sort()).toEqual(
      stored
        .map(({ id, profile_id }) => [
          ...[id, `user ${people.indexOf(profile_id)}`],
          ...survey.steps.slice(0, 4).flatMap((step) => cellsOf(answerTo(id, step.id))),
        ])
        .sort(),
    );
  }
});

interface StoredAnswer {
  response_id: string;
  step_id: string;
  button_index: number | null;
  button_text: string | null;
  value: string | null;
  input: string | null;
}

const rangeIds = [firstIdAt(startOfDay(FROM)), firstIdAt(startOfDay(UNTIL + 1))] as const;
const inRange = (column: string) => sql`${sql.ref(column)} >= ${rangeIds[0]} and ${sql.ref(column)} < ${rangeIds[1]}`;

/** Spreadsheets run what begins with such a character. */
const withoutFormula = (text: string) => (text.startsWith('=') ? `'${text}` : text);

/** The cells of one line of a CSV file. A cell with a comma, a quote or a line break is in quotes. */
function readCells(line: string): string[] {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(([, quoted, plain]) =>
    quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'),
  );
}

describe('the file of Responses', () => {
  it('has the user, the page and each answer, and nothing that a spreadsheet runs', async () => {
    const survey = await addSurvey();
    await storeAnswers(survey, [{ person: 0, daysAgo: 0, nps: 9, button: 1, item: 'My own plan', text: '=1+1' }]);
    const { text } = await api.get('/v3/analyze/responses.csv', { query: `id=${survey.id}` });
    const [head, row] = text.split('\r\n');
    expect(head).toBe(
      'id,created_at,finished_at,uid,email,name,href,source,1. How likely are you to recommend us?,1. How likely are you to recommend us? (text),2. How was it?,2. How was it? (text),3. Which plan?,3. Which plan? (text),4. Why?,4. Why? (text)',
    );
    expect(row?.replace(/^\w+,/, '')).toBe(
      "2029-04-07T00:00:00.000Z,,user 0,ann@acme.test,Ann =Lee,,page,9,,Bad,,,My own plan,,'=1+1",
    );
  });

  it('is of a survey of this account', async () => {
    const { id } = await addSurvey();
    const { body } = await api.post('/v3/edit/tours', { name: 'T', steps: [] });
    for (const wrong of [body.tour.id, 'f'.repeat(24)])
      expect((await api.get('/v3/analyze/responses.csv', { query: `id=${wrong}` })).status).toBe(404);
    expect((await api.get('/v3/analyze/responses.csv', { query: `id=${id}`, as: api.other })).status).toBe(404);
    expect((await api.get('/v3/analyze/responses.xml', { query: `id=${id}` })).status).toBe(422);
  });
});

describe('the texts', () => {
  it('name who wrote them, newest first', async () => {
    const survey = await addSurvey();
    const given = { nps: null, button: null, item: null };
    await storeAnswers(survey, [
      { ...given, person: 0, daysAgo: 1, nps: 9, text: 'First' },
      { ...given, person: 1, daysAgo: 0, text: 'Second' },
    ]);
    const path = `/v3/analyze/surveys/${survey.id}/steps/${survey.steps[3]?.id}/texts`;
    expect(await get(path)).toMatchObject({
      texts: [
        {
          text: 'Second',
          answer: null,
          score: null,
          profile: { id: people[1], uid: 'user 1', email: null, name: null },
        },
        // With the NPS score of the same Response.
        { text: 'First', score: 9, profile: { id: people[0], email: 'ann@acme.test', name: 'Ann =Lee' } },
      ],
      cursor: { before: null },
    });
    expect((await api.get(path, { as: api.other })).status).toBe(404);
    expect((await api.get(path.replace('surveys', 'tours'))).status).toBe(404);
  });
});
