import type { FindProfile } from '@usher/domain';
import type { Context } from '../../context.ts';
import { recordDeletions } from '../deletions/record-deletions.ts';
import { eventNamesOnlyOf, removeEventNames } from '../event-names/remove-event-names.ts';
import { removeSamples } from '../properties/remove-samples.ts';
import { removeFromSegments } from '../segments/remove-from-segments.ts';
import { getProfile, type ProfileRow } from './queries.ts';

/** When it answers, nothing of the user is left: in no table, and on SQLite in no file. */
export async function forgetProfile(
  ctx: Context,
  find: FindProfile,
): Promise<{ profile: { id: string }; deletion: { id: string } }> {
  const { answer, traces } = await ctx.transaction(async (ctx) => {
    const row = await getProfile(ctx, find, true);
    const [deletion] = await forgetRows(ctx, [row]);
    return { answer: { profile: { id: row.id }, deletion: { id: deletion ?? '' } }, traces: tracesOf(row) };
  });
  await ctx.app.storage.shred(traces);
  return answer;
}

/**
 * Texts by which copies of the row, and of what names it, are known in a file. A short uid is known by what stands before
 * it in every index: alone it would be found everywhere.
 */
export function tracesOf({ account_id, id, uid, email, custom }: Traced): string[] {
  const names = [uid, email ?? ''].map((name) => (isTelling(name) ? name : account_id + name));
  return [id, ...names.filter((name) => name !== account_id), ...textsIn(custom).filter(isTelling)];
}

type Traced = Pick<ProfileRow, 'account_id' | 'id' | 'uid' | 'custom'> & { email?: ProfileRow['email'] };

function isTelling(text: string): boolean {
  return Buffer.byteLength(text) >= 6;
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Forgets profiles that the transaction holds, and answers the IDs of the deletions. */
export async function forgetRows(
  ctx: Context,
  rows: readonly Pick<ProfileRow, 'id' | 'uid' | 'email'>[],
): Promise<string[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const tables = [
    'events',
    'profile_events',
    'interactions',
    'answers',
    'responses',
    'activities',
    'findings',
    'deliveries',
    // What is to be told, then what became of it: whoever sends holds the first while writing the next.
    'webhook_events',
    'outbox',
    'webhook_attempts',
  ] as const;
  const eventNames = await eventNamesOnlyOf(ctx, ids);
  for (const table of tables)
    await ctx.db.deleteFrom(table).where('account_id', '=', ctx.account.id).where('profile_id', 'in', ids).execute();
  await removeFromSegments(ctx, rows);
  await removeEventNames(ctx, eventNames);
  await removeSamples(ctx, ['profile', 'event', 'event_name'], ids);
  await ctx.db.deleteFrom('profiles').where('account_id', '=', ctx.account.id).where('id', 'in', ids).execute();
  return recordDeletions(
    ctx,
    rows.map(({ uid }) => `profile ${uid}`),
  );
}
