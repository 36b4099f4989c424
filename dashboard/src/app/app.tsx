import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect } from 'react';
import { RouterProvider } from 'react-aria-components';
import { Router, useLocation } from 'wouter';
import { onConnectionChange } from '../api/connection.ts';
import { ApiError } from '../api/errors.ts';
import { SessionContext, sessionQuery } from '../api/session.ts';
import { followOtherTabs } from '../api/shown-user.ts';
import * as text from '../messages/text.ts';
import { Button } from '../ui/button.tsx';
import { Toasts } from '../ui/toast.tsx';
import { AccountPrompt } from './account-prompt.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { findPlainRoute } from './find-route.ts';
import { Frame } from './frame.tsx';
import { FullPageMessage } from './full-page-message.tsx';
import { usePage } from './load-page.ts';
import { PasswordPrompt } from './password-prompt.tsx';
import { refetchAfterReconnect } from './refetch.ts';
import { routeTable } from './route.ts';
import { guardNavigation } from './unsaved-changes.ts';
import { UnsavedDialog } from './unsaved-dialog.tsx';

export function App() {
  return (
    <Router aroundNav={guardNavigation}>
      <AppPages />
    </Router>
  );
}

function AppPages() {
  const [path, navigate] = useLocation();
  const client = useQueryClient();
  useEffect(() => onConnectionChange(() => refetchAfterReconnect(client)), [client]);
  useEffect(() => followOtherTabs(), []);
  const plain = findPlainRoute(path);
  return (
    <RouterProvider navigate={navigate}>
      <ErrorBoundary key={plain?.route.path ?? 'app'}>
        <Suspense fallback={null}>{plain ? <PlainPage {...plain} /> : <SignedInApp />}</Suspense>
      </ErrorBoundary>
      <AccountPrompt />
      <PasswordPrompt />
      <UnsavedDialog />
      <Toasts />
    </RouterProvider>
  );
}

/** Pages that need no session, or create one. */
function PlainPage({ route, params }: Pick<NonNullable<ReturnType<typeof findPlainRoute>>, 'route' | 'params'>) {
  const Page = usePage(route);
  return <Page params={params} />;
}

/** The frame, or the form to sign in. The form keeps the address, so the wanted page shows after the sign-in. */
function SignedInApp() {
  const { data, error, refetch, isFetching } = useQuery(sessionQuery);
  if (data)
    return (
      <SessionContext value={data}>
        <Frame />
      </SessionContext>
    );
  if (error instanceof ApiError && (error.status === 401 || error.status === 403))
    return routeTable.signInRoute && <PlainPage route={routeTable.signInRoute} params={{}} />;
  if (!error) return null;
  const { title, description, action } = text.errors.session;
  return (
    <FullPageMessage
      title={title}
      action={
        <Button look="primary" isPending={isFetching} onPress={() => refetch()}>
          {action}
        </Button>
      }
    >
      {error instanceof ApiError && error.messages[0] ? error.messages[0] : description}
    </FullPageMessage>
  );
}
