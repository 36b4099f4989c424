import type { Millis } from '../basics/time.ts';
import { type ExperienceKind, kinds } from '../kinds/kinds.ts';

const MIN_GAP_MS: Millis = 10_000;
const MIN_SURVEY_GAP_MS: Millis = 5 * 60_000;

/**
 * The page decides when a showing begins. Without a minimum time between showings, one user could create any number of them,
 * and each is counted, sent to webhooks, and has a Response. A report that comes too early belongs to the showing before.
 */
export function minShowingGap(kind: ExperienceKind | undefined): Millis {
  return kind && kinds[kind].asks ? MIN_SURVEY_GAP_MS : MIN_GAP_MS;
}
