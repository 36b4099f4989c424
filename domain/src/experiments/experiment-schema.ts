import Type, { type Static } from 'typebox';
import {
  Id,
  IdOf,
  Nullable,
  OneOf,
  OutputObject,
  SeenUpdatedAt,
  standardFields,
  Text,
  Timestamp,
} from '../basics/schema.ts';
import { experienceKinds, kindPaths } from '../kinds/kinds.ts';
import { groupOps } from '../targeting/filter.ts';

export const experimentStates = ['draft', 'running', 'ended'] as const;
export type ExperimentState = (typeof experimentStates)[number];

export const MAX_VARIANTS = 10;
const MAX_GOALS = 20;
const MAX_SEGMENTS = 50;
/** Results count the people of each period with the same shares. */
export const MAX_SHARE_CHANGES = 100;
export const MAX_WINDOW_DAYS = 90;
export const DEFAULT_WINDOW_DAYS = 7;
export const DEFAULT_SMALLEST_CHANGE = 10;

const ShownVariant = OutputObject({
  id: Id,
  name: Type.String(),
  /** Null for the control, whose users see nothing. */
  experience_id: Nullable(Id),
  share: Type.Number(),
  /** The Experience; null for the control, and for an Experience that was deleted. */
  experience: Nullable(
    OutputObject({ id: Id, kind: OneOf(experienceKinds), name: Type.String(), live: Type.Boolean() }),
  ),
});

export const ShownExperiment = OutputObject({
  ...standardFields,
  name: Type.String(),
  description: Nullable(Type.String()),
  state: OneOf(experimentStates),
  variants: Type.Array(ShownVariant),
  segment_ids: Type.Array(Id),
  segments_op: OneOf(groupOps),
  goal_ids: Type.Array(Id),
  guardrail_goal_ids: Type.Array(Id),
  window_days: Type.Integer(),
  smallest_change: Type.Number(),
  started_at: Nullable(Timestamp),
  ended_at: Nullable(Timestamp),
  /** The variant that was published to all. */
  winner_variant_id: Nullable(Id),
  dashboard_url: Type.String(),
});
export type ShownExperiment = Static<typeof ShownExperiment>;

const VariantParameter = Type.Object({
  name: Text('the name of the variant'),
  experience_id: Type.Optional(
    Type.Unsafe<string | null>({
      ...Nullable(IdOf(...kindPaths)),
      description: 'the ID of an Experience, or null for the control, whose users see nothing',
    }),
  ),
  share: Type.Unsafe<number>({
    type: 'number',
    minimum: 0,
    maximum: 100,
    description: 'a number of percent from 0 to 100; the shares of all variants add up to 100',
  }),
});
export type VariantParameter = Static<typeof VariantParameter>;

const listOf = (noun: string, what: string, maxItems: number) =>
  Type.Unsafe<string[]>({ ...Type.Array(IdOf(noun)), maxItems, description: `a list of the IDs of ${what}` });

const fields = {
  description: Type.Optional(Nullable(Text('a description', 1000))),
  segment_ids: Type.Optional(listOf('segments', 'Segments: the users that the experiment is for', MAX_SEGMENTS)),
  segments_op: Type.Optional(OneOf(groupOps, { default: 'and' })),
  goal_ids: Type.Optional(listOf('goals', 'goals: the first one decides', MAX_GOALS)),
  guardrail_goal_ids: Type.Optional(listOf('goals', 'goals that must not change for the worse', MAX_GOALS)),
  window_days: Type.Optional(
    Type.Unsafe<number>({
      type: 'integer',
      minimum: 1,
      maximum: MAX_WINDOW_DAYS,
      default: DEFAULT_WINDOW_DAYS,
      description: `a whole number of days from 1 to ${MAX_WINDOW_DAYS}: for so long after the exposure, goals count`,
    }),
  ),
  smallest_change: Type.Optional(
    Type.Unsafe<number>({
      type: 'number',
      minimum: 0.1,
      maximum: 1000,
      default: DEFAULT_SMALLEST_CHANGE,
      description:
        'a number of percent: how much more or less must be found. It only decides how many people are needed',
    }),
  ),
};
const variants = Type.Unsafe<VariantParameter[]>({
  ...Type.Array(VariantParameter),
  minItems: 2,
  maxItems: MAX_VARIANTS,
  description: `a list of 2 to ${MAX_VARIANTS} variants`,
});
const name = Text('the name of the experiment');

export const CreateExperiment = Type.Object({ name, variants, ...fields });
export type CreateExperiment = Static<typeof CreateExperiment>;

export const UpdateExperiment = Type.Object({
  name: Type.Optional(name),
  variants: Type.Optional(variants),
  ...fields,
  updated_at: SeenUpdatedAt,
});
export type UpdateExperiment = Static<typeof UpdateExperiment>;

export const PublishWinner = Type.Object({
  variant_id: Type.Unsafe<string>({ ...Id, description: 'the ID of a variant' }),
});
