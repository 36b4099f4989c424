import { type Experience, kindOfPath, kindPaths, pathOfKind, type Segment } from '@usher/domain';
import type { Context } from '../../context.ts';
import { type ListPage, listPage, type PageParameters } from '../../db/pagination/list-page.ts';
import { ApiError } from '../../errors.ts';
import { experiencesUsing } from '../experiences/experiences-using.ts';
import { presentExperiences } from '../experiences/queries.ts';
import { getSegment, presentSegment, segmentsOf, usersOf } from './queries.ts';

type SegmentUsers = Record<string, (Segment | Experience)[] | Segment | ListPage<unknown>['cursor']>;

/** What uses a Segment, the newest first. */
export async function listSegmentUsers(
  ctx: Context,
  id: string,
  word: string,
  page: PageParameters,
): Promise<SegmentUsers> {
  const segment = presentSegment(await getSegment(ctx, id));
  const path = word.endsWith('s') ? word : `${word}s`;
  const kind = kindOfPath(path);
  if (kind) {
    const query = experiencesUsing(ctx, 'segments', id).where('kind', '=', kind);
    const { rows, cursor } = await listPage(query, page);
    return { [pathOfKind(kind)]: await presentExperiences(ctx, rows), segment, cursor };
  }
  if (path !== 'segments')
    throw new ApiError(404, [`What uses a Segment is one of ${['segments', ...kindPaths].join(', ')}`]);
  const users = usersOf(id, await segmentsOf(ctx).execute()).map((user) => user.id);
  const query = ctx.db.selectFrom('segments').selectAll().where('account_id', '=', ctx.account.id);
  const { rows, cursor } = await listPage(query.where('id', 'in', ['', ...users]), page);
  return { segments: rows.map(presentSegment), segment, cursor };
}
