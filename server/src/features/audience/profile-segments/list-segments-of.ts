import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { conditionSql } from '../filters/condition-sql.ts';
import { segmentScope } from '../filters/segment-scope.ts';
import { type SegmentRow, segmentsOf } from '../filters/segments.ts';
import { getProfile } from '../profiles/queries.ts';
import { inChunks } from './in-chunks.ts';

/** The Segments that a profile is in, by name. */
export async function listSegmentsOf(ctx: Context, profileId: string): Promise<{ id: string; name: string }[]> {
  const { id } = await getProfile(ctx, { id: profileId });
  const segments = await segmentsOf(ctx).execute();
  const matching: SegmentRow[] = [];
  for (const chunk of inChunks(segments)) matching.push(...(await findMatching(ctx, id, segments, chunk)));
  return matching
    .map(({ id, name }) => ({ id, name }))
    .sort((one, other) => one.name.localeCompare(other.name, 'en') || (one.id < other.id ? -1 : 1));
}

/** Tests one row against several Segments, which may name other Segments. */
async function findMatching(
  ctx: Context,
  profileId: string,
  all: readonly SegmentRow[],
  tested: readonly SegmentRow[],
): Promise<SegmentRow[]> {
  const scope = segmentScope(ctx, all);
  const found = await ctx.heavyDb
    .selectFrom('profiles')
    .leftJoin('companies', (join) =>
      join.onRef('companies.account_id', '=', 'profiles.account_id').onRef('companies.id', '=', 'profiles.company_id'),
    )
    .where('profiles.account_id', '=', ctx.account.id)
    .where('profiles.id', '=', profileId)
    .select(
      tested.map((row, at) =>
        sql<number>`case when ${conditionSql(scope.segment(row.id), scope)} then 1 else 0 end`.as(`is_in_${at}`),
      ),
    )
    .executeTakeFirst();
  return tested.filter((_, at) => Number(found?.[`is_in_${at}`]) === 1);
}
