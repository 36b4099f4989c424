import { type DragAndDropHooks, DropIndicator, useDragAndDrop } from 'react-aria-components/useDragAndDrop';
import { cx } from './cx.ts';

/** The rows to move, in the order of the table, and the row that they are put next to. */
export interface RowMove {
  ids: readonly string[];
  side: 'before' | 'after';
  nextTo: string;
}

interface RowOrderOptions<Item> {
  rows: readonly Item[];
  nameOf: (item: Item) => string;
  onMove: (move: RowMove) => void;
}

/**
 * Rows that can be dragged to another place, with the mouse or by keyboard: Enter on the handle of a row, arrow keys, then Enter.
 * Pass the result to the table.
 */
export function useRowOrder<Item extends { id: string }>(options: RowOrderOptions<Item>): DragAndDropHooks {
  const { rows, nameOf, onMove } = options;
  const names = new Map(rows.map((item) => [item.id, nameOf(item)]));
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) => [...keys].map((key) => ({ 'text/plain': names.get(String(key)) ?? '' })),
    getAllowedDropOperations: () => ['move'],
    onReorder: ({ keys, target }) => {
      const nextTo = String(target.key);
      if (target.dropPosition === 'on' || keys.has(nextTo)) return;
      onMove({ ids: rows.map(({ id }) => id).filter((id) => keys.has(id)), side: target.dropPosition, nextTo });
    },
    renderDropIndicator: (target) => (
      <DropIndicator
        target={target}
        className={({ isDropTarget }) =>
          cx(
            'block h-0.5 w-full rounded-full',
            isDropTarget ? 'bg-accent forced-colors:bg-[Highlight]' : 'bg-transparent',
          )
        }
      />
    ),
  });
  return dragAndDropHooks;
}
