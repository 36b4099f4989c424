import { hasPermission, roles } from '@usher/domain';
import { useSession } from '../api/session.ts';
import * as text from '../messages/text.ts';
import type { AppRoute } from '../routes.tsx';
import { Link } from '../ui/link.tsx';
import { FullPageMessage } from './full-page-message.tsx';

/** At the address of a page for which the role is not enough: who may see it, and what to do. */
export function NotAllowed({ route: { title, permission = 'read' } }: { route: AppRoute }) {
  const { user } = useSession();
  const allowed = roles.filter((role) => hasPermission({ role }, permission));
  const { description, action } = text.errors.notAllowed;
  return (
    <FullPageMessage title={title} action={<Link href="/app">{action}</Link>}>
      {description(
        allowed.map((role) => text.roles[role].plural),
        text.roles[user.role].name,
      )}
    </FullPageMessage>
  );
}
