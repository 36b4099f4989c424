/* This file is part of the browser script. */

export type TaskKind = 'tour' | 'survey';

/**
 * Returns whether users can complete an item of a list: it starts a tour or survey, or it has a condition. The page gets no
 * condition, but whether the item is completed.
 */
export function isTask({ kind, completed, completed_when = [] }: Item): boolean {
  return kind !== 'divider' && (startsTask({ kind }) || completed !== undefined || completed_when.length > 0);
}

/** Whether an item starts what can be completed. */
export function startsTask({ kind }: Pick<Item, 'kind'>): boolean {
  return kind === 'tour' || kind === 'survey';
}

interface Item {
  kind?: string | undefined;
  completed?: boolean;
  completed_when?: readonly unknown[];
}
