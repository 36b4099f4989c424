import { type Millis, parseTime } from '../basics/time.ts';
import { parseDayRange } from '../delivery/stats.ts';
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
  const times: { from?: Millis; until?: Millis } = {};
  for (const [name, day] of Object.entries({ from, until })) {
    const time = day === undefined ? undefined : parseTime(day, now);
    if (time !== undefined) Object.assign(times, { [name]: time });
    else if (day !== undefined)
      problems.push(`\`params.${name}\` must be a day of the calendar such as \`2029-04-07\`, not "${day}"`);
  }
  // The page would show an error.
  const range = times.from !== undefined && times.until !== undefined && parseDayRange(times, now);
  if (range && 'problem' in range) problems.push(range.problem.replace(/^`/, '`params.'));
  if (days !== undefined && !reportDays.some((one) => one === days))
    problems.push(`\`params.days\` must be ${reportDays.join(', ')}: give \`from\` and \`until\` for other days`);
  return Object.fromEntries(Object.entries(read.value).filter(([, value]) => value !== undefined));
}
