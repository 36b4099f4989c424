import { useState } from 'react';
import { fieldErrors } from '../../api/describe-error.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import * as text from '../../messages/text.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';

const texts = text.analytics.reports;

interface Values {
  name: string;
  description: string | null;
}

interface ReportDialogProps {
  title: string;
  action: string;
  before?: Values;
  send: { error: Error | null; isPending: boolean };
  onSubmit: (values: Values) => void;
  onClose: () => void;
}

/** Asks for the name of a report. */
export function ReportDialog({ title, action, before, send, onSubmit, onClose }: ReportDialogProps) {
  const [name, setName] = useState(before?.name ?? '');
  const [description, setDescription] = useState(before?.description ?? '');
  const wrong = fieldErrors(send.error, { name: texts.name, description: texts.description });
  const isNamed = wrong.name !== undefined || wrong.description !== undefined;
  return (
    <FormDialog
      onClose={onClose}
      title={title}
      onSubmit={() => onSubmit({ name: name.trim(), description: description.trim() || null })}
      action={action}
      isPending={send.isPending}
      isDisabled={name.trim() === ''}
    >
      {!isNamed && <ErrorNotice error={send.error} />}
      <TextField label={texts.name} value={name} onChange={setName} error={wrong.name} autoFocus />
      <TextField
        label={texts.description}
        isOptional
        value={description}
        onChange={setDescription}
        error={wrong.description}
      />
    </FormDialog>
  );
}
