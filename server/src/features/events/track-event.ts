import {
  type Integration,
  isTooLarge,
  mergeCustom,
  type SentEvent,
  timeOfId,
  toEventItem,
  tooLargeText,
} from '@usher/domain';
import type { Context } from '../../context.ts';
import { invalid, Refusal } from '../../errors.ts';
import { meetGoals } from '../interactions/meet-goals.ts';
import { changeProfiles } from '../profiles/save-profiles.ts';
import { discovering } from '../properties/seen.ts';
import { currentAccount } from '../visits/current-account.ts';

/**
 * Stores an event, counts it for its profile, which is made when its uid is new, and notes the goals that it meets.
 * Whoever has to be let in first is, in the same transaction.
 */
export async function trackEvent(
  ctx: Context,
  given: SentEvent,
  integration: Integration,
  admit: (ctx: Context) => Promise<unknown> = async () => {},
): Promise<{ id: string }> {
  const problems: string[] = [];
  const { profile, name, custom: patch } = toEventItem(given, problems);
  if (problems.length > 0) throw invalid(...problems);
  const { custom, text } = mergeCustom({}, patch) ?? { custom: {}, text: '{}' };
  if (isTooLarge({ custom, text })) throw invalid(tooLargeText);
  const account = await currentAccount(ctx, ctx.account);
  return discovering(ctx, integration, async (ctx, values) => {
    await admit(ctx);
    const [found] = await changeProfiles(ctx, [{ ...profile, custom: {} }], 'create', values);
    if (found instanceof Refusal) throw found;
    const profileId = found?.id ?? '';
    values.add('event', profileId, custom);
    const { id } = ctx.newRow();
    await ctx.db
      .insertInto('events')
      .values({ account_id: ctx.account.id, id, profile_id: profileId, name, custom: text })
      .execute();
    await countEvent(ctx, profileId, name, timeOfId(id));
    await meetGoals(ctx, profileId, account.goals(name, ctx.now()));
    return { id };
  });
}

async function countEvent(ctx: Context, profileId: string, name: string, at: number): Promise<void> {
  await ctx.db
    .insertInto('profile_events')
    .values({ account_id: ctx.account.id, profile_id: profileId, name, count: 1, first_at: at, last_at: at })
    .onConflict((known) =>
      known.columns(['account_id', 'profile_id', 'name']).doUpdateSet((eb) => ({
        count: eb('profile_events.count', '+', 1),
        last_at: eb.ref('excluded.last_at'),
      })),
    )
    .execute();
}
