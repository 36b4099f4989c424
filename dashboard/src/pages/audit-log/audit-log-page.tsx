import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listQuery } from '../../api/list.ts';
import { query } from '../../api/queries.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { Page } from '../../app/page.tsx';
import { formatNumber } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { Drawing } from '../../ui/drawing.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Table, type TableColumn } from '../../ui/table.tsx';
import { isNarrow, useWidth } from '../../ui/use-width.ts';
import { AuditFilters } from './audit-filters.tsx';
import { describeEntry, describeVia, type Entry } from './describe-entry.ts';
import { EntryDialog } from './entry-dialog.tsx';
import { ExportMenu } from './export-menu.tsx';
import { useFilters } from './use-filters.ts';

const auditLog = text.auditLog;

export default function AuditLogPage() {
  const { filters, setFilter, clear } = useFilters();
  const [ref, width] = useWidth();
  const entries = useInfiniteQuery(listQuery('GET /v3/analyze/audit_entries', { ...filters, limit: 50 }));
  const { data: secrets } = useQuery(query('GET /v3/edit/secrets', { limit: 500 }));
  const [opened, setOpened] = useState<Entry>();
  const secretNames = new Map(secrets?.secrets.map(({ id, name }) => [id, name]));
  const rows = entries.data?.pages.flatMap((page) => page.audit_entries);
  const isFiltered = Object.keys(filters).length > 0;
  const columns: TableColumn<Entry>[] = [
    {
      id: 'what',
      label: auditLog.columns.what,
      width: '1fr',
      minWidth: 180,
      render: (entry) => <Sentence entry={entry} />,
    },
    {
      id: 'via',
      label: auditLog.columns.via,
      width: 132,
      isSecondary: true,
      render: (entry) => describeVia(entry, secretNames),
    },
    {
      id: 'network',
      label: auditLog.columns.network,
      width: 116,
      isSecondary: true,
      render: ({ network }) => network ?? auditLog.noNetwork,
    },
    {
      id: 'when',
      label: auditLog.columns.when,
      width: 132,
      render: ({ created_at }) => <RelativeTime time={created_at} />,
    },
  ];
  const empty = isFiltered ? auditLog.nothingFound : auditLog.empty;
  return (
    <Page title={auditLog.title} intro={auditLog.intro} actions={<ExportMenu filters={filters} />}>
      <AuditFilters filters={filters} onChange={setFilter} onClear={clear} entries={rows} />
      <ErrorNotice error={entries.error} />
      <div ref={ref} className="empty:hidden">
        {(rows || !entries.error) && (
          <Table
            label={auditLog.title}
            columns={columns}
            rows={rows}
            expectedRows={8}
            maxRows={20}
            hasTwoLines={isNarrow(width)}
            nameOf={(entry) => Object.values(describeEntry(entry)).join(' ')}
            onOpen={setOpened}
            empty={
              <EmptyState
                picture={<Drawing of="auditLog" />}
                title={empty.title}
                action={isFiltered && <Button onPress={clear}>{auditLog.filters.clear}</Button>}
              >
                {empty.description}
              </EmptyState>
            }
          />
        )}
      </div>
      {rows && rows.length > 0 && (
        <div className="flex items-center gap-3">
          {entries.hasNextPage && (
            <Button isPending={entries.isFetchingNextPage} onPress={() => entries.fetchNextPage()}>
              {auditLog.more}
            </Button>
          )}
          <p role="status" className="text-13 text-soft">
            {auditLog.count(formatNumber(rows.length), rows.length === 1, entries.hasNextPage)}
          </p>
        </div>
      )}
      <EntryDialog entry={opened} secretNames={secretNames} onClose={() => setOpened(undefined)} />
    </Page>
  );
}

function Sentence({ entry }: { entry: Entry }) {
  const { subject, rest } = describeEntry(entry);
  return (
    <span className="@max-xl:line-clamp-2 @max-xl:whitespace-normal">
      <bdi>{subject}</bdi> <bdi className="font-normal">{rest}</bdi>
    </span>
  );
}
