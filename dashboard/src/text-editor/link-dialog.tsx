import { useState } from 'react';
import * as text from '../messages/text.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/text-field.tsx';
import type { EditedLink } from './commands.ts';
import { readAddress } from './read-address.ts';

const texts = text.content.link;

interface LinkDialogProps {
  link: EditedLink;
  onSave: (link: EditedLink) => void;
  onClose: () => void;
}

/** The text and the address of a link. */
export function LinkDialog({ link, onSave, onClose }: LinkDialogProps) {
  const [words, setWords] = useState(link.text);
  const [address, setAddress] = useState(link.href);
  const [isWrong, setWrong] = useState(false);
  const submit = () => {
    const href = readAddress(address, 'href');
    setWrong(href === undefined);
    if (href !== undefined) onSave({ text: words, href });
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={texts.title}
      onSubmit={submit}
      buttons={
        <>
          {link.href !== '' && <Button onPress={() => onSave({ text: link.text, href: '' })}>{texts.remove}</Button>}
          <Button onPress={onClose}>{text.ui.cancel}</Button>
          <Button look="primary" type="submit">
            {texts.save}
          </Button>
        </>
      }
    >
      <TextField
        label={texts.address}
        value={address}
        onChange={setAddress}
        placeholder="https://"
        inputMode="url"
        autoFocus
        {...(isWrong && { error: texts.wrong })}
      />
      <TextField label={texts.text} value={words} onChange={setWords} />
    </Dialog>
  );
}
