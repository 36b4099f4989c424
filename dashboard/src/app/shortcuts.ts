import { useLocation } from 'wouter';
import { useSession } from '../api/session.ts';
import * as text from '../messages/text.ts';
import type { Shortcut } from '../ui/shortcuts.ts';
import { mayOpen } from './may-open.ts';
import { addressOf, routeTable } from './route.ts';

const labels = text.frame.shortcutLabels;

/** The shortcuts that work on every page. */
export const SHORTCUTS = {
  search: { keys: 'mod+k', label: labels.search },
  sheet: { keys: '?', label: labels.sheet },
  sidebar: { keys: '[', label: labels.sidebar },
};

export const rowShortcuts = [
  { keys: 'j k', label: labels.move },
  { keys: 'Space', label: labels.select },
  { keys: 'enter', label: labels.open },
];

/** The routes that the person may open. */
export function useAllowedRoutes() {
  const session = useSession();
  return routeTable.routes.filter((route) => mayOpen(session, route));
}

export function useGoToShortcuts(): Shortcut[] {
  const [, navigate] = useLocation();
  return useAllowedRoutes().flatMap((route) =>
    route.keys === undefined
      ? []
      : [{ keys: route.keys, label: text.frame.goTo(route.title), onPress: () => navigate(addressOf(route)) }],
  );
}
