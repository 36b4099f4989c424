import { useQuery } from '@tanstack/react-query';
import { type RefObject, useState } from 'react';
import { query } from '../../../api/queries.ts';
import * as text from '../../../messages/text.ts';
import { Button } from '../../../ui/button.tsx';
import { ComboBox } from '../../../ui/combo-box.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { buildMergeTag, listMergeProperties } from './merge-tag.ts';

const texts = text.content.mergeTag;

interface MergeTagMenuProps {
  field: RefObject<HTMLTextAreaElement | null>;
  onInsert: (tag: string) => void;
  onClose: () => void;
}

/** Chooses a property of the user, with sample values, and a fallback for people who have no value. */
export function MergeTagMenu({ field, onInsert, onClose }: MergeTagMenuProps) {
  const [path, setPath] = useState<string | null>(null);
  const [fallback, setFallback] = useState('');
  const profile = useQuery(query('GET /v3/edit/properties', { kind: 'profile' }));
  const company = useQuery(query('GET /v3/edit/properties', { kind: 'company' }));
  const properties = listMergeProperties(profile.data?.properties ?? [], company.data?.properties ?? []);
  const close = () => {
    onClose();
    requestAnimationFrame(() => field.current?.focus());
  };
  return (
    <Dialog
      isOpen
      onClose={close}
      title={texts.title}
      onSubmit={() => path !== null && onInsert(buildMergeTag(path, fallback))}
      buttons={
        <>
          <Button onPress={close}>{text.ui.cancel}</Button>
          <Button look="primary" type="submit" isDisabled={path === null}>
            {texts.insert}
          </Button>
        </>
      }
    >
      <ComboBox
        label={texts.property}
        autoFocus
        options={properties.map(({ path, name, sample }) => ({
          value: path,
          label: path,
          description: sample === undefined ? name : texts.sample(name, sample),
        }))}
        value={path}
        onChange={setPath}
      />
      <TextField
        label={texts.fallback}
        help={texts.fallbackHelp}
        value={fallback}
        onChange={setFallback}
        placeholder={texts.fallbackExample}
        isOptional
      />
      {path !== null && <code className="rounded-6 bg-ground px-2 py-1 text-13">{buildMergeTag(path, fallback)}</code>}
    </Dialog>
  );
}
