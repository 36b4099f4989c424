import type { Document } from '../content/experience.ts';
import { hasItemStates } from '../content/item-conditions.ts';
import type { ListItemState } from '../content/list-item-state.ts';
import { type ExperienceKind, isExclusive } from '../kinds/kinds.ts';
import { isTask } from '../kinds/task.ts';
import { type Condition, toCondition } from '../targeting/condition.ts';
import type { Match } from '../targeting/match.ts';

/*
 * The items of a launcher for one user. An item that was completed once stays completed, also when its condition is false later: the
 * server stores when that was.
 */

export interface Checklist {
  items: readonly ChecklistItem[];
  inOrder: boolean;
  hideAfterDays: number | null;
}

interface ChecklistItem {
  id: string;
  isTask: boolean;
  /** What the item starts, if that must be live, and if completing it completes the item. */
  campaignId: string | null;
  segmentId: string | null;
  completedWhen: Condition | undefined;
  visibleWhen: Condition | undefined;
  /** The names of the events by which it can be completed. */
  events: readonly string[];
}

export function compileChecklist(document: Document): Checklist | undefined {
  if (!hasItemStates(document)) return undefined;
  const { list_type, in_order, hide_after_completed_days = null, items = [] } = document;
  const isChecklist = list_type === 'checklist';
  return {
    inOrder: isChecklist && in_order === true,
    hideAfterDays: isChecklist ? hide_after_completed_days : null,
    items: items
      .filter(({ hide }) => !hide)
      .map((item) => {
        const completedWhen = compile(item.completed_when, item.completed_when_op);
        return {
          id: item.id,
          isTask: isChecklist && isTask(item),
          campaignId: isExclusive({ kind: item.kind as ExperienceKind }) ? item.campaign_id : null,
          segmentId: item.segment_id,
          completedWhen,
          visibleWhen: compile(item.visible_when, item.visible_when_op),
          events: completedWhen ? listEventNames(completedWhen) : [],
        };
      }),
  };
}

function listEventNames(condition: Condition): string[] {
  if (condition.is === 'all' || condition.is === 'any') return condition.of.flatMap(listEventNames);
  if (condition.is === 'not') return listEventNames(condition.of);
  return condition.is === 'event' ? [condition.name] : [];
}

function compile(...[filters, op]: Parameters<typeof toCondition>): Condition | undefined {
  return filters.length === 0 ? undefined : toCondition(filters, op);
}

/** The conditions of its items. */
export function listConditions({ items }: Checklist): Condition[] {
  return items.flatMap(({ completedWhen, visibleWhen }) =>
    [completedWhen, visibleWhen].filter((one) => one !== undefined),
  );
}

/** What the items depend on. */
export interface ChecklistFacts {
  matches(condition: Condition): Match;
  inSegment(id: string): Match;
  isLive(id: string): boolean;
  isCompleted(id: string): boolean;
  /** The items that were completed before. */
  completed: ReadonlySet<string>;
}

export interface ChecklistProgress {
  items: ReadonlyMap<string, ListItemState>;
  /** The items that are completed now, and were not before. */
  added: string[];
  /** Whether all tasks that the user sees are completed. */
  isDone: boolean;
}

/** Whether an event can complete an item that the user has not completed. */
export function waitsForEvents({ items }: Checklist, { items: states }: ChecklistProgress): boolean {
  return items.some(({ id, isTask, events }) => {
    const state = states.get(id);
    return isTask && events.length > 0 && state && !state.isCompleted && !state.isHidden;
  });
}

/** An item that is locked is completed when the one before it is, if its own condition holds then. */
export function evaluateChecklist({ items, inOrder }: Checklist, facts: ChecklistFacts): ChecklistProgress {
  const states = new Map<string, ListItemState>();
  const added: string[] = [];
  let open = 0;
  let tasks = 0;
  for (const item of items) {
    const isHidden = !isVisible(item, facts);
    const isLocked = inOrder && item.isTask && open > 0;
    const wasCompleted = facts.completed.has(item.id);
    const isNew = item.isTask && !isHidden && !isLocked && !wasCompleted && isMet(item, facts);
    const isCompleted = wasCompleted || isNew;
    if (isNew) added.push(item.id);
    if (item.isTask && !isHidden) tasks++;
    if (item.isTask && !isHidden && !isCompleted) open++;
    states.set(item.id, { isTask: item.isTask, isCompleted, isLocked: isLocked && !isCompleted, isHidden });
  }
  return { items: states, added, isDone: tasks > 0 && open === 0 };
}

function isVisible({ segmentId, campaignId, visibleWhen }: ChecklistItem, facts: ChecklistFacts): boolean {
  if (segmentId !== null && facts.inSegment(segmentId) !== true) return false;
  if (campaignId !== null && !facts.isLive(campaignId)) return false;
  return visibleWhen === undefined || facts.matches(visibleWhen) === true;
}

function isMet({ completedWhen, campaignId }: ChecklistItem, facts: ChecklistFacts): boolean {
  if (completedWhen) return facts.matches(completedWhen) === true;
  return campaignId !== null && facts.isCompleted(campaignId);
}
