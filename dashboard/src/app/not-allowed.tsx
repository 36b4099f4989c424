import { useSession } from '../api/session.ts';
import { formatList } from '../messages/format.ts';
import * as text from '../messages/text.ts';
import { Link } from '../ui/link.tsx';
import { FullPageMessage } from './full-page-message.tsx';
import { rolesFor, TRANSLATOR_HOME } from './may-open.ts';
import type { AppRoute } from './route.ts';

/** Shown at the address of a page that the role does not allow: who may see it, and what to do. */
export function NotAllowed({ route, params }: { route: AppRoute; params: Record<string, string> }) {
  const { user } = useSession();
  const { description, action } = text.errors.notAllowed;
  const isTranslator = user.role === 'translator';
  const link = isTranslator ? (
    <Link href={TRANSLATOR_HOME}>{text.frame.goTo(text.titles.languages)}</Link>
  ) : (
    <Link href="/app">{action}</Link>
  );
  return (
    <FullPageMessage title={route.title} action={link}>
      {description(
        formatList(rolesFor(route, params).map((role) => text.roles[role].plural)),
        text.roles[user.role].name,
      )}
    </FullPageMessage>
  );
}
