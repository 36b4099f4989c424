import type { Step } from '../../../editor/document.ts';
import type { Editor } from '../../../editor/use-editor.ts';
import { fieldsOf } from '../../../fields/fields-of.ts';
import * as text from '../../../messages/text.ts';
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
    </>
  );
}
