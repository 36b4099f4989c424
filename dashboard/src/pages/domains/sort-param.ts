import type { SortDescriptor } from 'react-aria-components/Table';

/** `-host` is the host in descending order. */
export function parseSort(sort: string): SortDescriptor | undefined {
  if (sort === '') return undefined;
  return sort.startsWith('-')
    ? { column: sort.slice(1), direction: 'descending' }
    : { column: sort, direction: 'ascending' };
}

export function formatSort({ column, direction }: SortDescriptor): string {
  return `${direction === 'descending' ? '-' : ''}${column}`;
}
