import type { SegmentUses } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { listSegmentIds } from '../../experiences/check-references.ts';
import { experiencesUsingInAnyVersion } from '../../experiences/experiences-using.ts';
import { goalsOfSegment } from '../../experiences/shared-goals.ts';
import { themesUsingSegment } from '../../experiences/themes/queries.ts';
import { segmentsOf } from '../filters/segments.ts';
import { getSegment, segmentsUsing } from './queries.ts';

const MAX_LISTED = 500;

/** Lists what keeps a Segment from being deleted: other Segments, and Experiences with it in a draft or published. */
export async function showSegmentUses(ctx: Context, id: string): Promise<SegmentUses> {
  await getSegment(ctx, id);
  const segments = segmentsUsing(id, await segmentsOf(ctx).execute());
  const themes = await themesUsingSegment(ctx, id);
  const goals = await goalsOfSegment(ctx, id);
  const experiences = await experiencesUsingInAnyVersion(ctx, 'segments', id).limit(MAX_LISTED).execute();
  return {
    segments: segments.map((one) => ({ id: one.id, name: one.name })),
    themes: themes.map((one) => ({ id: one.id, name: one.name })),
    goals: goals.map((one) => ({ id: one.id, name: one.name })),
    experiences: experiences.map((one) => ({
      id: one.id,
      kind: one.kind,
      name: one.draft.name,
      is_in_draft: listSegmentIds(one.draft).includes(id),
    })),
  };
}
