import type { Context } from '../context.ts';
import { forEachAccount } from '../db/for-each-account.ts';
import { ApiError, invalid } from '../errors.ts';
import { retryWhileLocked } from '../retry-while-locked.ts';
import { recordIdOf } from './created-record.ts';
import type { KeyedRequest } from './idempotency-key.ts';

const KEEP_MS = 24 * 60 * 60_000;

interface Outcome {
  status: number;
  body: object;
}

/** What a key was used for before. */
interface UsedKey {
  request_hash: string;
  status: number | null;
  record_id: string | null;
}

/**
 * Runs a request that creates a record, unless its key was used before: then the record is shown as it is now. The key is
 * stored in the transaction that creates the record. A second request with the key waits there for the first one.
 */
export async function runOnce(
  ctx: Context,
  request: KeyedRequest,
  run: (ctx: Context) => Promise<Outcome>,
  show: (ctx: Context, id: string) => Promise<object>,
): Promise<Outcome & { isRepeat: boolean }> {
  // Loading an account for the first time writes its keys, which the transaction would wait for. From then on, loading reads.
  await ctx.app.publishedCache.account(ctx.account.id);
  const done = await retryWhileLocked(ctx, async (ctx) => {
    const used = await claimKey(ctx, request);
    if (used) return { used };
    const outcome = await run(ctx);
    await storeOutcome(ctx, request, outcome);
    return { outcome };
  });
  if (done.outcome) return { ...done.outcome, isRepeat: false };
  const { request_hash, status, record_id } = done.used;
  if (request_hash !== request.requestHash)
    throw invalid(
      'This `Idempotency-Key` was used for another request within 24 hours: send the same parameters again, or use a new key',
    );
  return { status: status ?? 200, body: await showRecord(ctx, record_id, show), isRepeat: true };
}

/** Returns what the key was used for within a day, and otherwise claims it. */
async function claimKey(ctx: Context, { secretId, keyHash, requestHash }: KeyedRequest): Promise<UsedKey | undefined> {
  const now = ctx.now();
  const unused = { request_hash: requestHash, at: now, status: null, record_id: null };
  const claimed = await ctx.db
    .insertInto('idempotency_keys')
    .values({ account_id: ctx.account.id, secret_id: secretId, key_hash: keyHash, ...unused })
    .onConflict((known) =>
      known
        .columns(['account_id', 'secret_id', 'key_hash'])
        .doUpdateSet(unused)
        .where('idempotency_keys.at', '<=', now - KEEP_MS),
    )
    .returning('at')
    .executeTakeFirst();
  if (claimed) return undefined;
  return ctx.db
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'status', 'record_id'])
    .where('account_id', '=', ctx.account.id)
    .where('secret_id', '=', secretId)
    .where('key_hash', '=', keyHash)
    .executeTakeFirstOrThrow();
}

async function storeOutcome(
  ctx: Context,
  { secretId, keyHash }: KeyedRequest,
  { status, body }: Outcome,
): Promise<void> {
  await ctx.db
    .updateTable('idempotency_keys')
    .set({ status, record_id: recordIdOf(body) })
    .where('account_id', '=', ctx.account.id)
    .where('secret_id', '=', secretId)
    .where('key_hash', '=', keyHash)
    .execute();
}

async function showRecord(
  ctx: Context,
  id: string | null,
  show: (ctx: Context, id: string) => Promise<object>,
): Promise<object> {
  const gone = () => new ApiError(404, ['What this `Idempotency-Key` has created is deleted: use a new key']);
  if (id === null) throw gone();
  return show(ctx, id).catch((error) => {
    throw error instanceof ApiError && error.code === 404 ? gone() : error;
  });
}

/** Deletes the keys that were used more than a day ago. */
export async function sweepIdempotencyKeys({ storage, now }: Context['app']): Promise<void> {
  const end = now() - KEEP_MS;
  await forEachAccount(storage, (id) =>
    storage.write(
      id,
      (db) => db.deleteFrom('idempotency_keys').where('account_id', '=', id).where('at', '<', end).execute(),
      { isLong: true },
    ),
  );
}
