import { useQuery } from '@tanstack/react-query';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { Suspense, useState } from 'react';
import { query, useSend } from '../../api/queries.ts';
import { useSession } from '../../api/session.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { lazyComponent } from '../../app/lazy-component.ts';
import { Page } from '../../app/page.tsx';
import { showError } from '../../app/show-error.ts';
import { showUndo } from '../../app/show-undo.ts';
import { formatNumber } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Drawing } from '../../ui/drawing.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Table, type TableColumn } from '../../ui/table.tsx';
import { showToast } from '../../ui/toast.tsx';
import type { AlertGroup } from './alert-dialogs.tsx';
import { describeMembers } from './members.ts';

const alerts = text.alerts;
const CreateAlertDialog = lazyComponent(() => import('./alert-dialogs.tsx').then((module) => module.CreateAlertDialog));
const EditAlertDialog = lazyComponent(() => import('./alert-dialogs.tsx').then((module) => module.EditAlertDialog));

const dataColumns: TableColumn<AlertGroup>[] = [
  { id: 'name', label: alerts.columns.name, width: '1fr', minWidth: 90, render: ({ name }) => name },
  {
    id: 'rule',
    label: alerts.columns.rule,
    width: '1.3fr',
    minWidth: 150,
    render: ({ style, interval }) => alerts.rules[style](formatNumber(interval)),
  },
  {
    id: 'state',
    label: alerts.columns.state,
    width: 70,
    isSecondary: true,
    render: ({ published_at }) =>
      published_at === null ? <Badge>{alerts.off}</Badge> : <Badge tone="good">{alerts.on}</Badge>,
  },
  {
    id: 'experiences',
    label: alerts.columns.experiences,
    width: 170,
    isSecondary: true,
    render: describeMembers,
  },
  {
    id: 'notified',
    label: alerts.columns.notified,
    width: 115,
    isSecondary: true,
    render: ({ last_notified_at }) => (last_notified_at ? <RelativeTime time={last_notified_at} /> : alerts.never),
  },
];

function actionsColumn(
  edit: (group: AlertGroup) => void,
  remove: (group: AlertGroup) => void,
): TableColumn<AlertGroup> {
  return {
    id: 'actions',
    label: alerts.columns.actions,
    isLabelHidden: true,
    width: 84,
    align: 'end',
    render: (group) => (
      <span className="flex">
        <IconButton icon={Pencil} size="small" label={alerts.editGroup(group.name)} onPress={() => edit(group)} />
        <IconButton icon={Trash2} size="small" label={alerts.removeGroup(group.name)} onPress={() => remove(group)} />
      </span>
    ),
  };
}

export default function AlertsPage() {
  const { can } = useSession();
  const { data, error } = useQuery(query('GET /v3/edit/alert_groups', { limit: 500 }));
  const [open, setOpen] = useState<'create' | { edit: string } | undefined>();
  const remove = useRemoveGroup();
  const edited = typeof open === 'object' ? data?.alert_groups.find(({ id }) => id === open.edit) : undefined;
  const create = can('edit') && (
    <Button look="primary" icon={Plus} onPress={() => setOpen('create')}>
      {alerts.new}
    </Button>
  );
  const edit = ({ id }: AlertGroup) => setOpen({ edit: id });
  const columns = [...dataColumns, ...(can('edit') ? [actionsColumn(edit, remove)] : [])];
  return (
    <Page title={alerts.title} intro={alerts.intro} actions={data?.alert_groups.length === 0 ? undefined : create}>
      {!data && <ErrorNotice error={error} />}
      {(data || !error) && (
        <Table
          label={alerts.title}
          columns={columns}
          rows={data?.alert_groups}
          expectedRows={2}
          nameOf={({ name }) => name}
          {...(can('edit') && { onOpen: edit })}
          empty={
            <EmptyState picture={<Drawing of="alerts" />} title={alerts.empty.title} action={create}>
              {alerts.empty.text}
            </EmptyState>
          }
        />
      )}
      <Suspense fallback={null}>
        {open === 'create' && <CreateAlertDialog onClose={() => setOpen(undefined)} />}
        {edited && <EditAlertDialog key={edited.id} group={edited} onClose={() => setOpen(undefined)} />}
      </Suspense>
    </Page>
  );
}

/** Nothing refers to an alert group, so it can be created again with the same fields. */
function useRemoveGroup(): (group: AlertGroup) => void {
  const remove = useSend('DELETE /v3/edit/alert_groups/{id}', ['attention']);
  const create = useSend('POST /v3/edit/alert_groups', ['attention']);
  return ({ id, name, style, interval, published_at, kind, experience_ids, tag_ids }) =>
    remove.mutate(
      { id },
      {
        onSuccess: () =>
          showUndo({
            title: alerts.removed(name),
            about: [`alert_groups/${id}`],
            undo: async () => {
              const lists = { kind, experience_ids, tag_ids };
              await create.mutateAsync({ name, style, interval, published_at, ...lists });
              showToast({ title: alerts.restored(name) });
            },
          }),
        onError: showError,
      },
    );
}
