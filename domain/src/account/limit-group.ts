import Type, { type Static } from 'typebox';
import { Id, OutputObject, SeenUpdatedAt, standardFields, Text } from '../basics/schema.ts';

/** Limits how many tours and surveys of a group may start automatically for one user within a period. */
export interface LimitGroup {
  id: string;
  name: string;
  max_count: number;
  period_hours: number;
  /** An empty list means all tours and surveys. */
  experience_ids: string[];
}

export const ShownLimitGroup = OutputObject({
  ...standardFields,
  name: Type.String(),
  max_count: Type.Integer(),
  period_hours: Type.Number(),
  experience_ids: Type.Array(Id),
});
export type ShownLimitGroup = Static<typeof ShownLimitGroup>;

const MAX_COUNT = 1000;
const MIN_HOURS = 0.01;
const MAX_HOURS = 8760;
const MAX_EXPERIENCES = 1000;

const name = Text('the name of the limit group');
const max_count = Type.Unsafe<number>({
  type: 'integer',
  minimum: 1,
  maximum: MAX_COUNT,
  description: `a whole number from 1 to ${MAX_COUNT}: how many may begin for one user`,
});
const period_hours = Type.Unsafe<number>({
  type: 'number',
  minimum: MIN_HOURS,
  maximum: MAX_HOURS,
  description: `a number of hours from ${MIN_HOURS} to ${MAX_HOURS}`,
});
const experience_ids = {
  ...Type.Array(Id),
  maxItems: MAX_EXPERIENCES,
  description: 'a list of the IDs of tours and surveys; an empty one means all of them',
};

export const CreateLimitGroup = Type.Object({
  name,
  max_count,
  period_hours,
  experience_ids: Type.Unsafe<string[]>({ ...experience_ids, default: [] }),
});
export type CreateLimitGroup = Static<typeof CreateLimitGroup>;

export const UpdateLimitGroup = Type.Object({
  name: Type.Optional(name),
  max_count: Type.Optional(max_count),
  period_hours: Type.Optional(period_hours),
  experience_ids: Type.Optional(Type.Unsafe<string[]>(experience_ids)),
  updated_at: SeenUpdatedAt,
});
export type UpdateLimitGroup = Static<typeof UpdateLimitGroup>;
