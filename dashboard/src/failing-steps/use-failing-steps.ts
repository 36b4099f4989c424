import { useQuery } from '@tanstack/react-query';
import type { ResponseOf } from '../api/api.ts';
import { query } from '../api/queries.ts';

export type FailingStep = ResponseOf<'GET /v3/analyze/failing_steps'>['failing_steps'][number];

/** The server checks the steps every few minutes, so a shorter interval would bring nothing new. */
const LOOK_AGAIN_MS = 60_000;
const none: readonly FailingStep[] = [];

/** The steps of all live Experiences whose element most people do not find; none if they cannot be loaded. */
export function useFailingSteps(): readonly FailingStep[] {
  const { data } = useQuery({ ...query('GET /v3/analyze/failing_steps', {}), refetchInterval: LOOK_AGAIN_MS });
  return data?.failing_steps ?? none;
}

/** The failing steps of one Experience. They are loaded again after publishing, because the server then judges its steps again. */
export function useFailingStepsOf(experience: { id: string; published_at: string | null }): readonly FailingStep[] {
  const options = query('GET /v3/analyze/failing_steps', { experience_id: experience.id });
  const { data } = useQuery({
    ...options,
    queryKey: [...options.queryKey, experience.published_at],
    refetchInterval: LOOK_AGAIN_MS,
  });
  return data?.failing_steps ?? none;
}
