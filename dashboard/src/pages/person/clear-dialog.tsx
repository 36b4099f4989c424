import { useSend } from '../../api/queries.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import * as text from '../../messages/text.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { showToast } from '../../ui/toast.tsx';

const texts = text.person.clear;

/** Says what is deleted and what stays, before the history of a person is cleared. */
export function ClearDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const clear = useSend('DELETE /v3/edit/profiles/{id}', ['deliveries', 'experiences']);
  const submit = () =>
    clear.mutate(
      { id },
      {
        onSuccess: () => {
          onClose();
          showToast({ title: texts.done });
        },
      },
    );
  return (
    <FormDialog
      onClose={onClose}
      title={texts.title}
      description={texts.text}
      onSubmit={submit}
      action={texts.action}
      isPending={clear.isPending}
      focusesAction
    >
      <dl className="flex flex-col gap-3 text-14">
        <div>
          <dt className="font-medium">{texts.goes}</dt>
          <dd className="text-soft">{texts.goesText}</dd>
        </div>
        <div>
          <dt className="font-medium">{texts.stays}</dt>
          <dd className="text-soft">{texts.staysText}</dd>
        </div>
      </dl>
      <ErrorNotice error={clear.error} />
    </FormDialog>
  );
}
