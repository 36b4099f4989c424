import { dayOf, type ListPaths, toTimestamp, type VisitedPath } from '@usher/domain';
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';

const DAYS = 14;

/** Lists the paths that users visited in the last 14 days, the most visited first. */
export async function listPaths(ctx: Context, { search, limit }: ListPaths): Promise<VisitedPath[]> {
  await ctx.app.visitedPaths.flush(ctx.account.id);
  let query = ctx.heavyDb
    .selectFrom('visited_paths')
    .select(({ fn }) => [
      'host',
      'path',
      fn.sum<number>('count').as('count'),
      fn.max('last_seen_at').as('last_seen_at'),
    ])
    .where('account_id', '=', ctx.account.id)
    .where('day', '>', dayOf(ctx.now()) - DAYS);
  if (search !== undefined) {
    const pattern = `%${search.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
    query = query.where(sql<boolean>`lower(host || path) like ${pattern} escape '\\'`);
  }
  const rows = await query
    .groupBy(['host', 'path'])
    .orderBy('count', 'desc')
    .orderBy('host')
    .orderBy('path')
    .limit(limit)
    .execute();
  return rows.map(({ host, path, count, last_seen_at }) => ({
    ...{ host, path, count: Number(count) },
    last_seen_at: toTimestamp(Number(last_seen_at)),
  }));
}
