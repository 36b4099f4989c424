import Type, { type Static } from 'typebox';
import {
  Nullable,
  OneOf,
  OutputObject,
  SeenUpdatedAt,
  standardFields,
  Text,
  Time,
  Timestamp,
} from '../basics/schema.ts';
import { alertStyles } from './alert-group.ts';
import { memberParameters, shownMembers } from './group-members-schema.ts';

const MAX_DAYS = 365;

export const ShownAlertGroup = OutputObject({
  ...standardFields,
  name: Type.String(),
  ...shownMembers,
  /** In days. */
  interval: Type.Integer(),
  style: OneOf(alertStyles),
  published_at: Nullable(Timestamp),
  last_notified_at: Nullable(Timestamp),
});
export type ShownAlertGroup = Static<typeof ShownAlertGroup>;

const name = Text('the name of the alert group');
const interval = Type.Unsafe<number>({
  type: 'integer',
  minimum: 1,
  maximum: MAX_DAYS,
  description: `a whole number of days from 1 to ${MAX_DAYS}`,
});
const otherParameters = {
  ...memberParameters,
  style: Type.Optional(OneOf(alertStyles)),
  published_at: Type.Optional(Nullable(Time)),
};
export const CreateAlertGroup = Type.Object({ name, interval, ...otherParameters });
export type CreateAlertGroup = Static<typeof CreateAlertGroup>;

export const UpdateAlertGroup = Type.Object({
  name: Type.Optional(name),
  interval: Type.Optional(interval),
  ...otherParameters,
  updated_at: SeenUpdatedAt,
});
export type UpdateAlertGroup = Static<typeof UpdateAlertGroup>;
