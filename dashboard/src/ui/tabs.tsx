import type { ReactNode } from 'react';
import { Tabs as AriaTabs, Tab, TabList, TabPanel } from 'react-aria-components/Tabs';

interface TabsProps<Id extends string> {
  label: string;
  tabs: readonly { id: Id; label: string; content: ReactNode; isDisabled?: boolean }[];
  selected?: Id;
  onSelect?: (id: Id) => void;
}

export function Tabs<Id extends string>({ label, tabs, selected, onSelect }: TabsProps<Id>) {
  return (
    <AriaTabs
      {...(selected !== undefined && { selectedKey: selected })}
      {...(onSelect && { onSelectionChange: (id) => onSelect(id as Id) })}
      className="flex flex-col gap-4"
    >
      <TabList aria-label={label} className="flex gap-4 overflow-x-auto overflow-y-hidden border-b border-line">
        {tabs.map(({ id, label, isDisabled = false }) => (
          <Tab
            key={id}
            id={id}
            isDisabled={isDisabled}
            className="-mb-px cursor-default border-b-2 border-transparent px-0.5 pt-1 pb-2 text-14 whitespace-nowrap text-soft transition-colors data-disabled:opacity-45 data-focus-visible:-outline-offset-2 data-hovered:text-ink data-selected:border-accent data-selected:font-medium data-selected:text-ink"
          >
            {label}
          </Tab>
        ))}
      </TabList>
      {tabs.map(({ id, content }) => (
        <TabPanel key={id} id={id} className="rounded-4">
          {content}
        </TabPanel>
      ))}
    </AriaTabs>
  );
}
