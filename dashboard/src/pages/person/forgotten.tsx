import { timeOfId } from '@usher/domain';
import { useSession } from '../../api/session.ts';
import { PageHeading } from '../../app/page.tsx';
import { formatExactTime } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Link } from '../../ui/link.tsx';

const texts = text.person.forgotten;

/** The Deletion, as proof. It contains no name. */
export function Forgotten({ deletionId }: { deletionId: string }) {
  const { can } = useSession();
  const time = new Date(timeOfId(deletionId));
  return (
    <div className="mx-auto flex max-w-xl flex-col gap-4 py-10">
      <PageHeading title={texts.title} />
      <p className="text-soft">{texts.text}</p>
      <CodeBlock label={texts.copyLabel} code={texts.proof(deletionId, time.toISOString(), formatExactTime(time))} />
      <p className="text-13 text-soft">{texts.check}</p>
      <p className="flex flex-wrap gap-x-4 gap-y-1">
        <Link href="/app/people">{texts.action}</Link>
        {can('own') && <Link href="/app/settings/audit-log?action=profile.forget">{texts.auditLog}</Link>}
      </p>
    </div>
  );
}
