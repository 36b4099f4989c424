import { ArrowDown, ArrowUp, Copy, Ellipsis, Plus, Trash2 } from 'lucide-react';
import { type DragEvent, type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { addPart, duplicatePart, maxOf, movePart, removePart } from '../../../editor/commands.ts';
import type { Editor } from '../../../editor/use-editor.ts';
import * as text from '../../../messages/text.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { cx } from '../../../ui/cx.ts';
import { Menu } from '../../../ui/menu.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { newStepFields } from './new-parts.ts';
import { partsOf, type Selection } from './use-selection.ts';

const texts = text.content;

interface PartListProps {
  editor: Editor;
  selection: Selection;
  /** A small picture of a step. */
  thumbnail?: (index: number) => ReactNode;
}

/** The steps of a tour or the items of a launcher: select, add, copy, move and delete them. */
export function PartList({ editor, selection, thumbnail }: PartListProps) {
  const { document, change, isReadOnly } = editor;
  const parts = partsOf(document);
  const list = document.kind === 'launcher' ? 'items' : 'steps';
  const max = document.kind === 'tooltip' ? 1 : maxOf(list);
  const names = list === 'steps' ? texts.stepWords : texts.itemWords;
  const root = useRef<HTMLOListElement>(null);
  const [dragged, setDragged] = useState<string>();
  const [target, setTarget] = useState<number>();
  const [said, setSaid] = useState('');
  const focusPart = (id: string) =>
    requestAnimationFrame(() => root.current?.querySelector<HTMLElement>(`[data-part="${id}"]`)?.focus());
  const add = () => {
    const command = addPart(list, newStepFields(document), { after: selection.part?.id });
    change(command);
    selection.goTo(command.id, 'title');
  };
  const copy = (id: string) => {
    const command = duplicatePart(list, id);
    change(command);
    selection.select(command.id);
    focusPart(command.id);
  };
  const move = (id: string, to: number) => {
    if (to < 0 || to >= parts.length) return;
    change(movePart(list, id, to));
    setSaid(texts.moved(to + 1, parts.length));
    focusPart(id);
  };
  const remove = (id: string) => {
    const index = parts.findIndex((part) => part.id === id);
    const next = parts[index + 1] ?? parts[index - 1];
    change(removePart(list, id));
    if (next) {
      selection.select(next.id);
      focusPart(next.id);
    }
    showToast({ title: names.deleted(index + 1), onUndo: editor.undo });
  };
  const onKey = (event: KeyboardEvent, id: string, index: number) => {
    const step = stepOfKey[event.key] ?? 0;
    if (step !== 0) {
      event.preventDefault();
      if (event.altKey && !isReadOnly) move(id, index + step);
      const other = parts[index + step];
      if (!event.altKey && other) {
        selection.select(other.id);
        focusPart(other.id);
      }
    } else if ((event.key === 'Delete' || event.key === 'Backspace') && !isReadOnly) {
      event.preventDefault();
      remove(id);
    }
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    if (dragged !== undefined && target !== undefined) {
      const from = parts.findIndex(({ id }) => id === dragged);
      move(dragged, target > from ? target - 1 : target);
    }
    setDragged(undefined);
    setTarget(undefined);
  };
  const over = (event: DragEvent, index: number) => {
    if (dragged === undefined) return;
    event.preventDefault();
    const { top, height } = event.currentTarget.getBoundingClientRect();
    setTarget(event.clientY > top + height / 2 ? index + 1 : index);
  };
  return (
    <div className="flex min-h-0 w-max items-start gap-2 md:w-auto md:flex-col md:items-stretch">
      {list === 'items' && (
        <PartButton
          isSelected={selection.selected === 'launcher'}
          onSelect={() => selection.select('launcher')}
          label={document.title || texts.launcher}
          hint={texts.launcherHint}
        />
      )}
      <ol
        ref={root}
        aria-label={names.list}
        className="flex gap-1 md:flex-col"
        onDrop={drop}
        onDragLeave={() => setTarget(undefined)}
      >
        {parts.map((part, index) => (
          <li
            key={part.id}
            draggable={!isReadOnly && parts.length > 1}
            onDragStart={(event) => {
              event.dataTransfer.effectAllowed = 'move';
              event.dataTransfer.setData('text/plain', part.title ?? '');
              setDragged(part.id);
            }}
            onDragEnd={() => {
              setDragged(undefined);
              setTarget(undefined);
            }}
            onDragOver={(event) => over(event, index)}
            className={cx(
              'group relative flex items-start gap-1',
              dragged === part.id && 'opacity-50',
              target === index && 'before:absolute before:inset-x-0 before:-top-0.75 before:h-0.5 before:bg-accent',
              target === parts.length &&
                index === parts.length - 1 &&
                'after:absolute after:inset-x-0 after:-bottom-0.75 after:h-0.5 after:bg-accent',
            )}
          >
            <PartButton
              id={part.id}
              place={index + 1}
              isSelected={selection.selected === part.id}
              onSelect={() => selection.select(part.id)}
              onKeyDown={(event) => onKey(event, part.id, index)}
              label={part.title || texts.untitled}
              hasProblem={editor.problems.some(
                ({ path }) => path === `${list}.${index}` || path.startsWith(`${list}.${index}.`),
              )}
              picture={thumbnail?.(index)}
            />
            {!isReadOnly && (
              <Menu
                label={names.actions(index + 1)}
                trigger={<IconButton icon={Ellipsis} label={names.actions(index + 1)} size="small" />}
                groups={[
                  {
                    entries: [
                      {
                        id: 'copy',
                        label: texts.duplicate,
                        icon: Copy,
                        isDisabled: parts.length >= max,
                        onAction: () => copy(part.id),
                      },
                      {
                        id: 'up',
                        label: texts.moveUp,
                        icon: ArrowUp,
                        keys: 'alt+up',
                        isDisabled: index === 0,
                        onAction: () => move(part.id, index - 1),
                      },
                      {
                        id: 'down',
                        label: texts.moveDown,
                        icon: ArrowDown,
                        keys: 'alt+down',
                        isDisabled: index === parts.length - 1,
                        onAction: () => move(part.id, index + 1),
                      },
                    ],
                  },
                  {
                    entries: [
                      {
                        id: 'delete',
                        label: texts.delete,
                        icon: Trash2,
                        isDanger: true,
                        onAction: () => remove(part.id),
                      },
                    ],
                  },
                ]}
              />
            )}
          </li>
        ))}
      </ol>
      {!isReadOnly && (
        <Button
          look="quiet"
          size="small"
          icon={Plus}
          isDisabled={parts.length >= max}
          onPress={add}
          className="self-start"
        >
          {names.add}
        </Button>
      )}
      {parts.length >= max && max > 1 && <p className="text-12 text-soft">{names.full(max)}</p>}
      <p role="status" className="sr-only">
        {said}
      </p>
    </div>
  );
}

/** The list stands, and on phones it lies. */
const stepOfKey: Record<string, number> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

interface PartButtonProps {
  id?: string;
  place?: number;
  label: string;
  hint?: string;
  isSelected: boolean;
  hasProblem?: boolean;
  onSelect: () => void;
  onKeyDown?: (event: KeyboardEvent) => void;
  picture?: ReactNode;
}

function PartButton({
  id,
  place,
  label,
  hint,
  isSelected,
  hasProblem = false,
  onSelect,
  onKeyDown,
  picture,
}: PartButtonProps) {
  return (
    <button
      type="button"
      data-part={id}
      aria-current={isSelected ? 'true' : undefined}
      onClick={onSelect}
      onKeyDown={onKeyDown}
      className={cx(
        'flex max-w-48 min-w-0 flex-1 flex-col gap-1 rounded-6 border px-2 py-1.5 text-left text-13 md:max-w-none',
        isSelected ? 'border-accent bg-accent-tint' : 'border-line bg-surface hover:bg-hover',
      )}
    >
      {picture}
      <span className="flex w-full min-w-0 items-center gap-1.5">
        {place !== undefined && <span className="shrink-0 text-12 text-soft tabular-nums">{place}</span>}
        <span className={cx('truncate', label === texts.untitled && 'text-soft')}>{label}</span>
        {hasProblem && (
          <span className="ml-auto size-2 shrink-0 rounded-full bg-bad">
            <span className="sr-only">{texts.hasProblem}</span>
          </span>
        )}
      </span>
      {hint !== undefined && <span className="hidden text-12 text-soft md:block">{hint}</span>}
    </button>
  );
}
