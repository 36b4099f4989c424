import Type, { type Static, type TInteger } from 'typebox';
import { Id, Nullable, OneOf, OutputObject, Timestamp } from '../basics/schema.ts';
import { experienceKinds, type KindPath, kindPaths } from '../kinds/kinds.ts';
import { Segment } from '../targeting/segment.ts';

/**
 * A Segment with how many users are in it, without test users, and how many of each kind use it in their draft. `count` is null
 * until it is counted in the background. If `is_complete` is false, it is a minimum, and `estimate` is about how many there are.
 */
export const CountedSegment = OutputObject({
  ...Segment.properties,
  count: Nullable(Type.Integer()),
  estimate: Nullable(Type.Integer()),
  is_complete: Type.Boolean(),
  counted_at: Nullable(Timestamp),
  uses: OutputObject({
    segments: Type.Integer(),
    ...(Object.fromEntries(kindPaths.map((path) => [path, Type.Integer()])) as Record<KindPath, TInteger>),
  }),
});
export type CountedSegment = Static<typeof CountedSegment>;

/** How much of the users was looked at, from 0 to 1; null while nothing is counted. */
export const Counting = Nullable(OutputObject({ share: Type.Number() }));

/** What uses a Segment, in a draft or in a version that users see or will see. */
export const SegmentUses = OutputObject({
  segments: Type.Array(OutputObject({ id: Id, name: Type.String() })),
  themes: Type.Array(OutputObject({ id: Id, name: Type.String() })),
  goals: Type.Array(OutputObject({ id: Id, name: Type.String() })),
  experiences: Type.Array(
    OutputObject({ id: Id, kind: OneOf(experienceKinds), name: Type.String(), is_in_draft: Type.Boolean() }),
  ),
});
export type SegmentUses = Static<typeof SegmentUses>;
