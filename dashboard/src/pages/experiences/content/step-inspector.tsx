import { isShownIn, listShownFields, snoozeChoices, stepFields, stepPositions } from '@usher/domain/fields';
import { isMarkdown, kinds } from '@usher/domain/kinds';
import { Suspense } from 'react';
import { lazyComponent } from '../../../app/lazy-component.ts';
import type { ShownExperience, Step } from '../../../editor/document.ts';
import type { Editor } from '../../../editor/use-editor.ts';
import { waitsForElement } from '../../../editor/waits-for-element.ts';
import { FailingPart } from '../../../failing-steps/failing-notices.tsx';
import { fieldMark } from '../../../fields/field-focus.ts';
import { fieldsOf } from '../../../fields/fields-of.ts';
import * as text from '../../../messages/text.ts';
import { Checkbox } from '../../../ui/choice.tsx';
import { Fold } from '../../../ui/fold.tsx';
import { Select } from '../../../ui/select.tsx';
import { PickRow, stepTarget } from '../pick/index.ts';
import { ButtonList } from './button-list.tsx';
import { ElementFields } from './element-fields.tsx';
import { EmbedPlaceFields } from './embed-place.tsx';
import { StepImportNotice } from './import-notice.tsx';
import { MediaFields } from './media-fields.tsx';
import { OptionalNumber } from './optional-number.tsx';
import { RichField } from './rich-field.tsx';
import { TriggerFields } from './trigger-fields.tsx';
import type { Selection } from './use-selection.ts';

const texts = text.content;
const RuleList = lazyComponent(() => import('./rule-list.tsx').then((module) => module.RuleList));
const QuestionEditor = lazyComponent(() => import('./question-editor.tsx').then((module) => module.QuestionEditor));

interface StepInspectorProps {
  experience: ShownExperience;
  editor: Editor;
  step: Step;
  selection: Selection;
}

/** The fields of a step: what it says, its buttons, where it shows; the rest under "More". */
export function StepInspector({ experience, editor, step, selection }: StepInspectorProps) {
  const fields = fieldsOf(editor, step.id, step);
  const { kind } = editor.document;
  const { asks } = kinds[kind];
  // Scales, fields and options are answered without buttons of the step.
  const hasButtons = !asks || !(step.question || /^survey_(nps|csat|ces|input|dropdown)$/.test(step.preset ?? ''));
  const own = fieldsOf(editor, '', editor.document);
  return (
    <>
      {listShownFields(kinds[kind].fields).map((name) => (
        <RichField key={name} {...own.text(name)} isMarkdown={isMarkdown(name)} />
      ))}
      <RichField {...fields.text('title')} />
      <RichField {...fields.text('body')} isMarkdown rows={5} />
      <MediaFields key={step.id} editor={editor} step={step} />
      {asks && (
        <Suspense fallback={<div aria-busy className="h-14" />}>
          <QuestionEditor editor={editor} step={step} selection={selection} />
        </Suspense>
      )}
      {(hasButtons || step.buttons.length > 0) && <ButtonList editor={editor} step={step} selection={selection} />}
      {asks && (
        <Suspense>
          <RuleList editor={editor} step={step} selection={selection} />
        </Suspense>
      )}
      <Where experience={experience} editor={editor} step={step} />
      <TriggerFields editor={editor} step={step} />
      <Fold title={texts.more}>
        <RichField {...fields.text('dismiss_text')} />
        <SnoozeFields editor={editor} step={step} />
        {isShownIn(stepFields.backdrop, kind) && <Checkbox label={texts.backdrop} {...fields.flag('backdrop')} />}
      </Fold>
    </>
  );
}

/** The times after which the step comes back to users who want to be reminded. */
function SnoozeFields({ editor, step }: Pick<StepInspectorProps, 'editor' | 'step'>) {
  const fields = fieldsOf(editor, step.id, step);
  const { snooze_choices: chosen } = step;
  return (
    <fieldset className="flex flex-col gap-2" {...fieldMark(step.id, 'snooze_choices')}>
      <legend className="mb-1 text-13 font-medium">{texts.snooze}</legend>
      <p className="text-13 text-soft">{texts.snoozeHelp}</p>
      <div className="grid grid-cols-2 gap-2">
        {snoozeChoices.map((choice) => (
          <Checkbox
            key={choice}
            label={texts.snoozeChoices[choice]}
            isSelected={chosen.includes(choice)}
            onChange={(isOn) =>
              fields.set({
                snooze_choices: snoozeChoices.filter((one) => (one === choice ? isOn : chosen.includes(one))),
              })
            }
            isDisabled={editor.isReadOnly}
          />
        ))}
      </div>
      <OptionalNumber
        label={texts.snoozeHours}
        value={step.snooze_hours}
        onChange={(hours) => fields.set({ snooze_hours: hours })}
        isReadOnly={editor.isReadOnly}
        isOptional
        {...fieldMark(step.id, 'snooze_hours')}
      />
    </fieldset>
  );
}

/** The placement of the step: in a corner of the window, or at an element of the page. */
function Where({ experience, editor, step }: Omit<StepInspectorProps, 'selection'>) {
  const fields = fieldsOf(editor, step.id, step);
  const { place } = kinds[editor.document.kind];
  const isInline = place === 'inline';
  const isAtElement = step.position_type !== 'relative_to_screen' || place === 'element';
  const canBeHotspot = editor.document.steps[0]?.id === step.id && isShownIn(stepFields.hotspot, editor.document.kind);
  return (
    <section className="flex flex-col gap-3 border-t border-line pt-3">
      <PickRow editor={editor} target={stepTarget(editor, step)}>
        <h3 className="text-13 font-medium">{texts.where}</h3>
      </PickRow>
      <FailingPart experience={experience} stepId={step.id} />
      <StepImportNotice editor={editor} step={step} />
      {!place && (
        <Select
          label={texts.place}
          options={places.map((value) => ({ value, label: texts.places[value] }))}
          {...fields.choice('position_type')}
        />
      )}
      {isInline ? (
        <EmbedPlaceFields editor={editor} step={step} />
      ) : isAtElement ? (
        <>
          <ElementFields editor={editor} step={step} />
          <Select
            label={texts.side}
            options={sides.map((value) => ({ value, label: texts.sides[value] }))}
            {...fields.choice('placement')}
          />
        </>
      ) : (
        <Select
          label={texts.corner}
          options={stepPositions.map((value) => ({ value, label: texts.corners[value] }))}
          {...(step.screen_position.startsWith('slideout') && { help: texts.slideoutHelp })}
          {...fields.choice('screen_position')}
        />
      )}
      {canBeHotspot && <Checkbox label={texts.hotspot} help={texts.hotspotHelp} {...fields.flag('hotspot')} />}
      {!isInline && !isAtElement && waitsForElement(step) && <ElementFields editor={editor} step={step} />}
    </section>
  );
}

const places = ['relative_to_screen', 'snap_to_element', 'snap_to_trigger', 'inline'] as const;
const sides = ['auto', 'top', 'right', 'bottom', 'left'] as const;
