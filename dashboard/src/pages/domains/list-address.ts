import type { SortDescriptor } from 'react-aria-components/Table';
import { useSearchParams } from 'wouter';

/** The params of the list in the address. Going back shows the list as it was left. */
export function useListAddress() {
  const [params, setParams] = useSearchParams();
  const get = (name: string) => params.get(name) ?? '';
  const set = (changes: Record<string, string>) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        for (const [name, value] of Object.entries(changes)) {
          if (value === '') after.delete(name);
          else after.set(name, value);
        }
        return after;
      },
      { replace: true },
    );
  return { get, set };
}

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
