import { useState } from 'react';
import type { Selection, SortDescriptor } from 'react-aria-components/Table';
import { Section } from '../../app/page.tsx';
import { formatNumber } from '../../messages/format.ts';
import { Button } from '../../ui/button.tsx';
import { Drawing } from '../../ui/drawing.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { type State, StateBadge } from '../../ui/state-badge.tsx';
import { Table, type TableColumn } from '../../ui/table.tsx';

interface Tour {
  id: string;
  name: string;
  state: State;
  people: number;
}

const states: State[] = ['live', 'draft', 'paused', 'changed', 'ended'];
const tours: Tour[] = Array.from({ length: 1_000 }, (_, index) => ({
  id: `tour-${index + 1}`,
  name:
    index === 1 ? 'A tour with a name that is far too long for its column, and goes on and on' : `Tour ${index + 1}`,
  state: states[index % states.length] as State,
  people: (index * 7919) % 12_040,
}));

const columns: TableColumn<Tour>[] = [
  { id: 'name', label: 'Name', width: '2fr', minWidth: 160, canSort: true, render: ({ name }) => name },
  {
    id: 'state',
    label: 'State',
    minWidth: 200,
    isSecondary: true,
    render: ({ state }) => <StateBadge state={state} />,
  },
  {
    id: 'people',
    label: 'People',
    width: 110,
    align: 'end',
    canSort: true,
    render: ({ people }) => formatNumber(people),
  },
  {
    id: 'actions',
    label: 'Actions',
    isLabelHidden: true,
    width: 90,
    align: 'end',
    render: () => <Button size="small">Open</Button>,
  },
];

export function Tables() {
  const [selected, setSelected] = useState<Selection>(new Set(['tour-2']));
  const [sort, setSort] = useState<SortDescriptor>({ column: 'name', direction: 'ascending' });
  const [opened, setOpened] = useState('none');
  const common = { columns, nameOf: ({ name }: Tour) => name };
  const rows = sort.column === 'people' ? tours.toSorted((a, b) => a.people - b.people) : tours;
  const sorted = sort.direction === 'descending' ? rows.toReversed() : rows;
  const count = selected === 'all' ? tours.length : selected.size;
  return (
    <Section
      title="Tables"
      intro={`${formatNumber(tours.length)} rows, ${formatNumber(count)} selected, opened: ${opened}`}
    >
      <Table
        {...common}
        label="Tours"
        rows={sorted}
        maxRows={8}
        selected={selected}
        onSelect={setSelected}
        sort={sort}
        onSort={setSort}
        onOpen={({ name }) => setOpened(name)}
        empty={null}
      />
      <Table {...common} label="Short list" rows={tours.slice(0, 2)} empty={null} />
      <Table {...common} label="Loading list" rows={undefined} expectedRows={3} empty={null} />
      <Table
        {...common}
        label="Empty list"
        rows={[]}
        empty={
          <EmptyState
            picture={<Drawing of="nothingFound" />}
            title="No tours found"
            action={<Button>Clear filters</Button>}
          >
            No tour has this state.
          </EmptyState>
        }
      />
    </Section>
  );
}
