import { type RawBuilder, sql } from 'kysely';
import type { Upsert } from '../../../db/bulk-rows.ts';
import { bumpPublishedVersion } from '../../../published/bump-published-version.ts';
import { listResponseCounts } from '../../../published/load-account.ts';
import type { CountsContext } from './use-counts.ts';

/** How many Responses a survey has: without a Segment in total, else from its users. */
export interface ResponseCount {
  experience_id: string;
  segment_id: string;
  count: number;
}

const upsert: Upsert = {
  table: 'response_counts',
  columns: { experience_id: 'text', segment_id: 'text', count: 'bigint' },
  changes: ['count'],
  merged: { count: 'sum' },
  key: ['experience_id', 'segment_id'],
};

/**
 * Adds to the counts of Responses. When a survey has got the answers after which it ends, or has lost one of them, page loads read the
 * account again. So they need no query for this.
 */
export async function addResponseCounts(ctx: CountsContext, counts: readonly ResponseCount[]): Promise<void> {
  const changes = sumByKey(counts);
  if (changes.length === 0) return;
  await ctx.clock();
  await ctx.dialect.upsert(
    ctx.db,
    ctx.account.id,
    upsert,
    changes.map((row) => ({ ...row })),
  );
  const ids = [...new Set(changes.map(({ experience_id }) => experience_id))];
  const stored = new Map((await listResponseCounts(ctx.db, ctx.account.id, ids)).map((row) => [keyOf(row), row.count]));
  const limits = await findLimits(ctx, ids);
  const isCrossed = changes.some((change) => {
    const after = stored.get(keyOf(change)) ?? 0;
    const before = after - change.count;
    return (limits.get(change.experience_id) ?? []).some((limit) => {
      const max = change.segment_id === '' ? limit.total : limit.per_segment;
      return max !== null && before >= max !== after >= max;
    });
  });
  if (changes.some(({ count }) => count < 0))
    await ctx.db
      .deleteFrom('response_counts')
      .where('account_id', '=', ctx.account.id)
      .where('experience_id', 'in', ids)
      .where('count', '<=', 0)
      .execute();
  if (isCrossed) await bumpPublishedVersion(ctx);
}

/** After how many Responses the published versions of these surveys end. A scheduled version has its own numbers. */
async function findLimits({ account, db, dialect }: CountsContext, experienceIds: readonly string[]) {
  const published = await db
    .selectFrom('experiences')
    .select(['version_id', 'next_version_id'])
    .where('account_id', '=', account.id)
    .where('id', 'in', experienceIds)
    .execute();
  const ids = published.flatMap((row) => [row.version_id, row.next_version_id]).filter((id) => id !== null);
  const limits = new Map<string, { total: number | null; per_segment: number | null }[]>();
  if (ids.length === 0) return limits;
  const number = (name: string) => dialect.json.number(sql.ref('content'), ['document', name]);
  const rows = await db
    .selectFrom('versions')
    .select('experience_id')
    .select([
      number('stop_after_responses').$castTo<number | null>().as('total'),
      number('stop_after_responses_per_segment').$castTo<number | null>().as('per_segment'),
    ])
    .where('account_id', '=', account.id)
    .where('id', 'in', ids)
    .execute();
  const toNumber = (value: number | null) => (value === null ? null : Number(value));
  for (const { experience_id, total, per_segment } of rows)
    limits.set(experience_id, [
      ...(limits.get(experience_id) ?? []),
      { total: toNumber(total), per_segment: toNumber(per_segment) },
    ]);
  return limits;
}

/** Reads what some users add: `users` is the end of a query about rows `a`, which leaves out test users. */
export async function readResponseCounts(
  { db, dialect }: Pick<CountsContext, 'db' | 'dialect'>,
  users: RawBuilder<unknown>,
): Promise<ResponseCount[]> {
  const segments = dialect.json.items(sql.ref('a.segment_ids'));
  const { rows } = await sql<ResponseCount>`
    select a.experience_id, '' as segment_id, count(*) as count from responses as a ${users} group by a.experience_id
    union all
    select a.experience_id, item.value ->> 'id' as segment_id, count(*) as count
    from responses as a join ${segments} on true ${users} and a.segment_ids is not null
    group by a.experience_id, item.value ->> 'id'`.execute(db);
  return rows.map((row) => ({ ...row, count: Number(row.count) }));
}

export function negate(counts: readonly ResponseCount[]): ResponseCount[] {
  return counts.map((row) => ({ ...row, count: -row.count }));
}

function keyOf({ experience_id, segment_id }: Omit<ResponseCount, 'count'>): string {
  return `${experience_id} ${segment_id}`;
}

/** One statement cannot change a row twice. All transactions change rows in the same order. */
function sumByKey(counts: readonly ResponseCount[]): ResponseCount[] {
  const byKey = new Map<string, ResponseCount>();
  for (const row of counts) byKey.set(keyOf(row), { ...row, count: (byKey.get(keyOf(row))?.count ?? 0) + row.count });
  return [...byKey.entries()]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, row]) => row)
    .filter(({ count }) => count !== 0);
}
