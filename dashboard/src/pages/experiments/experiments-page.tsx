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
import { type Experiment, ExperimentState } from './experiment-state.tsx';

const texts = text.experiments;
const NewExperimentDialog = lazyComponent(() =>
  import('./new-experiment-dialog.tsx').then((module) => module.NewExperimentDialog),
);

const columns: TableColumn<Experiment>[] = [
  { id: 'name', label: texts.columns.name, width: '1fr', minWidth: 110, render: ({ name }) => name },
  { id: 'state', label: texts.columns.state, width: 110, render: ({ state }) => <ExperimentState state={state} /> },
  {
    id: 'variants',
    label: texts.columns.variants,
    width: '1fr',
    minWidth: 140,
    isSecondary: true,
    render: ({ variants }) => variants.map(({ name }) => name).join(' · '),
  },
  {
    id: 'started',
    label: texts.columns.started,
    width: 140,
    isSecondary: true,
    render: ({ started_at }) => (started_at === null ? texts.notYet : <RelativeTime time={started_at} />),
  },
];

const pathOf = (id: string) => `/app/experiments/${id}`;

export default function ExperimentsPage() {
  const { can } = useSession();
  const [, navigate] = useLocation();
  const { data, error } = useQuery(query('GET /v3/edit/experiments', { limit: 500 }));
  const [isCreating, setCreating] = useNewDialogState(can('edit'));
  const create = can('edit') && (
    <Button look="primary" icon={Plus} onPress={() => setCreating(true)}>
      {texts.new}
    </Button>
  );
  return (
    <Page title={texts.title} intro={texts.intro} actions={data?.experiments.length === 0 ? undefined : create}>
      {!data && <ErrorNotice error={error} />}
      {(data || !error) && (
        <Table
          label={texts.title}
          columns={columns}
          rows={data?.experiments}
          expectedRows={2}
          nameOf={({ name }) => name}
          hrefOf={({ id }) => pathOf(id)}
          empty={
            <EmptyState picture={<Drawing of="experiments" />} title={texts.empty.title} action={create}>
              {texts.empty.text}
            </EmptyState>
          }
        />
      )}
      <Suspense fallback={null}>
        {isCreating && (
          <NewExperimentDialog onClose={() => setCreating(false)} onCreated={(id) => navigate(pathOf(id))} />
        )}
      </Suspense>
    </Page>
  );
}
