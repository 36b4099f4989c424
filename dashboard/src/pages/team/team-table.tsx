import { useQueryClient } from '@tanstack/react-query';
import { UserMinus } from 'lucide-react';
import { useState } from 'react';
import { invalidate } from '../../api/nouns.ts';
import { useSend } from '../../api/queries.ts';
import { showError } from '../../app/show-error.ts';
import { showUndo } from '../../app/show-undo.ts';
import * as text from '../../messages/text.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { IconButton } from '../../ui/button.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Table, type TableColumn, TwoLines } from '../../ui/table.tsx';
import { showToast } from '../../ui/toast.tsx';
import { LastOwnerDialog, OwnRoleDialog } from './owner-dialogs.tsx';
import type { Admin } from './queries.ts';
import { RemovalDialog } from './removal-dialog.tsx';
import { RoleMenu } from './role-menu.tsx';

const team = text.team;
const roles = text.roles;

type Open =
  | { dialog: 'removal' | 'last-owner'; admin: Admin }
  | { dialog: 'own-role'; role: Admin['role']; admin: Admin };

/**
 * The administrators of the account. An action that would leave the account without an owner is explained instead of
 * done.
 */
export function TeamTable({ admins }: { admins: readonly Admin[] | undefined }) {
  const client = useQueryClient();
  const update = useSend('PATCH /v3/edit/admins/{id}', ['invitations']);
  const [open, setOpen] = useState<Open>();
  const isLastOwner = ({ role }: Admin) =>
    role === 'owner' && admins?.filter((one) => one.role === 'owner').length === 1;
  const send = (admin: Admin, role: Admin['role'], canUndo: boolean) =>
    update.mutate(
      { id: admin.id, role },
      {
        onSuccess: () => {
          setOpen(undefined);
          if (admin.current) void invalidate(client, 'session');
          const title = team.roleChanged(admin.name, roles[role].name);
          const description = admin.role === 'owner' ? team.signsInAgainOwner : team.signsInAgain;
          const undo = async () => send({ ...admin, role }, admin.role, false);
          if (canUndo) showUndo({ title, description, about: [`admins/${admin.id}`], undo });
          else showToast({ title, ...(!admin.current && { description }) });
        },
        onError: showError,
      },
    );
  const chooseRole = (admin: Admin, role: Admin['role']) => {
    if (role === admin.role) return;
    if (isLastOwner(admin)) setOpen({ dialog: 'last-owner', admin });
    else if (admin.current) setOpen({ dialog: 'own-role', role, admin });
    else send(admin, role, true);
  };
  const columns: TableColumn<Admin>[] = [
    {
      id: 'person',
      label: team.columns.person,
      width: '3fr',
      minWidth: 140,
      render: (admin) => <Person admin={admin} />,
    },
    {
      id: 'role',
      label: team.columns.role,
      width: 132,
      minWidth: 132,
      render: (admin) => <RoleMenu admin={admin} onChoose={(role) => chooseRole(admin, role)} />,
    },
    {
      id: 'active',
      label: team.columns.active,
      width: 132,
      minWidth: 132,
      isSecondary: true,
      render: ({ last_used_at }) => (last_used_at ? <RelativeTime time={last_used_at} /> : team.neverActive),
    },
    {
      id: 'actions',
      label: team.columns.actions,
      isLabelHidden: true,
      width: 56,
      minWidth: 56,
      align: 'end',
      render: (admin) => (
        <IconButton
          icon={UserMinus}
          label={admin.current ? team.leave : team.remove(admin.name)}
          onPress={() => setOpen({ dialog: isLastOwner(admin) ? 'last-owner' : 'removal', admin })}
        />
      ),
    },
  ];
  const close = () => setOpen(undefined);
  return (
    <>
      <Table
        label={team.title}
        columns={columns}
        rows={admins}
        expectedRows={2}
        hasTwoLines
        nameOf={({ name }) => name}
        empty={null}
      />
      <LastOwnerDialog admin={open?.dialog === 'last-owner' ? open.admin : undefined} onClose={close} />
      <OwnRoleDialog
        role={open?.dialog === 'own-role' ? open.role : undefined}
        isPending={update.isPending}
        onConfirm={() => open?.dialog === 'own-role' && send(open.admin, open.role, false)}
        onClose={close}
      />
      <RemovalDialog admin={open?.dialog === 'removal' ? open.admin : undefined} onClose={close} />
    </>
  );
}

function Person({ admin: { name, email, current } }: { admin: Admin }) {
  return (
    <span className="flex min-w-0 items-center gap-3">
      {/* Names need the room on phones. */}
      <span className="max-sm:hidden">
        <Avatar name={name} />
      </span>
      <TwoLines
        first={
          <>
            <bdi className="truncate">{name}</bdi>
            {current && <Badge tone="accent">{team.you}</Badge>}
          </>
        }
        second={<bdi>{email}</bdi>}
      />
    </span>
  );
}
