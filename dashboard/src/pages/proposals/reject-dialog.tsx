import { useState } from 'react';
import { useSend } from '../../api/queries.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import * as text from '../../messages/text.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { TextArea } from '../../ui/text-field.tsx';

const texts = text.proposals.rejectDialog;

/** Asks why, so that who proposed it can do better. */
export function RejectDialog({ id, onClose, onDone }: { id: string; onClose: () => void; onDone: () => void }) {
  const [reason, setReason] = useState('');
  const [isMissing, setMissing] = useState(false);
  const reject = useSend('POST /v3/edit/proposals/{id}/reject', ['attention']);
  const submit = () => {
    setMissing(reason.trim() === '');
    if (reason.trim() !== '' && !reject.isPending) reject.mutate({ id, reason: reason.trim() }, { onSuccess: onDone });
  };
  return (
    <FormDialog
      onClose={onClose}
      title={texts.title}
      onSubmit={submit}
      action={texts.action}
      isPending={reject.isPending}
    >
      <ErrorNotice error={reject.error} />
      <TextArea
        label={texts.reason}
        value={reason}
        onChange={setReason}
        rows={3}
        maxLength={1000}
        help={texts.help}
        error={isMissing ? texts.none : undefined}
        autoFocus
      />
    </FormDialog>
  );
}
