import type { ResponseOf } from '../../../api/api.ts';
import { listQuery } from '../../../api/list.ts';

export const timelineKinds = ['seen', 'answered', 'tracked', 'delivered'] as const;
export type TimelineKind = (typeof timelineKinds)[number];

/** One thing that happened to a person, as the server shows it. */
export type TimelineEntry = ResponseOf<'GET /v3/edit/profiles/{id}/timeline'>['entries'][number];

const PAGE_SIZE = 50;

/** What happened to a person, newest first, page by page. */
export function timelineQuery(id: string, kinds: readonly TimelineKind[]) {
  const params = { id, limit: PAGE_SIZE, ...(kinds.length > 0 && { kinds: [...kinds] }) };
  return listQuery('GET /v3/edit/profiles/{id}/timeline', params);
}
