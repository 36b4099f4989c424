import { kinds } from '../kinds/kinds.ts';
import { isTask } from '../kinds/task.ts';
import type { Document } from './experience.ts';

/** Whether what users see of the items depends on their progress, or on conditions of their own. */
export function hasItemStates({ kind, list_type, items = [] }: Document): boolean {
  if (kinds[kind].parts !== 'items') return false;
  return items.some((item) => item.visible_when.length > 0 || (list_type === 'checklist' && isTask(item)));
}
