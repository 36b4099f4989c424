import { useSearchParams } from 'wouter';
import type { Entry } from './describe-entry.ts';

export interface Filters {
  action?: Entry['action'];
  admin_id?: string;
}

/** The filters are in the address, so that a link to a part of the log can be sent, and "back" goes back. */
export function useFilters() {
  const [params, setParams] = useSearchParams();
  const action = params.get('action');
  const admin_id = params.get('admin_id');
  const filters: Filters = {
    ...(action !== null && { action: action as Entry['action'] }),
    ...(admin_id !== null && { admin_id }),
  };
  const setFilter = (name: keyof Filters, value: string | null) =>
    setParams((before) => {
      const next = new URLSearchParams(before);
      if (value === null) next.delete(name);
      else next.set(name, value);
      return next;
    });
  return { filters, setFilter, clear: () => setParams(new URLSearchParams()) };
}
