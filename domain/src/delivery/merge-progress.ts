import type { Millis } from '../basics/time.ts';
import type { Progress } from './interaction-progress.ts';

const order = { displayed: 0, started: 1, exited: 2, completed: 3 } as const;

/**
 * How far two profiles got with one Experience, when they turn out to be one user. The one that got further has the current showing;
 * if both got equally far, it is the first. No time gets lost: the later one stays.
 */
export function mergeProgress(known: Progress, other: Progress): Progress {
  const further = isOtherFurther(known, other) ? other : known;
  return {
    ...further,
    defer_count: known.defer_count + other.defer_count,
    displayed_at: later(known.displayed_at, other.displayed_at),
    started_at: later(known.started_at, other.started_at),
    completed_at: later(known.completed_at, other.completed_at),
    exited_at: later(known.exited_at, other.exited_at),
    snoozed_at: later(known.snoozed_at, other.snoozed_at),
    displayed_to: Math.max(known.displayed_to, other.displayed_to),
  };
}

export function isOtherFurther(known: Pick<Progress, 'state'>, other: Pick<Progress, 'state'>): boolean {
  return order[other.state] > order[known.state];
}

function later(one: Millis | null, other: Millis | null): Millis | null {
  return one === null ? other : Math.max(one, other ?? one);
}

/** A row of a day on which a user did something, with the day before on which they did the same; -1 if there was none. */
export interface ChainedDay {
  day: number;
  previous_day: number;
  /** Null in rows of versions that did not store the time. */
  at: Millis | null;
}

/**
 * Joins the days on which two profiles did the same. On a day of both, the row of the first time stays. The day before a row may be one whose
 * row was deleted because of its age.
 */
export function mergeDays<Row extends ChainedDay>(known: readonly Row[], others: readonly Row[]): Row[] {
  const all = [...known, ...others];
  const lastFirst = all.toReversed().sort((one, other) => (other.at ?? 0) - (one.at ?? 0));
  const byDay = new Map(lastFirst.map((row) => [row.day, row]));
  const days = new Set(all.flatMap(({ day, previous_day }) => [day, previous_day]));
  return [...byDay.values()].map((row) => ({
    ...row,
    previous_day: Math.max(-1, ...[...days].filter((day) => day < row.day)),
  }));
}
