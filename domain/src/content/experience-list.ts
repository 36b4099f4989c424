import Type, { type Static } from 'typebox';
import { User } from '../account/persons.ts';
import {
  Id,
  Nullable,
  OneOf,
  OutputObject,
  pageParameters,
  standardFields,
  Text,
  Timestamp,
} from '../basics/schema.ts';
import type { Millis } from '../basics/time.ts';
import { type ExperienceKind, experienceKinds } from '../kinds/kinds.ts';
import { ExperienceStatsSchema, experienceStates } from './experience.ts';
import { Sketch } from './sketch.ts';

/** The states by which a list is filtered. `paused` was published before and is not now; its `state` is `draft`. */
export const listedStates = [...experienceStates, 'paused'] as const;
export type ListedState = (typeof listedStates)[number];

export const experienceOrders = ['created_at', 'position', 'name', 'updated_at', 'started_count'] as const;
export type ExperienceOrder = (typeof experienceOrders)[number];

/** How many days the trend of an Experience has. */
export const TREND_DAYS = 30;

/** An Experience in a list with `fields=list`: without what it shows. */
export const ListedExperience = OutputObject({
  ...standardFields,
  kind: OneOf(experienceKinds),
  state: OneOf(experienceStates),
  paused_at: Nullable(Timestamp),
  has_unpublished_changes: Type.Boolean(),
  name: Type.String(),
  sketch: Sketch,
  position: Type.Integer(),
  segment_ids: Type.Array(Id),
  excluded_segment_ids: Type.Array(Id),
  url_group_ids: Type.Array(Id),
  tag_ids: Type.Array(Id),
  published_at: Nullable(Timestamp),
  published_until: Nullable(Timestamp),
  archived_at: Nullable(Timestamp),
  /** Who changed the draft or a translation last. */
  changed_by: Nullable(User),
  stats: ExperienceStatsSchema,
  /** How many users started it on each of the last days, the oldest first. */
  trend: Type.Optional(Type.Array(Type.Integer())),
});
export type ListedExperience = Static<typeof ListedExperience>;

const idOf = (what: string) => Type.Optional(Type.Unsafe<string>({ ...Id, description: `the ID of ${what}` }));

/** The filters and the order of a list of Experiences. */
export const experienceListParameters = {
  ...pageParameters,
  before: Type.Optional(
    Type.Unsafe<string | Millis>({
      type: 'string',
      format: 'order_place',
      description: 'the `cursor.before` of the page before, an ID, or a time',
    }),
  ),
  archived: Type.Optional(Type.Boolean()),
  state: Type.Optional(OneOf(listedStates)),
  url_group_id: idOf('an Environment'),
  segment_id: idOf('a Segment'),
  tag_id: idOf('a Tag'),
  search: Type.Optional(Text('a part of the name')),
  order: OneOf(experienceOrders, { default: 'created_at' }),
  fields: OneOf(['all', 'list'], { default: 'all' }),
  trend: Type.Optional(Type.Boolean()),
};

/** An administrator who has the editor of an Experience open. */
export const OpenEditor = OutputObject({ id: Id, name: Type.String() });
export type OpenEditor = Static<typeof OpenEditor>;

/** What starts an Experience, names it or waits for it. */
export const ExperienceUses = OutputObject({
  /** The Experiences with a button or an item that starts it; `published` if users see that one. */
  experiences: Type.Array(
    OutputObject({
      id: Id,
      kind: Type.Unsafe<ExperienceKind>(OneOf(experienceKinds)),
      name: Type.String(),
      published: Type.Boolean(),
    }),
  ),
  pending_deliveries: Type.Integer(),
  limit_groups: Type.Array(OutputObject({ id: Id, name: Type.String() })),
  alert_groups: Type.Array(OutputObject({ id: Id, name: Type.String() })),
  webhooks: Type.Array(OutputObject({ id: Id, url: Type.String() })),
  segments: Type.Array(OutputObject({ id: Id, name: Type.String() })),
});
export type ExperienceUses = Static<typeof ExperienceUses>;

/** An Experience that has a theme, in its draft or in the version that users see. */
export const ThemeUse = OutputObject({
  id: Id,
  kind: OneOf(experienceKinds),
  name: Type.String(),
  state: OneOf(experienceStates),
  is_in_draft: Type.Boolean(),
  is_published: Type.Boolean(),
  /** The version that users see now. */
  version_id: Nullable(Id),
});
export type ThemeUse = Static<typeof ThemeUse>;

/** Something that the copy of an Experience in another account leaves out, because that account does not have it. */
export const DroppedReference = OutputObject({
  type: OneOf(['segment', 'url_group', 'tag', 'theme', 'experience', 'language']),
  id: Type.String(),
  name: Type.String(),
});
export type DroppedReference = Static<typeof DroppedReference>;
