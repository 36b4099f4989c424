import { mediaPositions } from '@usher/domain/fields';
import { Images, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Step } from '../../../editor/document.ts';
import type { Editor } from '../../../editor/use-editor.ts';
import { fieldMark } from '../../../fields/field-focus.ts';
import { fieldsOf } from '../../../fields/fields-of.ts';
import * as text from '../../../messages/text.ts';
import { PictureDrop } from '../../../pictures/picture-drop.tsx';
import { Thumbnail } from '../../../pictures/picture-grid.tsx';
import { PictureLibrary } from '../../../pictures/picture-library.tsx';
import { Button } from '../../../ui/button.tsx';
import { Fold } from '../../../ui/fold.tsx';
import { Select } from '../../../ui/select.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { RichField } from './rich-field.tsx';

const texts = text.media;

/** The picture or video of a step: what it shows, what it is called for people who cannot see it, and its place. */
export function MediaFields({ editor, step }: { editor: Editor; step: Step }) {
  const fields = fieldsOf(editor, step.id, step);
  const [isChoosing, setChoosing] = useState(false);
  const hasMedia = !!step.picture || !!step.video_url;
  const [isOpen] = useState(hasMedia);
  const choose = (path: string | null) => fields.set({ picture: path }, true);
  return (
    <Fold title={texts.fields.title} isOpen={isOpen}>
      <fieldset aria-label={texts.fields.picture} className="flex flex-col gap-2" {...fieldMark(step.id, 'picture')}>
        {step.picture && (
          <Thumbnail
            picture={{ path: step.picture }}
            className="h-36 w-full overflow-hidden rounded-6 border border-line"
          />
        )}
        {!editor.isReadOnly && (
          <PictureDrop
            onUploaded={({ path }) => choose(path)}
            action={step.picture ? texts.upload.replace : texts.upload.action}
          >
            <Button size="small" icon={Images} onPress={() => setChoosing(true)}>
              {texts.library.action}
            </Button>
            {step.picture && (
              <Button size="small" icon={Trash2} onPress={() => choose(null)}>
                {texts.fields.remove}
              </Button>
            )}
          </PictureDrop>
        )}
      </fieldset>
      {hasMedia && <RichField {...fields.text('picture_alt')} placeholder={texts.fields.altHelp} />}
      <TextField {...fields.text('video_url')} help={texts.fields.videoHelp} type="url" maxLength={2000} />
      {hasMedia && (
        <Select
          label={texts.fields.place}
          options={mediaPositions.map((value) => ({ value, label: texts.fields.places[value] }))}
          {...fields.choice('media_position')}
        />
      )}
      {isChoosing && (
        <PictureLibrary
          onClose={() => setChoosing(false)}
          onChosen={(path) => {
            choose(path);
            setChoosing(false);
          }}
        />
      )}
    </Fold>
  );
}
