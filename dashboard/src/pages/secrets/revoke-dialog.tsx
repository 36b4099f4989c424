import { useEffect, useState } from 'react';
import { useSend } from '../../api/queries.ts';
import { showError } from '../../app/show-error.ts';
import * as text from '../../messages/text.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { showToast } from '../../ui/toast.tsx';
import type { Secret } from './secrets-page.tsx';

const { revoke, columns, neverUsed } = text.secrets;

/** A revoked secret cannot be restored, so its name has to be typed. */
export function RevokeDialog({ secret, onClose }: { secret: Secret | undefined; onClose: () => void }) {
  const remove = useSend('DELETE /v3/edit/secrets/{id}');
  // The texts stay while the dialog closes.
  const [shown, setShown] = useState(secret);
  useEffect(() => {
    if (secret) setShown(secret);
  }, [secret]);
  const confirm = () => {
    if (!secret) return;
    remove.mutate(
      { id: secret.id },
      {
        onSuccess: () => showToast({ title: revoke.done(secret.name) }),
        onError: showError,
        onSettled: onClose,
      },
    );
  };
  if (!shown) return null;
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
        </div>
      }
      phrase={shown.name}
      action={revoke.action}
      onConfirm={confirm}
      isPending={remove.isPending}
    />
  );
}
