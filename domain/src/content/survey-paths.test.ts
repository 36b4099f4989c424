import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomRuns } from '../../test/random-runs.ts';
import type { NextRule } from '../fields/field.ts';
import { completeQuestion } from '../fields/question.ts';
import { type AnswerTest, answerOps, END } from '../fields/rules.ts';
import { findNext, type GivenAnswer, matchesAnswer } from './answer-rules.ts';
import { findSurveyPaths, listPathProblems } from './survey-paths.ts';

interface TestStep {
  id: string;
  preset: null;
  buttons: [];
  question: ReturnType<typeof completeQuestion>;
  next: NextRule[];
}

const options = ['a', 'b', 'c'].map((id) => ({ id, text: id }));
const ask = (id: string, next: NextRule[] = []): TestStep => ({
  ...{ id, preset: null, buttons: [], next, question: completeQuestion({ kind: 'single', options }) },
});
const on = (step_id: string, value: string, go: string): NextRule => ({ when: { step_id, op: 'eq', value }, go });
const problemsOf = (steps: TestStep[], answersIn: (step: { id: string }) => string[] = () => []) =>
  listPathProblems(steps as never, answersIn).map(({ index, message }) => `${index}: ${message}`);

describe('matchesAnswer', () => {
  const test = (op: AnswerTest['op'], value: AnswerTest['value'], given: GivenAnswer) =>
    matchesAnswer({ op, value }, given);

  it('compares numbers by their size, and dates and IDs as texts', () => {
    expect(test('lt', '10', ['9'])).toBe(true);
    expect(test('gte', '10', ['9'])).toBe(false);
    expect(test('eq', '1', ['1.0'])).toBe(true);
    expect(test('lt', '2029-10-01', ['2029-04-07'])).toBe(true);
    expect(test('eq', 'yes', ['Yes'])).toBe(false);
  });

  it('finds one of several choices, and a part of a text', () => {
    expect(test('eq', 'b', ['a', 'b'])).toBe(true);
    expect(test('in', ['b', 'x'], ['a', 'b'])).toBe(true);
    expect(test('ne', 'b', ['a', 'b'])).toBe(false);
    expect(test('contains', 'SLOW', ['It is slow.'])).toBe(true);
  });

  it('takes a skipped question as unequal, and as not answered', () => {
    const passing = answerOps.filter((op) => test(op, op === 'in' ? ['1'] : '1', []));
    expect(passing).toEqual(['ne', 'not_answered']);
  });
});

describe('listPathProblems', () => {
  it('accepts branches that meet again', () => {
    const steps = [
      ask('1', [on('1', 'a', '3')]),
      ask('2', [{ when: null, go: '4' }]),
      ask('3'),
      ask('4', [on('2', 'b', END), on('3', 'b', END)]),
    ];
    expect(problemsOf(steps, ({ id }) => (id === '4' ? ['1', '3'] : []))).toEqual([]);
  });

  it('describes cycles, steps without a path, and answers that come later', () => {
    expect(problemsOf([ask('1'), ask('2', [on('2', 'a', '1')])])).toEqual([
      '0: it leads back to itself (by step 2, 1): let one of its paths end',
    ]);
    expect(problemsOf([ask('1', [{ when: null, go: END }]), ask('2')])[0]).toContain('1: no path leads to it');
    expect(problemsOf([ask('1', [on('2', 'a', END)]), ask('2')])[0]).toContain('step 2, which does not come before');
    expect(problemsOf([ask('1', [on('1', 'a', '3')]), ask('2', [on('3', 'a', END)]), ask('3')])[0]).toContain(
      '1: rule 1: it tests the answer to step 3',
    );
    expect(problemsOf([ask('1')], () => ['1'])[0]).toContain('it shows the answer to step 1');
    expect(problemsOf([ask('1')], () => ['9'])[0]).toContain('the ID of no step');
  });
});

/** Random steps with rules to any step about any answer. */
const surveys = fc.integer({ min: 1, max: 7 }).chain((count) => {
  const id = fc.integer({ min: 0, max: count - 1 }).map(String);
  const when = fc.oneof(
    fc.constant(null),
    fc.record({ step_id: id, op: fc.constantFrom('eq' as const, 'ne' as const), value: fc.constantFrom('a', 'b') }),
  );
  const rule = fc.record({ when, go: fc.oneof({ weight: 4, arbitrary: id }, fc.constant(END)) });
  return fc.tuple(
    ...Array.from({ length: count }, (_, at) => fc.array(rule, { maxLength: 2 }).map((next) => ask(String(at), next))),
  );
});
const clicks = fc.array(fc.constantFrom('a', 'b', 'c', undefined), { minLength: 60, maxLength: 60 });

/** Walks through a survey as the browser script does. */
function walk(steps: readonly TestStep[], chosen: readonly (string | undefined)[]): string[] {
  const answers = new Map<string, GivenAnswer>();
  const seen: string[] = [];
  for (let at = 0; at >= 0 && at < steps.length && seen.length < chosen.length; ) {
    const step = steps[at] as TestStep;
    const answer = chosen[seen.length];
    if (answer !== undefined) answers.set(step.id, [answer]);
    seen.push(step.id);
    const go = findNext(step.next as never, answers);
    if (go === END) break;
    at = go === undefined ? at + 1 : steps.findIndex(({ id }) => id === go);
  }
  return seen;
}

describe('random surveys', () => {
  it('end on every path if they can be published, and only visit steps that are known to be reachable', () => {
    fc.assert(
      fc.property(surveys, clicks, (steps, chosen) => {
        const { reachable, before, cycle } = findSurveyPaths(steps as never);
        const seen = walk(steps, chosen);
        expect(seen.every((id) => reachable.has(id))).toBe(true);
        const isKnown = (id: string, at: number) => seen.slice(0, at).every((earlier) => before.get(id)?.has(earlier));
        expect(seen.every(isKnown)).toBe(true);
        if (!cycle) expect(new Set(seen).size).toBe(seen.length);
        if (!cycle) expect(seen.length).toBeLessThanOrEqual(steps.length);
      }),
      { numRuns: randomRuns(500) },
    );
  });

  it('have a path problem exactly if a step cannot be reached, a path does not end, or an answer is not known', () => {
    fc.assert(
      fc.property(surveys, (steps) => {
        const { reachable, before, cycle } = findSurveyPaths(steps as never);
        const isKnown = (id: string, of: string) => id === of || !!before.get(of)?.has(id);
        const isWrong =
          cycle !== undefined ||
          reachable.size < steps.length ||
          steps.some(({ id, next }) =>
            next.some(({ when }) => when && 'step_id' in when && !isKnown(when.step_id, id)),
          ) ||
          steps.some(({ next }) => next.slice(0, -1).some(({ when }) => when === null));
        expect(problemsOf(steps).length > 0).toBe(isWrong);
      }),
      { numRuns: randomRuns(500) },
    );
  });
});
