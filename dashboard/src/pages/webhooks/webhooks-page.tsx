import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { Suspense } from 'react';
import { useLocation } from 'wouter';
import { query } from '../../api/queries.ts';
import { useSession } from '../../api/session.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { lazyComponent } from '../../app/lazy-component.ts';
import { Page } from '../../app/page.tsx';
import { useNewDialogState } from '../../app/use-new-dialog.ts';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { Drawing } from '../../ui/drawing.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Table, type TableColumn } from '../../ui/table.tsx';
import { SendingPaused } from './sending-paused.tsx';
import { type ShownWebhook, WebhookState } from './webhook-state.tsx';

const webhooks = text.webhooks;
const MAX_WEBHOOKS = 5;
const CreateWebhookDialog = lazyComponent(() =>
  import('./create-webhook-dialog.tsx').then((module) => module.CreateWebhookDialog),
);

const columns: TableColumn<ShownWebhook>[] = [
  { id: 'name', label: webhooks.columns.name, width: '1fr', minWidth: 110, render: ({ name }) => name },
  {
    id: 'address',
    label: webhooks.columns.address,
    width: '2fr',
    minWidth: 160,
    isSecondary: true,
    render: ({ uid }) => <span title={uid}>{uid.replace(/^https?:\/\//, '')}</span>,
  },
  { id: 'state', label: webhooks.columns.state, width: 110, render: (webhook) => <WebhookState webhook={webhook} /> },
  {
    id: 'last',
    label: webhooks.columns.last,
    width: 170,
    isSecondary: true,
    render: ({ last_item_at, last_item_state }) =>
      last_item_at === null ? (
        webhooks.never
      ) : (
        <>
          {last_item_state && webhooks.last[last_item_state]} <RelativeTime time={last_item_at} />
        </>
      ),
  },
];

const pathOf = (id: string) => `/app/settings/webhooks/${id}`;

export default function WebhooksPage() {
  const { can } = useSession();
  const [, navigate] = useLocation();
  const { data, error } = useQuery(query('GET /v3/edit/webhooks'));
  const [isCreating, setCreating] = useNewDialogState(can('edit'));
  const isFull = (data?.webhooks.length ?? 0) >= MAX_WEBHOOKS;
  const create = can('edit') && (
    <Button look="primary" icon={Plus} isDisabled={isFull} onPress={() => setCreating(true)}>
      {webhooks.new}
    </Button>
  );
  return (
    <Page title={webhooks.title} intro={webhooks.intro} actions={data?.webhooks.length === 0 ? undefined : create}>
      <SendingPaused />
      {!data && <ErrorNotice error={error} />}
      {(data || !error) && (
        <Table
          label={webhooks.title}
          columns={columns}
          rows={data?.webhooks}
          expectedRows={2}
          nameOf={({ name }) => name}
          hrefOf={({ id }) => pathOf(id)}
          empty={
            <EmptyState picture={<Drawing of="webhooks" />} title={webhooks.empty.title} action={create}>
              {webhooks.empty.text}
            </EmptyState>
          }
        />
      )}
      {isFull && can('edit') && <p className="text-13 text-soft">{webhooks.full}</p>}
      <Suspense fallback={null}>
        {isCreating && (
          <CreateWebhookDialog onClose={() => setCreating(false)} onCreated={(id) => navigate(pathOf(id))} />
        )}
      </Suspense>
    </Page>
  );
}
