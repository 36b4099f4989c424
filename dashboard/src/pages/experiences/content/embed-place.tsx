import type { Step } from '../../../editor/document.ts';
import type { Editor } from '../../../editor/use-editor.ts';
import { fieldMark } from '../../../fields/field-focus.ts';
import { fieldsOf } from '../../../fields/fields-of.ts';
import * as text from '../../../messages/text.ts';
import { Checkbox } from '../../../ui/choice.tsx';
import { NumberField } from '../../../ui/number-field.tsx';
import { Select } from '../../../ui/select.tsx';
import { ElementFields } from './element-fields.tsx';
import { embedPlaceOf, embedPlaces, fieldsOfPlace, isOnPage } from './embed-places.ts';

const texts = text.content;

/** Where an embed is in the page: at its top or bottom, or at an element that people name. */
export function EmbedPlaceFields({ editor, step }: { editor: Editor; step: Step }) {
  const fields = fieldsOf(editor, step.id, step);
  const place = embedPlaceOf(step);
  return (
    <>
      <Select
        label={texts.placement}
        options={embedPlaces.map((value) => ({ value, label: texts.embedPlaces[value] }))}
        {...fields.choice('placement')}
        value={place}
        onChange={(next) => fields.set(fieldsOfPlace(next, step))}
      />
      {!isOnPage(place) && <ElementFields editor={editor} step={step} />}
      {editor.document.style !== 'card' && <BannerFields editor={editor} isOnPage={isOnPage(place)} />}
    </>
  );
}

/** How a banner behaves: whether it scrolls away, pushes the page and can be closed. */
function BannerFields({ editor, isOnPage }: { editor: Editor; isOnPage: boolean }) {
  const { document } = editor;
  const fields = fieldsOf(editor, '', document);
  const { sticky, overlay, dismissible, reserved_height, repeat_days } = document;
  return (
    <>
      {isOnPage && (
        <>
          <Select
            label={texts.banner.scrolling}
            options={[
              { value: 'page', label: texts.banner.scrolls },
              { value: 'sticky', label: texts.banner.sticky },
            ]}
            {...fields.choice('sticky')}
            value={sticky ? 'sticky' : 'page'}
            onChange={(value) => fields.set({ sticky: value === 'sticky' })}
          />
          <Select
            label={texts.banner.room}
            options={[
              { value: 'push', label: texts.banner.pushes },
              { value: 'overlay', label: texts.banner.overlay },
            ]}
            {...fields.choice('overlay')}
            value={overlay ? 'overlay' : 'push'}
            onChange={(value) => fields.set({ overlay: value === 'overlay' })}
          />
        </>
      )}
      <Checkbox label={texts.banner.dismissible} {...fields.flag('dismissible')} isSelected={dismissible !== false} />
      {dismissible !== false && (
        <NumberField
          label={texts.banner.days}
          help={repeat_days === null ? texts.banner.forever : texts.banner.daysHelp}
          value={repeat_days ?? 0}
          onChange={(days) => fields.set({ repeat_days: days === 0 ? null : days })}
          max={3650}
          problem={text.targeting.repeat.problem}
          isReadOnly={editor.isReadOnly}
        />
      )}
      {isOnPage && !overlay && (
        <NumberField
          label={texts.banner.height}
          help={texts.banner.heightHelp}
          value={reserved_height ?? 0}
          onChange={(height) => fields.set({ reserved_height: height === 0 ? null : height })}
          max={400}
          problem={texts.banner.heightProblem}
          isReadOnly={editor.isReadOnly}
          {...fieldMark('', 'reserved_height')}
        />
      )}
    </>
  );
}
