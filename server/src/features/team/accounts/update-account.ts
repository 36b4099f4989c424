import {
  type Account,
  isTimeZone,
  keysOf,
  type Millis,
  nextUpdatedAt,
  readTestEmails,
  type UpdateAccount,
} from '@usher/domain';
import type { Selectable } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Schema } from '../../../db/schema.ts';
import { conflict, invalid } from '../../../errors.ts';
import { checkSeen } from '../../../http/check-seen.ts';
import { bumpPublishedVersion } from '../../../published/bump-published-version.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { presentAccount, selectAccount } from './show-account.ts';

export async function updateAccount(ctx: Context, params: UpdateAccount): Promise<Account> {
  const row = await changeAccount(ctx, params);
  if (params.test_emails) ctx.app.testUserMarker.start(ctx.account.id);
  // This comes after the commit: `presentAccount` waits for a write of its own, which on SQLite would wait for this
  // transaction.
  return presentAccount(ctx, row);
}

/** Like `updateAccount`, also as a part of a transaction. */
export function changeAccount(
  ctx: Context,
  { updated_at: seen, test_emails, ...others }: UpdateAccount,
): Promise<Selectable<Schema['accounts']>> {
  const params = { ...others, ...(test_emails && { test_emails: checkTestEmails(test_emails) }) };
  if (params.time_zone !== undefined && !isTimeZone(params.time_zone))
    throw invalid('`time_zone` must be the name of a time zone, such as `Europe/Berlin` or `UTC`');
  return ctx.transaction(async (ctx) => {
    // Transactions that create records take the clock before they read the account, so this one does too.
    await ctx.clock();
    const before = await ctx.dialect.lockRows(selectAccount(ctx)).executeTakeFirstOrThrow();
    checkSeen(seen, before, 'account');
    const keys = keysOf(params);
    const changed = keys.filter((key) => !isSame(before[key], params[key]));
    if (changed.length === 0) return before;
    if (params.require_uid_hash && before.uid_secret === null)
      throw conflict(
        'There is nothing yet to make `uid_hash` with: make a secret by `POST /v3/edit/account/uid_secret`, have your product send `uid_hash`, then require it',
      );
    const updated_at = nextUpdatedAt(before.updated_at, ctx.now());
    const { test_emails: patterns, ...plain } = params;
    const marks = changed.includes('test_emails') && {
      test_emails: JSON.stringify(patterns),
      test_emails_changed_at: updated_at,
    };
    const holdout = findHoldoutChange(before, plain, updated_at);
    const zone = changed.includes('time_zone') && { time_zone_changed_at: updated_at };
    const after = await ctx.db
      .updateTable('accounts')
      .set({ ...plain, ...marks, ...zone, ...holdout, updated_at })
      .where('id', '=', ctx.account.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    if (params.record_paths === false)
      await ctx.db.deleteFrom('visited_paths').where('account_id', '=', ctx.account.id).execute();
    await bumpPublishedVersion(ctx);
    const details = Object.fromEntries(changed.map((key) => [key, [toDetail(before[key]), toDetail(after[key])]]));
    await recordAudit(ctx, 'account.update', { type: 'account', id: after.id }, details);
    return after;
  });
}

/** Another holdout than before draws other users. A longer one, or one with another share, keeps its users. */
function findHoldoutChange(
  before: Selectable<Schema['accounts']>,
  { holdout_percent: percent = before.holdout_percent, holdout_until: until = before.holdout_until }: UpdateAccount,
  now: Millis,
): { holdout_from?: Millis } {
  const isSameAs = percent === before.holdout_percent && until === before.holdout_until;
  if (isSameAs || percent === 0) return {};
  if (until === null || until <= now)
    throw invalid('`holdout_until` must be a time to come: a holdout has an end, such as `+91d`');
  const wasOn = before.holdout_percent > 0 && (before.holdout_until ?? 0) > now;
  return wasOn ? {} : { holdout_from: now };
}

function checkTestEmails(sent: readonly string[]): string[] {
  const read = readTestEmails(sent);
  if ('problem' in read) throw invalid(read.problem);
  return read.patterns;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** An email is data of a user, so the audit log records only the number of emails. */
function toDetail(value: unknown): unknown {
  return Array.isArray(value) ? value.length : value;
}
