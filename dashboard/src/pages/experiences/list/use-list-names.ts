import { useQuery } from '@tanstack/react-query';
import { query } from '../../../api/queries.ts';
import { environmentsQuery } from '../../../app/environment.ts';
import { useFailingSteps } from '../../../failing-steps/use-failing-steps.ts';
import { useManaged } from '../../../files/managed-notice.tsx';

const tagsQuery = query('GET /v3/edit/tags', { limit: 500 });
const segmentsQuery = query('GET /v3/edit/segments', { limit: 500 });

/** The Environments, Segments and tags that the rows and the filters name, and the failing steps. */
export function useListNames() {
  const environments = useQuery(environmentsQuery).data?.url_groups;
  const segments = useQuery(segmentsQuery).data?.segments;
  const tags = useQuery(tagsQuery).data?.tags;
  const failing = useFailingSteps();
  const managed = useManaged();
  return { environments: environments ?? [], segments: segments ?? [], tags: tags ?? [], failing, managed };
}

export type ListNames = ReturnType<typeof useListNames>;
