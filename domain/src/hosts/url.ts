import Type, { type Static } from 'typebox';
import { formatChoices } from '../basics/input.ts';
import { Id, Nullable, OneOf, OutputObject, standardFields, Text, Time, Timestamp } from '../basics/schema.ts';
import type { Millis } from '../basics/time.ts';
import { experienceKinds } from '../kinds/kinds.ts';

const enabledValues = ['off', 'on', 'subdomain'] as const;

/** A domain of the customer's product. */
export const Url = OutputObject({
  ...standardFields,
  url_group_id: Nullable(Id),
  host: Type.String(),
  domain: Type.String(),
  enabled: OneOf(enabledValues),
  installed_at: Nullable(Timestamp),
  first_seen_at: Nullable(Timestamp),
  last_seen_at: Nullable(Timestamp),
  unlisted: Type.Boolean(),
  archived_at: Nullable(Timestamp),
});
export type Url = Static<typeof Url>;

const archiveFields = {
  /** Deprecated: `archived_at` has the same meaning, and wins when both are given. */
  unlisted: Type.Optional(Type.Boolean()),
  archived_at: Type.Optional(Nullable(Time)),
};
/** A change after the state that the client has seen is a conflict. */
export const seenField = {
  updated_at: Type.Optional(Type.Unsafe<number>({ ...Time, description: 'the `updated_at` that you have seen' })),
};
const environmentFields = { url_group_id: Type.Optional(Nullable(Id)) };

/** A boolean or null also means `on` or `off`. Responses have the words. */
const enabled = Type.Unsafe<Url['enabled']>({
  enum: [...enabledValues, true, false, null],
  format: 'enabled',
  description: `${formatChoices(enabledValues)}, or a boolean`,
});

export const CreateUrl = Type.Object({
  host: Text('the fully qualified domain, such as `app.example.com`', 1000),
  enabled: Type.Unsafe<Url['enabled']>({ ...enabled, default: 'on' }),
  ...archiveFields,
  ...environmentFields,
});
export type CreateUrl = Static<typeof CreateUrl>;

export const UpdateUrl = Type.Object({
  enabled: Type.Optional(enabled),
  ...archiveFields,
  ...environmentFields,
  ...seenField,
});
export type UpdateUrl = Static<typeof UpdateUrl>;

export const UpdateUrls = Type.Object({
  ids: Type.Array(Id, { minItems: 1, maxItems: 500, description: 'a list of 1 to 500 Url IDs' }),
  enabled: Type.Optional(enabled),
  archived_at: Type.Optional(Nullable(Time)),
  ...environmentFields,
});
export type UpdateUrls = Static<typeof UpdateUrls>;

const experienceIds = (description: string) => Type.Optional(Type.Array(Id, { maxItems: 500, description }));

export const MoveUrl = Type.Object({
  url_group_id: Nullable(Id),
  experience_ids: experienceIds('the IDs of Experiences that are also to show in the new Environment'),
  removed_experience_ids: experienceIds('the IDs of Experiences that are no longer to show in the old Environment'),
  ...seenField,
});
export type MoveUrl = Static<typeof MoveUrl>;

/** Where an Experience shows. */
export const ExperiencePlace = OutputObject({
  id: Id,
  kind: OneOf(experienceKinds),
  name: Type.String(),
  state: OneOf(['live', 'scheduled', 'draft']),
  /** It shows only in these Environments; in all of them if there are none. */
  url_group_ids: Type.Array(Id),
  /** It starts only on these hosts; null if it is not limited to hosts. */
  hosts: Nullable(Type.Array(Type.String())),
});
export type ExperiencePlace = Static<typeof ExperiencePlace>;

/** When an administrator last changed a Url or an Environment, and who it was. */
export const LastUpdate = OutputObject({
  id: Id,
  updated_at: Timestamp,
  user: Nullable(OutputObject({ id: Id, name: Type.String() })),
});
export type LastUpdate = Static<typeof LastUpdate>;

/** The `archived_at` of a Url after this request. */
export function resolveArchivedAt(
  input: { unlisted?: boolean; archived_at?: Millis | null },
  before: Millis | null,
  now: Millis,
): Millis | null {
  if (input.archived_at !== undefined) return input.archived_at;
  if (input.unlisted === undefined) return before;
  return input.unlisted ? (before ?? now) : null;
}
