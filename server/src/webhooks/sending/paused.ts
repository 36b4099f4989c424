import type { Millis } from '@usher/domain';
import type { Db, Storage } from '../../db/storage.ts';

/** The rows of `installation` that pause the sending: why, and since when. */
const PAUSED = 'sending_paused';
const PAUSED_AT = 'sending_paused_at';

interface SendingPause {
  reason: string;
  at: Millis;
}

/**
 * While sending is paused, items wait. A copy of the database must not send what the original sends, so it is paused
 * until an operator resumes it.
 */
export async function isSendingPaused(storage: Pick<Storage, 'reader'>): Promise<boolean> {
  return isPausedIn(storage.reader(null));
}

export async function isPausedIn(db: Db): Promise<boolean> {
  return (
    (await db.selectFrom('installation').select('name').where('name', '=', PAUSED).executeTakeFirst()) !== undefined
  );
}

export async function findSendingPause(storage: Pick<Storage, 'reader'>): Promise<SendingPause | undefined> {
  const rows = await storage
    .reader(null)
    .selectFrom('installation')
    .selectAll()
    .where('name', 'in', [PAUSED, PAUSED_AT])
    .execute();
  const valueFor = (name: string) => rows.find((row) => row.name === name)?.value;
  const reason = valueFor(PAUSED);
  return reason === undefined ? undefined : { reason, at: Number(valueFor(PAUSED_AT) ?? 0) };
}

/** Keeps the first reason if sending is paused already. */
export async function pauseSending(db: Db, pause: SendingPause): Promise<void> {
  if (!(await isPausedIn(db))) await pauseFrom(db, pause);
}

/**
 * Also moves the time of an earlier pause: in a copy of a paused database, everything until now belongs to the
 * original.
 */
export async function pauseFrom(db: Db, { reason, at }: SendingPause): Promise<void> {
  for (const row of [
    { name: PAUSED_AT, value: String(at) },
    { name: PAUSED, value: reason },
  ])
    await db
      .insertInto('installation')
      .values(row)
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: row.value }))
      .execute();
}

export async function unpauseSending(db: Db): Promise<void> {
  await db.deleteFrom('installation').where('name', 'in', [PAUSED, PAUSED_AT]).execute();
}
