import { type Millis, parseIso } from '../basics/time.ts';
import type { Document } from '../content/experience.ts';
import { beginsAsHotspot } from '../content/hotspot.ts';
import { startUrls } from '../content/start-urls.ts';
import { findStepForPage } from '../content/unfinished.ts';
import { type ExperienceKind, isExclusive } from '../kinds/kinds.ts';
import type { PatternBudget } from '../patterns/pattern-budget.ts';
import { compileUrls, listUrlPrefixes, type PageAddress, type UrlPrefix } from '../patterns/url-match.ts';
import { type Condition, toCondition } from '../targeting/condition.ts';
import { type Checklist, compileChecklist } from './checklist.ts';

/** What the rules need of a published Experience, with its URL patterns compiled. */
export interface CompiledExperience {
  id: string;
  kind: ExperienceKind;
  name: string;
  position: number;
  /** Orders Experiences with the same position. */
  sortKey: string;
  isManual: boolean;
  /** Whether it begins as a hotspot, which waits for the user and keeps no other Experience back. */
  beginsAsHotspot: boolean;
  /** Whether it may start on a page. */
  startsOn(page: PageAddress, budget?: PatternBudget): boolean;
  /** Whether one of its steps may show on a page. */
  hasStepOn(page: PageAddress, budget?: PatternBudget): boolean;
  /** Whether the Experience continues on a page for a user who saw this step last. */
  continuesOn(page: PageAddress, stepId: string | null, budget?: PatternBudget): boolean;
  /** The Experience can start only on pages with one of these prefixes. */
  urlPrefixes: readonly UrlPrefix[];
  segmentIds: readonly string[];
  /** Whether it is enough to be in one of these Segments. */
  inAnySegment: boolean;
  excludedSegmentIds: readonly string[];
  urlGroupIds: readonly string[];
  /** The hosts on which it does not show. */
  blockedHosts: readonly string[];
  experiment: Experiment | undefined;
  repeatDays: number | null;
  /** The items of a launcher, if they depend on the user. */
  checklist: Checklist | undefined;
  rateUnlimitAt: Millis | null;
  /** The numbers of Responses after which a survey ends. */
  stopAfter: StopAfter | undefined;
  /** The events that its steps wait for. */
  events: readonly AwaitedEvent[];
  /** The event that the first step waits for, and so the Experience. */
  startEvent: AwaitedEvent | undefined;
}

/** An event that a step waits for, with its filters as a condition. */
export interface AwaitedEvent {
  stepId: string;
  /** As events are stored. */
  name: string;
  condition: Condition;
  delayMs: Millis;
  withinMs: Millis;
}

export interface StopAfter {
  /** From all users. */
  total: number | null;
  /** From the users of each Segment that it is for. */
  perSegment: number | null;
}

/** The range of percents that takes part, and the time when the experiment starts. */
export interface Experiment {
  at: Millis;
  low: number;
  high: number;
}

/** The Environment of the host of a page. A host without one (null) belongs to all. A page without a host (undefined) belongs to none. */
export type PageEnvironment = string | null | undefined;

/** Whether an Experience may show on a page of this Environment. */
export function isInEnvironment(
  { urlGroupIds }: Pick<CompiledExperience, 'urlGroupIds'>,
  urlGroupId: PageEnvironment,
): boolean {
  if (urlGroupIds.length === 0 || urlGroupId === null) return true;
  return urlGroupId !== undefined && urlGroupIds.includes(urlGroupId);
}

export function compileExperience(id: string, document: Document): CompiledExperience {
  const starts = startUrls(document);
  const startsOn = compileUrls(starts);
  const steps = document.steps.map(({ id, quantifier_urls }, index) => {
    const matches = index === 0 ? startsOn : compileUrls(quantifier_urls);
    return { id, quantifier_urls, matches };
  });
  const events = listEvents(document);
  return {
    id,
    kind: document.kind,
    name: document.name,
    position: document.position,
    sortKey: id,
    isManual: document.style === 'manual',
    beginsAsHotspot: beginsAsHotspot(document),
    startsOn,
    hasStepOn: (page, budget) => steps.some(({ matches }) => matches(page, budget)),
    continuesOn: (page, stepId, budget) => {
      const index = steps.findIndex((step) => step.id === stepId);
      // Without a step that the user has seen, it begins with the first one.
      if (index < 0) return startsOn(page, budget);
      return findStepForPage(steps, index, ({ matches }) => matches(page, budget)) !== undefined;
    },
    urlPrefixes: listUrlPrefixes(starts),
    segmentIds: document.segment_ids,
    inAnySegment: document.segments_op === 'or',
    excludedSegmentIds: document.excluded_segment_ids,
    urlGroupIds: document.url_group_ids,
    blockedHosts: document.blocked_domains ?? [],
    experiment: parseExperiment(document),
    repeatDays: document.repeat_days,
    checklist: compileChecklist(document),
    rateUnlimitAt: parseTimestamp(document.rate_unlimit_at),
    stopAfter: findStopAfter(document),
    events,
    startEvent: events.find(({ stepId }) => stepId === document.steps[0]?.id),
  };
}

/** Only what shows one at a time has a start. Publishing rejects an event for other kinds. */
function listEvents(document: Document): AwaitedEvent[] {
  if (!isExclusive(document)) return [];
  return document.steps.flatMap(({ id: stepId, step_trigger, trigger_event: event }) => {
    if (step_trigger !== 'event' || !event) return [];
    const { name, filters, delay_seconds, within_seconds } = event;
    const condition = toCondition(filters, 'and', 'event');
    return { stepId, name, condition, delayMs: delay_seconds * 1000, withinMs: within_seconds * 1000 };
  });
}

/** Documents from before these fields existed do not have them. */
function findStopAfter(document: Document): StopAfter | undefined {
  const { stop_after_responses: total = null, stop_after_responses_per_segment: perSegment = null } = document;
  return total === null && perSegment === null ? undefined : { total, perSegment };
}

function parseExperiment({ experiment_at, experiment_range }: Document): Experiment | undefined {
  const at = parseTimestamp(experiment_at);
  if (at === null || experiment_range === null) return undefined;
  const [low = 0, high = 0] = experiment_range.split('-').map(Number);
  return { at, low, high };
}

function parseTimestamp(timestamp: string | null): Millis | null {
  return timestamp === null ? null : (parseIso(timestamp) ?? null);
}
