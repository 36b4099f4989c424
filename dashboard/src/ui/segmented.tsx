import type { LucideIcon } from 'lucide-react';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup';
import { Tooltip } from './tooltip.tsx';

interface SegmentedProps<Value extends string> {
  /** Names the group for screen readers. */
  label: string;
  options: readonly { value: Value; label: string; icon: LucideIcon }[];
  value: Value;
  onChange: (value: Value) => void;
}

/** Chooses one of two or three, each an icon with its word in a tooltip. */
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
        <Tooltip key={id} text={name}>
          <ToggleButton
            id={id}
            aria-label={name}
            className="grid h-7 w-8 place-items-center rounded-4 border border-transparent text-faint transition-colors data-hovered:text-ink data-selected:border-line data-selected:bg-surface data-selected:text-ink forced-colors:data-selected:bg-[Highlight]"
          >
            <Icon size={16} aria-hidden />
          </ToggleButton>
        </Tooltip>
      ))}
    </ToggleButtonGroup>
  );
}
