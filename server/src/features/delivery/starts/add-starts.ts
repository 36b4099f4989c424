import {
  addPendingStarts,
  type Custom,
  checkSeen,
  isAfterShowing,
  isInProgress,
  type Millis,
  matchesEvent,
  type PendingStart,
  toPendingStart,
} from '@usher/domain';
import type { Context } from '../../../context.ts';
import type { PageInteraction } from '../../../db/page-profile/columns.ts';
import { PreparedStatement } from '../../../db/prepared-statement.ts';
import type { Awaiting, PublishedAccount } from '../../../published/published-account.ts';

/** An event of a profile, which is locked. */
export interface TrackedEvent {
  profile_id: string;
  name: string;
  custom: Custom;
  /** When it happened, if that is not now. */
  at: Millis | undefined;
}

interface Match extends Awaiting {
  profile_id: string;
  at: Millis;
}

/** Lists the Experiences that wait for these events. Most events are looked up once in memory, and match none. */
export function findMatches(account: PublishedAccount, events: readonly TrackedEvent[], now: Millis): Match[] {
  return events.flatMap(({ profile_id, name, custom, at = now }) =>
    account
      .awaiting(name, now)
      .filter(({ event }) => at + event.withinMs > now && matchesEvent(event, custom, now))
      .map((awaiting) => ({ ...awaiting, profile_id, at })),
  );
}

type Known = Pick<
  PageInteraction,
  'experience_id' | 'state' | 'updated_at' | 'started_at' | 'completed_at' | 'exited_at' | 'defer_until'
> & { profile_id: string };

const interactionsOf = new PreparedStatement<Known, 'items'>(
  ({ json }) => `
    select known.profile_id, known.experience_id, known.state, known.updated_at, known.started_at, known.completed_at,
      known.exited_at, known.defer_until
    from ${json.table(':items', { profile_id: 'text', experience_id: 'text' })} as item
    cross join interactions as known
    where known.account_id = :account and known.profile_id = item.profile_id and known.experience_id = item.experience_id`,
);

const startsOf = new PreparedStatement<{ id: string; pending_starts: PendingStart[] }, 'ids'>(
  ({ json }) => `select id, pending_starts from profiles where account_id = :account and ${json.isAmong('id', ':ids')}`,
);

const setStarts = new PreparedStatement<never, 'items'>(
  ({ json }) => `
    update profiles set pending_starts = item.pending_starts
    from ${json.table(':items', { id: 'text', pending_starts: 'jsonb' })} as item
    where profiles.account_id = :account and profiles.id = item.id`,
);

/**
 * Remembers for each profile which of its events a step has waited for. The profiles are locked. Returns the profiles for which
 * something may start now.
 */
export async function addStarts(ctx: Context, matches: readonly Match[]): Promise<Set<string>> {
  const useful = await withoutUseless(ctx, matches);
  const ids = [...new Set(useful.map(({ profile_id }) => profile_id))];
  if (ids.length === 0) return new Set();
  const now = ctx.now();
  const rows = await ctx.run(startsOf, { ids: JSON.stringify(ids) });
  const items = rows.map(({ id, pending_starts }) => {
    const added = useful
      .filter(({ profile_id }) => profile_id === id)
      .map(({ experience, event, at }) => toPendingStart(experience.id, event, at));
    return [id, JSON.stringify(addPendingStarts(pending_starts, added, now))];
  });
  await ctx.run(setStarts, { items: JSON.stringify(items) });
  return new Set(ids);
}

/** Leaves out an event that can start nothing: the user sees the Experience now, or has finished it for good; or is not at the step. */
async function withoutUseless(ctx: Context, matches: readonly Match[]): Promise<Match[]> {
  if (matches.length === 0) return [];
  const pairs = new Map(
    matches.map(({ profile_id, experience }) => [profile_id + experience.id, [profile_id, experience.id]]),
  );
  const rows = await ctx.run(interactionsOf, { items: JSON.stringify([...pairs.values()]) });
  const now = ctx.now();
  const known = new Map(rows.map((row) => [row.profile_id + row.experience_id, row]));
  return matches.filter(({ profile_id, experience, event, at }) => {
    const interaction = known.get(profile_id + experience.id);
    if (event !== experience.startEvent) return interaction?.state === 'started';
    // A snoozed one comes back without an event.
    const isOpen =
      isInProgress(interaction, now) || (interaction?.state === 'started' && interaction.defer_until !== null);
    return !isOpen && isAfterShowing(at, interaction) && !checkSeen(experience, interaction, at + event.withinMs);
  });
}
