import Type, { type Static, type TObject } from 'typebox';
import { Id, Nullable, OneOf, OutputObject, SeenUpdatedAt, standardFields, Text } from '../basics/schema.ts';
import { funnelReportParams } from '../delivery/funnel.ts';
import { experienceKinds } from '../kinds/kinds.ts';

/* Reports of Analytics that are saved under a name. What a report shows is in its `params`, which are those of the address of its tab. */

const Day = Type.Optional(
  Type.Unsafe<string>({ type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'a day such as `2029-04-07`' }),
);
/** The numbers of last days that pages offer. */
export const reportDays = [7, 30, 90] as const;
/** The last days, or the days between two. */
const period = {
  days: Type.Optional(
    Type.Unsafe<number>({ type: 'integer', description: `${reportDays.join(', ')}: the last days` }),
  ),
  from: Day,
  until: Day,
};

/** The params of each kind of report, by the name of the kind. A record that they name may be deleted later. */
export const reportParams = {
  overview: Type.Object({
    ...period,
    kind: Type.Optional(OneOf(experienceKinds)),
    url_group_id: Type.Optional(Id),
    tag_id: Type.Optional(Id),
  }),
  adoption: Type.Object({ ...period, event_name_id: Type.Optional(Id) }),
  funnel: Type.Object({ ...period, ...funnelReportParams }),
} as const satisfies Record<string, TObject>;

export type ReportKind = keyof typeof reportParams;
export const reportKinds = Object.keys(reportParams) as [ReportKind, ...ReportKind[]];

/** The names of the params of a kind, which are those of the address of its tab. */
export function listReportParams(kind: ReportKind): string[] {
  return Object.keys(reportParams[kind].properties);
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
