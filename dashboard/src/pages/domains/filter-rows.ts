import type { SortDescriptor } from 'react-aria-components/Table';
import type { Domain, Places } from '../../api/domains.ts';
import type { Environment } from '../../app/environment.ts';
import { type DomainState, domainStates } from './domain-state.ts';

export interface DomainRow {
  id: string;
  domain: Domain;
  state: DomainState;
  environment: Environment | null;
  /** How many live Experiences can show on the domain. */
  live: number;
  /** The last change; undefined if no administrator has changed the domain. */
  update: Places['urls'][number] | undefined;
}

export const NO_ENVIRONMENT = 'none';

interface Filters {
  query: string;
  /** A state, `all`, or an empty text for all domains that are not archived. */
  state: string;
  environment: string;
}

export function filterRows(rows: readonly DomainRow[], { query, state, environment }: Filters): DomainRow[] {
  const part = query.trim().toLowerCase();
  return rows.filter(
    (row) =>
      row.domain.host.includes(part) &&
      (state === 'all' || (state === '' ? row.state !== 'archived' : row.state === state)) &&
      (environment === '' || (row.domain.url_group_id ?? NO_ENVIRONMENT) === environment),
  );
}

type Key = (row: DomainRow) => string | number;

/** The sort key of each column. Domains that were never seen come first. */
const keys: Record<string, Key> = {
  host: ({ domain }) => domain.host,
  state: ({ state }) => domainStates.indexOf(state),
  environment: ({ environment }) => environment?.name.toLowerCase() ?? '',
  live: ({ live, state }) => (state === 'on' ? live : -1),
  first: ({ domain }) => domain.first_seen_at ?? domain.installed_at ?? '',
  last: ({ domain }) => domain.last_seen_at ?? '',
  changed: ({ update }) => update?.updated_at ?? '',
};

/** Sorts rows. By default domains that are on come first, and each group is sorted by host. */
export function sortRows(rows: readonly DomainRow[], sort: SortDescriptor | undefined): DomainRow[] {
  const compareBy = (key: Key) => (a: DomainRow, b: DomainRow) => {
    const [first, second] = [key(a), key(b)];
    return first < second ? -1 : first > second ? 1 : 0;
  };
  const byHost = compareBy(({ domain }) => domain.host);
  const column = String(sort?.column ?? 'state');
  // The column comes from the address of the page, which can contain anything.
  const byKey = compareBy((Object.hasOwn(keys, column) && keys[column]) || (() => 0));
  const sign = sort?.direction === 'descending' ? -1 : 1;
  return rows.toSorted((a, b) => sign * byKey(a, b) || byHost(a, b));
}
