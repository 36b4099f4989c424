import { isRecent, type Millis } from '@usher/domain';
import type { AppContext } from '../context.ts';
import type { Db, Storage } from '../db/storage.ts';

/** The row of `installation` with the last scheduled backup of any node. */
const BACKUP = 'scheduled_backup';
/** A node renews its claim every minute. */
const MAX_CLAIM_MS: Millis = 10 * 60_000;
const RETRY_MS: Millis = 15 * 60_000;

export interface BackupState {
  last?: { at: Millis; bytes: number; name: string };
  /** Why the latest attempt failed. */
  error?: { at: Millis; message: string };
  /** While a node makes a backup: when the node last renewed its claim. */
  claimed_at?: Millis;
}

export async function readState(storage: Pick<Storage, 'reader'>): Promise<BackupState> {
  return readFrom(storage.reader(null));
}

/** A time in the future, from when the clock was ahead, does not keep backups from being made. */
export function isDue({ last, error, claimed_at = 0 }: BackupState, everyMs: Millis, now: Millis): boolean {
  const isClaimed = isRecent(claimed_at, now, MAX_CLAIM_MS);
  const hasFailedNow = error !== undefined && isRecent(error.at, now, Math.min(RETRY_MS, everyMs));
  return !isClaimed && !hasFailedNow && (last === undefined || !isRecent(last.at, now, everyMs));
}

/** Returns whether a backup is due, and this node has to make it. */
export function claimBackup({ storage, now }: AppContext, everyMs: Millis): Promise<boolean> {
  return storage.write(null, async (db) => {
    await db
      .insertInto('installation')
      .values({ name: BACKUP, value: '{}' })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await storage.dialect.lockRows(db.selectFrom('installation').selectAll().where('name', '=', BACKUP)).execute();
    const state = await readFrom(db);
    if (!isDue(state, everyMs, now())) return false;
    await writeTo(db, { ...state, claimed_at: now() });
    return true;
  });
}

export function keepClaim({ storage, now }: AppContext): Promise<void> {
  return storage.write(null, async (db) => {
    const state = await readFrom(db);
    if (state.claimed_at !== undefined) await writeTo(db, { ...state, claimed_at: now() });
  });
}

/** Stores a new backup or an error, and ends the claim. An error does not hide the last backup. */
export function recordOutcome(
  { storage }: AppContext,
  outcome: Pick<BackupState, 'last'> | Pick<BackupState, 'error'>,
): Promise<BackupState> {
  return storage.write(null, async (db) => {
    const { last } = await readFrom(db);
    const state = 'last' in outcome ? outcome : { ...(last && { last }), ...outcome };
    await writeTo(db, state);
    return state;
  });
}

/** @param value the value of the row of `installation`, if there is one */
export function parseState(value: string | undefined): BackupState {
  return value === undefined ? {} : JSON.parse(value);
}

async function readFrom(db: Db): Promise<BackupState> {
  const row = await db.selectFrom('installation').select('value').where('name', '=', BACKUP).executeTakeFirst();
  return parseState(row?.value);
}

async function writeTo(db: Db, state: BackupState): Promise<void> {
  await db
    .updateTable('installation')
    .set({ value: JSON.stringify(state) })
    .where('name', '=', BACKUP)
    .execute();
}
