import type { Segment } from '@usher/domain';
import type { Context } from '../../context.ts';
import { type ListPage, listPage, type PageParameters } from '../../db/pagination/list-page.ts';
import { presentSegment } from './queries.ts';

export async function listSegments(
  ctx: Context,
  page: PageParameters,
): Promise<{ segments: Segment[]; cursor: ListPage<unknown>['cursor'] }> {
  const query = ctx.db.selectFrom('segments').selectAll().where('account_id', '=', ctx.account.id);
  const { rows, cursor } = await listPage(query, page);
  return { segments: rows.map(presentSegment), cursor };
}
