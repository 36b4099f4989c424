import Type, { type Static, type TProperties } from 'typebox';
import { Tag } from '../account/tag.ts';
import { Id, Nullable, OneOf, OutputObject, standardFields, Timestamp } from '../basics/schema.ts';
import { buttonFields } from '../fields/button-fields.ts';
import { initialValues } from '../fields/derive.ts';
import { commonFields } from '../fields/experience-fields.ts';
import type { Values } from '../fields/field.ts';
import { itemFields } from '../fields/item-fields.ts';
import { stepFields } from '../fields/step-fields.ts';
import {
  type ExperienceKind,
  experienceKinds,
  fieldsOfKind,
  kinds,
  type OwnFields,
  ownFields,
} from '../kinds/kinds.ts';
import { toOutputSchemas } from './field-schemas.ts';

/*
 * An Experience is stored as one document: its own fields, its steps with their buttons, and the items of a launcher. It is
 * stored as responses show it: times are timestamps in both.
 */

const partFields = { id: Id, position: Type.Integer() };
export const Button = OutputObject({ ...partFields, ...toOutputSchemas(buttonFields) });
export type Button = Static<typeof Button>;
export const Step = OutputObject({ ...partFields, ...toOutputSchemas(stepFields), buttons: Type.Array(Button) });
export type Step = Static<typeof Step>;
export const ListItem = OutputObject({ ...partFields, ...toOutputSchemas(itemFields) });
export type ListItem = Static<typeof ListItem>;

/** An Experience as administrators edit it. It has the fields of its kind only, and items if its kind has them. */
export type Document = Values<typeof commonFields> & {
  kind: ExperienceKind;
  steps: Step[];
  items?: ListItem[];
} & Partial<OwnFields>;

/** The document of a new Experience. */
export function emptyDocument(kind: ExperienceKind): Document {
  const parts = { steps: [], [kinds[kind].parts]: [] };
  return { kind, ...initialValues(fieldsOfKind(kind)), ...parts } as unknown as Document;
}

export const experienceStates = ['draft', 'scheduled', 'live', 'ended', 'archived'] as const;
export type ExperienceState = (typeof experienceStates)[number];

const count = Type.Integer();
export const ExperienceStatsSchema = OutputObject({
  started_count: count,
  completed_count: count,
  exited_count: count,
  displayed_count: count,
  last_started_at: Nullable(Timestamp),
  last_completed_at: Nullable(Timestamp),
  last_exited_at: Nullable(Timestamp),
  last_displayed_at: Nullable(Timestamp),
});
export type ExperienceStats = Static<typeof ExperienceStatsSchema>;

const optional = (schemas: TProperties) =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, Type.Optional(schema)]));

/** An Experience of any kind. A response has only the fields of its kind. */
export const Experience = OutputObject({
  ...standardFields,
  kind: OneOf(experienceKinds),
  state: OneOf(experienceStates),
  /** Since when users no longer see it, if it was published before and is not now. */
  paused_at: Nullable(Timestamp),
  /** Whether the draft was changed since it was published. */
  has_unpublished_changes: Type.Boolean(),
  ...toOutputSchemas(commonFields),
  ...optional(toOutputSchemas(ownFields)),
  /** The first of its Segments. */
  segment_id: Nullable(Id),
  tags: Type.Array(Tag),
  url_groups: Type.Array(
    OutputObject({
      id: Id,
      name: Type.String(),
      short_name: Nullable(Type.String()),
      /** The newest domains of the Environment. */
      urls: Type.Array(OutputObject({ id: Id, host: Type.String() })),
    }),
  ),
  content_summary: Nullable(Type.String()),
  audience_summary: Type.String(),
  dashboard_url: Type.String(),
  /** Of a survey: the address of its public page. Null until it was published with `public_page`. */
  public_page_url: Type.Optional(Nullable(Type.String())),
  stats: ExperienceStatsSchema,
  steps: Type.Array(Step),
  items: Type.Optional(Type.Array(ListItem)),
});
export type Experience = Omit<Document, 'kind'> &
  Pick<
    Static<typeof Experience>,
    | 'id'
    | 'created_at'
    | 'updated_at'
    | 'kind'
    | 'state'
    | 'paused_at'
    | 'has_unpublished_changes'
    | 'segment_id'
    | 'tags'
    | 'url_groups'
    | 'content_summary'
    | 'audience_summary'
    | 'dashboard_url'
    | 'public_page_url'
  > & {
    stats: ExperienceStats;
  };
