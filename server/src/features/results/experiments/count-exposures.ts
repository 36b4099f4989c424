import type { ArmNumbers, Millis } from '@usher/domain';
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { withoutTestUsers } from '../../audience/profiles/without-test-users.ts';
import type { ExperimentRow } from '../../delivery/experiment-records/queries.ts';

const DAY_MS = 24 * 60 * 60_000;

interface Exposures {
  /** By the ID of the variant. */
  arms: Map<string, ArmNumbers>;
  /** For each of `share_changes`, in the order of the variants. */
  countsByShares: number[][];
}

/** A goal can be reached until this time by people who became a part at this time; earlier ones are complete. */
export function completeBefore({ window_days }: ExperimentRow, now: Millis): Millis {
  return now - window_days * DAY_MS;
}

/** Counts who became a part of an experiment, from the rows. */
export async function countExposures(ctx: Context, row: ExperimentRow): Promise<Exposures> {
  const { share_changes, variants } = row;
  const phases = share_changes.slice(1).map(({ at }) => sql`case when exposed_at >= ${at} then 1 else 0 end`);
  const found = await ctx.heavyDb
    .selectFrom('exposures')
    .select((eb) => [
      'variant_id',
      sql<number>`${sql.join([sql.lit(0), ...phases], sql` + `)}`.as('phase'),
      sql<number>`case when exposed_at < ${completeBefore(row, ctx.now())} then 1 else 0 end`.as('is_complete'),
      eb.fn.countAll<number>().as('count'),
      eb.fn.count<number>('contaminated_at').as('contaminated'),
    ])
    .where('account_id', '=', ctx.account.id)
    .where('experiment_id', '=', row.id)
    .where(withoutTestUsers(ctx.account.id))
    .groupBy(['variant_id', sql.ref('phase'), sql.ref('is_complete')])
    .execute();
  const arms = new Map<string, ArmNumbers>();
  const countsByShares = share_changes.map(() => variants.map(() => 0));
  for (const { variant_id, phase, is_complete, count, contaminated } of found) {
    const arm = arms.get(variant_id) ?? { exposed: 0, complete: 0, contaminated: 0 };
    arms.set(variant_id, {
      exposed: arm.exposed + Number(count),
      complete: arm.complete + (Number(is_complete) === 1 ? Number(count) : 0),
      contaminated: arm.contaminated + Number(contaminated),
    });
    const counts = countsByShares[Number(phase)];
    const at = variants.findIndex(({ id }) => id === variant_id);
    if (counts && at >= 0) counts[at] = (counts[at] ?? 0) + Number(count);
  }
  return { arms, countsByShares };
}

const RECENT_DAYS = 14;

/** How many people became a part each day lately. */
export async function countPerDay(ctx: Context, { id, started_at }: ExperimentRow): Promise<number | null> {
  const now = ctx.now();
  const from = Math.max(started_at ?? now, now - RECENT_DAYS * DAY_MS);
  // Within the first hours, a rate for a day would be a guess.
  if (now - from < DAY_MS / 4) return null;
  const { count } = await ctx.heavyDb
    .selectFrom('exposures')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', ctx.account.id)
    .where('experiment_id', '=', id)
    .where('exposed_at', '>=', from)
    .where(withoutTestUsers(ctx.account.id))
    .executeTakeFirstOrThrow();
  return Number(count) / ((now - from) / DAY_MS);
}
