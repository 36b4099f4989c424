import Type, { type Static } from 'typebox';
import { EmbeddedProfile } from './profile.ts';
import { Answer, Id, Nullable, standardFields } from './schema.ts';

/** What one user answered to one step of a survey. */
export const Response = Answer({
  ...standardFields,
  survey_id: Id,
  step_id: Nullable(Id),
  button_id: Nullable(Id),
  /** Which of the buttons of the step: 0 is the first. */
  button_index: Nullable(Type.Integer()),
  /** The answer where it is no button: a number of a scale, an item of a list. */
  value: Nullable(Type.String()),
  input: Nullable(Type.String()),
  profile: EmbeddedProfile,
});
export type Response = Static<typeof Response>;
