import { type Experience, kindOfPath, kindPaths, type Segment } from '@usher/domain';
import type { Context } from '../../context.ts';
import { Refusal } from '../../errors.ts';
import { experiencesUsing } from '../experiences/experiences-using.ts';
import { presentExperiences } from '../experiences/queries.ts';
import { getSegment, presentSegment, segmentsOf, usersOf } from './queries.ts';

/** What uses a Segment, the newest first. */
export async function listSegmentUsers(
  ctx: Context,
  id: string,
  path: string,
): Promise<Record<string, (Segment | Experience)[]>> {
  await getSegment(ctx, id);
  const kind = kindOfPath(path);
  if (kind) {
    const rows = await experiencesUsing(ctx, 'segments', id).where('kind', '=', kind).execute();
    return { [path]: await presentExperiences(ctx, rows.reverse()) };
  }
  if (path !== 'segments')
    throw new Refusal(404, [`What uses a Segment is one of ${['segments', ...kindPaths].join(', ')}`]);
  const users = usersOf(id, await segmentsOf(ctx).execute());
  return { segments: users.map(presentSegment).reverse() };
}
