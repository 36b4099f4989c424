import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, download, type ParamsOf, type ResponseOf } from '../../../api/api.ts';
import { keyOf } from '../../../api/nouns.ts';
import { useGoalSubjects } from '../../../goals/use-goal-names.ts';
import * as text from '../../../messages/text.ts';
import type { CountedPeople } from '../../../people/counted-people-dialog.tsx';
import { useDebounced } from '../../../ui/use-debounced.ts';
import type { EditedStep } from './funnel-address.ts';

const texts = text.funnel;
const COUNT = 'POST /v3/analyze/funnels';
const PEOPLE = 'POST /v3/analyze/funnels/people';
const PAGE_SIZE = 50;
const TYPING_MS = 400;

export type FunnelParams = ParamsOf<typeof COUNT>;
export type CountedFunnel = ResponseOf<typeof COUNT>['funnel'];

/** Counts a funnel a moment after it was edited. The numbers before stay until there are others. */
export function useFunnel(params: FunnelParams | undefined) {
  const settled = useDebounced(JSON.stringify(params), TYPING_MS);
  return useQuery({
    queryKey: keyOf('funnels', COUNT, settled),
    queryFn: () => api(COUNT, JSON.parse(settled ?? '') as FunnelParams),
    enabled: settled !== undefined,
    placeholderData: keepPreviousData,
  });
}

/** Who is counted in a step of the funnel, or left after it. */
export interface PeopleOfStep {
  title: string;
  /** The number of the step; the first one is 1. */
  step: number;
  what: 'reached' | 'left';
  segment_id?: string;
}

export function toCounted(funnel: FunnelParams, { title, ...of }: PeopleOfStep): CountedPeople {
  const { split_segment_ids: _, within_ms: __, ...rule } = funnel;
  const params = { ...rule, ...of };
  return {
    ...{ title, of: texts.name },
    key: keyOf('funnels', PEOPLE, params),
    load: (before) =>
      api(PEOPLE, { ...params, limit: PAGE_SIZE, ...(before !== null && { before }) } as ParamsOf<typeof PEOPLE>),
    download: () =>
      download('POST /v3/analyze/funnels/people.{format}', {
        ...params,
        format: 'csv',
      } as ParamsOf<'POST /v3/analyze/funnels/people.{format}'>),
    save: (name) =>
      api('POST /v3/edit/funnels/people', { ...params, name } as ParamsOf<'POST /v3/edit/funnels/people'>),
  };
}

/** Says what a step is, in a few words. */
export function useStepNames(): (step: EditedStep) => string {
  const { names } = useGoalSubjects();
  return (step) => {
    if (step.kind === 'event') return names.event(step.name);
    return `${names.experience(step.experience_id ?? '')}: ${texts.described[step.state]}`;
  };
}
