import { useQueryClient } from '@tanstack/react-query';
import type { ListedExperience } from '@usher/domain';
import { useState } from 'react';
import { api } from '../../../api/api.ts';
import { invalidate } from '../../../api/nouns.ts';
import { ErrorNotice } from '../../../app/error-notice.tsx';
import { useRequest } from '../../../app/use-request.ts';
import * as text from '../../../messages/text.ts';
import { ComboBox } from '../../../ui/combo-box.tsx';
import { FormDialog } from '../../../ui/dialog.tsx';
import type { ListActions } from './use-list-actions.ts';
import type { ListNames } from './use-list-names.ts';

interface TagDialogProps {
  rows: readonly ListedExperience[];
  tags: ListNames['tags'];
  onAdd: ListActions['addTag'];
  onClose: () => void;
}

/** Adds a tag to the selected Experiences. The tag is created if none has this name. */
export function TagDialog({ rows, tags, onAdd, onClose }: TagDialogProps) {
  const texts = text.experiences.tagDialog;
  const client = useQueryClient();
  const [typed, setTyped] = useState('');
  const name = typed.trim();
  const known = tags.find((tag) => tag.name.toLowerCase() === name.toLowerCase());
  const lacking = known ? rows.filter(({ tag_ids }) => !tag_ids.includes(known.id)) : rows;
  const { submit, error, isPending } = useRequest(async () => {
    const tag = known ?? (await api('POST /v3/edit/tags', { name })).tag;
    await invalidate(client, 'tags');
    await onAdd(lacking, tag);
  }, onClose);
  const action = known ? texts.add(known.name) : texts.create(name);
  return (
    <FormDialog
      onClose={onClose}
      title={texts.title(rows.length)}
      onSubmit={() => name !== '' && lacking.length > 0 && void submit()}
      action={<span className="max-w-72 truncate">{name === '' ? texts.none : action}</span>}
      isDisabled={name === '' || lacking.length === 0}
      isPending={isPending}
    >
      <ErrorNotice error={error} />
      <ComboBox
        label={texts.tag}
        help={lacking.length === 0 ? texts.allHaveIt : texts.help}
        options={tags.filter((tag) => tag.disabled_at === null).map((tag) => ({ value: tag.id, label: tag.name }))}
        value={null}
        inputValue={typed}
        onInputChange={setTyped}
        onChange={(id) => {
          const tag = tags.find((one) => one.id === id);
          if (tag) setTyped(tag.name);
        }}
        allowsCustomValue
        isQuiet
        autoFocus
      />
    </FormDialog>
  );
}
