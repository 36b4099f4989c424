import { useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useSend } from '../../api/queries.ts';
import { useSession } from '../../api/session.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { showToast } from '../../ui/toast.tsx';
import { type Admin, secretsQuery } from './queries.ts';

const { removal, leave } = text.team;

/** Says which secrets are revoked before an administrator is removed. */
export function RemovalDialog({ admin, onClose }: { admin: Admin | undefined; onClose: () => void }) {
  const { account } = useSession();
  const remove = useSend('DELETE /v3/edit/admins/{id}', ['invitations', 'secrets']);
  const { data, error } = useQuery({ ...secretsQuery, enabled: admin !== undefined, staleTime: 0 });
  const secrets = data?.secrets.filter(({ user }) => user.id === admin?.id);
  const close = () => {
    remove.reset();
    onClose();
  };
  const confirm = () => {
    if (!admin) return;
    remove.mutate(
      { id: admin.id },
      {
        onSuccess: ({ secrets }) => {
          // People who remove themselves have no session anymore.
          if (admin.current) location.assign('/');
          else showToast({ title: removal.done(admin.name), description: removal.doneHelp(secrets.length) });
          close();
        },
      },
    );
  };
  const isSelf = admin?.current ?? false;
  return (
    <Dialog
      isOpen={admin !== undefined}
      onClose={close}
      role="alertdialog"
      title={isSelf ? removal.leaveTitle(account.name) : removal.title(admin?.name ?? '')}
      description={isSelf ? removal.leaveDescription : removal.description}
      buttons={
        <>
          <Button onPress={close} autoFocus>
            {text.ui.cancel}
          </Button>
          <Button look="danger" isDisabled={!secrets} isPending={remove.isPending} onPress={confirm}>
            {isSelf ? leave : removal.action}
          </Button>
        </>
      }
    >
      <ErrorNotice error={error ?? remove.error} />
      <RevokedSecrets names={secrets?.map(({ id, name }) => ({ id, name }))} isSelf={isSelf} />
    </Dialog>
  );
}

function RevokedSecrets({
  names,
  isSelf,
}: {
  names: readonly { id: string; name: string }[] | undefined;
  isSelf: boolean;
}) {
  if (!names) return <p className="text-13 text-soft">{removal.loading}</p>;
  if (names.length === 0)
    return <p className="text-13 text-soft">{isSelf ? removal.noOwnSecrets : removal.noSecrets}</p>;
  return (
    <Notice kind="warning" title={removal.secrets(names.length)}>
      <ul className="flex flex-col gap-1 py-1">
        {names.map(({ id, name }) => (
          <li key={id} className="flex min-w-0 items-center gap-1.5 text-ink">
            <KeyRound size={16} aria-hidden className="shrink-0 text-faint" />
            <bdi className="truncate">{name}</bdi>
          </li>
        ))}
      </ul>
      {removal.secretsHelp}
    </Notice>
  );
}
