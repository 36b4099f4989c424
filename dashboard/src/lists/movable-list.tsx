import { Plus } from 'lucide-react';
import { type HTMLAttributes, type KeyboardEvent, type ReactNode, type RefObject, useState } from 'react';
import * as text from '../messages/text.ts';
import { Button } from '../ui/button.tsx';
import { cx } from '../ui/cx.ts';
import { dropLook, MoveHandle, RowMenu } from './movable-row.tsx';
import { usePartDrag } from './use-part-drag.ts';

/** What a row is moved by, and its menu. Both are missing where nothing can be changed. */
export interface RowControls {
  handle: ReactNode;
  menu: ReactNode;
}

interface MovableListProps<Item> {
  root: RefObject<HTMLOListElement | null>;
  title: string;
  items: readonly Item[];
  max: number;
  words: { add: string; full: (max: number) => string; actions: (number: number) => string };
  isReadOnly: boolean;
  onChange: (items: readonly Item[]) => void;
  /** After a row has moved to this place. */
  onMoved: (to: number) => void;
  onRemove: (at: number) => void;
  onAdd: () => void;
  /** Whether Alt and an arrow mean something else in this element. */
  keepsKeys?: (target: EventTarget) => boolean;
  rowProps: (item: Item, index: number) => HTMLAttributes<HTMLLIElement> & { 'data-field'?: string };
  className?: string;
  rowLook?: string;
  renderRow: (item: Item, index: number, controls: RowControls) => ReactNode;
  /** What stands between the rows and the button. */
  children?: ReactNode;
}

/** Rows without an identity but their place: add, move by the pointer, the menu or the keyboard, and remove. */
export function MovableList<Item>(props: MovableListProps<Item>) {
  const { root, title, items, max, words, isReadOnly, rowProps, renderRow, keepsKeys = () => false } = props;
  const [said, setSaid] = useState('');
  const move = (from: number, to: number) => {
    const [moved] = items.slice(from, from + 1);
    if (moved === undefined || to < 0 || to >= items.length) return;
    props.onChange(items.toSpliced(from, 1).toSpliced(to, 0, moved));
    setSaid(text.questions.options.moved(to + 1, items.length));
    props.onMoved(to);
  };
  const onKey = (event: KeyboardEvent, at: number) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!event.altKey || by === undefined || isReadOnly || keepsKeys(event.target)) return;
    event.preventDefault();
    event.stopPropagation();
    move(at, at + by);
  };
  const rows = items.map((_, index) => ({ id: String(index) }));
  const drag = usePartDrag(rows, (id, to) => move(Number(id), to));
  const controlsOf = (index: number): RowControls => ({
    handle: !isReadOnly && (
      <MoveHandle
        onStart={() => drag.actions.dragStart(String(index))}
        onEnd={drag.actions.dragEnd}
        hint={text.questions.options.drag}
      />
    ),
    menu: !isReadOnly && (
      <RowMenu
        label={words.actions(index + 1)}
        isFirst={index === 0}
        isLast={index === items.length - 1}
        onMove={(by) => move(index, index + by)}
        onRemove={() => props.onRemove(index)}
      />
    ),
  });
  return (
    <>
      <ol
        ref={root}
        aria-label={title}
        className={cx('flex flex-col', props.className)}
        onDrop={drag.drop}
        onDragLeave={drag.leave}
      >
        {items.map((item, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: a row has no identity but its place
            key={index}
            {...rowProps(item, index)}
            onDragOver={(event) => drag.actions.dragOver(event, index)}
            onKeyDownCapture={(event) => onKey(event, index)}
            className={cx(
              'relative',
              props.rowLook,
              drag.dragged === String(index) && 'opacity-50',
              dropLook(drag.placeOf(index)),
            )}
          >
            {renderRow(item, index, controlsOf(index))}
          </li>
        ))}
      </ol>
      {props.children}
      {!isReadOnly && (
        <Button
          look="quiet"
          size="small"
          icon={Plus}
          className="self-start"
          isDisabled={items.length >= max}
          onPress={props.onAdd}
        >
          {words.add}
        </Button>
      )}
      {items.length >= max && <p className="text-12 text-soft">{words.full(max)}</p>}
      <p role="status" className="sr-only">
        {said}
      </p>
    </>
  );
}
