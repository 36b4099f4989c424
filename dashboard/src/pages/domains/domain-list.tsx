import { Search } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { Selection } from 'react-aria-components/Table';
import type { Domain } from '../../api/domains.ts';
import { useSession } from '../../api/session.ts';
import { EnvironmentMark } from '../../app/environment-badge.tsx';
import { useAddress } from '../../lists/use-address.ts';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { Drawing } from '../../ui/drawing.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Select } from '../../ui/select.tsx';
import { Table } from '../../ui/table.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { isNarrow, useWidth } from '../../ui/use-width.ts';
import { domainState, liveOn } from './domain-state.ts';
import { type DomainRow, filterRows, NO_ENVIRONMENT, sortRows } from './filter-rows.ts';
import { useKeptPlaces } from './keep-places.ts';
import { SelectionBar } from './selection-bar.tsx';
import { formatSort, parseSort } from './sort-param.ts';
import { useDomainColumns } from './use-domain-columns.tsx';
import type { DomainData } from './use-domain-data.ts';

const texts = text.domains;

export interface DomainDialogs {
  onDetails: (domain: Domain) => void;
  onTurnOn: (domain: Domain) => void;
  onMove: (domain: Domain) => void;
  onAssign: (domains: readonly Domain[]) => void;
  onAdd: () => void;
}

/** All domains, with search, filters and what can be done with them. */
export function DomainList({ data, ...dialogs }: DomainDialogs & { data: DomainData }) {
  const { get, set } = useAddress();
  const { can } = useSession();
  const [selection, setSelection] = useState<Selection>(new Set());
  const [ref, width] = useWidth();
  const columns = useDomainColumns(dialogs, isNarrow(width));
  const rows = useRows(data);
  const filters = { query: get('q'), state: get('state'), environment: get('environment') };
  const sort = parseSort(get('sort'));
  const arrangement = JSON.stringify([filters, get('sort')]);
  const arranged = rows && sortRows(filterRows(rows, filters), sort);
  const found = useKeptPlaces(rows, arranged, arrangement);
  const isFiltered = Object.values(filters).some((value) => value !== '');
  const selected = (found ?? []).filter(({ id }) => selection === 'all' || selection.has(id));
  return (
    <div ref={ref} className="flex flex-col gap-3">
      <Filters data={data} filters={filters} onChange={set} />
      <Table
        label={texts.title}
        columns={columns}
        rows={found}
        expectedRows={8}
        nameOf={({ domain }) => domain.host}
        placeKey="domains"
        onOpen={({ domain }) => dialogs.onDetails(domain)}
        {...(can('edit') && { selected: selection, onSelect: setSelection })}
        {...(sort && { sort })}
        onSort={(next) => set({ sort: formatSort(next) })}
        empty={
          isFiltered || (data.domains?.length ?? 0) > 0 ? (
            <EmptyState
              title={texts.noMatch.title}
              action={
                <Button onPress={() => set({ q: '', state: 'all', environment: '' })}>{texts.noMatch.action}</Button>
              }
            >
              {texts.noMatch.description}
            </EmptyState>
          ) : (
            <EmptyState
              picture={<Drawing of="domains" />}
              title={texts.empty.title}
              action={
                can('edit') && (
                  <Button look="primary" onPress={dialogs.onAdd}>
                    {texts.add}
                  </Button>
                )
              }
            >
              {texts.empty.description}
            </EmptyState>
          )
        }
      />
      {can('edit') && (
        // The bar always takes its space, so that nothing moves when rows are selected.
        <div className="pointer-events-none sticky bottom-4 z-10 min-h-11">
          {selected.length > 0 && (
            <SelectionBar
              domains={selected.map(({ domain }) => domain)}
              onAssign={dialogs.onAssign}
              onClear={() => setSelection(new Set())}
            />
          )}
        </div>
      )}
    </div>
  );
}

function useRows(data: DomainData): DomainRow[] | undefined {
  const { domains, places, isLoading, urlUpdates, environmentOf } = data;
  // biome-ignore lint/correctness/useExhaustiveDependencies: everything else follows from these
  return useMemo(() => {
    if (isLoading || !domains) return undefined;
    return domains.map((domain) => ({
      id: domain.id,
      domain,
      state: domainState(domain),
      environment: environmentOf(domain),
      live: liveOn(places, domain).length,
      update: urlUpdates.get(domain.id),
    }));
  }, [domains, places, isLoading, data.environments]);
}

interface FiltersProps {
  data: DomainData;
  filters: { query: string; state: string; environment: string };
  onChange: (params: Record<string, string>) => void;
}

const CURRENT = 'current';
const ANY = 'any';

function Filters({ data, filters, onChange }: FiltersProps) {
  const { states, any } = texts;
  return (
    <div className="grid grid-cols-2 gap-3 @3xl:grid-cols-[1fr_11rem_13rem]">
      <TextField
        label={texts.search}
        icon={Search}
        type="search"
        value={filters.query}
        onChange={(q) => onChange({ q })}
        className="@max-3xl:col-span-2"
        autoComplete="off"
      />
      <Select
        label={texts.stateFilter}
        value={filters.state || CURRENT}
        onChange={(state) => onChange({ state: state === CURRENT ? '' : state })}
        options={[
          { value: CURRENT, label: any.current },
          ...(['on', 'off', 'new', 'archived'] as const).map((value) => ({ value, label: states[value] })),
          { value: 'all', label: any.state },
        ]}
      />
      <Select
        label={texts.environmentFilter}
        value={filters.environment || ANY}
        onChange={(environment) => onChange({ environment: environment === ANY ? '' : environment })}
        options={[
          { value: ANY, label: any.environment },
          ...data.environments.map((one) => ({
            value: one.id,
            label: one.name,
            mark: <EnvironmentMark environment={one} />,
          })),
          { value: NO_ENVIRONMENT, label: text.environments.none, mark: <EnvironmentMark environment={null} /> },
        ]}
      />
    </div>
  );
}
