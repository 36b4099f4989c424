import { Check, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Text } from 'react-aria-components/Text';
import { Keys } from './keys.tsx';

/** The look of a row in menus, lists of options and the command palette. */
export const itemLook =
  'flex min-h-8 cursor-default items-center gap-2 rounded-6 px-2 py-1 text-14 text-ink outline-none select-none ' +
  'data-focused:bg-hover data-pressed:bg-pressed data-disabled:opacity-45 data-[danger]:text-bad forced-colors:data-focused:outline-2';

interface ItemContentProps {
  label: string;
  description?: string | undefined;
  icon?: LucideIcon | undefined;
  /** Shown in place of an icon, such as the color of an Environment. */
  mark?: ReactNode;
  keys?: string | undefined;
  isSelected?: boolean;
}

export function ItemContent({ label, description, icon: Icon, mark, keys, isSelected = false }: ItemContentProps) {
  return (
    <>
      {mark ?? (Icon && <Icon size={16} aria-hidden className="shrink-0 opacity-75" />)}
      <span className="flex min-w-0 flex-1 flex-col">
        <Text slot="label" className="truncate">
          {label}
        </Text>
        {description !== undefined && (
          <Text slot="description" className="truncate text-12 text-soft">
            {description}
          </Text>
        )}
      </span>
      {keys !== undefined && <Keys keys={keys} className="ml-4" />}
      {isSelected && <Check size={16} aria-hidden className="shrink-0 text-accent" />}
    </>
  );
}
