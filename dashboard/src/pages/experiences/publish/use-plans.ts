import { useQueries } from '@tanstack/react-query';
import type { Editor } from '../../../editor/use-editor.ts';
import { loadPlan, type PublishPlan, type ToPublish } from '../../../publish/load-plan.ts';

/** The editor could not save the typed changes. */
export class NotSavedError extends Error {}

export interface LoadedPlan {
  of: ToPublish;
  plan: PublishPlan | undefined;
  error: Error | null;
}

/**
 * Loads each Experience once, after the editor has saved. Nothing is loaded again while the dialog is open, because it
 * publishes exactly what it shows. A new `round` loads again.
 */
export function usePlans(experiences: readonly ToPublish[], editor: Editor | undefined, round: number): LoadedPlan[] {
  const results = useQueries({
    queries: experiences.map((one) => ({
      queryKey: ['publish-plan', one.id, round],
      queryFn: async () => {
        if (editor && !(await editor.save())) throw new NotSavedError();
        return loadPlan(one);
      },
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 0,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    })),
  });
  return experiences.map((of, index) => ({
    of,
    plan: results[index]?.data,
    error: results[index]?.error ?? null,
  }));
}
