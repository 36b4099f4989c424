import { useState } from 'react';
import { fieldErrors } from '../../api/describe-error.ts';
import { useSend } from '../../api/queries.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import * as text from '../../messages/text.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { ExperienceSelect } from './experience-select.tsx';

const texts = text.experiments;

interface NewExperimentDialogProps {
  onClose: () => void;
  onCreated: (id: string) => void;
}

/** Creates an experiment of one Experience against nothing, which can be changed until it starts. */
export function NewExperimentDialog({ onClose, onCreated }: NewExperimentDialogProps) {
  const [name, setName] = useState('');
  const [experienceId, setExperienceId] = useState<string | null>(null);
  const create = useSend('POST /v3/edit/experiments');
  const wrong = fieldErrors(create.error, { name: texts.fields.name });
  const submit = () =>
    create.mutate(
      {
        name,
        variants: [
          { name: texts.nameOfControl, experience_id: null, share: 50 },
          { name: texts.nameOfOther, experience_id: experienceId, share: 50 },
        ],
      },
      { onSuccess: ({ experiment }) => onCreated(experiment.id) },
    );
  return (
    <FormDialog
      onClose={onClose}
      size="medium"
      title={texts.new}
      onSubmit={submit}
      action={texts.create}
      isPending={create.isPending}
      isDisabled={experienceId === null || name.trim() === ''}
    >
      {wrong.name === undefined && <ErrorNotice error={create.error} />}
      <TextField label={texts.fields.name} value={name} onChange={setName} error={wrong.name} autoFocus />
      <ExperienceSelect
        label={texts.firstExperience}
        help={texts.firstExperienceHelp}
        value={experienceId}
        onChange={setExperienceId}
      />
    </FormDialog>
  );
}
