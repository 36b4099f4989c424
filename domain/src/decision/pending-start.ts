import type { Millis } from '../basics/time.ts';
import type { Custom } from '../ingestion/value.ts';
import { matchesCondition, propertySubject } from '../targeting/match.ts';
import type { AwaitedEvent, CompiledExperience } from './compiled-experience.ts';
import type { InteractionFacts } from './rules.ts';
import { minShowingGap } from './showing-gap.ts';

/*
 * Steps that wait for an event. When the event comes, it is remembered in a short list of the profile, which the next page load
 * reads: then the first step starts the Experience, and a later step goes on. The list is no list of Deliveries: it only says that
 * an Experience no longer waits, and all other rules stay.
 */

/** An event that a step waits for has come. */
export interface PendingStart {
  experience_id: string;
  step_id: string;
  /** When the event happened. */
  at: Millis;
  starts_at: Millis;
  expires_at: Millis;
  /** The showing that it has started. It stays in the list, so that the report of this showing may be repeated. */
  claimed_by?: string;
}

/** The list of a profile is short, because every page load reads it. */
const MAX_PENDING_STARTS = 10;

export function toPendingStart(
  experience_id: string,
  { stepId, delayMs, withinMs }: AwaitedEvent,
  at: Millis,
): PendingStart {
  return { experience_id, step_id: stepId, at, starts_at: at + delayMs, expires_at: at + withinMs };
}

/** The list with these too: for each step the last event, and of all the newest. */
export function addPendingStarts(
  before: readonly PendingStart[],
  added: readonly PendingStart[],
  now: Millis,
): PendingStart[] {
  const claimed = before.filter((start) => start.claimed_by !== undefined && start.expires_at > now);
  const open = new Map<string, PendingStart>();
  for (const start of [...before, ...added]) {
    if (start.claimed_by !== undefined || start.expires_at <= now) continue;
    const known = open.get(start.step_id);
    if (!known || known.at <= start.at) open.set(start.step_id, start);
  }
  return [...claimed, ...open.values()].sort((one, other) => one.at - other.at).slice(-MAX_PENDING_STARTS);
}

export function matchesEvent({ condition }: AwaitedEvent, custom: Custom, now: Millis): boolean {
  const subject = propertySubject({ profile: { facts: {}, custom }, inSegment: () => false });
  return matchesCondition(condition, subject, now) === true;
}

type Known = Pick<InteractionFacts, 'state' | 'started_at' | 'completed_at' | 'exited_at'>;

/** Whether an event at this time can start it: it has come after the last showing. */
export function isAfterShowing(at: Millis, interaction: Known | undefined): boolean {
  if (!interaction) return true;
  const { state, started_at, completed_at, exited_at } = interaction;
  const last = state === 'completed' ? completed_at : state === 'exited' ? exited_at : started_at;
  return at > (last ?? 0);
}

type Starting = Pick<CompiledExperience, 'id' | 'kind' | 'startEvent'>;

/** When an event in the list starts the Experience, or did; undefined if none does. */
export function findStartTime(
  { id, kind, startEvent }: Starting,
  starts: readonly PendingStart[],
  interaction: Known | undefined,
  now: Millis,
): { start: PendingStart; at: Millis } | undefined {
  const start = starts.find(
    (one) =>
      one.experience_id === id &&
      one.step_id === startEvent?.stepId &&
      one.claimed_by === undefined &&
      one.expires_at > now &&
      isAfterShowing(one.at, interaction),
  );
  if (!start) return undefined;
  const startedAt = interaction?.started_at ?? null;
  return { start, at: Math.max(start.starts_at, startedAt === null ? 0 : startedAt + minShowingGap(kind)) };
}

/** The start that is ready now. */
export function findReadyStart(
  experience: Starting,
  starts: readonly PendingStart[],
  interaction: Known | undefined,
  now: Millis,
): PendingStart | undefined {
  const found = findStartTime(experience, starts, interaction, now);
  return found && found.at <= now ? found.start : undefined;
}

/** The later steps of an Experience whose event has come. */
export function listReachedSteps({ id, startEvent }: Starting, starts: readonly PendingStart[], now: Millis): string[] {
  return starts.flatMap((one) => {
    const isLater = one.experience_id === id && one.step_id !== startEvent?.stepId;
    return isLater && one.starts_at <= now && one.expires_at > now ? one.step_id : [];
  });
}
