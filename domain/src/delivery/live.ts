import Type, { type Static } from 'typebox';
import { Id, OneOf, OutputObject, Timestamp } from '../basics/schema.ts';
import { Sketch } from '../content/sketch.ts';
import { type ExperienceKind, experienceKinds } from '../kinds/kinds.ts';

const Day = Type.Unsafe<string>({ type: 'string', format: 'date' });
const Count = Type.Integer();

const People = OutputObject({ shown: Count, completed: Count, exited: Count });

const LiveExperience = OutputObject({
  id: Id,
  kind: Type.Unsafe<ExperienceKind>(OneOf(experienceKinds)),
  name: Type.String(),
  sketch: Sketch,
  url_group_ids: Type.Array(Id),
  /** Since when users see this version. */
  published_at: Timestamp,
  /** Since when users see the Experience without a pause. Publishing another version does not change it. */
  live_since: Timestamp,
  /** Whether the draft was changed since the Experience was published. */
  changed: Type.Boolean(),
  /** Whether it came with sample data. */
  sample: Type.Boolean(),
  /** How many people saw, completed and dismissed it in the range of days. */
  people: People,
});
export type LiveExperience = Static<typeof LiveExperience>;

export const Live = OutputObject({
  /** The first and the last day that are counted, in UTC. */
  from: Day,
  until: Day,
  /**
   * How many people saw, completed and dismissed any Experience in these days, and in as many days before. A person
   * counts once for each Experience.
   */
  people: People,
  people_before: People,
  /** The same for each day, the oldest first: the days before, then these days. A person counts on each of their days. */
  days: Type.Array(People),
  /** The last published first, and at most 20. */
  live: Type.Array(LiveExperience),
  counts: OutputObject({
    /** All live Experiences. */
    live: Count,
    /** How many Experiences came neither with sample data nor with the demo site, and how many of these are live. */
    own: Count,
    own_live: Count,
  }),
});
export type Live = Static<typeof Live>;
