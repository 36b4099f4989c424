import { isShownText } from '@usher/domain/fields';
import { allFields, isMarkdown } from '@usher/domain/kinds';
import { fieldName } from '@usher/domain/sentences';
import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react';
import { type Document, partsById, type Step } from '../../../editor/document.ts';
import { type ClickedText, chooseSide, placeCard, type Side } from '../../../editor/preview/place-card.ts';
import { useElementSize } from '../../../editor/preview/use-element-size.ts';
import type { Editor } from '../../../editor/use-editor.ts';
import { markField } from '../../../fields/field-focus.ts';
import { fieldsOf } from '../../../fields/fields-of.ts';
import * as text from '../../../messages/text.ts';
import { EarlierAnswersContext } from '../../../text-editor/earlier-answers.ts';
import { cx } from '../../../ui/cx.ts';
import { popoverLook } from '../../../ui/popover.tsx';
import { AnswerList } from './answer-list.tsx';
import { RichField } from './rich-field.tsx';
import { earlierAnswersOf } from './survey-steps.ts';
import { useClickElsewhere } from './use-click-elsewhere.ts';

/** A text that was clicked in the preview, and its rectangle at that time. */
export interface EditedText extends ClickedText {
  of: string;
  field: string;
}

interface TextCardProps {
  editor: Editor;
  edited: EditedText;
  /** The element of the preview. */
  room: RefObject<HTMLElement | null>;
  /** Is called when the card closes. `isByKey`: the focus was in the card, so it must move elsewhere. */
  onClose: (isByKey: boolean) => void;
}

/** The field of a text, over the preview and beside the text. The inspector has the same field. */
export function TextCard({ editor, edited, room, onClose }: TextCardProps) {
  const { of, field } = edited;
  const card = useRef<HTMLDivElement>(null);
  const isMenuOpen = useRef(false);
  const style = usePlace(edited, card, room);
  useClickElsewhere(card, () => isMenuOpen.current || onClose(false));
  useEffect(() => markField(of, field), [of, field]);
  useEffect(() => focusEnd(card.current), []);
  const onKey = (event: KeyboardEvent<HTMLElement>) => {
    const { key, target, currentTarget, nativeEvent, repeat } = event;
    // The menu of merge tags is outside of the card, and Enter may only end the composition of a Chinese word.
    if (!currentTarget.contains(target as Node) || nativeEvent.isComposing || repeat) return;
    const isEnter = key === 'Enter' && !event.ctrlKey && !event.metaKey && isOneLine(target);
    if (key === 'Escape' || isEnter) onClose(true);
  };
  const values = valuesOf(editor.document, edited);
  if (!values) return null;
  const fields = fieldsOf(editor, of, values);
  const { 'data-field': mark, ...props } = fields.text(field);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a look and a legend of its own
    <div
      ref={card}
      role="group"
      aria-label={text.content.edit((text.content.fields[field] ?? fieldName(field)).toLowerCase())}
      data-edits={mark}
      onKeyDown={onKey}
      className={cx(popoverLook, 'absolute max-h-[calc(100%-1rem)] w-88 max-w-[calc(100%-1rem)] overflow-y-auto p-3')}
      style={style}
    >
      <EarlierAnswersContext value={earlierAnswersOf(editor.document, of)}>
        {field === 'dropdown_items' ? (
          <AnswerList step={values as Step} fields={fields} isReadOnly={false} />
        ) : (
          <RichField
            {...props}
            {...(isMarkdown(field) && { isMarkdown: true, rows: 4, hasFocusFirst: true })}
            onMenu={(isOpen) => {
              isMenuOpen.current = isOpen;
            }}
          />
        )}
      </EarlierAnswersContext>
    </div>
  );
}

/** The card stays on its side of the text while it grows. */
function usePlace(clicked: ClickedText, card: RefObject<HTMLElement | null>, room: RefObject<HTMLElement | null>) {
  const size = useElementSize(card);
  const roomSize = useElementSize(room);
  const side = useRef<Side>(undefined);
  if (size.height > 0) side.current ??= chooseSide(clicked, size, roomSize);
  return placeCard(side.current ?? 'below', clicked, size, roomSize);
}

/** The document or the part that contains the text. */
export function valuesOf(document: Document, { of }: Pick<EditedText, 'of'>): object | undefined {
  return of === '' ? document : partsById(document).get(of);
}

/**
 * Whether a path of the preview names a text. The frame paints what authors write, so its messages could name anything.
 */
export function isText(document: Document, of: string, field: string | undefined): field is string {
  return (
    field !== undefined && isShownText(allFields.get(field)) && Object.hasOwn(valuesOf(document, { of }) ?? {}, field)
  );
}

function isOneLine(target: EventTarget): boolean {
  return target instanceof HTMLInputElement || (target instanceof HTMLTextAreaElement && target.rows === 1);
}

function focusEnd(card: HTMLElement | null): void {
  const input = card?.querySelector<HTMLInputElement | HTMLTextAreaElement>('input:not([type=hidden]), textarea');
  input?.focus();
  input?.setSelectionRange(input.value.length, input.value.length);
}
