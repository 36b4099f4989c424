import type { AnswerInput, Millis, ReportedState } from '@usher/domain';
import type { SampleKey } from './sample-experiences.ts';
import { type SampleProfile, sampleComments } from './sample-profiles.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
export const SAMPLE_DAYS = 30;

/** Something that a user did with an Experience. Steps and buttons are given by their position. */
export interface PlannedReport {
  key: SampleKey;
  at: Millis;
  state?: ReportedState;
  step?: number;
  button?: number;
  answer?: AnswerInput;
  /** The element of the step was not found. */
  isMissing?: boolean;
}

interface PlannedEvent {
  name: string;
  at: Millis;
  custom: Record<string, string | number>;
}

export interface PlannedUse {
  reports: PlannedReport[];
  events: PlannedEvent[];
  /** The times of the visits of the user, oldest first. */
  visits: Millis[];
}

/** Plans what a user did in the last 30 days. The numbers are the same every time; only the dates depend on today. */
export function planUse({ role, company }: SampleProfile, index: number, now: Millis): PlannedUse {
  const random = createRandom(index + 1);
  const chance = (share: number) => random() < share;
  const activity = company.plan === 'pro' ? 0.5 : company.plan === 'team' ? 0.35 : 0.25;
  // New users come all the time, so that there is something new every day.
  const firstDay = SAMPLE_DAYS - 1 - ((index * 7) % SAMPLE_DAYS);
  const visits: Millis[] = [];
  for (let days = firstDay; days >= 0; days--)
    if (days === firstDay || chance(activity))
      visits.push(now - days * DAY_MS - Math.floor(random() * 9 * 60) * MINUTE_MS);
  const use: PlannedUse = { reports: [], events: [], visits };
  const report = (planned: PlannedReport) => use.reports.push(planned);

  for (const [count, visit] of visits.entries()) {
    const age = now - visit;
    const later = (minutes: number) => visit + minutes * MINUTE_MS;
    if (count === 0) planTour(use, visit, random);
    if (age < 24 * DAY_MS) {
      report({ key: 'launcher', at: visit, state: 'displayed' });
      if (chance(count < 2 ? 0.6 : 0.15))
        report({ key: 'launcher', at: later(1), state: 'started', button: Math.floor(random() * 3) });
    }
    if (age < 12 * DAY_MS) {
      report({ key: 'embed', at: visit, state: 'displayed', step: 0 });
      if (chance(0.3)) report({ key: 'embed', at: later(1), state: 'started', step: 0, button: 0 });
    }
    if (age < 18 * DAY_MS && role !== 'viewer' && chance(0.5)) {
      // The page was changed two days ago, and its element has another name since.
      const isMissing = age < 2 * DAY_MS;
      report({ key: 'tooltip', at: later(2), isMissing, ...(!isMissing && { state: 'displayed', step: 0 }) });
    }
    if (count === 2) planSurvey(use, later(4), random);
    if (chance(0.25))
      use.events.push({ name: 'Project created', at: later(6), custom: { template: pick(random, templates) } });
    if (chance(0.1)) use.events.push({ name: 'Person invited', at: later(7), custom: { role: 'member' } });
    if (chance(0.3))
      use.events.push({
        name: 'Report exported',
        at: later(8),
        custom: { format: 'pdf', pages: 1 + Math.floor(random() * 12) },
      });
  }
  return use;
}

const templates = ['blank', 'website', 'event', 'hiring'];

/** Most users complete the tour, some leave it, and a few stop in the middle. */
function planTour({ reports, events }: PlannedUse, visit: Millis, random: () => number): void {
  const key = 'tour';
  const later = (seconds: number) => visit + seconds * 1000;
  reports.push({ key, at: visit, state: 'started', step: 0 });
  const outcome = random();
  if (outcome > 0.8) {
    reports.push({ key, at: later(10), state: 'exited', step: 0, button: 1 });
    return;
  }
  reports.push({ key, at: later(10), step: 0, button: 0 }, { key, at: later(11), step: 1 });
  if (outcome > 0.68) return;
  reports.push({ key, at: later(30), step: 1, button: 0 }, { key, at: later(31), step: 2 });
  reports.push({ key, at: later(50), step: 2, button: 0, state: 'completed' });
  if (outcome < 0.4) events.push({ name: 'Project created', at: later(200), custom: { template: 'blank' } });
}

function planSurvey({ reports }: PlannedUse, at: Millis, random: () => number): void {
  const key = 'survey';
  reports.push({ key, at, state: 'started', step: 0 });
  const mood = random();
  if (mood > 0.85) {
    reports.push({ key, at: at + 5000, state: 'exited' });
    return;
  }
  const [score, comments] =
    mood < 0.5
      ? [9 + Math.floor(random() * 2), sampleComments.good]
      : mood < 0.72
        ? [7 + Math.floor(random() * 2), sampleComments.fair]
        : [2 + Math.floor(random() * 5), sampleComments.poor];
  reports.push({ key, at: at + 6000, step: 0, answer: { value: String(score) } });
  if (random() < 0.6) reports.push({ key, at: at + 30_000, step: 1, answer: { input: pick(random, comments) } });
  reports.push({ key, at: at + 40_000, step: 2, state: 'completed' });
}

function pick<Item>(random: () => number, items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)] as Item;
}

/** A generator with a seed: a linear congruence is even enough for a sample. */
function createRandom(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}
