import type { QueryClient } from '@tanstack/react-query';
import { type AnyRoute, type FoundRoute, findAnyRoute } from './find-route.ts';
import { loadPage } from './load-page.ts';
import { routeTable } from './route.ts';

/** Loads the page and its data when a link to it is hovered or focused. Returns a function that stops it. */
export function prefetchOnHover(client: QueryClient): () => void {
  const onEvent = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest('a[href], [data-href]') : null;
    const href = link?.getAttribute('href') ?? link?.getAttribute('data-href');
    if (href?.startsWith('/app')) prefetch(client, href);
  };
  addEventListener('pointerover', onEvent, { passive: true });
  addEventListener('focusin', onEvent);
  return () => {
    removeEventListener('pointerover', onEvent);
    removeEventListener('focusin', onEvent);
  };
}

function prefetch(client: QueryClient, href: string): void {
  const found = findAnyRoute(new URL(href, location.href).pathname);
  if (!found) return;
  loadPage(found.route).catch(() => undefined);
  prefetchData(client, found);
}

/** Loads what a page reads first. */
export function prefetchData(
  client: QueryClient,
  { route, params }: Pick<FoundRoute<AnyRoute>, 'route' | 'params'>,
): void {
  for (const options of route.queries?.(params) ?? []) void client.prefetchQuery(options);
  if (route.list) void client.prefetchInfiniteQuery(route.list);
}

/**
 * Loads these parts while there is nothing else to do, and, unless the browser saves data, the code of all pages of the rail and the
 * settings. Returns a function that stops it.
 */
export function prefetchWhenIdle(parts: readonly (() => Promise<unknown>)[]): () => void {
  const pages = routeTable.routes.filter(({ place }) => place !== undefined).map((route) => () => loadPage(route));
  const waiting = [...parts, ...(savesData() ? [] : pages)];
  let handle: number | undefined;
  const next = () => {
    const load = waiting.shift();
    if (load) handle = whenIdle(() => load().then(next, () => undefined));
  };
  next();
  return () => {
    if (handle !== undefined) cancelIdle(handle);
  };
}

/** Whether the user wants to save data. Only some browsers report this. */
function savesData(): boolean {
  return 'connection' in navigator && (navigator.connection as { saveData?: boolean } | undefined)?.saveData === true;
}

// Safari has no requestIdleCallback.
const whenIdle = (run: () => void) =>
  'requestIdleCallback' in window ? requestIdleCallback(run) : setTimeout(run, 500);
const cancelIdle = (handle: number) =>
  'cancelIdleCallback' in window ? cancelIdleCallback(handle) : clearTimeout(handle);
