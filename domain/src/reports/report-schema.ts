import Type, { type Static, type TSchema } from 'typebox';
import { Id, Nullable, OneOf, OutputObject, SeenUpdatedAt, standardFields, Text } from '../basics/schema.ts';
import { funnelTypes } from '../delivery/funnel.ts';
import { experienceKinds } from '../kinds/kinds.ts';
import { type ReportKind, reportDays, reportKinds, reportParams } from './report-params.ts';

/** The types of params. */
const types = {
  days: Type.Unsafe<number>({ type: 'integer', description: `${reportDays.join(', ')}: the last days` }),
  day: Type.Unsafe<string>({
    ...{ type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' },
    description: 'a day such as `2029-04-07`',
  }),
  kind: OneOf(experienceKinds),
  id: Id,
  ...funnelTypes,
} satisfies Record<string, TSchema>;

export function schemaOfReportParams(kind: ReportKind) {
  const params = Object.entries(reportParams[kind]);
  return Type.Object(Object.fromEntries(params.map(([name, type]) => [name, Type.Optional(types[type])])));
}

export const MAX_SAVED_REPORTS = 200;

const name = Text('the name of the report', 200);
const description = Type.Optional(Nullable(Text('a description', 2000)));
const Params = Type.Unsafe<Record<string, unknown>>(
  Type.Object({}, { additionalProperties: true, description: 'an object with the params of its kind' }),
);

export const SavedReport = OutputObject({
  ...standardFields,
  name: Type.String(),
  description: Nullable(Type.String()),
  kind: OneOf(reportKinds),
  params: Params,
  dashboard_url: Type.String(),
});
export type SavedReport = Static<typeof SavedReport>;

export const CreateReport = Type.Object({
  name,
  description,
  kind: OneOf(reportKinds),
  params: Type.Optional(Params),
});
export type CreateReport = Static<typeof CreateReport>;

/** The kind of a report does not change, because its params would mean something else. */
export const UpdateReport = Type.Object({
  name: Type.Optional(name),
  description,
  params: Type.Optional(Params),
  updated_at: SeenUpdatedAt,
});
export type UpdateReport = Static<typeof UpdateReport>;
