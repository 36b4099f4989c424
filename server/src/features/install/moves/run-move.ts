import { type Millis, type Move, type MoveProgress, type MoveStage, stagesOf } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { conflict, invalid } from '../../../errors.ts';
import { sealKey } from '../../../keys/account-keys.ts';
import { bumpPublishedVersion } from '../../../published/bump-published-version.ts';
import { recordAudit } from '../../team/audit/record-audit.ts';
import type { MovedPictures } from './move-pictures.ts';
import { type MoveMode, MoveRun, type RunOptions } from './move-run.ts';
import { findMove, isClaimed, type MoveRow } from './queries.ts';
import { runStages } from './run-stages.ts';
import { presentMove } from './show-move.ts';
import { Source, SourceFailure, type SourceOptions } from './source.ts';

export interface MoveOptions {
  source: Omit<SourceOptions, 'onRequest' | 'answers'>;
  /** What to move; everything if it is empty. */
  only: readonly string[];
  secrets: RunOptions['secrets'];
  onProgress?: RunOptions['onProgress'];
}

const noProgress: MoveProgress = {
  ...{ pageSize: 500, requests: 0, secondsLeft: null, unfinished: [], heldWebhooks: [], stages: {} },
};

/** A dry run that is over: nothing of it stays. */
class RolledBack extends Error {}

/**
 * Moves everything from another service to the account, or goes on where the last run has stopped. A run after a complete one brings what
 * is new. Only one process works on it at a time.
 */
export async function runMove(ctx: Context, params: MoveOptions): Promise<Move> {
  const options = withSharedLimit(params);
  const move = await startMove(ctx, options);
  return continueMove(ctx, move, options);
}

/** The first request, which checks the secret, counts too. */
export function withSharedLimit(options: MoveOptions): MoveOptions {
  return { ...options, source: { ...options.source, sentAt: [] } };
}

/** Checks the other service and the account, and claims the move for this process. */
export async function startMove(ctx: Context, { source, secrets }: MoveOptions): Promise<MoveRow> {
  const sourceAccountId = await readAccountId(source);
  if (sourceAccountId === ctx.account.id) throw conflict('This is the account that you would import from');
  const claim = ctx.app.newId();
  await ctx.transaction(async (ctx) => {
    await ctx.clock();
    const known = await findMove(ctx, { lock: true });
    const now = ctx.app.now();
    if (known && known.source_account_id !== sourceAccountId)
      throw conflict(`This account is being moved from ${known.source}, which has another account than this secret`);
    if (known && isClaimed(known, now)) throw conflict('The move is running already');
    if (!known && !(await isEmptyAccount(ctx)))
      throw conflict(
        'This account has Experiences or people already: import into a new account, before you go live. One user would have two profiles',
      );
    const claimed = {
      ...{ claim, claimed_at: now, updated_at: now, source: source.address },
      ...{ error: null, finished_at: null },
    };
    if (known) await ctx.db.updateTable('moves').set(claimed).where('account_id', '=', ctx.account.id).execute();
    else
      await ctx.db
        .insertInto('moves')
        .values({
          ...{ account_id: ctx.account.id, admin_id: ctx.actor.id, source_account_id: sourceAccountId },
          ...{ ...claimed, started_at: now, progress: JSON.stringify(noProgress) },
        })
        .execute();
    if (secrets.verification !== undefined) await storeVerificationSecret(ctx, secrets.verification);
    await recordAudit(ctx, 'move.start', null, { source: source.address });
  });
  const move = await findMove(ctx);
  if (!move) throw new Error('The move was deleted while it began');
  return move;
}

/** Runs all stages. If one fails, the move keeps what is stored, and says why it has stopped. */
export async function continueMove(ctx: Context, move: MoveRow, options: MoveOptions): Promise<Move> {
  const run = createRun(ctx, move, options, 'store');
  const stopBeating = run.startBeating();
  try {
    const stages = stagesToRun(run.progress, stagesOf(options.only), options.source.now());
    await runStages(run, stages, move.released_at !== null);
    await finish(ctx, move, { finished_at: ctx.app.now(), error: null });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    await finish(ctx, move, { error: message });
    throw error;
  } finally {
    stopBeating();
  }
  const finished = await findMove(ctx);
  if (!finished) throw new Error('The move was deleted while it ran');
  return presentMove(ctx, finished);
}

/** Finds what could not be moved as it is. It reads the settings and Experiences of the other service, and stores nothing. */
export async function tryMove(
  ctx: Context,
  params: MoveOptions,
): Promise<{ stages: MoveProgress['stages']; problems: MoveRun['found'] }> {
  const options = withSharedLimit(params);
  await readAccountId(options.source);
  const answers = new Map<string, Record<string, unknown>>();
  const source = { ...options.source, answers };
  const known = await findMove(ctx);
  const move = { claim: '', progress: known?.progress ?? noProgress };
  const stages = stagesOf(options.only);
  const pictures: MovedPictures = new Map();
  await runStages(createRun(ctx, move, { ...options, source, pictures }, 'read'), stages, false);
  let checked: MoveRun | undefined;
  await ctx
    .transaction(
      async (ctx) => {
        checked = createRun(ctx, move, { ...options, source, pictures }, 'check');
        await runStages(checked, stages, false);
        throw new RolledBack();
      },
      { isLong: true },
    )
    .catch((error) => {
      if (!(error instanceof RolledBack)) throw error;
    });
  return { stages: checked?.progress.stages ?? {}, problems: checked?.found ?? [] };
}

function createRun(
  ctx: Context,
  { claim, progress }: Pick<MoveRow, 'claim' | 'progress'>,
  {
    source,
    secrets,
    pictures = new Map(),
    onProgress = () => {},
  }: Omit<MoveOptions, 'source'> & { source: Omit<SourceOptions, 'onRequest'>; pictures?: MovedPictures },
  mode: MoveMode,
): MoveRun {
  return new MoveRun({
    ...{ ctx, source, claim: claim ?? '', progress: structuredClone(progress), mode, secrets, pictures, onProgress },
  });
}

/** A run that was interrupted goes on with what is left. After a complete one, all stages begin again, with what is new since. */
function stagesToRun({ stages }: MoveProgress, wanted: readonly MoveStage[], now: Millis): MoveStage[] {
  const left = wanted.filter((stage) => stages[stage]?.isFinished !== true);
  if (left.length > 0) return left;
  for (const stage of wanted) {
    const known = stages[stage];
    if (!known) continue;
    const again = { isFinished: false, cursor: null, experienceId: null, since: known.startedAt, startedAt: now };
    stages[stage] = { ...known, ...again };
  }
  return [...wanted];
}

async function finish(
  ctx: Context,
  { claim }: MoveRow,
  columns: Partial<Pick<MoveRow, 'finished_at' | 'error'>>,
): Promise<void> {
  await ctx.app.storage.write(ctx.account.id, (db) =>
    db
      .updateTable('moves')
      .set({ ...columns, claim: null, claimed_at: null, updated_at: ctx.app.now() })
      .where('account_id', '=', ctx.account.id)
      .where('claim', '=', claim)
      .execute(),
  );
}

async function readAccountId(options: Omit<SourceOptions, 'onRequest'>): Promise<string> {
  const { account } = (await new Source(options).get('/')) as { account?: { id?: unknown } };
  if (typeof account?.id !== 'string' || !/^[0-9a-f]{24}$/.test(account.id))
    throw new SourceFailure(`${options.address} is no v3 service: its root does not name an account`);
  return account.id;
}

async function isEmptyAccount({ db, account }: Context): Promise<boolean> {
  for (const table of ['experiences', 'profiles', 'companies'] as const) {
    // The type of one table stands for all: each has these columns.
    const rows = db
      .selectFrom(table as 'companies')
      .select('id')
      .where('account_id', '=', account.id);
    if (await rows.limit(1).executeTakeFirst()) return false;
  }
  return true;
}

/** Hashes that backends make with it are valid here, so that they can run against both services. */
async function storeVerificationSecret(ctx: Context, secret: string): Promise<void> {
  if (secret.length < 8) throw invalid('`verification_secret` must have 8 characters or more');
  const place = { id: ctx.account.id, column: 'uid_secret' } as const;
  const uid_secret = await sealKey(ctx.dialect, ctx.db, ctx.app.secretBox, place, secret);
  await ctx.db
    .updateTable('accounts')
    .set({ uid_secret, updated_at: ctx.now() })
    .where('id', '=', ctx.account.id)
    .execute();
  await bumpPublishedVersion(ctx);
}
