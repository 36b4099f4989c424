import { roles as allRoles } from '@usher/domain';
import { ChevronsUpDown } from 'lucide-react';
import { Button } from 'react-aria-components/Button';
import * as text from '../../messages/text.ts';
import { Menu } from '../../ui/menu.tsx';
import type { Admin } from './queries.ts';

const team = text.team;
const roles = text.roles;

/** The role of an administrator, and the other roles that they can get. */
export function RoleMenu({ admin, onChoose }: { admin: Admin; onChoose: (role: Admin['role']) => void }) {
  const current = roles[admin.role].name;
  return (
    <Menu
      label={team.columns.role}
      trigger={
        <Button
          aria-label={team.changeRole(admin.name, current)}
          className="-ml-2 flex h-7 items-center gap-1.5 rounded-6 px-2 text-13 text-ink transition-colors data-hovered:bg-pressed data-pressed:bg-pressed"
        >
          {current}
          <ChevronsUpDown size={12} aria-hidden className="text-faint" />
        </Button>
      }
      groups={[
        {
          title: team.columns.role,
          entries: allRoles.map((role) => ({ id: role, label: roles[role].name, description: roles[role].help })),
          selected: admin.role,
          onSelect: (role) => onChoose(role as Admin['role']),
        },
      ]}
    />
  );
}
