import { useQuery } from '@tanstack/react-query';
import type { ResponseOf } from '../api/api.ts';
import { query } from '../api/queries.ts';
import { useSession } from '../api/session.ts';
import { useStoredValue } from '../ui/use-stored-value.ts';

export type Environment = ResponseOf<'GET /v3/edit/url_groups'>['url_groups'][number];

export const environmentsQuery = query('GET /v3/edit/url_groups', { limit: 500 });

/** The color of an Environment as `#1E90FF`, or undefined if it has none. */
export function environmentColor({
  style_short_name_color: color,
}: Pick<Environment, 'style_short_name_color'>): string | undefined {
  return color ? `#${color.replace('#', '')}` : undefined;
}

/** The Environment that is chosen in the top bar, or null for all of them. Each account has its own choice. */
export function useEnvironment() {
  const { account } = useSession();
  const { data } = useQuery(environmentsQuery);
  const [chosen, choose] = useStoredValue(`usher-environment-${account.id}`);
  const environments = (data?.url_groups ?? []).filter(({ archived_at }) => archived_at === null);
  return { environments, environment: environments.find(({ id }) => id === chosen) ?? null, choose };
}
