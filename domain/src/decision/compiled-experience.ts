import { type Millis, parseIso } from '../basics/time.ts';
import type { Document } from '../content/experience.ts';
import type { ExperienceKind } from '../content/experience-kind.ts';
import type { PatternBudget } from '../patterns/pattern-budget.ts';
import {
  compileUrls,
  listUrlPrefixes,
  type PageAddress,
  type QuantifierUrl,
  type UrlPrefix,
} from '../patterns/url-match.ts';

/** What the rules need of a published Experience, with its URL patterns compiled. */
export interface CompiledExperience {
  id: string;
  kind: ExperienceKind;
  name: string;
  position: number;
  /** Orders Experiences with the same position. */
  sortKey: string;
  isManual: boolean;
  /** Whether it may start on a page. */
  startsOn(page: PageAddress, budget?: PatternBudget): boolean;
  /** Whether one of its steps may show on a page. */
  continuesOn(page: PageAddress, budget?: PatternBudget): boolean;
  /** It can start only on pages with one of these prefixes. */
  urlPrefixes: readonly UrlPrefix[];
  segmentIds: readonly string[];
  /** Whether it is enough to be in one of these Segments. */
  inAnySegment: boolean;
  excludedSegmentIds: readonly string[];
  urlGroupIds: readonly string[];
  experiment: Experiment | undefined;
  repeatDays: number | null;
  rateUnlimitAt: Millis | null;
}

/** The range of percents that takes part, and the time when the experiment starts. */
export interface Experiment {
  at: Millis;
  low: number;
  high: number;
}

/** Whether only one Experience of this kind shows at a time. */
export function isExclusive({ kind }: { kind: ExperienceKind | undefined }): boolean {
  return kind === 'tour' || kind === 'survey';
}

export function compileExperience(id: string, document: Document): CompiledExperience {
  const starts = startUrls(document);
  const startsOn = compileUrls(starts);
  const steps = document.steps.slice(1).map(({ quantifier_urls }) => compileUrls(quantifier_urls));
  return {
    id,
    kind: document.kind,
    name: document.name,
    position: document.position,
    sortKey: id,
    isManual: document.style === 'manual',
    startsOn,
    continuesOn: (page, budget) => startsOn(page, budget) || steps.some((matches) => matches(page, budget)),
    urlPrefixes: listUrlPrefixes(starts),
    segmentIds: document.segment_ids,
    inAnySegment: document.segments_op === 'or',
    excludedSegmentIds: document.excluded_segment_ids,
    urlGroupIds: document.url_group_ids,
    experiment: parseExperiment(document),
    repeatDays: document.repeat_days,
    rateUnlimitAt: parseTimestamp(document.rate_unlimit_at),
  };
}

function startUrls({ kind, steps, quantifier_urls = [] }: Document): readonly QuantifierUrl[] {
  return kind === 'launcher' ? quantifier_urls : (steps[0]?.quantifier_urls ?? []);
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
