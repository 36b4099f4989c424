import type { CurrentPick } from '../../../picks/use-pick.ts';

/** The view that the person has chosen, whatever the state of the pick is. */
export type PickWish = 'page' | 'manual' | undefined;

/** Decides what the dialog of a pick shows. A pick that is over leads back to the choice of a page. */
export function pickViewOf(
  wish: PickWish,
  { id, over, pick }: Pick<CurrentPick, 'id' | 'over'> & { pick: { result: unknown } | undefined },
): 'page' | 'manual' | 'loading' | 'waiting' | 'result' {
  if (wish) return wish;
  if (id === null || over) return 'page';
  if (!pick) return 'loading';
  return pick.result ? 'result' : 'waiting';
}
