import { useQuery } from '@tanstack/react-query';
import { type Domain, domainsQuery, placesQuery } from '../../api/domains.ts';
import { type Environment, environmentsQuery } from '../../app/environment.ts';

/** Everything that the page about domains and Environments shows. */
export function useDomainData() {
  const domains = useQuery(domainsQuery);
  const places = useQuery(placesQuery);
  const groups = useQuery(environmentsQuery);
  const environments = groups.data?.url_groups ?? [];
  const byId = new Map(environments.map((one) => [one.id, one]));
  return {
    domains: domains.data,
    places: places.data?.experiences ?? [],
    urlUpdates: new Map(places.data?.urls.map((one) => [one.id, one])),
    groupUpdates: new Map(places.data?.url_groups.map((one) => [one.id, one])),
    environments,
    current: environments.filter(({ archived_at }) => archived_at === null),
    environmentOf: ({ url_group_id }: Pick<Domain, 'url_group_id'>): Environment | null =>
      (url_group_id !== null && byId.get(url_group_id)) || null,
    isLoading: !domains.data || !places.data || !groups.data,
    error: domains.error ?? places.error ?? groups.error,
  };
}

export type DomainData = ReturnType<typeof useDomainData>;
