import * as text from '../messages/text.ts';
import { Link } from '../ui/link.tsx';
import { FullPageMessage } from './full-page-message.tsx';

export function NotFound() {
  const { title, description, action } = text.errors.notFound;
  return (
    <FullPageMessage title={title} action={<Link href="/app">{action}</Link>}>
      {description}
    </FullPageMessage>
  );
}
