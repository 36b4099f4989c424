import type { QueryClient } from '@tanstack/react-query';
import { sessionQuery } from '../api/session.ts';
import { findAppRoute, findPlainRoute } from './find-route.ts';
import { loadPage } from './load-page.ts';
import { mayOpen } from './may-open.ts';
import { prefetchData } from './prefetch.ts';
import { type PlainRoute, routeTable } from './route.ts';

/**
 * Loads the code of the page at this address, the session, and the data of the page. React renders when the code and
 * the session are there: if it had to wait for them, it would show an empty place for at least 300 milliseconds.
 */
export async function loadFirstPage(client: QueryClient): Promise<void> {
  const plain = findPlainRoute(location.pathname);
  if (plain) return loadCode(plain.route);
  const session = client.prefetchQuery(sessionQuery);
  const found = findAppRoute(location.pathname === '/' ? '/app' : location.pathname);
  const code = found && loadCode(found.route);
  await session;
  const user = client.getQueryData(sessionQuery.queryKey)?.user;
  if (!user) return loadCode(routeTable.signInRoute);
  if (found && mayOpen({ user }, found.route, found.params)) prefetchData(client, found);
  await code;
}

/** A page whose code cannot be loaded says so when it is rendered. */
async function loadCode(route: PlainRoute | undefined): Promise<void> {
  if (route) await loadPage(route).catch(() => undefined);
}
