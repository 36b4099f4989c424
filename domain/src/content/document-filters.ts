import type { Filter } from '../targeting/filter.ts';
import type { Document, ListItem } from './experience.ts';

type WithFilters = { items?: Document['items'] | undefined; steps?: Document['steps'] };

interface FilterList {
  filters: Filter[];
  /** Its place in the document. */
  path: string;
}

/** Lists the filters over people in a document: in the conditions of its items, and in the rules of its steps. */
export function listDocumentFilters({ items = [], steps = [] }: WithFilters): FilterList[] {
  return [...items.flatMap(listOfItem), ...listRuleFilters({ steps })];
}

const conditions = ['completed_when', 'visible_when'] as const satisfies (keyof ListItem)[];

function listOfItem(item: ListItem, at: number): FilterList[] {
  return conditions.map((name) => ({ filters: item[name] ?? [], path: `items[${at}].${name}` }));
}

export function listRuleFilters({ steps }: Pick<Document, 'steps'>): FilterList[] {
  return steps.flatMap(({ next = [] }, at) =>
    next.flatMap(({ when }, rule) =>
      when && 'filters' in when ? [{ filters: when.filters, path: `steps[${at}].next[${rule}].when.filters` }] : [],
    ),
  );
}

/** Copies a document with other filters over people. */
export function mapDocumentFilters(document: Document, replace: (filters: Filter[]) => Filter[]): Document {
  return {
    ...document,
    steps: document.steps.map(({ next, ...step }) => ({
      ...step,
      ...(next && {
        next: next.map((rule) =>
          rule.when && 'filters' in rule.when
            ? { ...rule, when: { ...rule.when, filters: replace(rule.when.filters) } }
            : rule,
        ),
      }),
    })),
    ...(document.items && {
      items: document.items.map((item) => ({
        ...item,
        ...Object.fromEntries(conditions.map((name) => [name, replace(item[name] ?? [])])),
      })),
    }),
  };
}
