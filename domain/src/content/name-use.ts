import type { EventTrigger } from '../fields/field.ts';
import type { GoalRule } from '../fields/goal-fields.ts';
import { normalizeKey } from '../ingestion/key.ts';
import type { RegisteredKind } from '../ingestion/property.ts';
import type { Filter } from '../targeting/filter.ts';
import { listDocumentFilters } from './document-filters.ts';
import type { Document } from './experience.ts';
import { listGoals } from './goals-write.ts';
import { listUsedProperties } from './used-options.ts';

/** A registered Property, or the name of an event. */
export interface RegisteredName {
  kind: RegisteredKind;
  prop: string;
}

/** Whether one of the filters tests the Property or the event. These filters test no properties of events. */
export function isInFilters(filters: readonly Filter[], name: RegisteredName): boolean {
  return filters.some((filter) => {
    if (filter.kind === 'group') return isInFilters(filter.filters, name);
    if (filter.kind === 'event') return name.kind === 'event_name' && normalizeKey(filter.value) === name.prop;
    return filter.kind === 'property' && isPathOf(filter.prop, name);
  });
}

/** Lists the normalized names of the events that filters test. */
export function listFilterEvents(filters: readonly Filter[]): string[] {
  return filters.flatMap((filter) => {
    if (filter.kind === 'group') return listFilterEvents(filter.filters);
    return filter.kind === 'event' ? [normalizeKey(filter.value)] : [];
  });
}

type WithEvents = Partial<Pick<Document, 'goal' | 'goals' | 'steps' | 'items'>>;

/** Lists the normalized names of the events that an Experience uses: of its goals, what its steps wait for, and what its other conditions test. */
export function listUsedEvents(document: WithEvents): string[] {
  const { steps = [], items } = document;
  return [
    ...listGoals(document).flatMap((goal) => goal.event_name ?? []),
    ...steps.flatMap((step) => findTrigger(step)?.name ?? []),
    ...listDocumentFilters({ items, steps }).flatMap(({ filters }) => listFilterEvents(filters)),
  ];
}

function findTrigger({ step_trigger, trigger_event }: Document['steps'][number]): EventTrigger | null {
  return step_trigger === 'event' ? trigger_event : null;
}

/** Whether a condition of an item or a rule of a step tests the Property or the event. */
export function isInConditions(document: Partial<Pick<Document, 'items' | 'steps'>>, name: RegisteredName): boolean {
  return listDocumentFilters(document).some(({ filters }) => isInFilters(filters, name));
}

/** Whether a merge tag of the texts shows or tests the Property. */
export function isInTexts(content: unknown, name: RegisteredName): boolean {
  return listUsedProperties(content).some((path) => isPathOf(path, name));
}

/** Whether a step waits for an event with this Property, or a goal is about it. */
export function isInEvents(document: WithEvents, name: RegisteredName): boolean {
  if (listGoals(document).some((goal) => isInGoal(goal, name))) return true;
  const { steps = [] } = document;
  return name.kind === 'event' && steps.some((step) => testsProperty(findTrigger(step)?.filters ?? [], name.prop));
}

/** Whether a goal is about the Property or the event. */
export function isInGoal(goal: GoalRule, name: RegisteredName): boolean {
  const { kind, event_name, filters, sum_property } = goal;
  if (kind !== 'event') return isInFilters(filters, name);
  if (name.kind === 'event_name') return event_name === name.prop;
  return name.kind === 'event' && (testsProperty(filters, name.prop) || sum_property?.split('.')[0] === name.prop);
}

function testsProperty(filters: readonly Filter[], prop: string): boolean {
  return filters.some((filter) => {
    if (filter.kind === 'group') return testsProperty(filter.filters, prop);
    return filter.kind === 'property' && filter.prop.split('.')[0] === prop;
  });
}

/** A path may lead into the Property, such as `address.city`. */
function isPathOf(path: string, { kind, prop }: RegisteredName): boolean {
  if (kind !== 'profile' && kind !== 'company') return false;
  const [first = '', ...rest] = path.split('.').map(normalizeKey);
  return kind === 'company' ? first === 'company' && rest[0] === prop : first === prop;
}
