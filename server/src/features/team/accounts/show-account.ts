import { type Account, ignoredReasons, timeOfId, toTimestamp, toTimestampOrNull } from '@usher/domain';
import type { Selectable } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Schema } from '../../../db/schema.ts';

export async function showAccount(ctx: Context): Promise<Account> {
  return presentAccount(ctx, await selectAccount(ctx).executeTakeFirstOrThrow());
}

export function selectAccount(ctx: Context) {
  return ctx.db.selectFrom('accounts').selectAll().where('id', '=', ctx.account.id);
}

/** Leaves out the keys of the account. */
export async function presentAccount(ctx: Context, row: Selectable<Schema['accounts']>): Promise<Account> {
  return {
    id: row.id,
    created_at: toTimestamp(timeOfId(row.id)),
    updated_at: toTimestamp(row.updated_at),
    name: row.name,
    token: row.token,
    allow_scripts: row.allow_scripts,
    allow_globals: row.allow_globals,
    allow_percent: row.allow_percent,
    delivery_ids_limit: row.delivery_ids_limit,
    require_uid_hash: row.require_uid_hash,
    trust_pages: row.trust_pages,
    anonymous_users: row.anonymous_users,
    anonymous_days: row.anonymous_days,
    who_may_publish: row.who_may_publish,
    record_paths: row.record_paths,
    holdout_percent: row.holdout_percent,
    holdout_until: toTimestampOrNull(row.holdout_until),
    time_zone: row.time_zone,
    time_zone_changed_at: toTimestampOrNull(row.time_zone_changed_at),
    test_emails: row.test_emails,
    events_days: ctx.app.activity.eventsDays,
    ignored_page_writes: await ctx.app.pageCounts.sums(row.id, ignoredReasons),
  };
}
