import { useQuery } from '@tanstack/react-query';
import { ApiError } from '../../api/errors.ts';
import { query } from '../../api/queries.ts';
import { useSession } from '../../api/session.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { FormSkeleton } from '../../app/form-skeleton.tsx';
import { FullPageMessage } from '../../app/full-page-message.tsx';
import { Page, Section } from '../../app/page.tsx';
import * as text from '../../messages/text.ts';
import { Link } from '../../ui/link.tsx';
import { Attempts } from './attempts.tsx';
import { Items } from './items.tsx';
import { PingResult, usePing } from './ping.tsx';
import { SendingPaused } from './sending-paused.tsx';
import { WebhookActions } from './webhook-actions.tsx';
import { WebhookForm } from './webhook-form.tsx';
import { WebhookProblem } from './webhook-problem.tsx';
import { type ShownWebhook, WebhookState } from './webhook-state.tsx';
import { WebhookSummary } from './webhook-summary.tsx';

const webhooks = text.webhooks;

export default function WebhookPage({ params: { id = '' } }: { params: Record<string, string> }) {
  const { data, error } = useQuery(query('GET /v3/edit/webhooks/{id}', { id }));
  if (error instanceof ApiError && error.status === 404) return <Gone />;
  if (data) return <WebhookDetails webhook={data.webhook} />;
  return (
    <Page title={webhooks.one}>
      {error ? <ErrorNotice error={error} /> : <FormSkeleton label={webhooks.one} heights={[420, 200]} />}
    </Page>
  );
}

function WebhookDetails({ webhook }: { webhook: ShownWebhook }) {
  const { can } = useSession();
  const ping = usePing(webhook.id);
  return (
    <Page
      title={webhook.name}
      intro={
        <span className="flex flex-wrap items-center gap-2">
          <WebhookState webhook={webhook} />
          <span className="wrap-anywhere">{webhook.uid}</span>
        </span>
      }
      actions={can('edit') && <WebhookActions webhook={webhook} ping={ping} />}
    >
      <SendingPaused />
      <WebhookProblem webhook={webhook} />
      <PingResult ping={ping} />
      <Attempts webhookId={webhook.id} />
      <Items webhook={webhook} />
      {can('edit') ? (
        <WebhookForm webhook={webhook} />
      ) : (
        <Section title={webhooks.settings}>
          <WebhookSummary webhook={webhook} />
        </Section>
      )}
    </Page>
  );
}

function Gone() {
  const { title, text: description, action } = webhooks.gone;
  return (
    <FullPageMessage title={title} action={<Link href="/app/settings/webhooks">{action}</Link>}>
      {description}
    </FullPageMessage>
  );
}
