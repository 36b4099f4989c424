import Type, { type Static } from 'typebox';
import { Id, Nullable, OneOf, OutputObject, standardFields, Timestamp } from '../basics/schema.ts';
import { EmbeddedProfile } from '../ingestion/profile.ts';

/** How far one user got with one Experience, as the API shows it. */
export const TourInteraction = OutputObject({
  ...standardFields,
  state: OneOf(['started', 'completed', 'exited', 'displayed']),
  /** The ID of the Experience, of any kind. */
  tour_id: Id,
  group_id: Nullable(Id),
  group_kind: Nullable(OneOf(['link', 'api_js', 'launcher', 'experiment', 'campaign'])),
  defer_count: Type.Integer(),
  defer_until: Nullable(Timestamp),
  goal_at: Nullable(Timestamp),
  /** Only of launchers: the items that the user has completed, in that order. */
  items: Type.Optional(Type.Array(OutputObject({ id: Id, completed_at: Timestamp }))),
  profile: EmbeddedProfile,
});
export type TourInteraction = Static<typeof TourInteraction>;
