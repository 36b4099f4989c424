import type { Millis } from '../basics/time.ts';

/** One arm of an experiment. */
export interface Variant {
  id: string;
  name: string;
  /** Null for the control, whose users see nothing. */
  experience_id: string | null;
  /** The percent of the users. The shares of an experiment add up to 100. */
  share: number;
}

/** An experiment that runs, as page loads read it. */
export interface RunningExperiment {
  id: string;
  name: string;
  startedAt: Millis;
  variants: readonly Variant[];
  /** The users that it is for. The Segments of the Experiences themselves do not matter while it runs. */
  segmentIds: readonly string[];
  inAnySegment: boolean;
}

/** The arm of a user. `exposedAt` is null while the user is not exposed: then the arm follows from the shares. */
export interface Arm {
  variant: Variant;
  exposedAt: Millis | null;
}

/** A share of all users to whom nothing shows automatically. */
export interface Holdout {
  /** In percent. */
  share: number;
  until: Millis;
}

/**
 * Chooses the arm of a user at this position.
 * @param position drawn uniformly, from 0 to 1 without 1
 */
export function pickVariant(variants: readonly Variant[], position: number): Variant | undefined {
  let end = 0;
  for (const variant of variants) {
    end += variant.share / 100;
    if (position < end) return variant;
  }
  // The sum of the shares can be a little less than 1 because of rounding.
  return variants.findLast(({ share }) => share > 0);
}

/** The arm that the others are compared with: the control, or else the first one. */
export function findBaseline<Of extends Pick<Variant, 'experience_id'>>(variants: readonly Of[]): Of | undefined {
  return variants.find(({ experience_id }) => experience_id === null) ?? variants[0];
}

/** The shares from a time on, in the order of the variants. */
export interface ShareChange {
  at: Millis;
  shares: readonly number[];
}

/** What users saw of an Experience before an experiment ended, so that it can be shown again. */
export interface PublishedBefore {
  experience_id: string;
  version_id: string;
  /** The fields of the draft that the end of the experiment has changed. */
  audience: {
    segment_ids: readonly string[];
    segments_op: 'and' | 'or';
    excluded_segment_ids: readonly string[];
    experiment_at: string | null;
    experiment_range: string | null;
  };
  /** What users see since the end: the version, or null if it is paused. */
  now_version_id: string | null;
}
