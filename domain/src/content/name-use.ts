import { normalizeKey } from '../ingestion/key.ts';
import type { RegisteredKind } from '../ingestion/property.ts';
import type { Filter } from '../targeting/filter.ts';
import { listUsedProperties } from './used-options.ts';

/** A registered Property, or the name of an event. */
export interface RegisteredName {
  kind: RegisteredKind;
  prop: string;
}

/** Whether one of the filters tests the Property or the event. No filter tests the properties of events. */
export function isInFilters(filters: readonly Filter[], name: RegisteredName): boolean {
  return filters.some((filter) => {
    if (filter.kind === 'group') return isInFilters(filter.filters, name);
    if (filter.kind === 'event') return name.kind === 'event_name' && normalizeKey(filter.value) === name.prop;
    return filter.kind === 'property' && isPathOf(filter.prop, name);
  });
}

/** Whether a merge tag of the texts shows or tests the Property. */
export function isInTexts(content: unknown, name: RegisteredName): boolean {
  return listUsedProperties(content).some((path) => isPathOf(path, name));
}

/** A path may lead into the Property, such as `address.city`. */
function isPathOf(path: string, { kind, prop }: RegisteredName): boolean {
  if (kind !== 'profile' && kind !== 'company') return false;
  const [first = '', ...rest] = path.split('.').map(normalizeKey);
  return kind === 'company' ? first === 'company' && rest[0] === prop : first === prop;
}
