import type { NextRule } from '../fields/field.ts';
import { type AskedQuestion, askOf, isNumeric, isWrittenAnswer } from '../fields/question.ts';
import { type AnswerOp, type AnswerTest, answerOps, END } from '../fields/rules.ts';
import type { Step } from './experience.ts';

/*
 * The paths through a survey: which steps can follow each step, and what is wrong with its rules. A draft may have any rules; these
 * problems keep it from being published.
 */

type PathStep = Pick<Step, 'id' | 'preset' | 'buttons'> & Partial<Pick<Step, 'question' | 'next'>> & Partial<Step>;

export interface SurveyPath {
  from: string;
  /** The ID of a step, or `end`. */
  to: string;
  /** The index of the rule that leads there; undefined for the step that follows in the list, or the end after the last one. */
  rule?: number;
}

export interface SurveyPaths {
  /** Every way from one step to another, in the order of the survey. Rules to unknown steps are left out. */
  paths: SurveyPath[];
  /** The IDs of the steps that a user can come to. */
  reachable: ReadonlySet<string>;
  /** The steps that a user can have seen before each step. */
  before: ReadonlyMap<string, ReadonlySet<string>>;
  /** The steps of a path that leads back to where it began. Undefined if every path ends. */
  cycle: readonly string[] | undefined;
}

/** Finds every path through a survey. */
export function findSurveyPaths(steps: readonly PathStep[]): SurveyPaths {
  const paths = listPaths(steps);
  const targets = new Map<string, string[]>();
  for (const { from, to } of paths) if (to !== END) targets.set(from, [...(targets.get(from) ?? []), to]);
  const [first] = steps;
  const reachable = first ? listReachable(first.id, targets) : new Set<string>();
  const before = new Map<string, Set<string>>(steps.map(({ id }) => [id, new Set()]));
  for (const { id } of steps)
    if (reachable.has(id)) for (const later of listReachable(id, targets, false)) before.get(later)?.add(id);
  return { paths, reachable, before, cycle: findCycle(reachable, targets, before) };
}

function listPaths(steps: readonly PathStep[]): SurveyPath[] {
  const ids = new Set(steps.map(({ id }) => id));
  return steps.flatMap(({ id, next = [] }, at) => {
    const always = next.findIndex(({ when }) => when === null);
    const used = always < 0 ? next : next.slice(0, always + 1);
    const chosen = used.flatMap(({ go }, rule) => (go === END || ids.has(go) ? [{ from: id, to: go, rule }] : []));
    return always < 0 ? [...chosen, { from: id, to: steps[at + 1]?.id ?? END }] : chosen;
  });
}

function listReachable(start: string, targets: ReadonlyMap<string, string[]>, withStart = true): Set<string> {
  const found = new Set<string>(withStart ? [start] : []);
  const open = [start];
  for (let id = open.pop(); id !== undefined; id = open.pop())
    for (const to of targets.get(id) ?? [])
      if (!found.has(to)) {
        found.add(to);
        open.push(to);
      }
  return found;
}

/** A step that can come before itself is in a cycle. Its way back is followed through steps that also are. */
function findCycle(
  reachable: ReadonlySet<string>,
  targets: ReadonlyMap<string, string[]>,
  before: ReadonlyMap<string, ReadonlySet<string>>,
): string[] | undefined {
  const start = [...reachable].find((id) => before.get(id)?.has(id));
  if (start === undefined) return undefined;
  const cameFrom = new Map<string, string>();
  const open = [start];
  for (let id = open.shift(); id !== undefined; id = open.shift())
    for (const to of targets.get(id) ?? []) {
      if (to === start) return traceBack(start, id, cameFrom);
      if (cameFrom.has(to)) continue;
      cameFrom.set(to, id);
      open.push(to);
    }
  return [start];
}

function traceBack(start: string, last: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const steps: string[] = [];
  for (let id: string | undefined = last; id !== undefined && id !== start; id = cameFrom.get(id)) steps.unshift(id);
  return [start, ...steps];
}

/** What is wrong with a path. `index` is the place of the step, and `path` leads to the field within it. */
export interface PathProblem {
  index: number;
  path: string;
  message: string;
}

/** Lists what keeps the paths of a survey from being published: each continues a sentence about the step. */
export function listPathProblems(
  steps: readonly PathStep[],
  answersIn: (step: PathStep) => readonly string[],
): PathProblem[] {
  const found = findSurveyPaths(steps);
  const indexOf = new Map(steps.map(({ id }, at) => [id, at]));
  const problems: PathProblem[] = [];
  const add = (index: number, path: string, message: string) => problems.push({ index, path, message });
  if (found.cycle) {
    const [first = '', ...others] = found.cycle;
    const way = [...others, first].map((id) => (indexOf.get(id) ?? 0) + 1).join(', ');
    add(indexOf.get(first) ?? 0, 'next', `it leads back to itself (by step ${way}): let one of its paths end`);
  }
  for (const [index, step] of steps.entries()) {
    if (!found.reachable.has(step.id))
      add(index, 'next', 'no path leads to it: change the rules of a step before it, or remove it');
    const canKnow = (id: string) => id === step.id || !!found.before.get(step.id)?.has(id);
    for (const [at, rule] of (step.next ?? []).entries())
      for (const { field, message } of listRuleProblems(rule, at, step, steps, canKnow))
        add(index, `next.${at}${field}`, `rule ${at + 1}: ${message}`);
    if (!found.reachable.has(step.id)) continue;
    for (const id of new Set(answersIn(step)))
      if (!indexOf.has(id)) add(index, 'body', `it shows the answer to "${id}", which is the ID of no step`);
      else if (id === step.id || !canKnow(id))
        add(index, 'body', `it shows the answer to step ${(indexOf.get(id) ?? 0) + 1}, which does not come before it`);
  }
  return problems;
}

interface RuleProblem {
  field: string;
  message: string;
}

function listRuleProblems(
  { when, go }: NextRule,
  at: number,
  step: PathStep,
  steps: readonly PathStep[],
  canKnow: (id: string) => boolean,
): RuleProblem[] {
  const problems: RuleProblem[] = [];
  if (go !== END && !steps.some(({ id }) => id === go))
    problems.push({ field: '.go', message: 'it goes to a step that is gone: choose another, or the end' });
  const earlier = (step.next ?? []).slice(0, at);
  if (earlier.some((rule) => rule.when === null))
    problems.push({ field: '', message: 'a rule before it always matches: remove one of them' });
  if (!when || !('step_id' in when)) return problems;
  const index = steps.findIndex(({ id }) => id === when.step_id);
  const asked = steps[index];
  const ask = asked && askOf(asked);
  if (!asked)
    problems.push({ field: '.when.step_id', message: 'it tests the answer to a step that is gone: choose another' });
  else if (!canKnow(when.step_id))
    problems.push({
      field: '.when.step_id',
      message: `it tests the answer to step ${index + 1}, which does not come before it`,
    });
  else if (!ask)
    problems.push({ field: '.when.step_id', message: `it tests the answer to step ${index + 1}, which asks nothing` });
  else {
    const message = findTestProblem(when, ask);
    if (message) problems.push({ field: '.when.value', message });
  }
  return problems;
}

/** The operators that fit a question. */
export function listAnswerOps(ask: AskedQuestion): AnswerOp[] {
  return answerOps.filter((op) => findOpProblem(op, ask) === undefined);
}

/** Texts and answers to choose from have no order. */
function findOpProblem(op: AnswerOp, ask: AskedQuestion): string | undefined {
  const isOrder = /^[lg]t/.test(op);
  if (isNumeric(ask)) return op === 'contains' ? 'a number contains nothing: compare it' : undefined;
  if (ask.kind === 'date') return undefined;
  if (isOrder) return 'only numbers and dates have an order: test whether it is equal';
  if (isWrittenAnswer(ask) || op !== 'contains') return undefined;
  return 'answers to choose from contain nothing: test whether one is chosen';
}

function findTestProblem({ op, value }: AnswerTest, ask: AskedQuestion): string | undefined {
  if (op === 'answered' || op === 'not_answered') return undefined;
  const values = [value ?? []].flat();
  if (values.length === 0) return 'it compares with no answer: give one';
  const opProblem = findOpProblem(op, ask);
  if (opProblem !== undefined) return opProblem;
  if (isNumeric(ask)) {
    const wrong = values.find((one) => !isNumberFrom(one, ask.min ?? 0, ask.max ?? 0));
    return wrong === undefined ? undefined : `"${wrong}" is no answer: give a number from ${ask.min} to ${ask.max}`;
  }
  if (ask.kind === 'date' || isWrittenAnswer(ask)) return undefined;
  const known = ask.kind === 'consent' ? ['true', 'false'] : ask.options.map(({ id }) => id);
  const wrong = values.find((one) => !known.includes(one));
  return wrong === undefined ? undefined : `"${wrong}" is none of the answers: choose another`;
}

function isNumberFrom(text: string, min: number, max: number): boolean {
  return /^\d{1,2}$/.test(text) && Number(text) >= min && Number(text) <= max;
}
