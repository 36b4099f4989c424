import { useQuery } from '@tanstack/react-query';
import type { ResponseOf } from '../../api/api.ts';
import { query, useSend } from '../../api/queries.ts';
import { useSession } from '../../api/session.ts';
import { showError } from '../../app/show-error.ts';
import * as text from '../../messages/text.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Table, type TableColumn } from '../../ui/table.tsx';
import { showToast } from '../../ui/toast.tsx';
import { ListSection } from './list-section.tsx';
import { topicName } from './topic-picker.tsx';
import type { ShownWebhook } from './webhook-state.tsx';

type Item = ResponseOf<'GET /v3/edit/webhooks/{id}/items'>['items'][number];

const { items: texts, attempts } = text.webhooks;
const LIMIT = 100;

/** The items that are not sent: they wait, or were given up. */
export function Items({ webhook: { id, enabled } }: { webhook: ShownWebhook }) {
  const { can } = useSession();
  const pending = useQuery(query('GET /v3/edit/webhooks/{id}/items', { id, state: 'pending', limit: LIMIT }));
  const failed = useQuery(query('GET /v3/edit/webhooks/{id}/items', { id, state: 'failed', limit: LIMIT }));
  const retry = useRetry(id);
  const rows = pending.data && failed.data && [...failed.data.items, ...pending.data.items];
  const error = pending.error ?? failed.error;
  const columns: TableColumn<Item>[] = [
    { id: 'kind', label: attempts.columns.kind, width: '2fr', minWidth: 130, render: ({ kind }) => topicName(kind) },
    {
      id: 'state',
      label: text.webhooks.columns.state,
      width: 100,
      render: ({ state }) => <Badge tone={state === 'failed' ? 'bad' : 'neutral'}>{texts.states[state]}</Badge>,
    },
    {
      id: 'next',
      label: texts.progress,
      isSecondary: true,
      width: '2fr',
      render: (item) => <ItemProgress item={item} />,
    },
    ...(can('edit') && enabled
      ? [
          {
            id: 'actions',
            label: text.limits.columns.actions,
            isLabelHidden: true,
            width: 90,
            align: 'end' as const,
            render: ({ id, kind }: Item) => (
              <Button size="small" aria-label={texts.retryItem(topicName(kind))} onPress={() => retry(id)}>
                {texts.retry}
              </Button>
            ),
          },
        ]
      : []),
  ];
  return (
    <ListSection
      texts={texts}
      isLoaded={rows !== undefined}
      error={error}
      list={
        <Table
          label={texts.title}
          columns={columns}
          rows={rows}
          expectedRows={1}
          maxRows={6}
          nameOf={({ kind }) => topicName(kind)}
          empty={<p className="text-14 text-soft">{texts.none}</p>}
        />
      }
    />
  );
}

function ItemProgress({ item: { attempts_count, next_attempt_at, state } }: { item: Item }) {
  return (
    <>
      {texts.attempts(attempts_count)}
      {state === 'pending' && (
        <>
          , <NextAttempt at={next_attempt_at} />
        </>
      )}
    </>
  );
}

/** The time of the next attempt. While sending is paused, it is in the past. */
function NextAttempt({ at }: { at: string | null }) {
  if (at === null) return texts.blocked;
  if (Date.parse(at) <= Date.now()) return texts.due;
  return (
    <>
      {texts.next} <RelativeTime time={at} />
    </>
  );
}

function useRetry(id: string): (itemId: string) => void {
  const retry = useSend('POST /v3/edit/webhooks/{id}/items/{item_id}/retry');
  const isPaused = useQuery(query('GET /v3/edit/webhook_sending')).data?.webhook_sending.paused;
  const title = isPaused ? texts.retriedWhilePaused : texts.retried;
  return (item_id) => retry.mutate({ id, item_id }, { onSuccess: () => showToast({ title }), onError: showError });
}
