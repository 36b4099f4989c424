import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { query } from '../../api/queries.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { Drawing } from '../../ui/drawing.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Table, type TableColumn } from '../../ui/table.tsx';
import { ReportMenu, type SavedReport } from './report-menu.tsx';

const texts = text.analytics.reports;

const columns: TableColumn<SavedReport>[] = [
  { id: 'name', label: texts.columns.name, width: '2fr', minWidth: 140, render: ({ name }) => name },
  { id: 'kind', label: texts.columns.kind, width: 120, render: ({ kind }) => texts.kinds[kind] },
  {
    id: 'updated',
    label: texts.columns.updated,
    width: 140,
    isSecondary: true,
    render: ({ updated_at }) => <RelativeTime time={updated_at} />,
  },
  {
    id: 'actions',
    label: texts.columns.actions,
    isLabelHidden: true,
    width: 56,
    align: 'end',
    render: (report) => <ReportMenu report={report} />,
  },
];

/** The saved reports of the account. */
export default function ReportsTab() {
  const [, navigate] = useLocation();
  const { data, error } = useQuery(query('GET /v3/edit/reports', { limit: 500 }));
  if (error && !data) return <ErrorNotice error={error} />;
  return (
    <Table
      label={texts.all}
      columns={columns}
      rows={data?.reports}
      expectedRows={3}
      nameOf={({ name }) => name}
      hrefOf={({ id }) => `/app/analytics/reports/${id}`}
      empty={
        <EmptyState
          picture={<Drawing of="timeline" />}
          title={texts.empty.title}
          action={<Button onPress={() => navigate('/app/analytics')}>{texts.empty.action}</Button>}
        >
          {texts.empty.text}
        </EmptyState>
      }
    />
  );
}
