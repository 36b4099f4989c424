import { type ComponentType, use } from 'react';
import type { AppRoute } from './route.ts';

type Page = ComponentType<{ params: Record<string, string> }>;
type Loadable = Pick<AppRoute, 'load'>;

const loaded = new Map<Loadable, Page>();
const loading = new Map<Loadable, Promise<Page>>();

/** Loads the code of a page, once. */
export function loadPage(route: Loadable): Promise<Page> {
  const known = loading.get(route);
  if (known) return known;
  const promise = route.load().then(
    ({ default: page }) => {
      loaded.set(route, page);
      return page;
    },
    (error) => {
      // The failed load is dropped, so that the next visit of the page tries again.
      loading.delete(route);
      throw new PageLoadError(error);
    },
  );
  loading.set(route, promise);
  return promise;
}

/** The page of a route. A page that was loaded in advance renders immediately. */
export function usePage(route: Loadable): Page {
  return loaded.get(route) ?? use(loadPage(route));
}

/** The file of a page could not be loaded: it is gone after an update of the server, or the connection is lost. */
export class PageLoadError extends Error {
  constructor(cause: unknown) {
    super('The page could not be loaded', { cause });
    this.name = 'PageLoadError';
  }
}
