import Type, { type Static } from 'typebox';
import { Id, Nullable, OneOf, OutputObject, Timestamp } from '../basics/schema.ts';
import { experimentStates } from './experiment-schema.ts';

export const goalRoles = ['primary', 'secondary', 'guardrail'] as const;
export const findings = ['more', 'less', 'unknown'] as const;

/** What the people of one arm did, for one goal. */
const ArmResult = OutputObject({
  variant_id: Id,
  /** People whose days to reach the goal are over. Only they are compared. */
  complete_count: Type.Integer(),
  /** Of these, how many reached the goal, and which share. */
  reached_count: Type.Integer(),
  rate: Nullable(Type.Number()),
  /** How many of all people reached it so far. */
  reached_so_far_count: Type.Integer(),
  /** For a goal that sums a number: the sum, and the average for each person. */
  sum: Nullable(Type.Number()),
  mean: Nullable(Type.Number()),
});

/** One arm against the baseline. The numbers are null while too little is known. */
const Comparison = OutputObject({
  variant_id: Id,
  baseline_variant_id: Id,
  difference: Nullable(Type.Number()),
  low: Nullable(Type.Number()),
  high: Nullable(Type.Number()),
  /** The difference as a share of the baseline. */
  relative_difference: Nullable(Type.Number()),
  finding: OneOf(findings),
  message: Type.String(),
});

/** How many people it takes. */
const Plan = OutputObject({
  /** Where the rate is from: people of the experiment, or the past of the account. Null if neither has any. */
  rate_from: Nullable(OneOf(['experiment', 'account'])),
  rate: Nullable(Type.Number()),
  needed_count: Nullable(Type.Integer()),
  people_per_day: Nullable(Type.Number()),
  days_left: Nullable(Type.Integer()),
  message: Type.String(),
});

const GoalResult = OutputObject({
  goal_id: Id,
  name: Type.String(),
  role: OneOf(goalRoles),
  sums: Type.Boolean(),
  variants: Type.Array(ArmResult),
  comparisons: Type.Array(Comparison),
  plan: Plan,
});
export type GoalResult = Static<typeof GoalResult>;

export const ExperimentResults = OutputObject({
  experiment_id: Id,
  state: OneOf(experimentStates),
  /** When it was counted. */
  at: Timestamp,
  exposed_count: Type.Integer(),
  complete_count: Type.Integer(),
  contaminated_count: Type.Integer(),
  variants: Type.Array(
    OutputObject({
      variant_id: Id,
      exposed_count: Type.Integer(),
      complete_count: Type.Integer(),
      contaminated_count: Type.Integer(),
      /** How many would be in this arm if the shares had held exactly. */
      expected_count: Type.Number(),
    }),
  ),
  sample_ratio: OutputObject({ is_right: Type.Boolean(), message: Nullable(Type.String()) }),
  goals: Type.Array(GoalResult),
  verdict: OutputObject({
    /** `undecided` until the first goal has a difference that is larger than chance. */
    decision: OneOf(['undecided', 'variant', 'baseline']),
    variant_id: Nullable(Id),
    message: Type.String(),
  }),
  warnings: Type.Array(Type.String()),
});
export type ExperimentResults = Static<typeof ExperimentResults>;
