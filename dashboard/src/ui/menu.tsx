import type { LucideIcon } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { Header } from 'react-aria-components/Header';
import { Menu as AriaMenu, MenuItem, MenuSection, MenuTrigger } from 'react-aria-components/Menu';
import { Popover, type PopoverProps } from 'react-aria-components/Popover';
import { cx } from './cx.ts';
import { ItemContent, itemLook } from './list-item.tsx';
import { popoverLook } from './popover.tsx';

interface MenuEntry {
  id: string;
  label: string;
  description?: string;
  icon?: LucideIcon;
  mark?: ReactNode;
  keys?: string;
  href?: string;
  /** Whether the link opens in a new tab. */
  opensTab?: boolean;
  isDisabled?: boolean;
  /** Whether the action cannot be undone. */
  isDanger?: boolean;
  onAction?: () => void;
}

export interface MenuGroup {
  /** The title of the group, which also names it for screen readers. */
  title?: string;
  entries: readonly MenuEntry[];
  /** The ID of the selected entry, in a group where one entry is selected, such as the themes. */
  selected?: string | null;
  onSelect?: (id: string) => void;
}

interface MenuProps {
  trigger: ReactElement;
  label: string;
  groups: readonly MenuGroup[];
  /** Content above the entries. */
  header?: ReactNode;
  placement?: PopoverProps['placement'];
}

export function Menu({ trigger, label, groups, header, placement = 'bottom start' }: MenuProps) {
  const entries = groups.flatMap((group) => group.entries.map((entry) => ({ group, entry })));
  const run = (id: React.Key) => {
    const found = entries.find(({ entry }) => entry.id === id);
    found?.entry.onAction?.();
  };
  return (
    <MenuTrigger>
      {trigger}
      <Popover placement={placement} offset={6} className={cx(popoverLook, 'max-w-80 min-w-52 overflow-auto')}>
        {header}
        <AriaMenu aria-label={label} onAction={run} className="p-1 outline-none">
          {groups.map((group, index) => (
            <MenuSection
              key={group.title ?? index}
              {...(group.title === undefined && { 'aria-label': `${label} ${index + 1}` })}
              {...(group.onSelect && {
                selectionMode: 'single' as const,
                disallowEmptySelection: true,
                selectedKeys: group.selected == null ? [] : [group.selected],
                onSelectionChange: (keys) => {
                  const [id] = [...keys];
                  if (id !== undefined) group.onSelect?.(String(id));
                },
              })}
              className="not-first:mt-1 not-first:border-t not-first:border-line not-first:pt-1"
            >
              {group.title !== undefined && (
                <Header className="px-2 pt-1.5 pb-0.5 text-12 font-medium text-soft">{group.title}</Header>
              )}
              {group.entries.map((entry) => (
                <MenuItem
                  key={entry.id}
                  id={entry.id}
                  textValue={entry.label}
                  {...(entry.href !== undefined && { href: entry.href })}
                  {...(entry.opensTab && { target: '_blank', rel: 'noopener' })}
                  isDisabled={entry.isDisabled ?? false}
                  {...(entry.isDanger && { 'data-danger': true })}
                  className={itemLook}
                >
                  {({ isSelected }) => <ItemContent {...entry} isSelected={isSelected} />}
                </MenuItem>
              ))}
            </MenuSection>
          ))}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}
