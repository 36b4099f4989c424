import { dayOf, firstIdAt, startOfDay, toDate } from '@usher/domain';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomRuns } from '../../../../domain/test/random-runs.ts';
import { type Api, startApi } from '../../../test/api.ts';

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
  part: fc.nat(1),
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
    part_id: what === 'step' ? survey.steps[part]?.id : what === 'button' ? two?.buttons[part]?.id : '',
  }));
  await insert('activities', [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()]);
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
        select day, what, count(*) as n from activities where ${inDays} and part_id = '' group by day, what
      `.execute(api.app.storage.reader(account_id));
      const counted = days.map(({ day, what, n }) => `${toDate(Number(day))} ${what} ${n}`);
      const shown = stats.days.flatMap(({ day, ...counts }: Record<string, number>) =>
        Object.entries(counts).flatMap(([what, n]) => (n === 0 ? [] : `${day} ${what} ${n}`)),
      );
      expect(shown.sort()).toEqual(counted.sort());
      for (const { id, seen, buttons } of stats.steps) {
        const parts = (what: string, part: string) =>
          count(
            sql`select count(distinct profile_id) as n from activities where ${inDays} and what = ${what} and part_id = ${part}`,
          );
        expect([id, seen]).toEqual([id, await parts('step', id)]);
        for (const button of buttons) expect(button.clicked).toBe(await parts('button', button.id));
      }
      const ids = [firstIdAt(startOfDay(FROM)), firstIdAt(startOfDay(UNTIL + 1))];
      const answered = sql`${whose} and response_id >= ${ids[0]} and response_id < ${ids[1]}`;
      for (const { step_id, button_id, value, count: people } of stats.answers) {
        const isButton = button_id === null ? sql`button_id is null` : sql`button_id = ${button_id}`;
        const isValue = value === null ? sql`value is null` : sql`value = ${value}`;
        const rows = sql<{
          n: number;
        }>`select count(distinct profile_id) as n from answers where ${answered} and step_id = ${step_id} and ${isButton} and ${isValue}`;
        expect([step_id, button_id, value, people]).toEqual([step_id, button_id, value, await count(rows)]);
      }
      const npsStep = survey.steps[0]?.id ?? '';
      const last = sql`select profile_id, max(response_id) as last_id from answers where ${answered} and step_id = ${npsStep} group by profile_id`;
      const between = (low: number, high: number) =>
        count(
          sql`select count(*) as n from answers a join (${last}) l on l.last_id = a.response_id
            where a.account_id = ${account_id} and a.step_id = ${npsStep} and a.button_index between ${low} and ${high}`,
        );
      const { promoters = 0, passives = 0, detractors = 0 } = stats.nps ?? {};
      expect([promoters, passives, detractors]).toEqual([
        await between(9, 10),
        await between(7, 8),
        await between(0, 6),
      ]);
      await expectTexts(survey, answers);
      await expectFiles(survey, stats.days, answers);
    });
    await fc.assert(property, { numRuns: randomRuns(3), endOnFailure: true });
  });

  const isIn = ({ daysAgo }: GeneratedAnswer) => daysAgo <= TODAY - FROM && daysAgo >= TODAY - UNTIL;

  async function expectTexts(survey: Survey, answers: readonly GeneratedAnswer[]) {
    const list = async (step: number) => {
      const texts: string[] = [];
      for (let before: string | null = ''; before !== null; ) {
        const path = `/v3/analyze/surveys/${survey.id}/steps/${survey.steps[step]?.id}/texts`;
        const page = await get(path, `${range}&limit=5${before && `&before=${before}`}`);
        texts.push(...page.texts.map(({ text }: { text: string }) => text));
        before = page.cursor.before;
      }
      return texts.sort();
    };
    const written = answers.filter(isIn).flatMap(({ text }) => text ?? []);
    expect(await list(3)).toEqual(written.sort());
    expect(await list(2)).toEqual(
      answers.filter((one) => isIn(one) && one.item === 'My own plan').map(() => 'My own plan'),
    );
    expect(await list(0)).toEqual([]);
  }

  async function expectFiles(survey: Survey, days: Record<string, unknown>[], answers: readonly GeneratedAnswer[]) {
    const file = await api.get(`/v3/analyze/surveys/${survey.id}/days.csv`, { query: range });
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="days.csv"');
    const lines = file.text.trimEnd().split('\r\n');
    expect(lines).toEqual([Object.keys(days[0] ?? {}).join(','), ...days.map((day) => Object.values(day).join(','))]);
    const responses = await api.get('/v3/analyze/responses.csv', { query: `id=${survey.id}&${range}` });
    const [head = '', ...rows] = responses.text.trimEnd().split('\r\n');
    expect(head).toContain('2. How was it?,2. How was it? (text)');
    expect(rows).toHaveLength(answers.filter(isIn).length);
  }
});

describe('the file of Responses', () => {
  it('has the user, the page and each answer, and nothing that a spreadsheet runs', async () => {
    const survey = await addSurvey();
    await storeAnswers(survey, [{ person: 0, daysAgo: 0, nps: 9, button: 1, item: 'My own plan', text: '=1+1' }]);
    const { text } = await api.get('/v3/analyze/responses.csv', { query: `id=${survey.id}` });
    const [head, row] = text.split('\r\n');
    expect(head).toBe(
      'id,created_at,finished_at,uid,email,name,href,1. How likely are you to recommend us?,1. How likely are you to recommend us? (text),2. How was it?,2. How was it? (text),3. Which plan?,3. Which plan? (text),4. Why?,4. Why? (text)',
    );
    expect(row?.replace(/^\w+,/, '')).toBe(
      "2029-04-07T00:00:00.000Z,,user 0,ann@acme.test,Ann =Lee,,9,,Bad,,,My own plan,,'=1+1",
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
      { ...given, person: 0, daysAgo: 1, text: 'First' },
      { ...given, person: 1, daysAgo: 0, text: 'Second' },
    ]);
    const path = `/v3/analyze/surveys/${survey.id}/steps/${survey.steps[3]?.id}/texts`;
    expect(await get(path)).toMatchObject({
      texts: [
        { text: 'Second', answer: null, profile: { id: people[1], uid: 'user 1', email: null, name: null } },
        { text: 'First', profile: { id: people[0], email: 'ann@acme.test', name: 'Ann =Lee' } },
      ],
      cursor: { before: null },
    });
    expect((await api.get(path, { as: api.other })).status).toBe(404);
    expect((await api.get(path.replace('surveys', 'tours'))).status).toBe(404);
  });
});
