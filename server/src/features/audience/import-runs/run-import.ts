import { isDeleteImport, isFileImport, isRecent, type Millis } from '@usher/domain';
import type { Updateable } from 'kysely';
import type { AppContext, Context } from '../../../context.ts';
import { createContext } from '../../../create-context.ts';
import type { Schema } from '../../../db/schema.ts';
import { ApiError } from '../../../errors.ts';
import type { YieldToRequests } from '../../../http/route.ts';
import { deleteFailures, type ImportRow, importsOf } from '../import-files/import-rows.ts';
import type { FilePiece } from '../import-files/read-piece.ts';
import type { DryRunMemory } from './dry-run-memory.ts';
import { runFileChunk } from './run-file-chunk.ts';
import { runFilterChunk } from './run-filter-chunk.ts';
import { noCounts } from './store-progress.ts';

/** A worker that was not seen for so long has died, and another one may go on. */
const LEASE_MS: Millis = 30_000;
/** While there are other requests, chunks are this many times smaller, as for batches. */
const BUSY_DIVISOR = 40;
/** Forgetting a user changes far more rows than storing one. */
const MAX_DELETED = 100;
const BYTES_PER_ROW = 2000;
export const MAX_TRIES = 10;

/** How an import shares its thread with others. */
export interface Pace {
  isBusy(): boolean;
  yieldToRequests: YieldToRequests;
  isStopped(): boolean;
  /** Whether nothing else runs in this thread, so that queries may take long. */
  isOwnThread: boolean;
}

/** An import while a worker runs it. */
export interface ImportRun {
  app: AppContext;
  accountId: string;
  id: string;
  /** The claim of the worker. A chunk is stored only while the import has it. */
  claim: string;
  pace: Pace;
  /** The piece of the file that was read last. */
  piece?: { key: string; piece: FilePiece };
  /** What a dry run has done so far. */
  memory?: DryRunMemory;
}

/** Lets one worker at a time run an import. Returns the import if it is this one. */
export async function claimImport(ctx: Context, id: string, claim: string): Promise<ImportRow | undefined> {
  return ctx.transaction(async (ctx) => {
    const row = await ctx.dialect.lockRows(importsOf(ctx).where('id', '=', id)).executeTakeFirst();
    const isDone = !row || row.import_at === null || row.state === 'completed' || row.state === 'error';
    if (isDone) {
      await removeFromQueue(ctx, id);
      return undefined;
    }
    // On SQLite there is one process, which runs each import once.
    const isShared = ctx.dialect.engine === 'postgres';
    if (isShared && row.claimed_at !== null && isRecent(row.claimed_at, ctx.now(), LEASE_MS)) return undefined;
    // What a dry run has done is in the memory of its worker only.
    const beginsAgain = row.is_dry_run && isFileImport(row.kind);
    const claimed = {
      ...{ claim, claimed_at: ctx.now(), state: 'started' as const, ran_at: row.ran_at ?? ctx.now() },
      ...(beginsAgain && { ...noCounts, piece: 0, record: 0 }),
    };
    if (beginsAgain) await deleteFailures(ctx, id);
    await updateImportRow(ctx, id, claimed);
    return { ...row, ...claimed };
  });
}

/** Runs a claimed import to its end, chunk by chunk, or until it is stopped or deleted. */
export async function runImport(run: ImportRun): Promise<void> {
  let ctx: Context | undefined;
  try {
    for (;;) {
      const began = performance.now();
      ctx ??= createRunContext(run);
      if (run.pace.isStopped()) return await release(ctx, run);
      ctx.app.disk.requireSpace();
      const row = await importsOf(ctx).where('id', '=', run.id).executeTakeFirst();
      if (row?.claim !== run.claim) return;
      ctx = createRunContext(run, row);
      const size = chunkSize(ctx, row, run.pace.isBusy());
      ctx.app.disk.noteBytes(BYTES_PER_ROW * size);
      const isDone = await (isFileImport(row.kind) ? runFileChunk : runFilterChunk)(ctx, run, row, size, began);
      if (isDone) return await finish(ctx, row);
      await run.pace.yieldToRequests(began);
    }
  } catch (error) {
    await recordFailure(ctx ?? createRunContext(run), run, error);
    throw error;
  }
}

/** The entries of the audit log name the administrator who started the import. */
function createRunContext({ app, accountId }: ImportRun, row?: ImportRow): Context {
  return createContext(app, { account: { id: accountId }, actor: { id: row?.admin_id ?? '', role: 'editor' } });
}

function chunkSize({ dialect }: Context, { kind, is_dry_run }: ImportRow, isBusy: boolean): number {
  const most = isDeleteImport(kind) && !is_dry_run ? MAX_DELETED : dialect.rowsPerWrite;
  return Math.ceil(most / (isBusy ? BUSY_DIVISOR : 1));
}

/** After the last chunk: what must not wait for its usual time. */
async function finish({ app, account }: Context, { kind, is_dry_run }: ImportRow): Promise<void> {
  if (isDeleteImport(kind) && !is_dry_run) await app.storage.shred([]);
  else await app.propertyRegistry.flush(account.id);
}

async function release(ctx: Context, { id, claim }: ImportRun): Promise<void> {
  await ctx.transaction((ctx) =>
    ctx.db
      .updateTable('imports')
      .set({ claim: null, claimed_at: null })
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', id)
      .where('claim', '=', claim)
      .execute(),
  );
}

/**
 * After a failure the import is tried again, later each time. It stops if the failure is one that an administrator has to solve, or
 * after many tries. What was stored stays, and the next try goes on behind it.
 */
async function recordFailure(ctx: Context, { id, claim }: ImportRun, error: unknown): Promise<void> {
  const isFinal = error instanceof ApiError && error.code < 500;
  const message = error instanceof ApiError ? error.message : 'The server could not store a part of it';
  await ctx
    .transaction(async (ctx) => {
      const row = await ctx.dialect.lockRows(importsOf(ctx).where('id', '=', id)).executeTakeFirst();
      if (row?.claim !== claim) return;
      const tries = row.tries + 1;
      const stops = isFinal || tries >= MAX_TRIES;
      const state = stops ? 'error' : 'retrying';
      await updateImportRow(ctx, id, { state, error: message, tries, claim: null, claimed_at: null });
      if (stops) await removeFromQueue(ctx, id);
      else await delayInQueue(ctx, id, ctx.now() + 1000 * 2 ** tries);
    })
    // If the storage is unavailable, the lease ends, and a worker goes on.
    .catch(() => {});
}

async function updateImportRow(ctx: Context, id: string, values: Updateable<Schema['imports']>): Promise<void> {
  await ctx.db
    .updateTable('imports')
    .set(values)
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', id)
    .execute();
}

async function removeFromQueue(ctx: Context, id: string): Promise<void> {
  await ctx.db
    .deleteFrom('import_queue')
    .where('account_id', '=', ctx.account.id)
    .where('import_id', '=', id)
    .execute();
}

async function delayInQueue(ctx: Context, id: string, due_at: Millis): Promise<void> {
  await ctx.db
    .updateTable('import_queue')
    .set({ due_at })
    .where('account_id', '=', ctx.account.id)
    .where('import_id', '=', id)
    .execute();
}
