import { useState } from 'react';
import { fieldErrors } from '../../api/describe-error.ts';
import { useSend } from '../../api/queries.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { confirmLeaving, useUnsavedChanges } from '../../app/unsaved-changes.ts';
import * as text from '../../messages/text.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { WebhookFields, type WebhookValues } from './webhook-fields.tsx';

const webhooks = text.webhooks;
const empty: WebhookValues = {
  ...{ url: '', name: '', topics: [], experience_ids: [] },
  ...{ id_header: null, signature_header: null },
};

interface CreateWebhookDialogProps {
  onClose: () => void;
  /** Is called after the secret was shown. */
  onCreated: (id: string) => void;
}

export function CreateWebhookDialog({ onClose, onCreated }: CreateWebhookDialogProps) {
  const [values, setValues] = useState(empty);
  const create = useSend('POST /v3/edit/webhooks');
  const made = create.data?.webhook;
  useUnsavedChanges(values !== empty && !made);
  const close = async () => (await confirmLeaving()) && onClose();
  const wrong = fieldErrors(create.error, webhooks.fields);
  if (made) return <SecretDialog secret={made.secret ?? ''} onClose={() => onCreated(made.id)} />;
  const { name, ...params } = values;
  return (
    <FormDialog
      onClose={close}
      keepsOpen
      size="medium"
      title={webhooks.new}
      onSubmit={() => create.mutate({ ...params, ...(name.trim() !== '' && { name }) })}
      action={webhooks.create}
      isPending={create.isPending}
    >
      {Object.keys(wrong).length === 0 && <ErrorNotice error={create.error} />}
      <WebhookFields
        isNew
        values={values}
        set={(name, value) => setValues({ ...values, [name]: value })}
        wrong={wrong}
      />
    </FormDialog>
  );
}
