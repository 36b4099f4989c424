import Type, { type Static } from 'typebox';
import {
  Id,
  Nullable,
  notInFiles,
  OneOf,
  OutputObject,
  SeenUpdatedAt,
  standardFields,
  Text,
  Time,
  Timestamp,
} from '../basics/schema.ts';
import { toOutputSchemas, toParameterSchemas, withinDays } from '../content/field-schemas.ts';
import { goalFields } from '../fields/goal-fields.ts';
import { experienceKinds } from '../kinds/kinds.ts';

/** A goal that several Experiences and experiments have. */
export const SharedGoal = OutputObject({
  ...standardFields,
  ...toOutputSchemas(goalFields),
  description: Nullable(Type.String()),
  archived_at: Nullable(Timestamp),
  dashboard_url: Type.String(),
});
export type SharedGoal = Static<typeof SharedGoal>;

const name = Text('the name of the goal');
const others = {
  description: Type.Optional(Nullable(Text('a description', 2000))),
  archived_at: Type.Optional(notInFiles(Nullable(Time))),
};

export const CreateGoal = Type.Object({ ...toParameterSchemas(goalFields), within_days: withinDays, ...others, name });
export type CreateGoal = Static<typeof CreateGoal>;

export const UpdateGoal = Type.Object({
  ...toParameterSchemas(goalFields),
  ...others,
  name: Type.Optional(name),
  updated_at: SeenUpdatedAt,
});
export type UpdateGoal = Static<typeof UpdateGoal>;

/** The Experiences with a shared goal in their draft. */
export const GoalUses = OutputObject({
  experiences: Type.Array(OutputObject({ id: Id, kind: OneOf(experienceKinds), name: Type.String() })),
});
export type GoalUses = Static<typeof GoalUses>;
