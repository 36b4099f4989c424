import { infiniteQueryOptions } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';

export const timelineKinds = ['seen', 'answered', 'tracked', 'delivered'] as const;
export type TimelineKind = (typeof timelineKinds)[number];

/** One thing that happened to a person, as the server shows it. */
export interface TimelineEntry {
  id: string;
  at: string;
  kind:
    | 'created'
    | 'cleared'
    | 'tracked'
    | 'displayed'
    | 'started'
    | 'completed'
    | 'exited'
    | 'goal'
    | 'snoozed'
    | 'answered'
    | 'delivery_created'
    | 'delivery_triggered'
    | 'delivery_removed'
    | 'last_seen';
  experience: {
    id: string;
    kind: 'tour' | 'survey' | 'launcher' | 'tooltip' | 'embed';
    name: string | null;
    is_deleted: boolean;
  } | null;
  event: { name: string; custom: Record<string, unknown> } | null;
  answers: { step_id: string; question: string | null; value: string | null; comment: string | null }[] | null;
  delivery: { id: string; href: string | null; reason: string | null } | null;
  until: string | null;
}

const PAGE_SIZE = 50;

interface TimelinePage {
  entries: TimelineEntry[];
  cursor: { before: string | null };
}

/** What happened to a person, newest first, page by page. */
export function timelineQuery(id: string, kinds: readonly TimelineKind[]) {
  const operation = 'GET /v3/edit/profiles/{id}/timeline';
  const params = { id, limit: PAGE_SIZE, ...(kinds.length > 0 && { kinds }) };
  return infiniteQueryOptions({
    queryKey: ['profiles', operation, 'pages', params],
    queryFn: ({ pageParam }) => {
      const page = { ...params, ...(pageParam !== null && { before: pageParam }) };
      return api(operation as never, page as never) as Promise<TimelinePage>;
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor.before,
  });
}
