import {
  CUSTOM_TOO_LARGE_MESSAGE,
  type EventInput,
  type Integration,
  isCustomTooLarge,
  mergeCustom,
  timeOfId,
  toEventItem,
} from '@usher/domain';
import type { Insertable } from 'kysely';
import type { Context } from '../../context.ts';
import type { Schema } from '../../db/schema.ts';
import { ApiError, invalid } from '../../errors.ts';
import { currentAccount } from '../../pages/current-account.ts';
import { meetGoals } from '../interactions/meet-goals.ts';
import { changeProfiles } from '../profiles/save-profiles.ts';
import { discovering } from '../properties/seen.ts';

interface Sender {
  /** Lets it in, in the same transaction. */
  admit?: (ctx: Context) => Promise<unknown>;
  idempotency_key?: string | undefined;
  /** Called when it is new, and not one that came again. */
  isNew?: () => unknown;
}

/**
 * Stores an event, counts it for its profile, which is made when its uid is new, and notes the goals that it meets.
 * One whose key the profile has already had changes nothing, and is answered as the first was.
 */
export async function trackEvent(
  ctx: Context,
  params: EventInput,
  integration: Integration,
  { admit, idempotency_key, isNew }: Sender = {},
): Promise<{ id: string }> {
  const problems: string[] = [];
  const { profile, name, custom: patch } = toEventItem(params, problems, ctx.now());
  if (problems.length > 0) throw invalid(...problems);
  const { custom, text } = mergeCustom({}, patch) ?? { custom: {}, text: '{}' };
  if (isCustomTooLarge({ custom, text })) throw invalid(CUSTOM_TOO_LARGE_MESSAGE);
  const account = await currentAccount(ctx, ctx.account);
  return discovering(ctx, integration, async (ctx, values) => {
    await admit?.(ctx);
    const [found] = await changeProfiles(ctx, [{ ...profile, custom: {} }], 'create', values);
    if (found instanceof ApiError) throw found;
    const profileId = found?.id ?? '';
    const id = ctx.newId();
    const stored = await storeEvent(ctx, {
      account_id: ctx.account.id,
      id,
      profile_id: profileId,
      name,
      custom: text,
      idempotency_key,
    });
    if (stored.id !== id) return stored;
    isNew?.();
    values.add('event', profileId, custom);
    values.addEventName(name, params.name, profileId);
    await countEvent(ctx, profileId, name, timeOfId(id));
    await meetGoals(ctx, profileId, account.goals(name, ctx.now()));
    return stored;
  });
}

/** Answers its ID, or that of the one that came with its key before. */
async function storeEvent(ctx: Context, row: Insertable<Schema['events']>): Promise<{ id: string }> {
  const stored = await ctx.db
    .insertInto('events')
    .values(row)
    .onConflict((known) => known.columns(['account_id', 'profile_id', 'idempotency_key']).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (stored) return stored;
  return ctx.db
    .selectFrom('events')
    .select('id')
    .where('account_id', '=', ctx.account.id)
    .where('profile_id', '=', row.profile_id)
    .where('idempotency_key', '=', row.idempotency_key ?? null)
    .executeTakeFirstOrThrow();
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
