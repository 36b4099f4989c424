import { ArrowDown, ArrowUp, Ellipsis, GripVertical, Trash2 } from 'lucide-react';
import * as text from '../messages/text.ts';
import { IconButton } from '../ui/button.tsx';
import { Menu } from '../ui/menu.tsx';

const texts = text.questions.options;

interface MoveHandleProps {
  hint: string;
  onStart: () => void;
  onEnd: () => void;
}

/** What a row is dragged by, because dragging in its fields selects text. The menu of the row does the same by keyboard. */
export function MoveHandle({ hint, onStart, onEnd }: MoveHandleProps) {
  return (
    <span
      aria-hidden
      title={hint}
      draggable
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move';
        event.dataTransfer.setData('text/plain', '');
        const row = event.currentTarget.closest('li');
        if (row) event.dataTransfer.setDragImage(row, 0, 0);
        onStart();
      }}
      onDragEnd={onEnd}
      className="-ml-1 grid size-6 shrink-0 cursor-grab place-items-center text-faint"
    >
      <GripVertical size={16} />
    </span>
  );
}

/** The line where a dragged row would be dropped. */
export function dropLook(place: 'before' | 'after' | undefined): string | false {
  if (place === 'before') return 'before:absolute before:inset-x-0 before:-top-0.75 before:h-0.5 before:bg-accent';
  return place === 'after' && 'after:absolute after:inset-x-0 after:-bottom-0.75 after:h-0.5 after:bg-accent';
}

interface RowMenuProps {
  label: string;
  isFirst: boolean;
  isLast: boolean;
  onMove: (by: number) => void;
  onRemove: () => void;
}

/** Moves and removes a row. */
export function RowMenu({ label, isFirst, isLast, onMove, onRemove }: RowMenuProps) {
  return (
    <Menu
      label={label}
      trigger={<IconButton icon={Ellipsis} label={label} size="small" />}
      groups={[
        {
          entries: [
            {
              ...{ id: 'up', label: texts.moveUp, icon: ArrowUp, keys: 'alt+up', isDisabled: isFirst },
              onAction: () => onMove(-1),
            },
            {
              ...{ id: 'down', label: texts.moveDown, icon: ArrowDown, keys: 'alt+down', isDisabled: isLast },
              onAction: () => onMove(1),
            },
          ],
        },
        { entries: [{ id: 'remove', label: texts.remove, icon: Trash2, isDanger: true, onAction: onRemove }] },
      ]}
    />
  );
}
