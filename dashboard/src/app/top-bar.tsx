import { ChevronsUpDown, Menu as MenuIcon, Search } from 'lucide-react';
import { Button } from 'react-aria-components/Button';
import { useSession } from '../api/session.ts';
import * as text from '../messages/text.ts';
import { IconButton } from '../ui/button.tsx';
import { cx } from '../ui/cx.ts';
import { Keys } from '../ui/keys.tsx';
import { Menu } from '../ui/menu.tsx';
import { environmentColor, useEnvironment } from './environment.ts';
import { EnvironmentMark } from './environment-badge.tsx';
import { HelpMenu } from './help-menu.tsx';
import { SHORTCUTS } from './shortcuts.ts';
import { useSwitchAccount } from './switch-account.ts';
import { UserMenu } from './user-menu.tsx';

interface TopBarProps {
  onSearch: () => void;
  onShortcuts: () => void;
  onNavigation: () => void;
}

/** The bar at the top: the current page, account and Environment, and the menu of the administrator. */
export function TopBar({ onSearch, onShortcuts, onNavigation }: TopBarProps) {
  const { environment } = useEnvironment();
  const { user } = useSession();
  // Translations are the same in all Environments, so a translator chooses none.
  const hasEnvironments = user.role !== 'translator';
  return (
    // The space of the scrollbar beside the bar has the color of the ground too.
    <header className="sticky top-0 z-20 border-b border-line bg-ground">
      {hasEnvironments && environment && (
        <div
          aria-hidden
          className="absolute inset-x-0 top-0 h-1 forced-color-adjust-none"
          style={{ background: environmentColor(environment) ?? 'var(--color-edge)' }}
        />
      )}
      <div className="flex h-12 items-center gap-1 px-2 sm:px-4">
        <IconButton icon={MenuIcon} label={text.frame.openNavigation} onPress={onNavigation} className="sm:hidden" />
        <AccountSwitch />
        {hasEnvironments && (
          <>
            <span aria-hidden className="mx-1 text-faint max-sm:hidden">
              /
            </span>
            <EnvironmentSwitch />
          </>
        )}
        <Button
          onPress={onSearch}
          aria-label={text.frame.search}
          data-tour="search"
          className="ml-auto flex h-8 w-8 items-center justify-center gap-2 rounded-6 text-13 text-soft transition-colors data-hovered:bg-hover data-hovered:text-ink md:w-56 md:justify-start md:border md:border-line md:bg-surface md:px-2.5"
        >
          <Search size={16} aria-hidden />
          <span className="hidden flex-1 text-left md:inline">{text.frame.search}</span>
          <span className="hidden md:inline">
            <Keys keys={SHORTCUTS.search.keys} />
          </span>
        </Button>
        <HelpMenu onShortcuts={onShortcuts} />
        <UserMenu onShortcuts={onShortcuts} />
      </div>
    </header>
  );
}

const switchLook =
  'flex h-8 min-w-0 items-center gap-2 rounded-6 px-2 text-14 transition-colors data-hovered:bg-hover data-pressed:bg-pressed';

function AccountSwitch() {
  const { account, accounts } = useSession();
  const switchAccount = useSwitchAccount();
  const frame = text.frame;
  const roles = text.roles;
  return (
    <Menu
      label={frame.accounts}
      trigger={
        <Button aria-label={frame.switchAccount(account.name)} className={cx(switchLook, 'shrink-0')}>
          <span className="max-w-48 truncate font-medium max-sm:max-w-18">{account.name}</span>
          <ChevronsUpDown size={12} aria-hidden className="shrink-0 text-faint" />
        </Button>
      }
      groups={[
        {
          title: frame.accounts,
          entries: accounts.map(({ id, name, role }) => ({ id, label: name, description: roles[role].name })),
          selected: account.id,
          onSelect: (id) => id !== account.id && switchAccount(id),
        },
      ]}
    />
  );
}

const ALL = 'all';

function EnvironmentSwitch() {
  const { environments, environment, choose } = useEnvironment();
  const frame = text.frame;
  const name = environment?.name ?? frame.allEnvironments;
  return (
    <Menu
      label={frame.environments}
      trigger={
        <Button aria-label={frame.switchEnvironment(name)} data-tour="environments" className={switchLook}>
          <EnvironmentMark environment={environment} />
          <span className={cx('max-w-40 truncate max-sm:max-w-20', environment && 'font-medium')}>
            <bdi>{name}</bdi>
          </span>
          <ChevronsUpDown size={12} aria-hidden className="shrink-0 text-faint" />
        </Button>
      }
      groups={[
        {
          title: frame.environments,
          entries: [
            { id: ALL, label: frame.allEnvironments, mark: <EnvironmentMark environment={null} /> },
            ...environments.map((one) => ({
              id: one.id,
              label: one.name,
              mark: <EnvironmentMark environment={one} />,
            })),
          ],
          selected: environment?.id ?? ALL,
          onSelect: (id) => choose(id === ALL ? null : id),
        },
      ]}
    />
  );
}
