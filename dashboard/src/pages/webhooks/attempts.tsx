import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ResponseOf } from '../../api/api.ts';
import { query } from '../../api/queries.ts';
import { formatNumber } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';
import { Drawing } from '../../ui/drawing.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Table, type TableColumn } from '../../ui/table.tsx';
import { AttemptDialog } from './attempt-dialog.tsx';
import { AttemptResult } from './attempt-result.tsx';
import { ListSection } from './list-section.tsx';
import { topicName } from './topic-picker.tsx';

type Attempt = ResponseOf<'GET /v3/edit/webhooks/{id}/attempts'>['attempts'][number];

const { attempts: texts } = text.webhooks;

const columns: TableColumn<Attempt>[] = [
  { id: 'kind', label: texts.columns.kind, width: '2fr', minWidth: 130, render: ({ kind }) => topicName(kind) },
  {
    id: 'result',
    label: texts.columns.result,
    width: '1fr',
    minWidth: 90,
    render: (attempt) => <AttemptResult {...attempt} />,
  },
  {
    id: 'duration',
    label: texts.columns.duration,
    width: 90,
    align: 'end',
    isSecondary: true,
    render: ({ duration_ms }) => texts.duration(formatNumber(duration_ms)),
  },
  { id: 'at', label: texts.columns.at, width: 132, minWidth: 90, render: ({ at }) => <RelativeTime time={at} /> },
];

/** The requests of the last days. A row opens a dialog with the request and the response. */
export function Attempts({ webhookId }: { webhookId: string }) {
  const { data, error } = useQuery(query('GET /v3/edit/webhooks/{id}/attempts', { id: webhookId, limit: 100 }));
  const [opened, setOpened] = useState<string>();
  return (
    <ListSection
      texts={texts}
      isLoaded={data !== undefined}
      error={error}
      list={
        <Table
          label={texts.title}
          columns={columns}
          rows={data?.attempts}
          expectedRows={3}
          maxRows={6}
          nameOf={({ kind }) => topicName(kind)}
          onOpen={({ id }) => setOpened(id)}
          empty={
            <EmptyState picture={<Drawing of="webhooks" />} title={texts.empty.title}>
              {texts.empty.text}
            </EmptyState>
          }
        />
      }
    >
      {opened !== undefined && (
        <AttemptDialog webhookId={webhookId} attemptId={opened} onClose={() => setOpened(undefined)} />
      )}
    </ListSection>
  );
}
