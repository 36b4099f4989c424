import { useEffect, useState } from 'react';
import { useSend } from '../../api/queries.ts';
import { showError } from '../../app/show-error.ts';
import * as text from '../../messages/text.ts';
import { Checkbox } from '../../ui/choice.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { showToast } from '../../ui/toast.tsx';
import type { Secret } from './secrets-page.tsx';

const { revoke, columns, neverUsed } = text.secrets;

/** The secrets that were created with a secret, and all secrets created with these. */
function listMadeBy(secrets: readonly Secret[], id: string): Secret[] {
  return secrets.filter(({ parent_id }) => parent_id === id).flatMap((one) => [one, ...listMadeBy(secrets, one.id)]);
}

interface RevokeDialogProps {
  secret: Secret | undefined;
  /** All secrets of the account. */
  secrets: readonly Secret[];
  onClose: () => void;
}

/** A revoked secret cannot be restored, so its name has to be typed. */
export function RevokeDialog({ secret, secrets, onClose }: RevokeDialogProps) {
  const remove = useSend('DELETE /v3/edit/secrets/{id}');
  // The dialog keeps its texts while it closes.
  const [shown, setShown] = useState(secret);
  const [keeps, setKeeps] = useState(false);
  useEffect(() => {
    if (!secret) return;
    setShown(secret);
    setKeeps(false);
  }, [secret]);
  const confirm = () => {
    if (!secret) return;
    remove.mutate(
      { id: secret.id, keep_children: keeps },
      {
        onSuccess: () => showToast({ title: revoke.done(secret.name) }),
        onError: showError,
        onSettled: onClose,
      },
    );
  };
  if (!shown) return null;
  const children = listMadeBy(secrets, shown.id);
  return (
    <ConfirmDialog
      key={shown.id}
      isOpen={secret !== undefined}
      onClose={onClose}
      title={revoke.title}
      description={
        <div className="flex flex-col gap-2">
          <p>{revoke.description(shown.name)}</p>
          <p>
            {columns.used}: {shown.last_used_at ? <RelativeTime time={shown.last_used_at} /> : neverUsed}
          </p>
          {children.length > 0 && (
            <>
              <p>{revoke.children(children.map(({ name }) => `“${name}”`).join(', '))}</p>
              <Checkbox label={revoke.keep} help={revoke.keepHelp} isSelected={keeps} onChange={setKeeps} />
            </>
          )}
        </div>
      }
      phrase={shown.name}
      action={revoke.action}
      onConfirm={confirm}
      isPending={remove.isPending}
    />
  );
}
