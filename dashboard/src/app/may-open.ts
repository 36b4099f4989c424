import { hasPermission, type Role, roles } from '@usher/domain';
import type { SignedIn } from '../api/session.ts';
import type { AppRoute } from './route.ts';

type Rules = Pick<AppRoute, 'permission' | 'forTranslators'>;

/** The page where a translator begins, and the tab of an Experience that they see. */
export const TRANSLATOR_HOME = '/app/languages';
const TRANSLATOR_TAB = 'languages';

/** Whether a person sees a page. A translator may read much more by the API, but has nothing to do on other pages. */
export function mayOpen({ user }: Pick<SignedIn, 'user'>, route: Rules, params?: Record<string, string>): boolean {
  if (route.permission !== undefined && !user.permissions.includes(route.permission)) return false;
  return user.role !== 'translator' || isForTranslators(route, params);
}

/** Without params, the rule is for the whole route. */
function isForTranslators({ forTranslators }: Rules, params: Record<string, string> | undefined): boolean {
  return forTranslators === true || (forTranslators === 'tab' && (!params || params.tab === TRANSLATOR_TAB));
}

/** The roles that see a page. */
export function rolesFor(route: Rules, params: Record<string, string>): Role[] {
  const { permission = 'read' } = route;
  return roles.filter(
    (role) => hasPermission({ role }, permission) && (role !== 'translator' || isForTranslators(route, params)),
  );
}
