import Type, { type Static } from 'typebox';
import { Id, OneOf, OutputObject, Timestamp } from '../basics/schema.ts';
import type { Millis } from '../basics/time.ts';
import { wasSeenBefore } from '../ingestion/session.ts';
import { browserFamilies } from './browser-family.ts';

/** A step is judged by what people found in this time, and only since its Experience was last published. */
export const STEP_HEALTH_MS: Millis = 24 * 60 * 60_000;
const MIN_MISSED = 20;

/** How many people should have seen a step, and how many of them did not see it when they last should have. */
export interface StepCounts {
  missed: number;
  all: number;
}

/**
 * Whether a step fails. It begins to fail when at least 20 people and half of all do not see it. It has recovered when more
 * than half of the people see it again: fewer users are no recovery, or each weekend would be one.
 */
export function isStepFailing(wasFailing: boolean, { missed, all }: StepCounts): boolean {
  if (all === 0) return wasFailing;
  if (2 * missed < all) return false;
  return wasFailing || missed >= MIN_MISSED;
}

/**
 * Whether what a page reports counts when a step is called failing. Anyone can make up users with the public token, so only
 * users count who have proven who they are, or were known for longer than a session.
 */
export function countsForStepHealth(isProven: boolean, createdAt: Millis, visitAt: Millis): boolean {
  return isProven || wasSeenBefore(createdAt, visitAt);
}

/** A step of a live Experience whose element most people do not find. */
export const FailingStep = OutputObject({
  experience_id: Id,
  /** For a launcher, this is the ID of the launcher. */
  step_id: Id,
  /** How many people did not see it in the last 24 hours that it was shown, and how many should have. */
  users_count: Type.Integer(),
  total_users_count: Type.Integer(),
  /** The share of the people who did not see it, from 0 to 1. */
  share: Type.Number(),
  /** When the first of these people did not see the step. */
  since: Timestamp,
  /** The page and the browser in which most of these people did not see the step. `*` replaces the segments of a path that differ. */
  path: Type.String(),
  browser: OneOf(browserFamilies),
  checked_at: Timestamp,
});
export type FailingStep = Static<typeof FailingStep>;

export const ListFailingSteps = Type.Object({
  experience_id: Type.Optional(Type.Unsafe<string>({ ...Id, description: 'the ID of an Experience' })),
});
