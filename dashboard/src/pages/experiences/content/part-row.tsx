import { ArrowDown, ArrowUp, Copy, Ellipsis, Trash2 } from 'lucide-react';
import { type DragEvent, type KeyboardEvent, memo, type RefObject } from 'react';
import { useSession } from '../../../api/session.ts';
import type { Document, ListItem, Step } from '../../../editor/document.ts';
import { usePreviewChoices } from '../../../editor/preview/preview-choices.ts';
import { Thumbnail } from '../../../editor/preview/thumbnail.tsx';
import { readableText } from '../../../editor/readable-text.ts';
import * as text from '../../../messages/text.ts';
import { useExperienceTheme } from '../../../themes/use-preview-theme.ts';
import { IconButton } from '../../../ui/button.tsx';
import { cx } from '../../../ui/cx.ts';
import { Menu } from '../../../ui/menu.tsx';
import { isSameRow } from './is-same-row.ts';
import { PartButton } from './part-button.tsx';

const texts = text.content;

/** What can be done with a row. */
export interface PartActions {
  select(id: string): void;
  copy(id: string): void;
  move(id: string, to: number): void;
  remove(id: string): void;
  onKey(event: KeyboardEvent, id: string, index: number): void;
  dragStart(id: string): void;
  dragOver(event: DragEvent, index: number): void;
  dragEnd(): void;
}

export interface PartRowProps {
  list: 'steps' | 'items';
  part: Step | ListItem;
  index: number;
  count: number;
  isFull: boolean;
  isReadOnly: boolean;
  isSelected: boolean;
  hasProblem: boolean;
  /** Whether the step fails, so that most people do not see it. */
  isFailing: boolean;
  isDragged: boolean;
  /** Where the dragged part would be dropped, relative to this row. */
  dropPlace: 'before' | 'after' | undefined;
  /** The ID of the Experience, if its steps have pictures. */
  pictureOf: string | undefined;
  document: Document;
  actions: RefObject<PartActions | undefined>;
}

/** A step or an item in the list. */
export const PartRow = memo(function PartRow(props: PartRowProps) {
  const { part, index, count, isReadOnly, isDragged, dropPlace, pictureOf, document, actions } = props;
  const [{ scheme }] = usePreviewChoices(useSession().account.id);
  const theme = useExperienceTheme(document.theme_id, null);
  return (
    <li
      draggable={!isReadOnly && count > 1}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move';
        event.dataTransfer.setData('text/plain', part.title ?? '');
        actions.current?.dragStart(part.id);
      }}
      onDragEnd={() => actions.current?.dragEnd()}
      onDragOver={(event) => actions.current?.dragOver(event, index)}
      className={cx(
        'group relative flex items-start gap-1',
        isDragged && 'opacity-50',
        dropPlace === 'before' && 'before:absolute before:inset-x-0 before:-top-0.75 before:h-0.5 before:bg-accent',
        dropPlace === 'after' && 'after:absolute after:inset-x-0 after:-bottom-0.75 after:h-0.5 after:bg-accent',
      )}
    >
      <PartButton
        id={part.id}
        place={index + 1}
        isSelected={props.isSelected}
        onSelect={() => actions.current?.select(part.id)}
        onKeyDown={(event) => actions.current?.onKey(event, part.id, index)}
        label={readableText(part.title) || texts.untitled}
        hasProblem={props.hasProblem}
        isFailing={props.isFailing}
        picture={
          // A phone has no room for the picture, and the preview itself comes next there.
          pictureOf !== undefined && (
            <Thumbnail
              id={pictureOf}
              experience={document}
              step={index}
              scheme={scheme}
              theme={theme}
              className="hidden self-center md:block"
            />
          )
        }
      />
      {!isReadOnly && <PartMenu {...props} />}
    </li>
  );
}, isSameRow);

function PartMenu({ list, part: { id }, index, count, isFull, actions }: PartRowProps) {
  const label = (list === 'steps' ? texts.stepWords : texts.itemWords).actions(index + 1);
  const move = (to: number) => () => actions.current?.move(id, to);
  const copy = { id: 'copy', label: texts.duplicate, icon: Copy, isDisabled: isFull };
  const up = { id: 'up', label: texts.moveUp, icon: ArrowUp, keys: 'alt+up', isDisabled: index === 0 };
  const down = { id: 'down', label: texts.moveDown, icon: ArrowDown, keys: 'alt+down' };
  const remove = { id: 'delete', label: texts.delete, icon: Trash2, isDanger: true };
  return (
    <Menu
      label={label}
      trigger={<IconButton icon={Ellipsis} label={label} size="small" />}
      groups={[
        {
          entries: [
            { ...copy, onAction: () => actions.current?.copy(id) },
            { ...up, onAction: move(index - 1) },
            { ...down, isDisabled: index === count - 1, onAction: move(index + 1) },
          ],
        },
        { entries: [{ ...remove, onAction: () => actions.current?.remove(id) }] },
      ]}
    />
  );
}
