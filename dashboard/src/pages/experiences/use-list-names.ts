import { useQuery } from '@tanstack/react-query';
import { query } from '../../api/queries.ts';
import { environmentsQuery } from '../../app/environment.ts';

const tagsQuery = query('GET /v3/edit/tags', { limit: 500 });
const segmentsQuery = query('GET /v3/edit/segments', { limit: 500 });

/** The Environments, Segments and tags that the rows and the filters name. */
export function useListNames() {
  const environments = useQuery(environmentsQuery).data?.url_groups;
  const segments = useQuery(segmentsQuery).data?.segments;
  const tags = useQuery(tagsQuery).data?.tags;
  return { environments: environments ?? [], segments: segments ?? [], tags: tags ?? [] };
}

export type ListNames = ReturnType<typeof useListNames>;
