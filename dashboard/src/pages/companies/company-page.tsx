import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { Suspense, useState } from 'react';
import type { ResponseOf } from '../../api/api.ts';
import { ApiError } from '../../api/errors.ts';
import { query } from '../../api/queries.ts';
import { useSession } from '../../api/session.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { FullPageMessage } from '../../app/full-page-message.tsx';
import { lazyComponent } from '../../app/lazy-component.ts';
import { Page, Section } from '../../app/page.tsx';
import { SearchField } from '../../lists/search-field.tsx';
import { useAddress } from '../../lists/use-address.ts';
import { formatNumber } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';
import { peopleSource } from '../../people/people-source.ts';
import { PeopleTable } from '../../people/people-table.tsx';
import { Button } from '../../ui/button.tsx';
import { Drawing } from '../../ui/drawing.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Link } from '../../ui/link.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { CompanyProperties } from './company-properties.tsx';

export type CompanyDetails = ResponseOf<'GET /v3/edit/companies/{id}'>['company'];

const texts = text.companies;

const DeleteDialog = lazyComponent(() =>
  import('./delete-company-dialog.tsx').then((module) => module.DeleteCompanyDialog),
);

export default function CompanyPage({ params: { id = '' } }: { params: Record<string, string> }) {
  const { data, error } = useQuery(query('GET /v3/edit/companies/{id}', { id }));
  if (error instanceof ApiError && error.status === 404) return <Gone />;
  if (data) return <Company company={data.company} />;
  return (
    <Page title={texts.one}>
      {error ? (
        <ErrorNotice error={error} />
      ) : (
        <div className="flex flex-col gap-6">
          <Skeleton height={132} />
          <Skeleton height={320} />
        </div>
      )}
    </Page>
  );
}

function Company({ company }: { company: CompanyDetails }) {
  const { can } = useSession();
  const [isDeleting, setDeleting] = useState(false);
  return (
    <Page
      title={company.name ?? company.uid}
      parent={{ href: '/app/companies', label: texts.title }}
      actions={
        can('edit') && (
          <Button icon={Trash2} onPress={() => setDeleting(true)}>
            {texts.delete.open}
          </Button>
        )
      }
    >
      <CompanyProperties company={company} />
      <Members company={company} />
      {isDeleting && (
        <Suspense>
          <DeleteDialog company={company} onClose={() => setDeleting(false)} />
        </Suspense>
      )}
    </Page>
  );
}

function Members({ company }: { company: CompanyDetails }) {
  const { user } = useSession();
  const { get, set } = useAddress({ isSearch: true });
  const words = get('text').trim();
  const source = peopleSource(user.id, { company_id: company.id, ...(words !== '' && { text: words }) });
  const { profiles_count: count } = company;
  const empty = words === '' ? texts.people.empty : text.people.nothingFound;
  return (
    <Section title={texts.people.title}>
      <SearchField
        label={text.people.search}
        placeholder={text.people.placeholder}
        value={get('text')}
        onChange={(next) => set({ text: next })}
        className="max-w-md"
      />
      <PeopleTable
        source={source}
        showsCompany={false}
        {...(words === '' && { describeCount: () => texts.people.count(formatNumber(count), count) })}
        empty={
          <EmptyState picture={<Drawing of="people" />} title={empty.title}>
            {empty.text}
          </EmptyState>
        }
      />
    </Section>
  );
}

function Gone() {
  const { title, text: description, action } = texts.gone;
  return (
    <FullPageMessage title={title} action={<Link href="/app/companies">{action}</Link>}>
      {description}
    </FullPageMessage>
  );
}
