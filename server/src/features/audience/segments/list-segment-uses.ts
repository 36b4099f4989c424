import { type Experience, kindOfPath, kindPaths, pathOfKind, type Segment } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { type ListPage, listPage, type PageParameters } from '../../../db/pagination/list-page.ts';
import { ApiError } from '../../../errors.ts';
import { experiencesUsing } from '../../experiences/experiences-using.ts';
import { presentExperiences } from '../../experiences/present-experience.ts';
import { segmentsOf } from '../filters/segments.ts';
import { presentSegment } from './present-segment.ts';
import { getSegment, segmentsUsing } from './queries.ts';

type SegmentUses = Record<string, (Segment | Experience)[] | Segment | ListPage<unknown>['cursor']>;

/** Lists the Segments, or the Experiences of one kind, that use a Segment. `word` is singular or plural. */
export async function listSegmentUses(
  ctx: Context,
  id: string,
  word: string,
  page: PageParameters,
): Promise<SegmentUses> {
  const segment = presentSegment(await getSegment(ctx, id));
  const path = word.endsWith('s') ? word : `${word}s`;
  const kind = kindOfPath(path);
  if (kind) {
    const query = experiencesUsing(ctx, id).where('kind', '=', kind);
    const { rows, cursor } = await listPage(query, page);
    return { [pathOfKind(kind)]: await presentExperiences(ctx, rows), segment, cursor };
  }
  if (path !== 'segments')
    throw new ApiError(404, [`What uses a Segment is one of ${['segments', ...kindPaths].join(', ')}`]);
  const ids = segmentsUsing(id, await segmentsOf(ctx).execute()).map((user) => user.id);
  const { rows, cursor } = await listPage(segmentsOf(ctx).where('id', 'in', ['', ...ids]), page);
  return { segments: rows.map(presentSegment), segment, cursor };
}
