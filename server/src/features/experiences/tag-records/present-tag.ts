import { createdAtOf, type Tag, toTimestamp, toTimestampOrNull } from '@usher/domain';
import type { Context } from '../../../context.ts';
import type { TagRow } from './queries.ts';

/** Presents Tags with how many Experiences have each, in one query for all of them. */
export async function presentTags(ctx: Context, rows: readonly TagRow[]): Promise<Tag[]> {
  const counts = await countModels(
    ctx,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({
    id: row.id,
    created_at: toTimestamp(createdAtOf(row)),
    updated_at: toTimestamp(row.updated_at),
    uid: row.uid,
    name: row.name,
    description: row.description,
    models_count: counts.get(row.id) ?? 0,
    disabled_at: toTimestampOrNull(row.disabled_at),
    last_seen_at: toTimestampOrNull(row.last_seen_at),
  }));
}

export async function presentTag(ctx: Context, row: TagRow): Promise<Tag> {
  const [tag] = await presentTags(ctx, [row]);
  return tag as Tag;
}

async function countModels(ctx: Context, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await ctx.db
    .selectFrom('experience_uses')
    .select(({ fn }) => ['used_id', fn.countAll<number>().as('count')])
    .where('account_id', '=', ctx.account.id)
    .where('used_id', 'in', ids)
    .groupBy('used_id')
    .execute();
  return new Map(rows.map(({ used_id, count }) => [used_id, Number(count)]));
}
