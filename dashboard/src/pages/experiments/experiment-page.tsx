import { useQuery } from '@tanstack/react-query';
import { ApiError } from '../../api/errors.ts';
import { query } from '../../api/queries.ts';
import { useSession } from '../../api/session.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { FormSkeleton } from '../../app/form-skeleton.tsx';
import { FullPageMessage } from '../../app/full-page-message.tsx';
import { Page } from '../../app/page.tsx';
import { ManagedNotice } from '../../files/managed-notice.tsx';
import * as text from '../../messages/text.ts';
import { Link } from '../../ui/link.tsx';
import { ExperimentActions } from './experiment-actions.tsx';
import { ExperimentForm } from './experiment-form.tsx';
import { ExperimentState } from './experiment-state.tsx';
import { PublishWinner } from './publish-winner.tsx';
import { Results } from './results.tsx';

const texts = text.experiments;

/** One experiment: what it has found, and its settings. */
export default function ExperimentPage({ params: { id = '' } }: { params: Record<string, string> }) {
  const { can } = useSession();
  const { data, error } = useQuery(query('GET /v3/edit/experiments/{id}', { id }));
  if (error instanceof ApiError && error.status === 404)
    return (
      <FullPageMessage title={texts.gone.title} action={<Link href="/app/experiments">{texts.gone.action}</Link>}>
        {texts.gone.text}
      </FullPageMessage>
    );
  if (!data)
    return (
      <Page title={texts.one}>
        {error ? <ErrorNotice error={error} /> : <FormSkeleton label={texts.one} heights={[200, 420]} />}
      </Page>
    );
  const { experiment } = data;
  return (
    <Page
      title={experiment.name}
      parent={{ href: '/app/experiments', label: texts.title }}
      intro={<ExperimentState state={experiment.state} />}
      actions={<ExperimentActions experiment={experiment} />}
    >
      <ManagedNotice id={id} />
      <Results experiment={experiment} />
      {experiment.state === 'running' && can('publish') && <PublishWinner experiment={experiment} />}
      {can('edit') && <ExperimentForm key={id} experiment={experiment} />}
    </Page>
  );
}
