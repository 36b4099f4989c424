import type { Context } from '../../../context.ts';
import { dashboardUrl } from '../../../dashboard-url.ts';
import { readText } from './read-record.ts';
import type { SourceRecord } from './source.ts';

/** Says that a record was changed in both services, with the address of both. */
export function describeConflict(ctx: Context, { dashboard_url }: SourceRecord, path: string): string {
  const there = readText(dashboard_url) ?? '';
  const link = /^https?:\/\/\S+$/.test(there) ? ` There: ${there}` : '';
  return `It was changed there and here: not updated.${link} Here: ${dashboardUrl(ctx, path)}`;
}
