import { parsePicturePath } from '@usher/domain/pictures';
import { Images, Trash2 } from 'lucide-react';
import { useState } from 'react';
import * as text from '../messages/text.ts';
import { PictureDrop } from '../pictures/picture-drop.tsx';
import { Thumbnail } from '../pictures/picture-grid.tsx';
import { PictureLibrary } from '../pictures/picture-library.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/text-field.tsx';
import type { EditedPicture } from './commands.ts';
import { readAddress } from './read-address.ts';

const texts = text.content.picture;

interface PictureDialogProps {
  /** The picture that is changed. */
  picture: EditedPicture | undefined;
  /** A file that was dropped into the text or pasted. It is uploaded while the person describes it. */
  file: File | undefined;
  /** Without the permission to upload, the person gives an address. */
  mayUpload: boolean;
  onSave: (picture: EditedPicture) => void;
  onClose: () => void;
}

/** A picture in a text: uploaded, chosen from the media, or at an address, and its description. */
export function PictureDialog({ picture, file, mayUpload, onSave, onClose }: PictureDialogProps) {
  const [src, setSrc] = useState(picture?.src ?? '');
  const [alt, setAlt] = useState(picture?.alt ?? '');
  const [isWrong, setWrong] = useState(false);
  const [isChoosing, setChoosing] = useState(false);
  const isStored = parsePicturePath(src) !== undefined;
  const submit = () => {
    const address = readAddress(src, 'src');
    setWrong(address === undefined);
    if (address !== undefined) onSave({ src: address, alt });
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={texts.title}
      onSubmit={submit}
      buttons={
        <>
          <Button onPress={onClose}>{text.ui.cancel}</Button>
          <Button look="primary" type="submit" isDisabled={src.trim() === ''}>
            {picture ? texts.change : texts.save}
          </Button>
        </>
      }
    >
      {isStored && (
        <Thumbnail picture={{ path: src }} className="h-36 w-full overflow-hidden rounded-6 border border-line" />
      )}
      {mayUpload && (
        <PictureDrop
          file={file}
          onUploaded={({ path }) => setSrc(path)}
          action={isStored ? text.media.upload.replace : text.media.upload.action}
        >
          <Button size="small" icon={Images} onPress={() => setChoosing(true)}>
            {text.media.library.action}
          </Button>
          {isStored && (
            <Button size="small" icon={Trash2} onPress={() => setSrc('')}>
              {text.media.fields.remove}
            </Button>
          )}
        </PictureDrop>
      )}
      {!isStored && !file && (
        <TextField
          label={mayUpload ? texts.address : text.content.link.address}
          value={src}
          onChange={setSrc}
          placeholder="https://"
          inputMode="url"
          autoFocus={!mayUpload}
          {...(isWrong && { error: texts.wrong })}
        />
      )}
      <TextField
        label={texts.alt}
        help={texts.altHelp}
        value={alt}
        onChange={setAlt}
        autoFocus={file !== undefined || picture !== undefined}
        isOptional
      />
      {isChoosing && (
        <PictureLibrary
          onClose={() => setChoosing(false)}
          onChosen={(path) => {
            setSrc(path);
            setChoosing(false);
          }}
        />
      )}
    </Dialog>
  );
}
