import { type ListedExperience, pathOfKind } from '@usher/domain';
import { useState } from 'react';
import { api, type ResponseOf } from '../../../api/api.ts';
import { useSession } from '../../../api/session.ts';
import { ErrorNotice } from '../../../app/error-notice.tsx';
import { useRequest } from '../../../app/use-request.ts';
import { nameExperiences } from '../../../experiences/name-experiences.ts';
import * as text from '../../../messages/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, FormDialog } from '../../../ui/dialog.tsx';
import { Select } from '../../../ui/select.tsx';
import { showToast } from '../../../ui/toast.tsx';

const texts = text.experiences.copyDialog;
type Dropped = ResponseOf<'POST /v3/edit/{kind}/{id}/copy'>['dropped'];

const mayEdit = ['owner', 'editor'];

/** Copies an Experience to another account of the person, and says what could not be copied. */
export function CopyDialog({ experience, onClose }: { experience: ListedExperience; onClose: () => void }) {
  const { account, accounts } = useSession();
  const others = accounts.filter(({ id, role }) => id !== account.id && mayEdit.includes(role));
  const [accountId, setAccountId] = useState(others.length === 1 ? (others[0]?.id ?? null) : null);
  const [dropped, setDropped] = useState<Dropped>();
  const chosen = others.find(({ id }) => id === accountId)?.name ?? '';
  const { submit, error, isPending } = useRequest(
    () =>
      api('POST /v3/edit/{kind}/{id}/copy', {
        kind: pathOfKind(experience.kind),
        id: experience.id,
        account_id: accountId ?? '',
      }),
    (copied) => {
      if (copied.dropped.length > 0) return setDropped(copied.dropped);
      showToast({ title: text.experiences.done.copied(nameExperiences([experience]), chosen) });
      onClose();
    },
  );
  if (dropped) return <DroppedDialog account={chosen} dropped={dropped} onClose={onClose} />;
  return (
    <FormDialog
      onClose={onClose}
      title={texts.title}
      description={texts.text}
      onSubmit={() => accountId !== null && void submit()}
      action={texts.action}
      isDisabled={accountId === null}
      isPending={isPending}
    >
      <ErrorNotice error={error} />
      <Select
        label={texts.account}
        options={others.map(({ id, name }) => ({ value: id, label: name }))}
        value={accountId}
        onChange={setAccountId}
        autoFocus
      />
    </FormDialog>
  );
}

function DroppedDialog({ account, dropped, onClose }: { account: string; dropped: Dropped; onClose: () => void }) {
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={texts.droppedTitle(account)}
      description={texts.dropped}
      buttons={
        <Button look="primary" onPress={onClose} autoFocus>
          {texts.close}
        </Button>
      }
    >
      <ul className="flex flex-col gap-1 text-13">
        {dropped.map(({ type, id, name }) => (
          <li key={`${type} ${id}`} className="break-words">
            <span className="text-soft">{texts.droppedTypes[type]}</span> <bdi className="font-medium">{name}</bdi>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
