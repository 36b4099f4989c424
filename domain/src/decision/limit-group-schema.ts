import Type, { type Static } from 'typebox';
import { Nullable, notInFiles, OneOf, OutputObject, SeenUpdatedAt, standardFields, Text } from '../basics/schema.ts';
import { memberParameters, shownMembers } from './group-members-schema.ts';
import { periodWords } from './limit-group.ts';

export const ShownLimitGroup = OutputObject({
  ...standardFields,
  name: Type.String(),
  description: Nullable(Type.String()),
  ...shownMembers,
  rate_limit_size: Type.Integer(),
  /** Null for a period that has no word. */
  rate_limit_kind: Nullable(OneOf(periodWords)),
  max_count: Type.Integer(),
  period_hours: Type.Number(),
  /** How many steps of interruptions, and seconds of them, one user may have in these days; null for any number. */
  max_steps: Nullable(Type.Integer()),
  max_seconds: Nullable(Type.Integer()),
});
export type ShownLimitGroup = Static<typeof ShownLimitGroup>;

const MAX_COUNT = 1000;
const MAX_SECONDS = 100_000;
const MIN_HOURS = 0.01;
const MAX_HOURS = 8760;

const count = Type.Optional(
  Type.Unsafe<number>({
    type: 'integer',
    minimum: 1,
    maximum: MAX_COUNT,
    description: `a whole number from 1 to ${MAX_COUNT}: how many may begin for one user`,
  }),
);
const atMost = (what: string, maximum: number) =>
  Type.Optional(
    Nullable(
      Type.Unsafe<number>({
        ...{ type: 'integer', minimum: 1, maximum },
        description: `a whole number from 1 to ${maximum}: how many ${what} of interruptions one user may see in these days`,
      }),
    ),
  );
const name = Text('the name of the limit group');

const otherParameters = {
  description: Type.Optional(Nullable(Text('a description', 1000))),
  ...memberParameters,
  rate_limit_size: Type.Optional(notInFiles(count)),
  rate_limit_kind: Type.Optional(notInFiles(Nullable(OneOf(periodWords)))),
  max_count: count,
  period_hours: Type.Optional(
    Type.Unsafe<number>({
      type: 'number',
      minimum: MIN_HOURS,
      maximum: MAX_HOURS,
      description: `a number of hours from ${MIN_HOURS} to ${MAX_HOURS}`,
    }),
  ),
  max_steps: atMost('steps', MAX_COUNT),
  max_seconds: atMost('seconds', MAX_SECONDS),
};
export const CreateLimitGroup = Type.Object({ name, ...otherParameters });
export type CreateLimitGroup = Static<typeof CreateLimitGroup>;

export const UpdateLimitGroup = Type.Object({
  name: Type.Optional(name),
  ...otherParameters,
  updated_at: SeenUpdatedAt,
});
export type UpdateLimitGroup = Static<typeof UpdateLimitGroup>;
