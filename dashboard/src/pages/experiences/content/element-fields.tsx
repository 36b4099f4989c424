import { toTarget } from '@usher/domain';
import { ArrowUp, Plus, X } from 'lucide-react';
import type { Step } from '../../../editor/document.ts';
import type { Editor } from '../../../editor/use-editor.ts';
import { fieldMark } from '../../../fields/field-focus.ts';
import { fieldsOf } from '../../../fields/fields-of.ts';
import { findSyntaxProblem } from '../../../fields/selector-syntax.ts';
import * as text from '../../../messages/text.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Fold } from '../../../ui/fold.tsx';
import { TextField } from '../../../ui/text-field.tsx';

const texts = text.content;
type PageElement = Step['elements'][number];
const blank: PageElement = { selector: null, text: null, shadow_selector: null };
const MAX_ELEMENTS = 10;

/** How the element of a step is found. The first of these ways that finds an element counts. */
export function ElementFields({ editor, step }: { editor: Editor; step: Step }) {
  const fields = fieldsOf(editor, step.id, step);
  const shown = step.elements.length === 0 ? [blank] : step.elements.map(toTarget);
  // A first element without any value means no element, so it is not stored.
  const set = (elements: PageElement[]) =>
    fields.set({ elements: elements.length === 1 && elements.every(isEmpty) ? [] : elements });
  const change = (index: number, values: Partial<PageElement>) =>
    set(shown.map((one, at) => (at === index ? { ...one, ...values } : one)));
  const { error } = fields.choice('elements');
  return (
    <div className="flex flex-col gap-3" {...fieldMark(step.id, 'elements')}>
      {shown.map((element, index) => (
        // Elements have no identity but their place.
        // biome-ignore lint/suspicious/noArrayIndexKey: typing must not replace the field
        <div key={index} className="flex flex-col gap-2">
          <OneElement
            element={element}
            place={index}
            isReadOnly={editor.isReadOnly}
            error={index === 0 ? error : undefined}
            onChange={(values) => change(index, values)}
          />
          {index > 0 && !editor.isReadOnly && (
            <div className="flex gap-1">
              <IconButton
                icon={ArrowUp}
                size="small"
                label={texts.element.sooner(index + 1)}
                onPress={() => set(moveUp(shown, index))}
              />
              <IconButton
                icon={X}
                size="small"
                label={texts.element.remove(index + 1)}
                onPress={() => set(shown.filter((_, at) => at !== index))}
              />
            </div>
          )}
        </div>
      ))}
      {!editor.isReadOnly && step.elements.length > 0 && step.elements.length < MAX_ELEMENTS && (
        <Button
          size="small"
          look="quiet"
          icon={Plus}
          className="self-start"
          onPress={() => set([...step.elements, { ...blank }])}
        >
          {texts.element.add}
        </Button>
      )}
    </div>
  );
}

const isEmpty = (element: PageElement) => Object.values(element).every((value) => value === null);

function moveUp(elements: readonly PageElement[], index: number): PageElement[] {
  const [moved] = elements.slice(index, index + 1);
  const others = elements.filter((_, at) => at !== index);
  return moved ? [...others.slice(0, index - 1), moved, ...others.slice(index - 1)] : others;
}

interface OneElementProps {
  element: PageElement;
  place: number;
  isReadOnly: boolean;
  error: string | undefined;
  onChange: (values: Partial<PageElement>) => void;
}

function OneElement({ element, place, isReadOnly, error, onChange }: OneElementProps) {
  const { selector, text: held, shadow_selector: inner } = element;
  return (
    <>
      <TextField
        label={place === 0 ? texts.selector : texts.element.selector(place + 1)}
        {...(place === 0 && { help: texts.selectorHelp })}
        value={selector ?? ''}
        onChange={(value) => onChange({ selector: value || null })}
        placeholder="#menu"
        isReadOnly={isReadOnly}
        error={findSyntaxProblem(selector) ?? error}
      />
      <Fold title={texts.element.more} isOpen={held !== null || inner !== null}>
        <TextField
          label={texts.elementText}
          value={held ?? ''}
          onChange={(value) => onChange({ text: value || null })}
          isReadOnly={isReadOnly}
          isOptional
        />
        <TextField
          label={texts.element.inner}
          help={texts.element.innerHelp}
          value={inner ?? ''}
          onChange={(value) => onChange({ shadow_selector: value || null })}
          isReadOnly={isReadOnly}
          error={findSyntaxProblem(inner)}
          isOptional
        />
      </Fold>
    </>
  );
}
