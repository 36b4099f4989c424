import { listReportParams, type ReportKind } from '@usher/domain';
import { analyticsTabs } from './analytics-tabs.ts';

type Params = Record<string, unknown>;

/** The params of a report in the address of its tab. */
export function readParams(kind: ReportKind, address: URLSearchParams): Params {
  const params: Params = {};
  for (const name of listReportParams(kind)) {
    const value = address.get(name);
    if (value === null || value === '') continue;
    params[name] = /^\d{1,9}$|^[[{]/.test(value) ? parse(value) : value;
  }
  return params;
}

function parse(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** The address at which a saved report opens. */
export function addressOfReport({ id, kind, params }: { id: string; kind: ReportKind; params: Params }): string {
  const address = new URLSearchParams();
  for (const [name, value] of Object.entries(params))
    address.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  address.set('report', id);
  const path = analyticsTabs.find(({ report }) => report === kind)?.path ?? '';
  return `/app/analytics${path && `/${path}`}?${address}`;
}

export function isSameParams(one: Params, other: Params): boolean {
  const sorted = (params: Params) => JSON.stringify(Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1)));
  return sorted(one) === sorted(other);
}
