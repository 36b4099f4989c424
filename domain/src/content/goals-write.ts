import { addProblem, isRecord } from '../basics/input.ts';
import { initialValues } from '../fields/derive.ts';
import {
  type ExperienceGoal,
  type GoalFields,
  type GoalKind,
  type GoalRule,
  goalFields,
} from '../fields/goal-fields.ts';
import { normalizeKey } from '../ingestion/key.ts';
import { type Filter, isForeign } from '../targeting/filter.ts';
import { completeField } from './complete-field.ts';
import type { Document } from './experience.ts';

/*
 * The goals of an Experience as requests write them. `goal` is the name of the event of the primary goal, for clients that know only
 * that; both are written together.
 */

type WithGoals = Partial<Pick<Document, 'goal' | 'goals'>>;

/** The goal that follows from `goal` in a document without `goals`. IDs of goals are unique within their Experience. */
const ONLY_GOAL_ID = `${'0'.repeat(23)}1`;

/** The goals of a document. One from before goals existed has at most the name of an event. */
export function listGoals({ goal, goals = [] }: WithGoals): ExperienceGoal[] {
  return goals.length > 0 || !goal ? goals : [eventGoal(ONLY_GOAL_ID, goal)];
}

/** Whether all goals follow from `goal`: there is one, an event without anything else. */
export function isOneEvent(document: WithGoals): boolean {
  const [only, ...others] = listGoals(document);
  if (!only?.event_name || others.length > 0) return false;
  return JSON.stringify(only) === JSON.stringify(eventGoal(only.id, only.event_name));
}

/** The document as a file has it: with `goal` or with `goals`. */
export function withGoalsOnce<D extends WithGoals>(document: D): D {
  return isOneEvent(document) ? { ...document, goals: [] } : { ...document, goal: null };
}

export function emptyGoal(id: string): ExperienceGoal {
  return { id, goal_id: null, primary: false, ...(initialValues(goalFields) as GoalFields) };
}

function eventGoal(id: string, name: string): ExperienceGoal {
  return { ...emptyGoal(id), primary: true, name, event_name: name };
}

/** Writes `goals` and `goal` of a request into the document. */
export function writeGoals(
  before: WithGoals,
  input: Record<string, unknown>,
  newId: () => string,
  problems: string[],
  acceptsIds = false,
): WithGoals {
  const known = listGoals(before);
  const name = typeof input.goal === 'string' ? normalizeKey(input.goal) || null : (input.goal as null | undefined);
  const given = Array.isArray(input.goals) ? readGoals(input.goals, known, newId, problems, acceptsIds) : undefined;
  const had = before.goal ?? null;
  // Clients send back a whole record in which they have changed one of the two.
  if (given && (name === undefined || name === had || isShared(given))) return store(before, given);
  if (given && name !== nameOf(given)) {
    if (JSON.stringify(given) !== JSON.stringify(known))
      addProblem(problems, 'goal', 'must be the event of the primary goal in `goals`: give one of the two');
    return store(before, withEvent(known, name ?? null, newId));
  }
  if (given) return store(before, given);
  return name === undefined || name === had ? before : store(before, withEvent(known, name, newId));
}

/** Removes the IDs of goals of other Experiences: these goals get new IDs. */
export function dropGoalIds(goals: unknown, known: readonly ExperienceGoal[] = []): unknown {
  if (!Array.isArray(goals)) return goals;
  const ids = known.map(({ id }) => id);
  return goals.map(({ id, ...goal }) => ({ ...goal, ...(ids.includes(id) && { id }) }));
}

/** Nothing changes if the goals are the same, so that a document from before goals existed stays as it is. */
function store(before: WithGoals, goals: ExperienceGoal[]): WithGoals {
  const isSame = JSON.stringify(goals) === JSON.stringify(listGoals(before));
  return isSame ? before : { ...before, goals, goal: nameOf(goals) };
}

export function primaryGoal(goals: readonly ExperienceGoal[]): ExperienceGoal | undefined {
  return goals.find(({ primary }) => primary);
}

/** Whether the primary goal is a shared one. Its event is not in the document. */
function isShared(goals: readonly ExperienceGoal[]): boolean {
  return (primaryGoal(goals)?.goal_id ?? null) !== null;
}

function nameOf(goals: readonly ExperienceGoal[]): string | null {
  const primary = primaryGoal(goals);
  return primary?.kind === 'event' ? primary.event_name : null;
}

/** The goals with this event as the primary one. Conditions on its properties go: they were of another event. */
function withEvent(goals: readonly ExperienceGoal[], name: string | null, newId: () => string): ExperienceGoal[] {
  const primary = primaryGoal(goals);
  const isEvent = primary?.goal_id === null && primary.kind === 'event';
  if (name === null) return withPrimary(goals.filter((goal) => goal !== primary || !isEvent));
  if (isEvent && primary.event_name === name) return [...goals];
  const goal = eventGoal(isEvent ? primary.id : newId(), name);
  const others = goals.filter((one) => one !== primary || !isEvent).map((one) => ({ ...one, primary: false }));
  return [goal, ...others];
}

/** The first goal is the primary one if none is. */
function withPrimary(goals: readonly ExperienceGoal[]): ExperienceGoal[] {
  return primaryGoal(goals) ? [...goals] : goals.map((goal, at) => ({ ...goal, primary: at === 0 }));
}

function readGoals(
  input: readonly unknown[],
  known: readonly ExperienceGoal[],
  newId: () => string,
  problems: string[],
  acceptsIds: boolean,
): ExperienceGoal[] {
  const free = new Map(known.map((goal) => [goal.id, goal]));
  const items = input.filter(isRecord);
  const taken = new Set<unknown>();
  const kept = items.map(({ id }, at) => {
    if (id === undefined) return undefined;
    const isFree = !taken.has(id);
    taken.add(id);
    if (free.delete(String(id)) || (acceptsIds && isFree)) return String(id);
    addProblem(
      problems,
      `goals[${at}].id`,
      'is no goal of this Experience, or stands here twice: leave it out for a new one',
    );
    return undefined;
  });
  const goals = items.map((item, at) => {
    const read = readGoal(item, `goals[${at}]`, problems);
    const id = kept[at] ?? findSame(free, read) ?? newId();
    free.delete(id);
    return { ...read, id };
  });
  const primary = goals.filter((goal) => goal.primary);
  if (primary.length > 1) addProblem(problems, 'goals', 'can have one goal that is `primary`');
  const shared = goals.flatMap(({ goal_id }) => goal_id ?? []);
  if (new Set(shared).size < shared.length) addProblem(problems, 'goals', 'has the same shared goal twice');
  return withPrimary(goals);
}

/** A goal that comes back without its ID, as from a file, keeps it if nothing else or only its conditions changed. */
function findSame(free: ReadonlyMap<string, ExperienceGoal>, goal: ExperienceGoal): string | undefined {
  const others = [...free.values()];
  const withoutId = (one: ExperienceGoal) => JSON.stringify({ ...one, id: '' });
  const same = others.find((one) => withoutId(one) === withoutId(goal));
  const isAlike = (one: ExperienceGoal) =>
    one.goal_id === goal.goal_id && (goal.goal_id !== null || (one.name === goal.name && one.name !== ''));
  return (same ?? others.find(isAlike))?.id;
}

function readGoal(item: Record<string, unknown>, path: string, problems: string[]): ExperienceGoal {
  const { goal_id = null, primary = false } = item as { goal_id?: string | null; primary?: boolean };
  if (goal_id !== null) return { ...emptyGoal(''), goal_id, primary };
  const rule = readGoalRule(item, `${path}.`, problems);
  const { name = '' } = item as { name?: string };
  return { id: '', goal_id, primary, name: name.trim() || rule.event_name || 'Goal', ...rule };
}

/** The fields of a goal of its kind; all others have their initial values. `path` is where they are in the request. */
export function readGoalRule(input: Record<string, unknown>, path: string, problems: string[]): GoalRule {
  const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  const all = { ...(initialValues(goalFields) as GoalFields), ...given } as GoalRule;
  const initial = initialValues(goalFields) as GoalFields;
  const { kind } = all;
  const rule: GoalRule = {
    kind,
    event_name: kind === 'event' && all.event_name ? normalizeKey(all.event_name) || null : null,
    segment_id: kind === 'segment' ? all.segment_id : null,
    experience_id: kind === 'experience' ? all.experience_id : null,
    experience_state: kind === 'experience' ? (all.experience_state ?? 'completed') : null,
    filters:
      kind === 'event' || kind === 'property' ? (completeField('filters', all.filters) as Filter[]) : initial.filters,
    sum_property: kind === 'event' ? readPath(all.sum_property) : null,
    within_days: all.within_days,
  };
  for (const [name, message] of missing[kind](rule)) addProblem(problems, `${path}${name}`, message);
  checkFilters(rule.filters, `${path}filters`, problems);
  return rule;
}

const missing: Record<GoalKind, (rule: GoalRule) => [name: string, message: string][]> = {
  event: ({ event_name }) => (event_name === null ? [['event_name', 'must be the name of an event']] : []),
  segment: ({ segment_id }) => (segment_id === null ? [['segment_id', 'must be the ID of a Segment']] : []),
  property: ({ filters }) => (filters.length === 0 ? [['filters', 'must be a list with a filter at least']] : []),
  experience: ({ experience_id }) =>
    experience_id === null ? [['experience_id', 'must be the ID of an Experience']] : [],
};

/** Goals test properties, of the event or of the person. Everything else is a goal of another kind. */
function checkFilters(filters: readonly Filter[], path: string, problems: string[]): void {
  for (const [at, filter] of filters.entries()) {
    if (filter.kind === 'group') checkFilters(filter.filters, `${path}[${at}].filters`, problems);
    else if (filter.kind !== 'property' || isForeign(filter))
      addProblem(problems, `${path}[${at}].kind`, 'must be one of `property` and `group`');
  }
}

/** The keys of the properties of events are normalized. */
function readPath(path: string | null): string | null {
  const keys = (path ?? '').split('.').map(normalizeKey);
  return keys.every((key) => key !== '') ? keys.join('.') : null;
}
