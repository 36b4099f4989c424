import { type Filter, type FunnelStep, MAX_FUNNEL_DAYS, MAX_FUNNEL_STEPS } from '@usher/domain';
import { useAddress } from '../../../lists/use-address.ts';

const MAX_SEGMENTS = 5;
const DEFAULT_DAYS = 14;
export const states = ['displayed', 'started', 'completed', 'exited'] as const;
type State = (typeof states)[number];

/** A step as people edit it: it may have no event or Experience yet. */
export type EditedStep =
  | { kind: 'event'; name: string; filters: Filter[] }
  | { kind: 'experience'; experience_id: string | null; state: State };

export const newStep: EditedStep = { kind: 'event', name: '', filters: [] };

export function isFinished(step: EditedStep): boolean {
  return step.kind === 'event' ? step.name.trim() !== '' : step.experience_id !== null;
}

/** The step as the API takes it. */
export function toParams(step: EditedStep): FunnelStep {
  if (step.kind === 'experience')
    return { kind: step.kind, experience_id: step.experience_id ?? '', state: step.state };
  const { kind, name, filters } = step;
  return { kind, name, ...(filters.length > 0 && { filters }) };
}

/** Reads the steps of an address. Whatever is no step is left out. */
export function readSteps(text: string): EditedStep[] {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.slice(0, MAX_FUNNEL_STEPS).flatMap(readStep) : [];
  } catch {
    return [];
  }
}

function readStep(value: unknown): EditedStep[] {
  if (typeof value !== 'object' || value === null) return [];
  const { kind, name, filters, experience_id, state } = value as Record<string, unknown>;
  if (kind === 'experience') {
    const known = states.find((one) => one === state) ?? 'started';
    return [{ kind, experience_id: typeof experience_id === 'string' ? experience_id : null, state: known }];
  }
  if (kind !== 'event') return [];
  return [
    { kind, name: typeof name === 'string' ? name : '', filters: Array.isArray(filters) ? (filters as Filter[]) : [] },
  ];
}

function readIds(text: string): string[] {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.filter((id) => typeof id === 'string').slice(0, MAX_SEGMENTS) : [];
  } catch {
    return [];
  }
}

/** The funnel is in the address, so that a link shows the same one. A saved report has the same params. */
export function useFunnelAddress() {
  const { get, set } = useAddress();
  const days = Number(get('window_days'));
  return {
    steps: readSteps(get('steps')),
    windowDays: Number.isInteger(days) && days >= 1 && days <= MAX_FUNNEL_DAYS ? days : DEFAULT_DAYS,
    segmentIds: readIds(get('split_segment_ids')),
    setSteps: (steps: readonly EditedStep[]) => set({ steps: steps.length === 0 ? '' : JSON.stringify(steps) }),
    setWindow: (days: number) => set({ window_days: days === DEFAULT_DAYS ? '' : String(days) }),
    setSegments: (ids: readonly string[]) =>
      set({ split_segment_ids: ids.length === 0 ? '' : JSON.stringify(ids.slice(0, MAX_SEGMENTS)) }),
  };
}
