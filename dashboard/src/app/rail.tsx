import { PanelLeftClose, PanelLeftOpen } from 'lucide-react';
import { Dialog } from 'react-aria-components/Dialog';
import { Link } from 'react-aria-components/Link';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { useLocation } from 'wouter';
import { useSession } from '../api/session.ts';
import * as text from '../messages/text.ts';
import { IconButton } from '../ui/button.tsx';
import { cx } from '../ui/cx.ts';
import { Logo, LogoMark } from '../ui/logo.tsx';
import { Tooltip } from '../ui/tooltip.tsx';
import { findAppRoute } from './find-route.ts';
import { TRANSLATOR_HOME } from './may-open.ts';
import { type AppRoute, addressOf } from './route.ts';
import { SHORTCUTS, useAllowedRoutes } from './shortcuts.ts';

interface RailProps {
  isCollapsed: boolean;
  onToggle: () => void;
  isSheetOpen: boolean;
  onSheetClose: () => void;
}

/** The main navigation: beside the page, or a sheet on phones. */
export function Rail({ isCollapsed, onToggle, isSheetOpen, onSheetClose }: RailProps) {
  const toggle = isCollapsed ? text.frame.expand : text.frame.collapse;
  return (
    <>
      <nav
        aria-label={text.frame.navigation}
        data-tour="rail"
        className={cx(
          'sticky top-0 hidden h-dvh shrink-0 flex-col border-r border-rail bg-rail text-on-rail transition-[width] sm:flex',
          isCollapsed ? 'w-14' : 'w-54',
        )}
        data-rail={isCollapsed ? 'collapsed' : 'expanded'}
      >
        <div className={cx('flex h-12 items-center', isCollapsed ? 'justify-center' : 'px-4')}>
          {isCollapsed ? <LogoMark /> : <Logo />}
        </div>
        <RailLinks isCollapsed={isCollapsed} />
        <div className="mt-auto p-2.5">
          <IconButton
            icon={isCollapsed ? PanelLeftOpen : PanelLeftClose}
            label={toggle}
            keys={SHORTCUTS.sidebar.keys}
            onPress={onToggle}
            className="w-9 text-on-rail-soft! data-hovered:bg-rail-hover! data-hovered:text-on-rail! data-pressed:bg-rail-current!"
          />
        </div>
      </nav>
      <ModalOverlay
        isOpen={isSheetOpen}
        onOpenChange={(open) => !open && onSheetClose()}
        isDismissable
        className="fixed inset-0 z-40 bg-backdrop transition-opacity data-entering:opacity-0 data-exiting:opacity-0"
      >
        <Modal
          data-rail="sheet"
          className="h-full w-64 bg-rail text-on-rail shadow-float transition-[translate] duration-200 data-entering:-translate-x-full data-exiting:-translate-x-full"
        >
          <Dialog aria-label={text.frame.navigation} className="flex h-full flex-col outline-none">
            <div className="flex h-12 items-center px-4">
              <Logo />
            </div>
            <nav aria-label={text.frame.navigation}>
              <RailLinks isCollapsed={false} onNavigate={onSheetClose} />
            </nav>
          </Dialog>
        </Modal>
      </ModalOverlay>
    </>
  );
}

function RailLinks({ isCollapsed, onNavigate }: { isCollapsed: boolean; onNavigate?: () => void }) {
  const [path] = useLocation();
  const { user } = useSession();
  const entries = useAllowedRoutes().filter(({ place }) => place === 'rail');
  return (
    <ul className="flex flex-col gap-0.5 overflow-y-auto p-2.5">
      {entries.map((route) => (
        <li key={route.path}>
          <RailLink
            route={route}
            isCurrent={isCurrent(route, path) || (user.role === 'translator' && isTranslating(route, path))}
            isCollapsed={isCollapsed}
            onNavigate={onNavigate}
          />
        </li>
      ))}
    </ul>
  );
}

function isCurrent(route: AppRoute, current: string): boolean {
  const path = addressOf(route);
  const { covers = path === '/app' ? undefined : `${path}/` } = route;
  const isSetting = path === '/app/settings' && typeof findAppRoute(current)?.route.place === 'object';
  return current === path || isSetting || (covers !== undefined && current.startsWith(covers));
}

/** Marks Languages as current at an Experience, because translators come to an Experience from there. */
function isTranslating({ path }: AppRoute, current: string): boolean {
  return path === TRANSLATOR_HOME && current.startsWith('/app/experiences/');
}

interface RailLinkProps {
  route: AppRoute;
  isCurrent: boolean;
  isCollapsed: boolean;
  onNavigate: (() => void) | undefined;
}

function RailLink({ route, isCurrent, isCollapsed, onNavigate }: RailLinkProps) {
  const { title, icon: Icon, keys } = route;
  const link = (
    <Link
      href={addressOf(route)}
      {...(isCurrent && { 'aria-current': 'page' as const })}
      {...(isCollapsed && { 'aria-label': title })}
      {...(onNavigate && { onPress: onNavigate })}
      className={cx(
        'relative flex h-9 items-center gap-2.5 rounded-6 px-2.5 text-14 transition-colors',
        isCurrent
          ? 'bg-rail-current font-medium text-on-rail before:absolute before:inset-y-2 before:left-0 before:w-[3px] before:rounded-full before:bg-torch forced-colors:outline'
          : 'text-on-rail-soft data-hovered:bg-rail-hover data-hovered:text-on-rail',
        isCollapsed && 'w-9 justify-center',
      )}
    >
      <Icon size={isCollapsed ? 20 : 16} aria-hidden className={cx('shrink-0', isCurrent && 'text-torch')} />
      {!isCollapsed && <span className="truncate">{title}</span>}
    </Link>
  );
  return isCollapsed ? (
    <Tooltip text={title} {...(keys !== undefined && { keys })}>
      {link}
    </Tooltip>
  ) : (
    link
  );
}
