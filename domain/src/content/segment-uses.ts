import Type, { type Static, type TInteger } from 'typebox';
import { Id, OneOf, OutputObject } from '../basics/schema.ts';
import { experienceKinds, type KindPath, kindPaths } from '../kinds/kinds.ts';
import { Segment } from '../targeting/segment.ts';

/** A Segment with how many of each kind use it in their draft. */
export const CountedSegment = OutputObject({
  ...Segment.properties,
  uses: OutputObject({
    segments: Type.Integer(),
    ...(Object.fromEntries(kindPaths.map((path) => [path, Type.Integer()])) as Record<KindPath, TInteger>),
  }),
});
export type CountedSegment = Static<typeof CountedSegment>;

/** What uses a Segment, in a draft or in a version that users see or will see. */
export const SegmentUses = OutputObject({
  segments: Type.Array(OutputObject({ id: Id, name: Type.String() })),
  experiences: Type.Array(
    OutputObject({ id: Id, kind: OneOf(experienceKinds), name: Type.String(), is_in_draft: Type.Boolean() }),
  ),
});
export type SegmentUses = Static<typeof SegmentUses>;
