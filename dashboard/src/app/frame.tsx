import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect, useRef, useState } from 'react';
import { Redirect, useLocation } from 'wouter';
import { useSession } from '../api/session.ts';
import * as text from '../messages/text.ts';
import { cx } from '../ui/cx.ts';
import { useRowKeys } from '../ui/row-keys.ts';
import { useShortcuts } from '../ui/shortcuts.ts';
import { PageSkeleton } from '../ui/skeleton.tsx';
import { useStoredValue } from '../ui/use-stored-value.ts';
import { ConnectionBanner } from './connection-banner.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { findAppRoute } from './find-route.ts';
import { requestHeadingFocus } from './heading-focus.ts';
import { lazyComponent } from './lazy-component.ts';
import { usePage } from './load-page.ts';
import { mayOpen, TRANSLATOR_HOME } from './may-open.ts';
import { NotAllowed } from './not-allowed.tsx';
import { NotFound } from './not-found.tsx';
import { prefetchOnHover, prefetchWhenIdle } from './prefetch.ts';
import { Rail } from './rail.tsx';
import { ReachablePaths } from './reachable-paths.ts';
import { SettingsLayout } from './settings-layout.tsx';
import { SHORTCUTS, useAllowedRoutes, useGoToShortcuts } from './shortcuts.ts';
import { TopBar } from './top-bar.tsx';

const loadCommands = () => import('./commands.tsx').then((module) => module.AppCommands);
const AppCommands = lazyComponent(loadCommands);

/** The frame around every page. */
export function Frame() {
  const [path, navigate] = useLocation();
  const client = useQueryClient();
  const { account } = useSession();
  const [collapsed, setCollapsed] = useStoredValue('usher-sidebar');
  const [open, setOpen] = useState<'palette' | 'shortcuts' | 'navigation' | undefined>();
  const paths = useAllowedRoutes().map((route) => route.path);
  const found = findAppRoute(path);
  const page = found?.page ?? path;
  const isCollapsed = collapsed === 'collapsed';
  const toggleSidebar = () => setCollapsed(isCollapsed ? null : 'collapsed');
  useEffect(() => prefetchOnHover(client), [client]);
  useEffect(() => prefetchWhenIdle([loadCommands]), []);
  const hasOpened = useRef(false);
  hasOpened.current ||= open === 'palette' || open === 'shortcuts';
  useFocusOnNavigation(page);
  useRowKeys();
  useEffect(() => {
    // The form to sign in can show at `/`, and Home has an address of its own.
    if (path === '/') navigate('/app', { replace: true });
  }, [path, navigate]);
  useShortcuts([
    { ...SHORTCUTS.search, onPress: () => setOpen('palette') },
    { ...SHORTCUTS.sheet, onPress: () => setOpen('shortcuts') },
    { ...SHORTCUTS.sidebar, onPress: toggleSidebar },
    ...useGoToShortcuts(),
  ]);
  return (
    <div className="flex min-h-dvh">
      <a
        href="#content"
        className="sr-only z-50 rounded-6 bg-raised px-3 py-2 shadow-float focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {text.frame.skip}
      </a>
      <Rail
        isCollapsed={isCollapsed}
        onToggle={toggleSidebar}
        isSheetOpen={open === 'navigation'}
        onSheetClose={() => setOpen(undefined)}
      />
      <div className="flex min-w-0 flex-1 flex-col">
        <TopBar
          onSearch={() => setOpen('palette')}
          onShortcuts={() => setOpen('shortcuts')}
          onNavigation={() => setOpen('navigation')}
        />
        <ConnectionBanner />
        <main
          id="content"
          tabIndex={-1}
          className={cx(
            '@container mx-auto w-full flex-1 px-4',
            found?.route.isWide ? 'flex flex-col pt-4' : 'max-w-6xl py-6 sm:px-8',
          )}
        >
          {/* The key drops the state of the page when another account is chosen. */}
          <ErrorBoundary key={`${account.id} ${page}`}>
            <ReachablePaths value={paths}>
              <CurrentPage path={path} />
            </ReachablePaths>
          </ErrorBoundary>
        </main>
      </div>
      {hasOpened.current && (
        <Suspense fallback={null}>
          <AppCommands open={open} onClose={() => setOpen(undefined)} onShortcuts={() => setOpen('shortcuts')} />
        </Suspense>
      )}
    </div>
  );
}

function CurrentPage({ path }: { path: string }) {
  const found = findAppRoute(path);
  const session = useSession();
  if (!found) return path === '/' ? null : <NotFound />;
  const { route, params } = found;
  if (!mayOpen(session, route, params)) {
    if (path === '/app') return <Redirect to={TRANSLATOR_HOME} replace />;
    return <NotAllowed route={route} params={params} />;
  }
  const page = (
    <Suspense fallback={<PageSkeleton label={text.frame.loadingPage} />}>
      <RoutePage key={found.page} route={route} params={params} />
    </Suspense>
  );
  return typeof route.place === 'object' || path.startsWith('/app/settings') ? (
    <SettingsLayout path={path}>{page}</SettingsLayout>
  ) : (
    page
  );
}

function RoutePage({ route, params }: Pick<NonNullable<ReturnType<typeof findAppRoute>>, 'route' | 'params'>) {
  const Page = usePage(route);
  return <Page params={params} />;
}

/** Moves the focus to the heading after a navigation. The first page keeps the focus where the browser puts it. */
function useFocusOnNavigation(path: string): void {
  const previous = useRef(path);
  if (previous.current !== path) {
    const isRedirect = previous.current === '/';
    previous.current = path;
    if (!isRedirect) requestHeadingFocus();
  }
  useEffect(() => {
    if (path) scrollTo(0, 0);
  }, [path]);
}
