/*
 * Reports of Analytics that are saved under a name. What a report shows is in its `params`, which are those of the address of its tab. The
 * dashboard reads this file too, so it has no schemas.
 */

/** The numbers of last days that pages offer. */
export const reportDays = [7, 30, 90] as const;

/** The last days, or the days between two. */
const period = { days: 'days', from: 'day', until: 'day' } as const;

/** The params of each kind of report with their types, which `report-schema.ts` describes. A record that they name may be deleted later. */
export const reportParams = {
  overview: { ...period, kind: 'kind', url_group_id: 'id', tag_id: 'id' },
  adoption: { ...period, event_name_id: 'id' },
  funnel: { ...period, steps: 'funnel_steps', window_days: 'window_days', split_segment_ids: 'segment_ids' },
} as const;

export type ReportKind = keyof typeof reportParams;
export const reportKinds = Object.keys(reportParams) as [ReportKind, ...ReportKind[]];

/** The names of the params of a kind, which are those of the address of its tab. */
export function listReportParams(kind: ReportKind): string[] {
  return Object.keys(reportParams[kind]);
}
