import { useSession } from '../../api/session.ts';
import { PageHeading } from '../../app/page.tsx';
import * as text from '../../messages/text.ts';
import type { PersonDetails } from '../../people/person-details.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Link } from '../../ui/link.tsx';
import { PersonActions } from './person-actions.tsx';
import { PersonFacts } from './person-facts.tsx';

/** The name of the person, and the actions. */
export function PersonHeader({
  person,
  onForgotten,
}: {
  person: PersonDetails;
  onForgotten: (deletionId: string) => void;
}) {
  const { can } = useSession();
  const name = person.name ?? person.email ?? person.uid;
  return (
    <header className="flex flex-col gap-5">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="flex min-w-0 items-center gap-3">
          <Avatar name={name} size="large" />
          <div className="flex min-w-0 flex-col gap-0.5">
            <Link href="/app/people" isQuiet className="self-start text-13 text-soft">
              {text.person.list}
            </Link>
            <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
              <PageHeading title={name} className="min-w-0 text-20 wrap-anywhere" />
              {person.is_test && <Badge tone="warn">{text.person.test.badge}</Badge>}
            </div>
          </div>
        </div>
        {can('edit') && <PersonActions person={person} onForgotten={onForgotten} />}
      </div>
      <PersonFacts person={person} />
    </header>
  );
}
