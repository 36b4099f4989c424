import {
  type AccountStepBudget,
  checkSeen,
  findReadyStart,
  isInEnvironment,
  isInProgress,
  type Millis,
  type PageEnvironment,
  PatternBudget,
  type PendingStart,
  type Progress,
  parsePageAddress,
} from '@usher/domain';
import type { Context } from '../../../context.ts';
import { PreparedStatement } from '../../../db/prepared-statement.ts';
import type { PublishedExperience } from '../../../published/published-experience.ts';

/** A showing that an event wants to start. */
export interface StartClaim {
  /** Identifies the showing, so that its report may be repeated. */
  by: string;
  /** The events of the profile, which is locked. */
  starts: readonly PendingStart[];
  /** Undefined when the Experience is not live. */
  experience: PublishedExperience | undefined;
  /** How far the user got before. */
  before: (Progress & { updated_at: Millis }) | undefined;
  href: string | null;
  urlGroupId: PageEnvironment;
  /** The budget for matching its URL patterns. */
  patternSteps: AccountStepBudget;
}

/** `won`: the event starts this showing. `known`: it has done so before. */
export type StartOutcome = { is: 'won'; starts: readonly PendingStart[] } | { is: 'known' | 'lost' };

/** Decides whether an event starts a showing. The profile is locked, so an event starts one showing only, whatever tabs and nodes do. */
export function decideStart(claim: StartClaim, now: Millis): StartOutcome {
  const { by, starts, experience, before } = claim;
  if (starts.some(({ claimed_by, experience_id }) => claimed_by === by && experience_id === experience?.id))
    return { is: 'known' };
  const won = experience && maySee(experience, claim, now) && findReadyStart(experience, starts, before, now);
  if (!won) return { is: 'lost' };
  return { is: 'won', starts: starts.map((start) => (start === won ? { ...start, claimed_by: by } : start)) };
}

/** Checks again what the page load checked, as it may have changed since. */
function maySee(
  experience: PublishedExperience,
  { before, href, urlGroupId, patternSteps }: StartClaim,
  now: Millis,
): boolean {
  if (isInProgress(before, now) || checkSeen(experience, before, now)) return false;
  if (!isInEnvironment(experience, urlGroupId)) return false;
  return href === null || experience.startsOn(parsePageAddress(href), new PatternBudget(patternSteps, now));
}

const updateStarts = new PreparedStatement<never, 'id' | 'starts'>(
  ({ onPostgres }) =>
    `update profiles set pending_starts = :starts${onPostgres('::jsonb')} where account_id = :account and id = :id`,
);

/** Stores a claim, and forgets the later steps whose event has come when a new showing begins. */
export async function storeStarts(
  ctx: Context,
  profile: { id: string; pending_starts: readonly PendingStart[] },
  outcome: StartOutcome | undefined,
  {
    experience,
    before,
    after,
  }: { experience: PublishedExperience | undefined; before: Progress | undefined; after: Progress },
): Promise<void> {
  const { pending_starts } = profile;
  if (pending_starts.length === 0) return;
  const starts = outcome?.is === 'won' ? outcome.starts : pending_starts;
  const isNewShowing = after.state === 'started' && before?.started_at !== after.started_at && isOver(before);
  const left = isNewShowing ? starts.filter((start) => !isLater(start, experience)) : starts;
  if (left.length === pending_starts.length && left === pending_starts) return;
  profile.pending_starts = left;
  await ctx.run(updateStarts, { id: profile.id, starts: JSON.stringify(left) });
}

function isOver(before: Progress | undefined): boolean {
  return before?.state !== 'started' || before.defer_until !== null;
}

function isLater({ experience_id, step_id }: PendingStart, experience: PublishedExperience | undefined): boolean {
  return experience_id === experience?.id && step_id !== experience.startEvent?.stepId;
}
