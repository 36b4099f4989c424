import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { until, useHarness } from './browser.ts';
import { createRandom } from './random.ts';
import {
  nextOf,
  type Random,
  type RandomAnswer,
  type RandomQuestion,
  type RandomStep,
  randomAnswer,
  randomSurvey,
  shownText,
} from './random-surveys.ts';

const harness = useHarness();

/** How many surveys are answered, and the seed of the first one: `USHER_TEST_SURVEYS=100 npm test -- script/test/random-surveys`. */
const SURVEYS = Number(process.env.USHER_TEST_SURVEYS ?? 4);
const SEED = Number(process.env.USHER_SEED ?? Date.now() % 1_000_000);
const USERS = 2;

type Answers = Map<number, RandomAnswer>;

it.each(Array.from({ length: SURVEYS }, (_, at) => SEED + at))(
  'a random survey is answered as it was clicked, with the seed %i',
  { timeout: 120_000 },
  async (seed) => {
    const random = createRandom(seed);
    // The first numbers of similar seeds are similar.
    for (let turn = 0; turn < 5; turn++) random(2);
    const steps = randomSurvey(random);
    const requested = steps.map(({ shows: _, ...step }) => step);
    const survey = await harness.create('survey', { steps: requested });
    const ids = survey.steps.map(({ id }) => id);
    const page = await harness.open({});
    const given = new Map<string, Answers>();
    for (let user = 0; user < USERS; user++) {
      const uid = `random ${seed} ${user}`;
      // In the same tab, one user follows another one.
      await page.goto(`${page.url().replace(/&uid=.*/, '')}&uid=${encodeURIComponent(uid)}`);
      given.set(uid, await walkThrough(page, random, steps));
    }
    const answered = [...given].filter(([, answers]) => answers.size > 0);
    await until(async () => (await listResponses(survey.id)).map((one) => [one.uid, one.answers])).toEqual(
      answered.map(([uid, answers]) => [uid, storedAnswers(steps, ids, answers)]).reverse(),
    );
    expect(await listCells(survey.id)).toEqual(
      Object.fromEntries(answered.map(([uid, answers]) => [uid, cellsOf(steps, answers)])),
    );
    expect(await listCounts(survey.id)).toEqual(countsOf(steps, ids, [...given.values()]));
  },
);

/** Answers, skips and goes back at random until the survey ends. Returns the answers that should be stored. */
async function walkThrough(page: Page, random: Random, steps: readonly RandomStep[]): Promise<Answers> {
  const answers: Answers = new Map();
  const path: number[] = [];
  for (let at = 0, turns = 0; at < steps.length; turns++) {
    const step = steps[at] as RandomStep;
    const box = page.getByRole('dialog', { name: step.title, exact: true });
    await box.waitFor();
    if (path.at(-1) !== at) path.push(at);
    if (step.shows !== undefined) {
      const shown = shownText(steps[step.shows] as RandomStep, answers.get(step.shows));
      expect(await box.locator('.body').textContent()).toBe(`You said ${shown}.`);
    }
    const back = box.getByRole('button', { name: 'Back' });
    expect(await back.count()).toBe(path.length > 1 ? 1 : 0);
    if (path.length > 1 && turns < 25 && random(5) === 0) {
      await back.click();
      path.pop();
      at = path.at(-1) as number;
      continue;
    }
    const answer = step.question ? await answerQuestion(box, random, step.question, answers.get(at)) : undefined;
    if (!step.question) await box.locator('.acts button').last().click();
    if (answer) answers.set(at, answer);
    at = nextOf(steps, at, answers);
  }
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  return answers;
}

async function answerQuestion(
  box: Locator,
  random: Random,
  question: RandomQuestion,
  before: RandomAnswer | undefined,
): Promise<RandomAnswer | undefined> {
  const { kind, required, options = [] } = question;
  const lead = box.locator('.acts button:not(:text-is("Back"))');
  const field = box.locator('input, textarea');
  if (before && random(3) === 0) {
    await lead.click();
    return before;
  }
  if (!before && !required && random(3) === 0) {
    await lead.click();
    return kind === 'consent' ? { value: 'false' } : undefined;
  }
  if (!before && required && (await lead.count()) && random(3) === 0) {
    await lead.click();
    await box.getByRole('alert').waitFor();
  }
  const answer = randomAnswer(random, question);
  const { value, values = [], input } = answer;
  const nameOf = (id: string) => options.find((option) => option.id === id)?.text ?? 'Another';
  switch (kind) {
    case 'single':
      await box.getByRole('radio', { name: nameOf(value ?? ''), exact: true }).click();
      if (value !== 'other') return answer;
      await field.fill(input ?? '');
      break;
    case 'multiple': {
      const [checked, unchecked] = [true, false].map((checked) => box.getByRole('checkbox', { checked }));
      while (await checked?.count()) await checked?.first().click();
      for (const id of values)
        await unchecked?.and(box.getByRole('checkbox', { name: nameOf(id), exact: true })).click();
      if (values.includes('other')) await field.fill(input ?? '');
      break;
    }
    case 'stars':
    case 'scale': {
      const { min = 1 } = question;
      const place = Number(value) - min;
      // By mouse, or by its key.
      if (random(2) || place === 10) await box.getByRole('radio').nth(place).click();
      else await box.press(`${Number(value) % 10}`);
      return answer;
    }
    case 'consent': {
      const check = box.getByRole('checkbox');
      if ((await check.getAttribute('aria-checked')) !== value) await check.click();
      break;
    }
    default:
      await field.fill(input ?? '');
  }
  await lead.click();
  return answer;
}

interface StoredAnswer {
  step_id: string;
  option_ids: string[] | null;
  button_text: string | null;
  input_text: string | null;
  other_text: string | null;
}

async function listResponses(id: string): Promise<{ uid: string; answers: StoredAnswer[] }[]> {
  const { body } = await harness.api.get('/v3/analyze/responses', { query: `id=${id}&expand[profile]=all` });
  return body.responses.map(({ profile, answers }: { profile: { uid: string }; answers: StoredAnswer[] }) => ({
    uid: profile.uid,
    answers: answers.map(({ step_id, option_ids, button_text, input_text, other_text }) => ({
      ...{ step_id, option_ids, button_text, input_text, other_text },
    })),
  }));
}

function storedAnswers(steps: readonly RandomStep[], ids: readonly string[], answers: Answers): StoredAnswer[] {
  return ids.flatMap((step_id, at) => {
    const answer = answers.get(at);
    if (!answer) return [];
    const question = steps[at]?.question as RandomQuestion;
    const { value = null, values, input = null } = answer;
    const isChoice = question.kind === 'single' || question.kind === 'multiple';
    const chosen = values ?? [value ?? ''];
    const text = question.kind === 'single' ? textOf(question, chosen[0] ?? '') : value;
    return {
      ...{ step_id, option_ids: isChoice ? chosen : null, button_text: text },
      ...{ input_text: isChoice ? null : input, other_text: isChoice ? input : null },
    };
  });
}

function textOf({ options = [], other_text }: RandomQuestion, id: string): string {
  return options.find((option) => option.id === id)?.text ?? other_text ?? '';
}

/** The cells of each user in the CSV: what was chosen and what was written, for each question. */
async function listCells(id: string): Promise<Record<string, string[]>> {
  const { text } = await harness.api.get('/v3/analyze/responses.csv', { query: `id=${id}` });
  const [head = [], ...rows] = parseCsv(text);
  const first = head.findIndex((name) => name.startsWith('1. '));
  return Object.fromEntries(rows.map((row) => [row[head.indexOf('uid')] ?? '', row.slice(first)]));
}

function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain = '', end] of text
    .replace(/^\ufeff/, '')
    .matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end !== ',') rows.push([]);
  }
  return rows.filter((row) => row.length > 1);
}

function cellsOf(steps: readonly RandomStep[], answers: Answers): string[] {
  return steps.flatMap(({ question }, at) => {
    if (!question) return [];
    const { value, values, input = '' } = answers.get(at) ?? {};
    const isChoice = question.kind === 'single' || question.kind === 'multiple';
    const chosen = values ?? (value === undefined ? [] : [value]);
    return [(isChoice ? chosen.map((id) => textOf(question, id)) : chosen).join(', '), input];
  });
}

/** How often each answer was chosen, by step and answer. */
async function listCounts(id: string): Promise<Record<string, number>> {
  const { body } = await harness.api.get(`/v3/analyze/surveys/${id}/stats`);
  const counted = body.stats.answers as { step_id: string; value: string | null; count: number }[];
  return Object.fromEntries(
    counted.flatMap(({ step_id, value, count }) =>
      value !== null && count > 0 ? [[`${step_id} ${value}`, count]] : [],
    ),
  );
}

function countsOf(
  steps: readonly RandomStep[],
  ids: readonly string[],
  all: readonly Answers[],
): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const answers of all)
    for (const [at, { value, values }] of answers)
      for (const one of steps[at]?.question ? (values ?? (value === undefined ? [] : [value])) : []) {
        const key = `${ids[at]} ${one}`;
        counts[key] = (counts[key] ?? 0) + 1;
      }
  return counts;
}
