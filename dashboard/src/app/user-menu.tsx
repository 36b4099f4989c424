import { useQueryClient } from '@tanstack/react-query';
import { Keyboard, LogOut, Monitor, MonitorSmartphone, Moon, Sun, UserRound } from 'lucide-react';
import { Button } from 'react-aria-components/Button';
import { useSession } from '../api/session.ts';
import * as text from '../messages/text.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Menu } from '../ui/menu.tsx';
import { setTheme, type Theme, useTheme } from '../ui/theme.ts';
import { SHORTCUTS } from './shortcuts.ts';
import { signOut } from './sign-out.ts';

export const themeIcons = { system: Monitor, light: Sun, dark: Moon };
export const themes: readonly Theme[] = ['system', 'light', 'dark'];

/** The menu of the signed-in person: profile, devices, theme and sign-out. */
export function UserMenu({ onShortcuts }: { onShortcuts: () => void }) {
  const { person, user } = useSession();
  const client = useQueryClient();
  const theme = useTheme();
  const frame = text.frame;
  const roles = text.roles;
  return (
    <Menu
      label={frame.yourAccount}
      placement="bottom end"
      trigger={
        <Button aria-label={frame.you(person.name)} className="ml-1 rounded-full">
          <Avatar name={person.name} />
        </Button>
      }
      header={
        <div className="flex flex-col border-b border-line px-3 py-2.5">
          <span className="truncate font-medium">{person.name}</span>
          <span className="truncate text-12 text-soft">
            {person.email} · {roles[user.role].name}
          </span>
        </div>
      }
      groups={[
        {
          title: frame.theme,
          entries: themes.map((id) => ({ id, label: frame.themes[id], icon: themeIcons[id] })),
          selected: theme,
          onSelect: (id) => setTheme(id as Theme),
        },
        {
          entries: [
            { id: 'profile', label: frame.profile, icon: UserRound, href: '/app/settings/profile' },
            { id: 'devices', label: frame.devices, icon: MonitorSmartphone, href: '/app/settings/devices' },
            {
              id: 'shortcuts',
              label: frame.shortcuts,
              icon: Keyboard,
              keys: SHORTCUTS.sheet.keys,
              onAction: onShortcuts,
            },
          ],
        },
        { entries: [{ id: 'sign-out', label: frame.signOut, icon: LogOut, onAction: () => signOut(client) }] },
      ]}
    />
  );
}
