import { matchPath } from './match-path.ts';
import { type AppRoute, routeTable } from './route.ts';

export type AnyRoute = Pick<AppRoute, 'path' | 'title' | 'load' | 'queries' | 'list'>;

export interface FoundRoute<Route> {
  route: Route;
  params: Record<string, string>;
  /** The address of the page, without the part that names one of its tabs. */
  page: string;
}

function findIn<Route extends { path: string }>(list: readonly Route[], path: string): FoundRoute<Route> | undefined {
  for (const route of list) {
    const params = matchPath(route.path, path);
    if (params) return { route, params, page: pageOf(route.path, path) };
  }
  return undefined;
}

function pageOf(pattern: string, path: string): string {
  return pattern.endsWith('?')
    ? path
        .split('/')
        .slice(0, pattern.split('/').length - 1)
        .join('/')
    : path;
}

export const findAppRoute = (path: string) => findIn(routeTable.routes, path);
export const findPlainRoute = (path: string) => findIn(routeTable.plainRoutes, path);
export const findAnyRoute = (path: string) => findIn<AnyRoute>([...routeTable.routes, ...routeTable.plainRoutes], path);
