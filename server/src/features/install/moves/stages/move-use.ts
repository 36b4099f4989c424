import { isRecord, type MoveStage } from '@usher/domain';
import type { Context } from '../../../../context.ts';
import { timesOf } from '../context-for.ts';
import type { MoveRun } from '../move-run.ts';
import { type SourceRecord, SourceRejection } from '../source.ts';
import type { SourceExperience } from './read-experiences.ts';

/** Clocks differ: what changed shortly before the last run is read again. */
const OVERLAP_MS = 60 * 60_000;

type StoreUse = (
  ctx: Context,
  experience: SourceExperience,
  records: readonly SourceRecord[],
  problems: string[],
) => Promise<number>;

/**
 * Reads what users did with one Experience after the other. A later run reads the latest changes first, and stops where the last
 * run has read.
 */
export async function moveUse(
  run: MoveRun,
  stage: Extract<MoveStage, 'interactions' | 'responses'>,
  experiences: readonly SourceExperience[],
  store: StoreUse,
): Promise<void> {
  const progress = run.begin(stage);
  progress.total ??= experiences.reduce((sum, { record }) => sum + expectedRows(stage, record), 0);
  if (run.isDry) return;
  const { since } = progress;
  const order: Record<string, string> = since === null ? {} : { order: 'updated_at' };
  const first = experiences.findIndex(({ record }) => record.id === progress.experienceId);
  for (const experience of experiences.slice(Math.max(first, 0))) {
    const { id } = experience.record;
    let before = run.progress.stages[stage]?.experienceId === id ? (run.progress.stages[stage]?.cursor ?? null) : null;
    for (;;) {
      const page = await readPage(run, stage, { id, ...order, ...(before !== null && { before }) });
      const oldest = page.records.at(-1);
      const isDone = since !== null && oldest !== undefined && timesOf(oldest).updatedAt < since - OVERLAP_MS;
      await run.store(async (ctx) => {
        const problems: string[] = [];
        const stored = page.records.length === 0 ? 0 : await store(ctx, experience, page.records, problems);
        for (const text of new Set(problems)) await run.addProblems(ctx, stage, '', [text]);
        const known = run.progress.stages[stage];
        return {
          experienceId: id,
          cursor: page.next,
          done: (known?.done ?? 0) + stored,
          problems: (known?.problems ?? 0) + problems.length,
        };
      });
      if (page.next === null || isDone) break;
      before = page.next;
    }
  }
  await run.finish();
}

/** A service may know these of some kinds only. */
async function readPage(
  run: MoveRun,
  stage: 'interactions' | 'responses',
  params: Record<string, string>,
): ReturnType<MoveRun['source']['page']> {
  const details = stage === 'responses' && run.givesDetails;
  try {
    return await run.source.page(`/v3/analyze/${stage}`, stage, {
      ...params,
      'expand[profile]': 'min',
      'expand[company]': 'skip',
      ...(details && { details: 'true' }),
    });
  } catch (error) {
    if (!(error instanceof SourceRejection)) throw error;
    if (!details) return { records: [], next: null };
    // A service may reject a parameter that it does not know.
    run.givesDetails = false;
    return readPage(run, stage, params);
  }
}

function expectedRows(stage: 'interactions' | 'responses', { stats }: SourceRecord): number {
  if (!isRecord(stats)) return 0;
  const count = (name: string) => Number(stats[name] ?? 0) || 0;
  return stage === 'interactions'
    ? Math.max(count('started_count'), count('displayed_count'))
    : count('completed_count');
}

/** The ID of the user in a record. */
export function profileIdOf(record: SourceRecord): string | null {
  if (typeof record.profile_id === 'string') return record.profile_id;
  return isRecord(record.profile) && typeof record.profile.id === 'string' ? record.profile.id : null;
}

/** Finds which of these users are here. Their rows stay until the end of the transaction. */
export async function keepProfiles(ctx: Context, ids: readonly string[]): Promise<Set<string>> {
  const names = [...new Set(ids)];
  if (names.length === 0) return new Set();
  const wanted = { table: 'profiles' as const, key: 'id', names, columns: ['id'] as const };
  return new Set((await ctx.dialect.lookUp<{ id: string }>(ctx.db, ctx.account.id, wanted)).map(({ id }) => id));
}
