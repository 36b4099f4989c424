import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/api.ts';

export interface PersonProperty {
  prop: string;
  name: string;
  value: unknown;
  type: string;
  sent_at: string | null;
  source: 'api' | 'browser' | 'import' | null;
  is_proven: boolean | null;
}

/** A person as the server shows them. */
export interface PersonDetails {
  id: string;
  uid: string;
  email: string | null;
  name: string | null;
  company: { id: string; uid: string; name: string | null } | null;
  created_at: string;
  updated_at: string;
  last_seen_at: string | null;
  last_seen_session_count: number;
  last_cleared_at: string | null;
  is_test: boolean;
  test: boolean | null;
  percent: number;
  browser_l: string | null;
  browser_n: string | null;
  browser_k: string | null;
  browser_x: number | null;
  browser_tz: number | null;
  delivery_ids: string[];
  delivery_ids_limit: number;
  properties: PersonProperty[];
}

/** One person. Its key begins with `profiles`, so that writes to a profile load it again. */
export function personQuery(id: string) {
  const operation = 'GET /v3/edit/profiles/{id}';
  return queryOptions<{ profile: PersonDetails }>({
    queryKey: ['profiles', operation, { id }],
    queryFn: () => api(operation as never, { id } as never) as Promise<{ profile: PersonDetails }>,
  });
}
