import type { FetchInfiniteQueryOptions, FetchQueryOptions } from '@tanstack/react-query';
import type { LucideIcon } from 'lucide-react';
import type { ComponentType } from 'react';
import type { Permission } from '../api/session.ts';

/** One address of the dashboard. Its page is a file of its own, which is loaded when it is needed. */
export interface AppRoute {
  /** The path, such as `/app/experiences/:id/:tab?`. A param with `?` is optional, and names a tab of the same page. */
  path: string;
  title: string;
  icon: LucideIcon;
  load: () => Promise<{ default: ComponentType<{ params: Record<string, string> }> }>;
  /** What the page reads first. It is loaded together with the page, and before that when a link to it is hovered. */
  // biome-ignore lint/suspicious/noExplicitAny: each query has its own type
  queries?: (params: Record<string, string>) => FetchQueryOptions<any, any, any, any>[];
  /** The list whose first page the page reads. */
  // biome-ignore lint/suspicious/noExplicitAny: each list has its own type
  list?: FetchInfiniteQueryOptions<any, any, any, any, any>;
  /** The guide about the page below `docs/`, optionally with `#` and a heading, or one guide for each tab. */
  guide: string | Record<string, string>;
  /** Where the page is listed: in the rail, or among the settings under a heading. */
  place?: 'rail' | { settings: string };
  /** The keys that open the page, such as `g h`. */
  keys?: string;
  /** The permission that a person needs to see the page. */
  permission?: Permission;
  /**
   * Whether translators see the page, besides Languages and their own profile. `tab`: they see only its tab
   * "Languages".
   */
  forTranslators?: true | 'tab';
  /** The pattern of all addresses that mark this entry of the rail as current, if there are more than its own. */
  covers?: string;
  /** Whether the page uses the whole width of the window. */
  isWide?: boolean;
}

/** The address that opens a page which is listed: the one of its first tab, if it has tabs. */
export function addressOf({ path }: Pick<AppRoute, 'path'>): string {
  return path.replace(/\/:tab\?$/, '');
}

/** A page without the frame. */
export type PlainRoute = Pick<AppRoute, 'path' | 'title' | 'load'>;

interface RouteTable {
  routes: readonly AppRoute[];
  plainRoutes: readonly PlainRoute[];
  signInRoute: PlainRoute | undefined;
}

/** All routes. They import the pages, and pages import this folder, so main.tsx brings both together. */
export const routeTable: RouteTable = { routes: [], plainRoutes: [], signInRoute: undefined };
