import { useQuery } from '@tanstack/react-query';
import { query } from '../../api/queries.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { FormSkeleton } from '../../app/form-skeleton.tsx';
import { Page } from '../../app/page.tsx';
import * as text from '../../messages/text.ts';
import { AccountForm } from './account-form.tsx';
import { Retention } from './retention.tsx';

export default function AccountPage() {
  const { data, error } = useQuery(query('GET /v3/edit/account'));
  return (
    <Page title={text.account.title} intro={text.account.intro}>
      {!data && <ErrorNotice error={error} />}
      {!data && !error && <FormSkeleton label={text.account.title} heights={[190, 130, 150, 220]} />}
      {data && (
        <>
          <AccountForm account={data.account} />
          <Retention eventsDays={data.account.events_days} />
        </>
      )}
    </Page>
  );
}
