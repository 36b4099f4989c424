import { isFromWrongClock, type Millis } from '../basics/time.ts';
import type { InteractionState } from '../targeting/filter.ts';
import type { Activity, GroupKind, ReportedState, StoredActivity } from './interaction.ts';
import { type CurrentStep, followSteps, noStep, type StepActivity } from './step-flow.ts';

/*
 * How far one user got with one Experience, according to the reports of pages. A showing lasts from one start to the next;
 * within it, the Interaction only moves forward. The moment of a late or repeated report has already passed, so the report
 * changes nothing.
 */

/** The stored state of an Interaction. */
export interface Progress extends CurrentStep {
  state: InteractionState;
  group_kind: GroupKind | null;
  group_id: string | null;
  defer_count: number;
  defer_until: Millis | null;
  displayed_at: Millis | null;
  started_at: Millis | null;
  completed_at: Millis | null;
  exited_at: Millis | null;
  snoozed_at: Millis | null;
  /** The last step, by the order of steps, that was seen in this showing. */
  step_id: string | null;
  /** The moment when this showing began. It is 0 for the first showing, so that no report is from an earlier one. */
  showing_from: Millis;
  /** The latest moment of a report in this showing. */
  showing_to: Millis;
  /** The latest moment of a report with the state `displayed`. */
  displayed_to: Millis;
  /** The time of the page load that ended or snoozed this showing. */
  ended_by: Millis | null;
}

/** A report with everything that is needed to apply it. */
export interface ReportFacts {
  moment: Millis;
  visitAt: Millis;
  /** The milliseconds from the page load to what is reported. Steps are only followed if the page says it: reports can come again. */
  elapsed?: Millis | undefined;
  state?: ReportedState | undefined;
  step_id?: string | undefined;
  button_id?: string | undefined;
  answers?: boolean;
  /** Whether the report has triggered a Delivery. */
  claims?: boolean;
  /** What started the showing, if this report starts it. */
  group: { group_kind: GroupKind; group_id: string | null };
  snoozeHours: number;
  /** The minimum time between the starts of two showings. */
  gap: Millis;
  /** Whether a step comes after another one. */
  isAfter(step: string, other: string): boolean;
}

interface CountedActivity<What = Activity> {
  what: What;
  /** The ID of the step or button; empty for the Experience itself. */
  part_id: string;
}

export interface ReportResult {
  /** The same object as before when nothing changed. */
  after: Progress;
  /** False when the report is from an earlier showing. */
  counts: boolean;
  /** What the user did. A repeated report has only its step and button. */
  activities: CountedActivity[];
  /** What the user did on the steps that they have left. */
  steps: StepActivity[];
  /** Whether a showing has begun with the report. */
  begins: boolean;
}

/** Adds that the user saw the Experience. */
export function withShown(activity: CountedActivity<StoredActivity>): CountedActivity<StoredActivity>[] {
  const { what } = activity;
  return what === 'displayed' || what === 'started' ? [activity, { what: 'shown', part_id: '' }] : [activity];
}

const HOUR_MS: Millis = 60 * 60_000;

const initialProgress: Progress = {
  state: 'displayed',
  group_kind: null,
  group_id: null,
  defer_count: 0,
  defer_until: null,
  displayed_at: null,
  started_at: null,
  completed_at: null,
  exited_at: null,
  snoozed_at: null,
  step_id: null,
  showing_from: 0,
  showing_to: 0,
  displayed_to: 0,
  ended_by: null,
  ...noStep,
};

const timeColumns = [
  ...(['displayed_at', 'started_at', 'completed_at', 'exited_at', 'snoozed_at'] as const),
  ...(['showing_from', 'showing_to', 'displayed_to', 'ended_by', 'current_step_at'] as const),
];

/**
 * Times from a clock that was ahead count as an hour ago. Otherwise every report would come too late for them, and change
 * nothing.
 */
function correctTimes(stored: Progress, now: Millis): Progress {
  const wrong = timeColumns.filter((name) => isFromWrongClock(stored[name] ?? 0, now));
  if (wrong.length === 0) return stored;
  return { ...stored, ...Object.fromEntries(wrong.map((name) => [name, now - HOUR_MS])) };
}

export function applyReport(stored: Progress | undefined, report: ReportFacts, now: Millis): ReportResult {
  const before = stored && correctTimes(stored, now);
  if (before && !report.claims && report.moment < before.showing_from)
    return { after: before, counts: false, activities: [], steps: [], begins: false };
  const activities: CountedActivity[] = [];
  const record = (what: Activity, part_id = '') => activities.push({ what, part_id });
  let after = before ?? { ...initialProgress, ...report.group };
  if (report.state === 'displayed') after = display(after, report, now, record);
  if (!isProgress(report)) return { after, counts: true, activities, steps: [], begins: false };
  const begins = startsShowing(after, report, now);
  after = advance(after, report, now, record);
  const { visitAt, elapsed, step_id: step, isAfter } = report;
  if (elapsed === undefined) return { after, counts: true, activities, steps: [], begins };
  const at = Math.min(visitAt + elapsed, now);
  const end = activities.map(({ what }) => what).find(isEnd);
  const followed = followSteps(after, { at, step, end, isAfter });
  const isSame = followed.after.current_step_id === after.current_step_id;
  return {
    ...{ after: isSame ? after : { ...after, ...followed.after }, counts: true, activities },
    ...{ steps: followed.done, begins },
  };
}

function isEnd(what: Activity): what is 'completed' | 'exited' | 'snoozed' {
  return what === 'completed' || what === 'exited' || what === 'snoozed';
}

type RecordActivity = (what: Activity, partId?: string) => void;

function isProgress({ state, step_id, button_id, answers }: ReportFacts): boolean {
  return (state !== undefined && state !== 'displayed') || !!step_id || !!button_id || !!answers;
}

/** Records each page load on which it is displayed. This neither starts nor ends a showing. */
function display(before: Progress, { moment }: ReportFacts, now: Millis, come: RecordActivity): Progress {
  if (moment <= before.displayed_to) return before;
  come('displayed');
  return { ...before, displayed_at: now, displayed_to: moment };
}

function advance(before: Progress, report: ReportFacts, now: Millis, come: RecordActivity): Progress {
  let after = before;
  if (startsShowing(before, report, now)) after = startShowing(before, report, now, come);
  else if (restarts(before, report)) {
    after = { ...before, started_at: now };
    come('started');
  }
  if (report.step_id) {
    if (isFurther(after, report, report.step_id)) after = { ...after, step_id: report.step_id };
    come('step', report.step_id);
  }
  if (report.button_id) come('button', report.button_id);
  after = end(after, report, now, come);
  return report.moment > after.showing_to ? { ...after, showing_to: report.moment } : after;
}

/** Whether a report starts a new showing. */
function startsShowing(before: Progress, { moment, visitAt, claims, group, gap }: ReportFacts, now: Millis): boolean {
  if (before.state === 'displayed' || claims) return true;
  if (moment <= before.showing_to || now - (before.started_at ?? 0) < gap) return false;
  // The page that ended the showing may start the next one, even if its report of the end came late.
  if (visitAt === before.ended_by) return true;
  const endedAt = findEnd(before);
  // Other pages may still be in the showing that has ended, so reports from before the end start no new one.
  if (endedAt !== null) return moment > endedAt;
  if (before.defer_until === null) return false;
  // Other open pages may still show it while it is snoozed, so only an explicit request starts a showing before the snooze ends.
  return before.defer_until <= now || isRequestedExplicitly(group.group_kind);
}

function startShowing(before: Progress, { moment, group }: ReportFacts, now: Millis, come: RecordActivity): Progress {
  come('started');
  return {
    ...before,
    ...group,
    state: 'started',
    started_at: now,
    defer_until: null,
    step_id: null,
    ...noStep,
    ended_by: null,
    showing_from: before.state === 'displayed' ? 0 : moment,
  };
}

/** A showing that continues with a start on a later page load is still the same showing. */
function restarts({ state, defer_until, showing_to }: Progress, report: ReportFacts): boolean {
  return report.state === 'started' && state === 'started' && defer_until === null && report.moment > showing_to;
}

function isFurther({ step_id }: Progress, { isAfter }: ReportFacts, step: string): boolean {
  return step_id === null || (step !== step_id && isAfter(step, step_id));
}

/** Only the first end of a showing counts. */
function end(
  before: Progress,
  { state, visitAt, snoozeHours }: ReportFacts,
  now: Millis,
  come: RecordActivity,
): Progress {
  if (before.state !== 'started') return before;
  if (state === 'completed' || state === 'exited') {
    come(state);
    return { ...before, state, [`${state}_at`]: now, ended_by: visitAt };
  }
  if (state !== 'snoozed' || before.defer_until !== null) return before;
  come('snoozed');
  const defer_until = now + Math.round(snoozeHours * HOUR_MS);
  return { ...before, defer_count: before.defer_count + 1, defer_until, snoozed_at: now, ended_by: visitAt };
}

function findEnd({ state, completed_at, exited_at }: Progress): Millis | null {
  if (state === 'completed') return completed_at ?? 0;
  return state === 'exited' ? (exited_at ?? 0) : null;
}

const explicitGroups: readonly GroupKind[] = ['link', 'api_js', 'launcher'];

function isRequestedExplicitly(kind: GroupKind): boolean {
  return explicitGroups.includes(kind);
}
