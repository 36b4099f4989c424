import { isRecent, type Millis } from '@usher/domain';
import type { AppContext } from '../context.ts';
import type { Db, Storage } from '../db/storage.ts';

/** The row of `installation` with what any node did last. */
export type ScheduledWork = 'scheduled_backup' | 'scheduled_export';
/** A node renews its claim every minute. */
const MAX_CLAIM_MS: Millis = 10 * 60_000;
const RETRY_MS: Millis = 15 * 60_000;

export interface ScheduledState<Last extends { at: Millis }> {
  last?: Last;
  /** Why the latest attempt failed. */
  error?: { at: Millis; message: string };
  /** While a node works: when the node last renewed its claim. */
  claimed_at?: Millis;
  /** How far the node is. */
  progress?: string;
}

/** The state of scheduled backups. */
export type BackupState = ScheduledState<{ at: Millis; bytes: number; name: string }>;

export async function readState<Last extends { at: Millis }>(
  storage: Pick<Storage, 'reader'>,
  work: ScheduledWork,
): Promise<ScheduledState<Last>> {
  return readFrom(storage.reader(null), work);
}

/** Whether a node works now. */
export function isClaimed(
  { claimed_at = 0 }: Pick<ScheduledState<{ at: Millis }>, 'claimed_at'>,
  now: Millis,
): boolean {
  return isRecent(claimed_at, now, MAX_CLAIM_MS);
}

/** A time in the future, from when the clock was ahead, does not keep the work from being done. */
export function isDue(
  { last, error, ...state }: ScheduledState<{ at: Millis }>,
  everyMs: Millis,
  now: Millis,
): boolean {
  const hasFailedNow = error !== undefined && isRecent(error.at, now, Math.min(RETRY_MS, everyMs));
  return !isClaimed(state, now) && !hasFailedNow && (last === undefined || !isRecent(last.at, now, everyMs));
}

/** Returns whether the work is due, and this node has to do it. With `everyMs` 0 it is due unless another node does it. */
export function claimWork({ storage, now }: AppContext, work: ScheduledWork, everyMs: Millis): Promise<boolean> {
  return storage.write(null, async (db) => {
    await db
      .insertInto('installation')
      .values({ name: work, value: '{}' })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await storage.dialect.lockRows(db.selectFrom('installation').selectAll().where('name', '=', work)).execute();
    const state = await readFrom(db, work);
    if (!isDue(state, everyMs, now())) return false;
    await writeTo(db, work, { ...state, claimed_at: now() });
    return true;
  });
}

export function keepClaim({ storage, now }: AppContext, work: ScheduledWork, progress?: string): Promise<void> {
  return storage.write(null, async (db) => {
    const state = await readFrom(db, work);
    if (state.claimed_at !== undefined)
      await writeTo(db, work, { ...state, claimed_at: now(), ...(progress !== undefined && { progress }) });
  });
}

/** Ends the claim of work that was stopped. It is due as it was before. */
export function releaseClaim({ storage }: AppContext, work: ScheduledWork): Promise<void> {
  return storage.write(null, async (db) => {
    const { claimed_at: _, progress: __, ...state } = await readFrom(db, work);
    await writeTo(db, work, state);
  });
}

/** Stores what was done or an error, and ends the claim. An error does not hide what was done last. */
export function recordOutcome<Last extends { at: Millis }>(
  { storage }: AppContext,
  work: ScheduledWork,
  outcome: { last: Last } | { error: { at: Millis; message: string } },
): Promise<ScheduledState<Last>> {
  return storage.write(null, async (db) => {
    const { last } = await readFrom<Last>(db, work);
    const state: ScheduledState<Last> = 'last' in outcome ? outcome : { ...(last && { last }), ...outcome };
    await writeTo(db, work, state);
    return state;
  });
}

/** @param value the value of the row of `installation`, if there is one */
export function parseState<Last extends { at: Millis }>(value: string | undefined): ScheduledState<Last> {
  return value === undefined ? {} : JSON.parse(value);
}

async function readFrom<Last extends { at: Millis }>(db: Db, work: ScheduledWork): Promise<ScheduledState<Last>> {
  const row = await db.selectFrom('installation').select('value').where('name', '=', work).executeTakeFirst();
  return parseState(row?.value);
}

async function writeTo(db: Db, work: ScheduledWork, state: object): Promise<void> {
  await db
    .updateTable('installation')
    .set({ value: JSON.stringify(state) })
    .where('name', '=', work)
    .execute();
}
