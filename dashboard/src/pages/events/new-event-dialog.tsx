import { useState } from 'react';
import { useLocation } from 'wouter';
import { fieldErrors } from '../../api/describe-error.ts';
import { useSend } from '../../api/queries.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { RadioGroup } from '../../ui/choice.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';

const texts = text.events.create;

/** Creates an event without code as a draft, and opens it. */
export function NewEventDialog({ onClose }: { onClose: () => void }) {
  const [, navigate] = useLocation();
  const create = useSend('POST /v3/edit/event_names');
  const [name, setName] = useState('');
  const [kind, setKind] = useState<'click' | 'page'>('click');
  const wrong = fieldErrors(create.error, { name: texts.name });
  const submit = () => {
    if (name.trim() === '' || create.isPending) return;
    create.mutate(
      { name: name.trim(), definition: { kind } },
      { onSuccess: ({ event_name: { id } }) => navigate(`/app/events/${id}`) },
    );
  };
  return (
    <Dialog
      isOpen
      keepsOpen
      title={texts.title}
      description={texts.description}
      onClose={onClose}
      onSubmit={submit}
      buttons={
        <>
          <Button onPress={onClose}>{text.ui.cancel}</Button>
          <Button look="primary" type="submit" isPending={create.isPending} isDisabled={name.trim() === ''}>
            {texts.action}
          </Button>
        </>
      }
    >
      {Object.keys(wrong).length === 0 && <ErrorNotice error={create.error} />}
      <TextField
        label={texts.name}
        help={texts.nameHelp}
        placeholder={texts.placeholder}
        value={name}
        onChange={setName}
        error={wrong.name}
        maxLength={255}
        autoComplete="off"
        autoFocus
      />
      <RadioGroup
        label={texts.kind}
        value={kind}
        onChange={setKind}
        options={(['click', 'page'] as const).map((value) => ({ value, ...texts.kinds[value] }))}
      />
    </Dialog>
  );
}
