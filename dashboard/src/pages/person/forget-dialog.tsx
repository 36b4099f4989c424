import { useSend } from '../../api/queries.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import * as text from '../../messages/text.ts';
import type { PersonDetails } from '../../people/person-details.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';

const texts = text.person.forget;

interface ForgetDialogProps {
  person: Pick<PersonDetails, 'id' | 'uid'>;
  onClose: () => void;
  onForgotten: (deletionId: string) => void;
}

/** Forgets a person after their uid was typed. The server may also ask for the password. */
export function ForgetDialog({ person: { id, uid }, onClose, onForgotten }: ForgetDialogProps) {
  const forget = useSend('DELETE /v3/edit/profiles/{id}/forget', ['deliveries', 'experiences', 'segments']);
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={texts.title}
      description={
        <div className="flex flex-col gap-3">
          <p>{texts.text}</p>
          <p>{texts.back}</p>
          <p>{texts.export}</p>
          <ErrorNotice error={forget.error} />
        </div>
      }
      phrase={uid}
      action={texts.action}
      onConfirm={() => forget.mutate({ id }, { onSuccess: ({ deletion }) => onForgotten(deletion.id) })}
      isPending={forget.isPending}
    />
  );
}
