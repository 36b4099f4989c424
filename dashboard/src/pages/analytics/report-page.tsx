import { useQuery } from '@tanstack/react-query';
import { Redirect } from 'wouter';
import { ApiError } from '../../api/errors.ts';
import { query } from '../../api/queries.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { FullPageMessage } from '../../app/full-page-message.tsx';
import { Page } from '../../app/page.tsx';
import * as text from '../../messages/text.ts';
import { Link } from '../../ui/link.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { addressOfReport } from './report-address.ts';

const texts = text.analytics.reports;

/** The link of a saved report, which opens its tab with its params. */
export default function ReportPage({ params: { id = '' } }: { params: Record<string, string> }) {
  const { data, error } = useQuery(query('GET /v3/edit/reports/{id}', { id }));
  if (data) return <Redirect to={addressOfReport(data.report)} replace />;
  if (error instanceof ApiError && error.status === 404)
    return (
      <FullPageMessage title={texts.gone.title} action={<Link href="/app/analytics/reports">{texts.gone.action}</Link>}>
        {texts.gone.text}
      </FullPageMessage>
    );
  if (!error) return <PageSkeleton label={text.frame.loadingPage} />;
  return (
    <Page title={texts.one}>
      <ErrorNotice error={error} />
    </Page>
  );
}
