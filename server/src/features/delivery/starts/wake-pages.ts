import { type Millis, parseItemTimes } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { PreparedStatement } from '../../../db/prepared-statement.ts';
import type { PublishedAccount } from '../../../published/published-account.ts';
import type { TrackedEvent } from './add-starts.ts';

const itemsOf = new PreparedStatement<{ profile_id: string; experience_id: string; items: string | null }, 'pairs'>(
  ({ json }) => `
    select known.profile_id, known.experience_id, known.items
    from ${json.table(':pairs', { profile_id: 'text', experience_id: 'text' })} as item
    cross join interactions as known
    where known.account_id = :account and known.profile_id = item.profile_id and known.experience_id = item.experience_id`,
);

/** Finds the users who have seen a launcher, and have not completed an item of it that one of these events can complete. */
export async function findWithOpenItems(
  ctx: Context,
  account: PublishedAccount,
  events: readonly TrackedEvent[],
  now: Millis,
): Promise<Set<string>> {
  const waiting = events.flatMap(({ profile_id, name }) =>
    account.launchersCompletedBy(name, now).flatMap(({ id, checklist }) => {
      const items = checklist?.items.filter((item) => item.events.includes(name)) ?? [];
      return { profile_id, experience_id: id, items: items.map((item) => item.id) };
    }),
  );
  if (waiting.length === 0) return new Set();
  const pairs = [...new Map(waiting.map((one) => [one.profile_id + one.experience_id, one])).values()];
  const rows = await ctx.run(itemsOf, {
    pairs: JSON.stringify(pairs.map(({ profile_id, experience_id }) => [profile_id, experience_id])),
  });
  const known = new Map(rows.map((row) => [row.profile_id + row.experience_id, parseItemTimes(row.items)]));
  const open = waiting.filter(({ profile_id, experience_id, items }) => {
    const completed = known.get(profile_id + experience_id);
    return completed !== undefined && items.some((id) => !completed.has(id));
  });
  return new Set(open.map(({ profile_id }) => profile_id));
}

const countWake = new PreparedStatement<never, 'ids'>(
  ({ json }) =>
    `update profiles set wake_count = wake_count + 1 where account_id = :account and ${json.isAmong('id', ':ids')}`,
);

/** Lets the open pages of these users know that they have to ask what shows. The profiles are locked. */
export async function wakePages(ctx: Context, profileIds: ReadonlySet<string>): Promise<void> {
  if (profileIds.size > 0) await ctx.run(countWake, { ids: JSON.stringify([...profileIds]) });
}
