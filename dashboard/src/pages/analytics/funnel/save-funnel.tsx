import { useState } from 'react';
import { useSend } from '../../../api/queries.ts';
import { ErrorNotice } from '../../../app/error-notice.tsx';
import * as text from '../../../messages/text.ts';
import { Button } from '../../../ui/button.tsx';
import { FormDialog } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { showToast } from '../../../ui/toast.tsx';

const texts = text.funnel.report;

/** Saves the funnel as it is in the address under a name. */
export function SaveFunnel({ params }: { params: Record<string, unknown> }) {
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState('');
  const { mutateAsync, error, isPending, reset } = useSend('POST /v3/edit/reports');
  const close = () => {
    setOpen(false);
    setName('');
    reset();
  };
  const save = async () => {
    await mutateAsync({ name: name.trim(), kind: 'funnel', params }).then(
      () => {
        showToast({ title: texts.saved(name.trim()) });
        close();
      },
      () => {},
    );
  };
  return (
    <>
      <Button onPress={() => setOpen(true)}>{texts.save}</Button>
      {isOpen && (
        <FormDialog
          onClose={close}
          title={texts.save}
          onSubmit={() => void save()}
          action={texts.save}
          isPending={isPending}
          isDisabled={name.trim() === ''}
        >
          <ErrorNotice error={error} />
          <TextField label={texts.name} value={name} onChange={setName} autoFocus />
        </FormDialog>
      )}
    </>
  );
}
