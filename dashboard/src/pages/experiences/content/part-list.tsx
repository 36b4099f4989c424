import { kinds } from '@usher/domain/kinds';
import { Plus } from 'lucide-react';
import { type DragEvent, type KeyboardEvent, useRef, useState } from 'react';
import { addPart, duplicatePart, maxOf, movePart, removePart } from '../../../editor/commands.ts';
import type { ShownExperience } from '../../../editor/document.ts';
import type { Editor } from '../../../editor/use-editor.ts';
import { useFailingStepsOf } from '../../../failing-steps/use-failing-steps.ts';
import { newStepFields } from '../../../kinds/new-parts.ts';
import * as text from '../../../messages/text.ts';
import { Button } from '../../../ui/button.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { PartButton } from './part-button.tsx';
import { type PartActions, PartRow } from './part-row.tsx';
import { partsOf, type Selection } from './use-selection.ts';

const texts = text.content;

interface PartListProps {
  experience: ShownExperience;
  editor: Editor;
  selection: Selection;
}

/** The steps of a tour or the items of a launcher: select, add, copy, move and delete them. */
export function PartList({ experience, editor, selection }: PartListProps) {
  const { document, change, isReadOnly } = editor;
  const parts = partsOf(document);
  const { parts: list, maxParts } = kinds[document.kind];
  const pictureOf = list === 'steps' ? experience.id : undefined;
  const failing = new Set(useFailingStepsOf(experience).map(({ step_id }) => step_id));
  const max = maxParts ?? maxOf(list);
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
    dragEnd();
  };
  const dragOver = (event: DragEvent, index: number) => {
    if (dragged === undefined) return;
    event.preventDefault();
    const { top, height } = event.currentTarget.getBoundingClientRect();
    setTarget(event.clientY > top + height / 2 ? index + 1 : index);
  };
  const dragEnd = () => {
    setDragged(undefined);
    setTarget(undefined);
  };
  const dropPlaceOf = (index: number) => {
    if (target === index) return 'before';
    return target === parts.length && index === parts.length - 1 ? 'after' : undefined;
  };
  const withProblem = new Set(
    editor.problems.flatMap(({ path }) => (path.startsWith(`${list}.`) ? Number(path.split('.')[1]) : [])),
  );
  // Rows call the functions of the last render, so that they need not be rendered for new ones.
  const actions = useRef<PartActions>(undefined);
  actions.current = { select: selection.select, copy, move, remove, onKey, dragStart: setDragged, dragOver, dragEnd };
  return (
    <div className="flex min-h-0 w-max items-start gap-2 md:w-auto md:flex-col md:items-stretch">
      {list === 'items' && (
        <PartButton
          isSelected={selection.selected === 'launcher'}
          onSelect={() => selection.select('launcher')}
          label={document.title || texts.launcher}
          hint={texts.launcherHint}
          isFailing={failing.has(experience.id)}
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
          <PartRow
            key={part.id}
            list={list}
            part={part}
            index={index}
            count={parts.length}
            isFull={parts.length >= max}
            isReadOnly={isReadOnly}
            isSelected={selection.selected === part.id}
            hasProblem={withProblem.has(index)}
            isFailing={failing.has(part.id)}
            isDragged={dragged === part.id}
            dropPlace={dropPlaceOf(index)}
            pictureOf={pictureOf}
            document={document}
            actions={actions}
          />
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
