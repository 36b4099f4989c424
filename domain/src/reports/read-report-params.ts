import { type Millis, parseTime } from '../basics/time.ts';
import { compileReader } from '../params/read.ts';
import { listReportParams, type ReportKind, reportDays, reportKinds } from './report-params.ts';
import { schemaOfReportParams } from './report-schema.ts';

const readers = new Map(
  reportKinds.map((kind) => [kind, compileReader<Record<string, unknown>>(schemaOfReportParams(kind))] as const),
);

/** Reads the params of a report. Params that its kind does not have are a problem, because the page would not apply them. */
export function readReportParams(
  kind: ReportKind,
  params: Record<string, unknown>,
  now: Millis,
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
  const { days, from, until } = read.value;
  for (const [name, day] of Object.entries({ from, until }))
    if (day !== undefined && parseTime(day, now) === undefined)
      problems.push(`\`params.${name}\` must be a day of the calendar such as \`2029-04-07\`, not "${day}"`);
  if (typeof from === 'string' && typeof until === 'string' && from > until)
    problems.push('`params.from` must not be after `until`');
  if (days !== undefined && !reportDays.some((one) => one === days))
    problems.push(`\`params.days\` must be ${reportDays.join(', ')}: give \`from\` and \`until\` for other days`);
  return Object.fromEntries(Object.entries(read.value).filter(([, value]) => value !== undefined));
}
