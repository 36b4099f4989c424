import { useQuery } from '@tanstack/react-query';
import { DatabaseBackup } from 'lucide-react';
import { useState } from 'react';
import type { ResponseOf } from '../../api/api.ts';
import { query, useSend } from '../../api/queries.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { FormSkeleton } from '../../app/form-skeleton.tsx';
import { Page } from '../../app/page.tsx';
import { showError } from '../../app/show-error.ts';
import { formatBytes, formatTime } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { Drawing } from '../../ui/drawing.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { Table, type TableColumn } from '../../ui/table.tsx';
import { RestoreDialog } from './restore-dialog.tsx';

type Backups = ResponseOf<'GET /v3/edit/backups'>['backups'];
export type Backup = Backups['list'][number];

const texts = text.backups;
const RUNNING_MS = 2000;

/** The backups of the whole installation. A restore is a command, because it stops the server. */
export default function BackupsPage() {
  const { data, error } = useQuery({
    ...query('GET /v3/edit/backups'),
    refetchInterval: ({ state }) => (state.data?.backups.running ? RUNNING_MS : false),
  });
  const start = useSend('POST /v3/edit/backups');
  const [restored, setRestored] = useState<Backup>();
  const backups = data?.backups;
  return (
    <Page
      title={texts.title}
      intro={texts.intro}
      actions={
        backups?.place != null && (
          <Button
            look="primary"
            icon={DatabaseBackup}
            isPending={start.isPending}
            isDisabled={backups.running !== null}
            onPress={() => start.mutate({}, { onError: showError })}
          >
            {texts.create}
          </Button>
        )
      }
    >
      {!backups && <ErrorNotice error={error} />}
      {!backups && !error && <FormSkeleton label={texts.title} heights={[46, 320]} />}
      {backups && <Content backups={backups} onRestore={setRestored} />}
      {backups && <RestoreDialog backup={restored} engine={backups.engine} onClose={() => setRestored(undefined)} />}
    </Page>
  );
}

function Content({ backups, onRestore }: { backups: Backups; onRestore: (backup: Backup) => void }) {
  const { place, every_hours, keep, running, database_bytes, failed_at, problem, list } = backups;
  if (place === null)
    return (
      <EmptyState picture={<Drawing of="imports" />} title={texts.noPlace.title}>
        {texts.noPlace.text}
      </EmptyState>
    );
  return (
    <>
      <p className="text-14 wrap-anywhere text-soft">{texts.place(place, texts.every(every_hours ?? 24), `${keep}`)}</p>
      {running && (
        <Notice title={texts.running} action={<Spinner />}>
          <span role="status">{texts.written(formatBytes(running.bytes), formatBytes(database_bytes))}</span>
        </Notice>
      )}
      {problem !== null && (
        <Notice kind="error" title={failed_at === null ? texts.unreadable : texts.failed}>
          {problem}
          {failed_at !== null && (
            <>
              {' '}
              ({texts.tried} <RelativeTime time={failed_at} />)
            </>
          )}
        </Notice>
      )}
      <Table
        label={texts.title}
        columns={columnsOf(onRestore)}
        rows={list.map((backup) => ({ ...backup, id: backup.name }))}
        placeKey="backups"
        nameOf={({ name }) => name}
        empty={
          <EmptyState picture={<Drawing of="imports" />} title={texts.empty.title}>
            {texts.empty.text}
          </EmptyState>
        }
      />
    </>
  );
}

function columnsOf(onRestore: (backup: Backup) => void): TableColumn<Backup & { id: string }>[] {
  const { columns } = texts;
  return [
    {
      id: 'created',
      label: columns.created,
      width: '2fr',
      minWidth: 120,
      render: ({ created_at }) => <RelativeTime time={created_at} />,
    },
    {
      id: 'bytes',
      label: columns.bytes,
      width: 96,
      align: 'end',
      render: ({ bytes }) => formatBytes(bytes),
    },
    {
      id: 'kept',
      label: columns.kept,
      width: '1fr',
      minWidth: 120,
      isSecondary: true,
      render: ({ kept_until }) => <RelativeTime time={kept_until} />,
    },
    {
      id: 'actions',
      label: columns.actions,
      isLabelHidden: true,
      width: 116,
      align: 'end',
      render: (backup) => (
        <Button
          size="small"
          aria-label={texts.moreOf(formatTime(new Date(backup.created_at)))}
          onPress={() => onRestore(backup)}
        >
          {texts.more}
        </Button>
      ),
    },
  ];
}
