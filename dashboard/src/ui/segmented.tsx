import type { LucideIcon } from 'lucide-react';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup';

interface SegmentedProps<Value extends string> {
  /** Names the group for screen readers. */
  label: string;
  options: readonly { value: Value; label: string; icon: LucideIcon }[];
  value: Value;
  onChange: (value: Value) => void;
}

/** Chooses one of two or three options, each an icon with its word. On a phone, there is room for the word. */
export function Segmented<Value extends string>({ label, options, value, onChange }: SegmentedProps<Value>) {
  return (
    <ToggleButtonGroup
      aria-label={label}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[value]}
      onSelectionChange={([key]) => key !== undefined && onChange(key as Value)}
      className="flex gap-0.5 rounded-6 border border-line bg-ground p-0.5"
    >
      {options.map(({ value: id, label: name, icon: Icon }) => (
        <ToggleButton
          key={id}
          id={id}
          className="flex h-7 items-center gap-1.5 rounded-4 border border-transparent px-2 text-12 whitespace-nowrap text-soft transition-colors data-hovered:text-ink data-selected:border-line data-selected:bg-surface data-selected:text-ink forced-colors:data-selected:bg-[Highlight]"
        >
          <Icon size={16} aria-hidden className="hidden sm:block" />
          {name}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
