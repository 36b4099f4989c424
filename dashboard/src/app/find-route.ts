import { type AppRoute, plainRoutes, routes } from '../routes.tsx';
import { matchPath } from './match-path.ts';

type AnyRoute = Pick<AppRoute, 'path' | 'title' | 'load' | 'queries'>;

export interface FoundRoute<Route> {
  route: Route;
  params: Record<string, string>;
}

function findIn<Route extends { path: string }>(list: readonly Route[], path: string): FoundRoute<Route> | undefined {
  for (const route of list) {
    const params = matchPath(route.path, path);
    if (params) return { route, params };
  }
  return undefined;
}

export const findAppRoute = (path: string) => findIn(routes, path);
export const findPlainRoute = (path: string) => findIn(plainRoutes, path);
export const findAnyRoute = (path: string) => findIn<AnyRoute>([...routes, ...plainRoutes], path);
