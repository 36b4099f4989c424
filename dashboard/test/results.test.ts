import { readFile } from 'node:fs/promises';
import { dayOf, firstIdAt, startOfDay, toDate } from '@usher/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addSignedIn, type TestAdmin } from '../../server/test/sign-in.ts';
import { recountUse } from '../../server/test/use-rows.ts';
import { type Dashboard, focused, startDashboard } from './browser.ts';
import { hostileName } from './looks.ts';

let dashboard: Dashboard;
let owner: TestAdmin;
beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard.stop());
beforeEach(async () => {
  await dashboard.api.replaceAccounts();
  owner = await addSignedIn(dashboard.api, 'owner');
});

interface Made {
  id: string;
  steps: { id: string; buttons: { id: string }[] }[];
  items?: { id: string }[];
}

const make = async (kind: string, params: object): Promise<Made> => {
  const { status, body } = await owner.browser.post(`/v3/edit/${kind}`, { name: 'Welcome tour', ...params });
  expect([status, body.messages]).toEqual([201, undefined]);
  return Object.values(body)[0] as Made;
};

const addPeople = async (count: number): Promise<string[]> => {
  const people: string[] = [];
  for (let n = 0; n < count; n++) {
    const params = { uid: `user-${n}`, email: `user${n}@acme.test`, ...(n === 0 && { name: hostileName }) };
    people.push((await dashboard.api.post('/v3/observe/hooks/profiles', params)).body.profile.id);
  }
  return people;
};

type Table = 'activities' | 'answers' | 'responses' | 'findings';
const insert = async (table: Table, rows: readonly object[]) => {
  const { app, account } = dashboard.api;
  await app.storage.write(account.account_id, async (db) => {
    for (let at = 0; at < rows.length; at += 400)
      await db
        .insertInto(table)
        .values(rows.slice(at, at + 400) as never)
        .execute();
  });
  await recountUse(app, account.account_id);
};

/** Today, in days since 1970. */
const today = () => dayOf(Date.now());
const whose = (made: Made, profile_id: string | undefined) => ({
  account_id: dashboard.api.account.account_id,
  experience_id: made.id,
  profile_id,
});

/** Adds some weeks of use of a tour: more people on some days, and fewer with every step. */
async function useTour(tour: Made): Promise<void> {
  const people = await addPeople(40);
  const rows: object[] = [];
  for (let ago = 0; ago < 30; ago++)
    for (const [n, person] of people.entries()) {
      if ((n * 7 + ago * 3) % 11 > 5 - (ago % 7 > 4 ? 4 : 0)) continue;
      const add = (what: string, part_id = '') =>
        rows.push({ ...whose(tour, person), day: today() - ago, what, part_id });
      add('started');
      add('step', tour.steps[0]?.id);
      if (n % 4 === 0) {
        add(n % 8 === 0 ? 'exited' : 'snoozed');
        continue;
      }
      add('button', tour.steps[0]?.buttons[0]?.id);
      add('step', tour.steps[1]?.id);
      if (n % 5 === 0) continue;
      add('step', tour.steps[2]?.id);
      if (n % 3 > 0) add('completed');
      if (n % 6 === 1) add('goal');
    }
  await insert('activities', rows);
  const at = { ...whose(tour, people[1]), day: today(), part_id: tour.steps[1]?.id, path: '/settings/*' };
  await insert('findings', [{ ...at, finding: 'not_found', at: Date.now() }]);
}

const steps = [
  { title: 'Welcome to Acme', buttons: [{ text: 'Show me around' }, { text: 'Not now' }] },
  { title: 'Your projects are here', buttons: [{ text: 'Next' }] },
  { title: 'Invite your team', buttons: [{ text: 'Done' }] },
];
const makeTour = () => make('tours', { steps, goal: 'invited', published_at: '$now' });

const surveySteps = [
  { title: 'How likely are you to recommend us?', preset: 'survey_nps' },
  {
    title: 'What describes you best?',
    preset: 'survey_three',
    buttons: [{ text: 'Developer' }, { text: 'Designer' }, { text: hostileName }],
  },
  { title: 'What can we do better?', preset: 'survey_input', buttons: [{ text: 'Send' }] },
];

async function answerSurvey(survey: Made, count: number): Promise<void> {
  const people = await addPeople(25);
  const [nps, role, why] = survey.steps;
  const responses: object[] = [];
  const answers: object[] = [];
  const none = { button_id: null, button_index: null, button_text: null, value: null, input: null };
  for (let n = 0; n < count; n++) {
    const time = startOfDay(today() - (n % 20)) + 1000 + n;
    const id = firstIdAt(time).slice(0, 15) + String(n).padStart(9, '0');
    const of = whose(survey, people[n % people.length]);
    responses.push({ ...of, id, updated_at: time, updated_tick: time, showing_from: n });
    const add = (step_id: string | undefined, question_order: number, fields: object) =>
      answers.push({ ...of, response_id: id, step_id, question_order, ...none, ...fields });
    const score = [10, 9, 8, 10, 6, 9, 7, 3][n % 8] ?? 0;
    add(nps?.id, 0, { value: `${score}`, button_index: score, button_text: `${score}` });
    const at = n % 3 === 0 ? 2 : n % 2;
    add(role?.id, 1, { button_id: role?.buttons[at]?.id, button_index: at, button_text: 'x' });
    add(why?.id, 2, { input: `Text ${n}: ${['More templates', 'مرحبا بالعالم', 'It is fine as it is.'][n % 3]}` });
  }
  await insert('responses', responses);
  await insert('answers', answers);
  const rows = people.map((person) => ({ ...whose(survey, person), day: today() - 1, what: 'started', part_id: '' }));
  await insert('activities', rows);
}

const open = (made: Made, query = '', options: object = {}) =>
  dashboard.open(`/app/experiences/${made.id}/results${query}`, { admin: owner, ...options });

describe('the results of a tour', () => {
  it('show the numbers that the server counts with their period', async () => {
    const tour = await makeTour();
    await useTour(tour);
    const { stats } = (await owner.browser.get(`/v3/analyze/tours/${tour.id}/stats`)).body;
    const page = await open(tour);
    await page.getByRole('heading', { name: 'By day' }).waitFor();
    await page.getByText('Step 2 on /settings/*').waitFor();
    const tiles = page.getByRole('group', { name: 'Numbers of the period' });
    await tiles.getByText(String(stats.totals.started), { exact: true }).first().waitFor();
    await tiles.getByText('in the last 30 days').waitFor();
    const funnel = page.getByRole('table', { name: 'By step' });
    for (const { seen } of stats.steps)
      await funnel.getByRole('cell').getByText(String(seen), { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Show as table' }).click();
    const table = page.getByRole('table', { name: /by day$/ });
    const row = table.getByRole('row').nth(1);
    const last = stats.days.at(-1);
    expect(await row.getByRole('cell').allTextContents()).toEqual(
      ['started', 'completed', 'exited', 'snoozed', 'goal'].map((what) => String(last[what])),
    );
    expect(await row.textContent()).toContain('Today so far');
    expect(await table.getByRole('row').count()).toBe(31);
  });

  it('are read day by day with the arrow keys, and have their period in the address', async () => {
    const tour = await makeTour();
    await useTour(tour);
    const { stats } = (await owner.browser.get(`/v3/analyze/tours/${tour.id}/stats`)).body;
    const page = await open(tour, '?days=30');
    const chart = page.getByRole('group', { name: /by day$/ });
    await chart.getByRole('img').last().focus();
    expect(await focused(page)).toContain(`Started ${stats.days.at(-1).started}`);
    expect(await focused(page)).toContain('The day is not over.');
    await page.keyboard.press('ArrowLeft');
    expect(await focused(page)).toContain(`Started ${stats.days.at(-2).started}`);
    expect(await focused(page)).not.toContain('not over');
    await page.keyboard.press('Home');
    expect(await focused(page)).toContain(`Started ${stats.days[0].started}`);
    await page.keyboard.press('Tab');
    expect(await focused(page)).toMatch(/^a Published /);
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('button Show as table');
    await page.getByRole('radio', { name: '7 days' }).click();
    await page.getByText('in the last 7 days').waitFor();
    await page.getByRole('radio', { name: '90 days' }).click();
    await page.getByText('in the last 90 days').waitFor();
    expect(new URL(page.url()).search).toBe('?days=90');
    await page.getByRole('button', { name: 'Custom range' }).click();
    await page.getByLabel('From').fill(toDate(today() - 3));
    await page.getByLabel('To', { exact: true }).fill(toDate(today() + 1));
    await page.getByRole('button', { name: 'Show period' }).click();
    await page.getByText('This day has not begun yet.').waitFor();
    await page.getByLabel('To', { exact: true }).fill(toDate(today() - 1));
    await page.getByRole('button', { name: 'Show period' }).click();
    await expect
      .poll(() => new URL(page.url()).search)
      .toBe(`?from=${toDate(today() - 3)}&until=${toDate(today() - 1)}`);
    await page.goBack();
    await page.getByText('in the last 90 days').waitFor();
  });

  it('open the people of every number, and the Changes that are marked', async () => {
    const tour = await makeTour();
    await useTour(tour);
    const page = await open(tour);
    const { totals } = (await owner.browser.get(`/v3/analyze/tours/${tour.id}/stats`)).body.stats;
    // The rows of this test have no Interactions, which pages always have.
    const { app, account } = dashboard.api;
    await app.storage.write(account.account_id, async (db) => {
      const rows = await db
        .selectFrom('activities')
        .select('profile_id')
        .distinct()
        .where('account_id', '=', account.account_id)
        .execute();
      const values = rows.map(({ profile_id }) => ({
        ...whose(tour, profile_id),
        id: app.newId(),
        updated_at: app.now(),
        state: 'started' as const,
      }));
      await db
        .insertInto('interactions')
        .values(values as never)
        .execute();
    });
    await page.getByRole('button', { name: /show the people of “Completed”/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Completed' });
    await dialog.getByText(`${totals.completed} people`).waitFor();
    await dialog.getByRole('button', { name: 'Save as Segment' }).click();
    await dialog.getByLabel('Name of the Segment').fill('Finished the tour');
    await dialog.getByRole('button', { name: 'Create Segment' }).click();
    await page.getByText(`The Segment gets ${totals.completed} people.`).waitFor();
    await page.getByRole('link', { name: /^Published/ }).click();
    await page.locator('li[aria-current=true]').getByText('published', { exact: false }).first().waitFor();
  });

  it('say what will be here while there is nothing', async () => {
    const draft = await make('tours', { steps });
    const page = await open(draft);
    await page.getByText('No results yet').waitFor();
    const live = await makeTour();
    await page.goto(`${dashboard.api.url}/app/experiences/${live.id}/results`);
    await page.getByText('No one has seen it yet').waitFor();
  });

  it('name everything as people saw it, not as the draft does, and a viewer downloads them', async () => {
    const tour = await makeTour();
    await useTour(tour);
    const [first, ...others] = tour.steps;
    const draft = { ...first, title: 'Not published', buttons: [{ ...first?.buttons[0], text: 'Nor this' }] };
    const { status } = await owner.browser.patch(`/v3/edit/tours/${tour.id}`, { steps: [draft, ...others] });
    expect(status).toBe(200);
    const page = await open(tour, '', { admin: await addSignedIn(dashboard.api, 'viewer') });
    await page.getByText('1. Welcome to Acme').waitFor();
    await page.getByText('Show me around').waitFor();
    expect(await page.getByText(/Not published|Nor this/).count()).toBe(0);
    const downloaded = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    await page.getByRole('menuitem', { name: 'Numbers by day' }).click();
    const file = await downloaded;
    expect(file.suggestedFilename()).toBe('Welcome tour - days.csv');
    const [head, ...days] = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n');
    expect([head, days.length]).toEqual(['day,displayed,started,completed,exited,snoozed,goal', 30]);
  });

  it('say how old they are if a replica of the database is behind', async () => {
    const tour = await makeTour();
    await useTour(tour);
    const page = await dashboard.open(`/app/experiences/${tour.id}`, { admin: owner });
    let age = '12';
    await page.route('**/stats?*', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, headers: { ...response.headers(), 'usher-data-age': age } });
    });
    await page.getByRole('link', { name: 'Results' }).click();
    const note = page.getByText('These numbers are as of 12 seconds before they were loaded.');
    await note.waitFor();
    age = '2';
    await page.reload();
    await page.getByText('1. Welcome to Acme').waitFor();
    expect(await page.getByText('before they were loaded').count()).toBe(0);
  });

  it('explain an error of the server', async () => {
    const tour = await makeTour();
    const page = await dashboard.open(`/app/experiences/${tour.id}`, { admin: owner });
    await page.route('**/stats?*', (route) => route.fulfill({ status: 422, json: { messages: ['`from` is wrong'] } }));
    await page.getByRole('link', { name: 'Results' }).click();
    await page.getByRole('alert').getByText('from is wrong.').waitFor();
  });
});

describe('the results of a survey', () => {
  it('show the NPS, the answers and the texts, page by page', async () => {
    const survey = await make('surveys', { name: 'How do you like it?', steps: surveySteps, published_at: '$now' });
    await answerSurvey(survey, 64);
    const { stats } = (await owner.browser.get(`/v3/analyze/surveys/${survey.id}/stats`)).body;
    const page = await open(survey);
    await page.getByText(`+${stats.nps.score}`).waitFor();
    await page.getByText('20 texts so far').waitFor();
    // Each comment has the score that the same person gave.
    const comments = page.getByRole('region', { name: /^Texts for/ }).getByRole('listitem');
    const scores = [10, 9, 8, 10, 6, 9, 7, 3];
    for (const text of await comments.allInnerTexts())
      expect(text).toContain(`Score ${scores[Number(/Text (\d+)/.exec(text)?.[1]) % 8]}`);
    await page.getByRole('button', { name: 'Load more texts' }).click();
    await page.getByText('40 texts so far').waitFor();
    const person = page.getByRole('link', { name: /user\d/ }).first();
    expect(await person.getAttribute('href')).toMatch(/^\/app\/people\/[\da-f]{24}$/);
    const downloaded = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    await page.getByRole('menuitem', { name: 'Responses' }).click();
    const lines = (await readFile(await (await downloaded).path(), 'utf8')).trimEnd().split('\r\n');
    expect(lines).toHaveLength(65);
  });
});

describe('the results of a launcher', () => {
  it('show which items people clicked', async () => {
    const items = [
      { title: 'Documentation', url: '/docs' },
      { kind: 'divider' },
      { title: 'Contact us', url: '/chat' },
    ];
    const launcher = await make('launchers', { name: 'Help', items, published_at: '$now' });
    const people = await addPeople(9);
    const rows = people.flatMap((person, n) => [
      { ...whose(launcher, person), day: today(), what: 'displayed', part_id: '' },
      ...(n < 3
        ? [{ ...whose(launcher, person), day: today(), what: 'button', part_id: launcher.items?.[0]?.id }]
        : []),
    ]);
    await insert('activities', rows);
    const page = await open(launcher);
    const row = page.getByRole('table', { name: 'Clicks' }).getByRole('row').filter({ hasText: 'Documentation' });
    await row.waitFor();
    expect(await row.getByRole('cell').allTextContents()).toEqual(['3', '33.3%']);
    expect(await page.getByText('Divider').count()).toBe(0);
  });
});
