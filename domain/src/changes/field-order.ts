import { importedElementKeys } from '../fields/imported-element.ts';
import { themeFieldNames } from '../themes/theme-document.ts';
import { type ModelType, modelTypes } from './change.ts';
import { modelFields } from './models.ts';

/** PostgreSQL changes the order of JSON keys. Responses have them in the order of the fields. */
const orders: Record<string, readonly string[]> = Object.fromEntries(
  modelTypes.map((type) => {
    const names = type === 'Theme' ? themeFieldNames : Object.keys(modelFields[type]);
    // The position of a part is no field of its own: it follows from the list.
    return [type, names.includes('position') ? names : ['position', ...names]];
  }),
);
const partOrder = ['selector', 'text', 'shadow_selector', ...importedElementKeys, 'url', 'match_type'];

export function sortByFieldOrder(type: ModelType, object: Record<string, unknown>): Record<string, unknown> {
  return sortKeys(object, orders[type] ?? []);
}

function sortKeys(object: Record<string, unknown>, order: readonly string[]): Record<string, unknown> {
  const rank = (key: string, names: readonly string[]) => {
    const at = names.indexOf(key);
    return at < 0 ? names.length : at;
  };
  const compare = (one: string, other: string): number => {
    const [ones, others] = [one.split('.'), other.split('.')];
    const first = rank(ones[0] as string, order) - rank(others[0] as string, order);
    if (first !== 0) return first;
    for (let at = 0; at < Math.max(ones.length, others.length); at++) {
      const [a = '', b = ''] = [ones[at], others[at]];
      if (a === b) continue;
      return Number(a) - Number(b) || rank(a, partOrder) - rank(b, partOrder) || (a < b ? -1 : 1);
    }
    return 0;
  };
  const sorted = Object.entries(object).sort(([one], [other]) => compare(one, other));
  return Object.fromEntries(sorted.map(([key, value]) => [key, sortInner(value)]));
}

function sortInner(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? value.map(sortInner) : sortKeys(value as Record<string, unknown>, partOrder);
}
