import Type, { type Static, type TObject } from 'typebox';
import { Id, Nullable, OneOf, OutputObject, SeenUpdatedAt, standardFields, Text } from '../basics/schema.ts';
import { CountFunnel, funnelParameters } from '../delivery/funnel.ts';
import { experienceKinds } from '../kinds/kinds.ts';
import { compileReader } from '../params/read.ts';

/* Reports of Analytics that are saved under a name. What a report shows is in its `params`, which are those of the address of its tab. */

const Day = Type.Optional(
  Type.Unsafe<string>({ type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'a day such as `2029-04-07`' }),
);
/** The last days, or the days between two. */
const period = {
  days: Type.Optional(
    Type.Unsafe<number>({ type: 'integer', minimum: 1, maximum: 366, description: 'a number of days from 1 to 366' }),
  ),
  from: Day,
  until: Day,
};

/** The params of each kind of report, by the name of the kind. A record that they name may be deleted later. */
const paramsOf = {
  overview: Type.Object({
    ...period,
    kind: Type.Optional(OneOf(experienceKinds)),
    url_group_id: Type.Optional(Id),
    tag_id: Type.Optional(Id),
  }),
  adoption: Type.Object({ ...period, event_name_id: Type.Optional(Id) }),
  funnel: Type.Object({
    ...period,
    steps: funnelParameters.steps,
    window_days: funnelParameters.window_days,
    split_segment_ids: CountFunnel.properties.split_segment_ids,
  }),
} as const satisfies Record<string, TObject>;

export type ReportKind = keyof typeof paramsOf;
export const reportKinds = Object.keys(paramsOf) as [ReportKind, ...ReportKind[]];

/** The names of the params of a kind, which are those of the address of its tab. */
export function listReportParams(kind: ReportKind): string[] {
  return Object.keys(paramsOf[kind].properties);
}

const readers = new Map(
  reportKinds.map((kind) => [kind, compileReader<Record<string, unknown>>(paramsOf[kind])] as const),
);

/** Reads the params of a report. Params that its kind does not have are a problem, because the page would not apply them. */
export function readReportParams(
  kind: ReportKind,
  params: Record<string, unknown>,
  now: number,
  problems: string[],
): Record<string, unknown> {
  const known = listReportParams(kind);
  for (const name of Object.keys(params))
    if (!known.includes(name))
      problems.push(`\`params.${name}\` is no param of a report of the kind \`${kind}\`: give ${known.join(', ')}`);
  const read = readers.get(kind)?.(params, now, params);
  if (!read) return {};
  if ('problems' in read) {
    problems.push(...read.problems.map((problem) => problem.replace(/^`/, '`params.')));
    return {};
  }
  return Object.fromEntries(Object.entries(read.value).filter(([, value]) => value !== undefined));
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
