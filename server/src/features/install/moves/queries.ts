import type { Millis } from '@usher/domain';
import type { Selectable } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Schema } from '../../../db/schema.ts';
import { ApiError } from '../../../errors.ts';

export type MoveRow = Selectable<Schema['moves']>;

export async function findMove(ctx: Context, { lock = false } = {}): Promise<MoveRow | undefined> {
  const query = ctx.db.selectFrom('moves').selectAll().where('account_id', '=', ctx.account.id);
  return (lock ? ctx.dialect.lockRows(query) : query).executeTakeFirst();
}

export async function getMove(ctx: Context, options?: { lock: boolean }): Promise<MoveRow> {
  const row = await findMove(ctx, options);
  if (!row) throw new ApiError(404, ['Nothing is being moved to this account']);
  return row;
}

/** A process that does not report for so long is gone: another one may continue its work. */
const CLAIM_MS: Millis = 10_000;

export function isClaimed({ claim, claimed_at }: MoveRow, now: Millis): boolean {
  return claim !== null && claimed_at !== null && now - claimed_at < CLAIM_MS;
}
