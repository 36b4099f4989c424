import type { FetchQueryOptions } from '@tanstack/react-query';
import type { LucideIcon } from 'lucide-react';
import type { ComponentType } from 'react';
import type { Permission } from '../api/session.ts';

/** One address of the dashboard. Its page is a file of its own, which is loaded when it is needed. */
export interface AppRoute {
  /** Such as `/app/experiences/:id/:tab?`. What ends with `?` may be missing, and names a tab of the same page. */
  path: string;
  title: string;
  icon: LucideIcon;
  load: () => Promise<{ default: ComponentType<{ params: Record<string, string> }> }>;
  /** What the page reads first. It is loaded together with the page, and before that when a link to it is hovered. */
  // biome-ignore lint/suspicious/noExplicitAny: each query has its own type
  queries?: () => FetchQueryOptions<any, any, any, any>[];
  /** The guide about it below `docs/`, maybe with `#` and a heading, or one for each tab. */
  guide: string | Record<string, string>;
  /** Where it is listed: in the rail, or among the settings under a heading. */
  place?: 'rail' | { settings: string };
  /** The keys that go there, such as `g h`. */
  keys?: string;
  /** The permission that a person needs to see the page. */
  permission?: Permission;
  /** Translators see it: they have Languages and what is their own. `tab`: only the tab "Languages" of it. */
  forTranslators?: true | 'tab';
  /** The address that marks an entry of the rail as current, if it is not only its own. */
  covers?: string;
  /** Whether the page uses the whole width of the window. */
  isWide?: boolean;
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
