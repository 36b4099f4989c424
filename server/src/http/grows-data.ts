import type { Route } from './route.ts';

const writing = new Set(['POST', 'PUT', 'PATCH']);

/**
 * Whether requests to this endpoint are rejected with 507 when the disk is nearly full. Reading goes on, and so does what
 * frees space. Every other write is rejected unless its route says `runsOnFullDisk`.
 */
export function growsData(
  { permission, runsOnFullDisk }: Pick<Route, 'permission' | 'runsOnFullDisk'>,
  method: string,
): boolean {
  return writing.has(method) && permission !== 'read' && !runsOnFullDisk;
}
