import {
  ALL_EXPERIENCES,
  applyReport,
  dayOf,
  type Experience,
  type ExperienceParts,
  findQuestionOrder,
  findSeenPart,
  isReachMeasure,
  kinds,
  type Millis,
  minShowingGap,
  type Progress,
  reachScopeOf,
  SAMPLE_HOST,
  TICKS_PER_MS,
  timeOfId,
  toStoredAnswer,
  withShown,
} from '@usher/domain';
import type { Insertable } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Schema } from '../../../db/schema.ts';
import { writeInChunks } from '../../experiences/changes/record-changes.ts';
import { addUseCounts, readUseCounts } from '../../results/counts/use-counts.ts';
import { storeScores } from '../../results/responses/queries.ts';
import { contextAt } from './context-at.ts';
import type { PlannedReport } from './plan-use.ts';

type Rows<Table extends keyof Schema> = Map<string, Insertable<Schema[Table]>>;

/**
 * Collects what users of the sample did with Experiences, by the same rules as the reports of pages, and then writes it with
 * a few statements. Reports of one user come in the order of their times.
 */
export class UseRows {
  readonly #ctx: Context;
  readonly #progress = new Map<string, { profile_id: string; experience_id: string; after: Progress; id: string }>();
  readonly #goals = new Map<string, number>();
  readonly #activities: Rows<'activities'> = new Map();
  readonly #lastDays = new Map<string, number>();
  readonly #findings: Rows<'findings'> = new Map();
  readonly #responses: Rows<'responses'> = new Map();
  readonly #answers: Rows<'answers'> = new Map();
  readonly #timeZone: string;

  /** @param timeZone of the account, in which results count days */
  constructor(ctx: Context, timeZone: string) {
    this.#timeZone = timeZone;
    this.#ctx = ctx;
  }

  #dayOf(at: Millis): number {
    return dayOf(at, this.#timeZone);
  }

  report(profile_id: string, { id: experience_id, kind, ...parts }: Experience, planned: PlannedReport): void {
    const { at, state, answer } = planned;
    const { steps, items } = parts as unknown as ExperienceParts;
    const step = planned.step === undefined ? undefined : steps[planned.step];
    const buttons = items ?? step?.buttons ?? [];
    const of = { account_id: this.#ctx.account.id, profile_id, experience_id };
    const finding = { ...of, day: dayOf(at), path: '/team', at };
    if (planned.isMissing) {
      const part_id = steps[0]?.id ?? '';
      this.#findings.set(`${profile_id} ${experience_id} ${part_id} ${dayOf(at)} not_found`, {
        ...finding,
        part_id,
        finding: 'not_found',
      });
      return;
    }
    const key = `${profile_id} ${experience_id}`;
    const before = this.#progress.get(key);
    const {
      after,
      activities,
      steps: left,
    } = applyReport(
      before?.after,
      {
        moment: at,
        visitAt: at,
        elapsed: 0,
        state,
        step_id: step?.id,
        button_id: planned.button === undefined ? undefined : buttons[planned.button]?.id,
        answers: answer !== undefined,
        group: { group_kind: 'campaign', group_id: null },
        snoozeHours: 24,
        gap: minShowingGap(kind),
        isAfter: (one, other) => place(steps, one) > place(steps, other),
      },
      at,
    );
    this.#progress.set(key, { ...of, after, id: before?.id ?? contextAt(this.#ctx, at).newId() });
    for (const activity of activities.flatMap(withShown)) {
      const row = { ...of, day: this.#dayOf(at), ...activity, at };
      this.#addActivity(row);
      if (activity.part_id === '' && isReachMeasure(activity.what))
        for (const scope of [ALL_EXPERIENCES, reachScopeOf(kind)]) this.#addActivity({ ...row, experience_id: scope });
    }
    // All reports of a showing are of one page load, so the step was seen on the same day, unless it was just before midnight.
    const seenAt = before?.after.current_step_at ?? at;
    for (const { seconds, ...activity } of left)
      this.#addActivity({ ...of, day: this.#dayOf(seenAt), ...activity, at, seconds });
    const part_id = findSeenPart(
      { experience_id, state: state ?? null, step_id: step?.id ?? null },
      parts as unknown as ExperienceParts,
    );
    if (part_id !== undefined)
      this.#findings.set(`${key} ${part_id} ${dayOf(at)} found`, { ...finding, part_id, finding: 'found' });
    if (!kinds[kind].asks) return;
    const response = this.#responses.get(key);
    if (step && answer) {
      const { id } = response ?? this.#addResponse(key, of, after, at);
      const question_order = findQuestionOrder(step, { steps });
      const stored = toStoredAnswer(step, answer);
      const place = { response_id: id, step_id: step.id, question_order, day: this.#dayOf(timeOfId(id)) };
      this.#answers.set(`${key} ${step.id}`, { ...of, ...place, ...stored });
    }
    if (response && after.state === 'completed') response.finished_at = at;
  }

  /** Records the first event that meets the goal of an Experience after it was started. */
  meetGoal(profile_id: string, experience_id: string, at: number): void {
    const key = `${profile_id} ${experience_id}`;
    const started = this.#progress.get(key)?.after.started_at;
    if (started == null || started > at || this.#goals.has(key)) return;
    this.#goals.set(key, at);
    const of = { account_id: this.#ctx.account.id, profile_id, experience_id };
    this.#addActivity({ ...of, day: this.#dayOf(at), what: 'goal', part_id: '', at });
  }

  async write(): Promise<void> {
    const { account, db } = this.#ctx;
    const insert = <Table extends 'activities' | 'findings' | 'responses' | 'answers'>(
      table: Table,
      rows: Rows<Table>,
    ) =>
      writeInChunks([...rows.values()], (chunk) =>
        db
          .insertInto(table as 'activities')
          .values(chunk as Insertable<Schema['activities']>[])
          .execute(),
      );
    const interactions = [...this.#progress].map(([key, { after, ...of }]) => {
      const updated_at = Math.max(after.showing_to, after.displayed_to, this.#goals.get(key) ?? 0);
      const goal_at = this.#goals.get(key) ?? null;
      return { account_id: account.id, ...of, ...after, goal_at, updated_at, updated_tick: updated_at * TICKS_PER_MS };
    });
    await writeInChunks(interactions, (chunk) => db.insertInto('interactions').values(chunk).execute());
    await insert('activities', this.#activities);
    await insert('findings', this.#findings);
    await this.#writeFailingSteps();
    await insert('responses', this.#responses);
    // One insert needs the same columns in each row.
    const noAnswer = {
      button_id: null,
      button_index: null,
      button_text: null,
      value: null,
      input: null,
      choices: null,
    };
    await insert('answers', new Map([...this.#answers].map(([key, row]) => [key, { ...noAnswer, ...row }])));
    await storeScores(
      this.#ctx,
      [...this.#responses.values()].map(({ id }) => id as string),
    );
    const users = new Set([...this.#progress.values()].map(({ profile_id }) => profile_id));
    // Their events are counted already.
    await addUseCounts(this.#ctx, { ...(await readUseCounts(this.#ctx, [...users])), events: [] }, 1);
  }

  /**
   * Too few users of the sample miss the step for the usual check to find it, so the row is stored here. No webhook
   * gets it.
   */
  async #writeFailingSteps(): Promise<void> {
    const missed = [...this.#findings.values()].filter(({ finding }) => finding !== 'found');
    const [first] = missed;
    if (!first) return;
    const { account_id, experience_id, part_id, path } = first;
    const users_count = new Set(missed.map(({ profile_id }) => profile_id)).size;
    const since = Math.min(...missed.map(({ at }) => at));
    const counts = { users_count, total_users_count: users_count, since, checked_at: this.#ctx.now() };
    await this.#ctx.db
      .insertInto('failing_steps')
      .values({ account_id, experience_id, part_id, path, browser: 'chrome', is_failing: true, ...counts })
      .execute();
  }

  #addActivity(row: Insertable<Schema['activities']>): void {
    const { day, at: _, seconds = null, ...of } = row;
    const key = Object.values(of).join(' ');
    const previous_day = this.#lastDays.get(key) ?? -1;
    if (previous_day === day) return;
    this.#activities.set(`${key} ${day}`, { ...row, seconds, previous_day });
    this.#lastDays.set(key, day);
  }

  #addResponse(
    key: string,
    of: { account_id: string; profile_id: string; experience_id: string },
    { showing_from }: Progress,
    at: number,
  ) {
    const row = {
      ...of,
      id: contextAt(this.#ctx, at).newId(),
      updated_at: at,
      updated_tick: at * TICKS_PER_MS,
      showing_from,
      href: `https://${SAMPLE_HOST}/projects`,
      finished_at: null,
      language: '',
    };
    this.#responses.set(key, row);
    return row;
  }
}

function place(steps: ExperienceParts['steps'], step: string): number {
  return steps.findIndex(({ id }) => id === step);
}
