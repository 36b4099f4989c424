import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { ApiError } from '../../api/errors.ts';
import { keyOf } from '../../api/nouns.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { FullPageMessage } from '../../app/full-page-message.tsx';
import { requestHeadingFocus } from '../../app/heading-focus.ts';
import { lazyComponent } from '../../app/lazy-component.ts';
import { NotFound } from '../../app/not-found.tsx';
import { Page } from '../../app/page.tsx';
import { TabSkeleton } from '../../app/tab-skeleton.tsx';
import * as text from '../../messages/text.ts';
import { type PersonDetails, personQuery } from '../../people/person-details.ts';
import { Link } from '../../ui/link.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { TabNav } from '../../ui/tab-nav.tsx';
import { Forgotten } from './forgotten.tsx';
import { forgottenPeople } from './forgotten-people.ts';
import { PersonHeader } from './person-header.tsx';
import { personTabs } from './person-tabs.ts';

const texts = text.person;

const tabParts = new Map(
  personTabs.map(({ path, load }) => [path, lazyComponent(() => load().then((module) => module.default))]),
);

/** One person: who they are, and the tabs. */
export default function PersonPage({ params: { id = '', tab = '' } }: { params: Record<string, string> }) {
  const { deletionId, onForgotten } = useForgotten(id);
  const { data, error } = useQuery({ ...personQuery(id), enabled: deletionId === undefined });
  if (deletionId !== undefined) return <Forgotten deletionId={deletionId} />;
  if (!tabParts.has(tab)) return <NotFound />;
  if (error instanceof ApiError && error.status === 404) return <Gone />;
  if (data) return <ShownPerson person={data.profile} tab={tab} onForgotten={onForgotten} />;
  if (!error) return <PageSkeleton label={text.frame.loadingPage} />;
  return (
    <Page title={texts.one}>
      <ErrorNotice error={error} />
    </Page>
  );
}

/** A person who was forgotten in this tab shows as forgotten immediately, and nothing that was loaded about them is kept. */
function useForgotten(id: string) {
  const client = useQueryClient();
  const [deletionId, setDeletionId] = useState(() => forgottenPeople.get(id));
  const onForgotten = (deletion: string) => {
    forgottenPeople.set(id, deletion);
    setDeletionId(deletion);
    client.removeQueries({ queryKey: keyOf('profiles') });
    requestHeadingFocus();
  };
  return { deletionId, onForgotten };
}

interface ShownPersonProps {
  person: PersonDetails;
  tab: string;
  onForgotten: (deletionId: string) => void;
}

function ShownPerson({ person, tab, onForgotten }: ShownPersonProps) {
  const Tab = tabParts.get(tab);
  return (
    <div className="flex flex-col gap-6">
      <PersonHeader person={person} onForgotten={onForgotten} />
      <div className="border-b border-line">
        <TabNav
          label={texts.tabs.label}
          tabs={personTabs.map(({ path, title }) => ({
            href: `/app/people/${person.id}${path && `/${path}`}`,
            title,
            isCurrent: path === tab,
          }))}
        />
      </div>
      <Suspense fallback={<TabSkeleton />}>{Tab && <Tab person={person} />}</Suspense>
    </div>
  );
}

function Gone() {
  const { title, text: description, action } = texts.gone;
  return (
    <FullPageMessage title={title} action={<Link href="/app/people">{action}</Link>}>
      {description}
    </FullPageMessage>
  );
}
