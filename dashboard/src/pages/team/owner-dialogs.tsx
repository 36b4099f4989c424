import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import type { Admin } from './queries.ts';

const team = text.team;
const roles = text.roles;

/** Explains why the last owner cannot leave, which the server would reject. */
export function LastOwnerDialog({ admin, onClose }: { admin: Admin | undefined; onClose: () => void }) {
  const { title, you, other } = team.lastOwner;
  return (
    <Dialog
      isOpen={admin !== undefined}
      onClose={onClose}
      title={title}
      description={admin?.current ? you : other(admin?.name ?? '')}
      buttons={
        <Button look="primary" onPress={onClose} autoFocus>
          {text.ui.close}
        </Button>
      }
    />
  );
}

interface OwnRoleDialogProps {
  role: Admin['role'] | undefined;
  onConfirm: () => void;
  onClose: () => void;
  isPending: boolean;
}

/** Owners who give up their role cannot take it back, so there is no undo. */
export function OwnRoleDialog({ role, onConfirm, onClose, isPending }: OwnRoleDialogProps) {
  const { title, description, action } = team.ownRole;
  return (
    <Dialog
      isOpen={role !== undefined}
      onClose={onClose}
      role="alertdialog"
      title={title(role ? roles[role].name : '')}
      description={description}
      buttons={
        <>
          <Button onPress={onClose} autoFocus>
            {text.ui.cancel}
          </Button>
          <Button look="danger" isPending={isPending} onPress={onConfirm}>
            {action}
          </Button>
        </>
      }
    />
  );
}
