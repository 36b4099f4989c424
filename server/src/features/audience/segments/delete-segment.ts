import type { Segment } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { conflict, notFound } from '../../../errors.ts';
import { bumpPublishedVersion } from '../../../published/bump-published-version.ts';
import { listExperimentsUsingSegment } from '../../delivery/experiment-records/queries.ts';
import { listSegmentIds } from '../../experiences/check-references.ts';
import { experiencesUsingInAnyVersion } from '../../experiences/experiences-using.ts';
import { goalsOfSegment } from '../../experiences/shared-goals.ts';
import { themesUsingSegment } from '../../experiences/themes/queries.ts';
import { lockSegments } from '../filters/segments.ts';
import { presentSegment } from './present-segment.ts';
import { segmentsUsing } from './queries.ts';

const MAX_LISTED = 10;

/** Rejects the deletion while something uses the Segment. A write that adds a use waits for the locked row. */
export async function deleteSegment(ctx: Context, id: string): Promise<Segment> {
  return ctx.transaction(async (ctx) => {
    const segments = await lockSegments(ctx);
    const segment = segments.find((row) => row.id === id);
    if (!segment) throw notFound('Segment');
    const users = [
      ...segmentsUsing(id, segments).map(({ name }) => `the Segment "${name}"`),
      ...(await themesUsingSegment(ctx, id)).map(({ name }) => `the theme "${name}"`),
      ...(await goalsOfSegment(ctx, id)).map(({ name }) => `the goal "${name}"`),
      ...(await listExperimentsUsingSegment(ctx, id)).map(({ name }) => `the experiment "${name}"`),
      ...(await describeExperiences(ctx, id)),
    ];
    if (users.length > 0) {
      const more = users.length > MAX_LISTED ? ' and others' : '';
      const named = users.slice(0, MAX_LISTED).join(', ');
      throw conflict(
        `This Segment is used by ${named}${more}: take it out of them first, and publish what is published`,
      );
    }
    await ctx.db.deleteFrom('segments').where('account_id', '=', ctx.account.id).where('id', '=', id).execute();
    await bumpPublishedVersion(ctx);
    return presentSegment(segment);
  });
}

async function describeExperiences(ctx: Context, id: string): Promise<string[]> {
  const rows = await experiencesUsingInAnyVersion(ctx, 'segments', id)
    .limit(MAX_LISTED + 1)
    .execute();
  return rows.map(({ kind, draft }) => {
    const published = listSegmentIds(draft).includes(id) ? '' : 'published ';
    return `the ${published}${kind} "${draft.name}"`;
  });
}
