import { kinds } from '@usher/domain/kinds';
import { Plus } from 'lucide-react';
import { useRef } from 'react';
import { maxOf } from '../../../editor/commands.ts';
import type { ShownExperience } from '../../../editor/document.ts';
import type { Editor } from '../../../editor/use-editor.ts';
import { useFailingStepsOf } from '../../../failing-steps/use-failing-steps.ts';
import { usePartDrag } from '../../../lists/use-part-drag.ts';
import * as text from '../../../messages/text.ts';
import { Button } from '../../../ui/button.tsx';
import { PartButton } from './part-button.tsx';
import { type PartActions, PartRow } from './part-row.tsx';
import { PathsButton } from './paths-button.tsx';
import { usePartActions } from './use-part-actions.ts';
import { partsOf, type Selection } from './use-selection.ts';

const texts = text.content;

interface PartListProps {
  experience: ShownExperience;
  editor: Editor;
  selection: Selection;
}

/** The steps of a tour or the items of a launcher: select, add, copy, move and delete them. */
export function PartList({ experience, editor, selection }: PartListProps) {
  const { document, isReadOnly } = editor;
  const parts = partsOf(document);
  const { parts: list, maxParts } = kinds[document.kind];
  const pictureOf = list === 'steps' ? experience.id : undefined;
  const failing = new Set(useFailingStepsOf(experience).map(({ step_id }) => step_id));
  const max = maxParts ?? maxOf(list);
  const names = list === 'steps' ? texts.stepWords : texts.itemWords;
  const { root, said, add, ...own } = usePartActions(editor, selection);
  const drag = usePartDrag(parts, own.move);
  const withProblem = new Set(
    editor.problems.flatMap(({ path }) => (path.startsWith(`${list}.`) ? Number(path.split('.')[1]) : [])),
  );
  // Rows call the functions of the last render through this ref, so that new functions do not render all rows again.
  const actions = useRef<PartActions>(undefined);
  actions.current = { select: selection.select, ...own, ...drag.actions };
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
        onDrop={drag.drop}
        onDragLeave={drag.leave}
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
            isDragged={drag.dragged === part.id}
            dropPlace={drag.placeOf(index)}
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
      {kinds[document.kind].asks && parts.length > 1 && <PathsButton editor={editor} selection={selection} />}
      {parts.length >= max && max > 1 && <p className="text-12 text-soft">{names.full(max)}</p>}
      <p role="status" className="sr-only">
        {said}
      </p>
    </div>
  );
}
