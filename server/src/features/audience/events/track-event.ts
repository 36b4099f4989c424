import {
  CUSTOM_TOO_LARGE_MESSAGE,
  type EventInput,
  isCustomTooLarge,
  measureRow,
  mergeCustom,
  timeOfId,
  toEventItem,
} from '@usher/domain';
import type { Insertable } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Schema } from '../../../db/schema.ts';
import { ApiError, invalid } from '../../../errors.ts';
import { currentAccount } from '../../../pages/current-account.ts';
import { meetGoals } from '../../delivery/interactions/meet-goals.ts';
import { changeProfiles } from '../profiles/save-profiles.ts';
import { type Sender, withPropertyRegistry } from '../properties/seen.ts';

interface Options {
  /** Checks in the same transaction whether the event is accepted. */
  admit?: (ctx: Context) => Promise<unknown>;
  idempotency_key?: string | undefined;
  /** Called with the room that the event takes if it is stored, and was not sent before. */
  onStored?: (bytes: number) => unknown;
}

/**
 * Stores an event, counts it for its profile, and records the goals that it meets. The profile is created if its uid is
 * new. If the profile had an event with this idempotency key before, nothing changes and the first event is returned.
 */
export async function trackEvent(
  ctx: Context,
  params: EventInput,
  sender: Sender,
  { admit, idempotency_key, onStored }: Options = {},
): Promise<{ id: string }> {
  const problems: string[] = [];
  const { profile, name, custom: patch } = toEventItem(params, problems, ctx.now());
  if (problems.length > 0) throw invalid(...problems);
  const { custom, text } = mergeCustom({}, patch) ?? { custom: {}, text: '{}' };
  if (isCustomTooLarge({ custom, text })) throw invalid(CUSTOM_TOO_LARGE_MESSAGE);
  const account = await currentAccount(ctx, ctx.account);
  return withPropertyRegistry(ctx, sender, async (ctx, values) => {
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
    onStored?.(measureRow('event', { indexed: [name, idempotency_key], plain: [text] }));
    values.add('event', profileId, custom);
    values.addEventName(name, params.name, profileId);
    await countEvent(ctx, profileId, name, timeOfId(id));
    await meetGoals(ctx, profileId, account.goals(name, ctx.now()), account.timeZone);
    return stored;
  });
}

/** Returns the ID of the event, or that of the first event with its idempotency key. */
async function storeEvent(ctx: Context, row: Insertable<Schema['events']>): Promise<{ id: string }> {
  const stored = await ctx.db
    .insertInto('events')
    .values(row)
    .onConflict((existing) =>
      existing
        .columns(['account_id', 'profile_id', 'idempotency_key'])
        .where('idempotency_key', 'is not', null)
        .doNothing(),
    )
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
    .onConflict((existing) =>
      existing.columns(['account_id', 'profile_id', 'name']).doUpdateSet((eb) => ({
        count: eb('profile_events.count', '+', 1),
        last_at: eb.ref('excluded.last_at'),
      })),
    )
    .execute();
}
