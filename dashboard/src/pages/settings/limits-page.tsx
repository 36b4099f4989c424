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
import { ManagedIcon, useManaged } from '../../files/managed-notice.tsx';
import { formatNumber } from '../../messages/format.ts';
import { describePeriod, periodOf } from '../../messages/period.ts';
import * as text from '../../messages/text.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Drawing } from '../../ui/drawing.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Table, type TableColumn, TwoLines } from '../../ui/table.tsx';
import { showToast } from '../../ui/toast.tsx';
import type { LimitGroup } from './limit-dialogs.tsx';
import { describeMembers } from './members.ts';

const limits = text.limits;
const CreateLimitDialog = lazyComponent(() => import('./limit-dialogs.tsx').then((module) => module.CreateLimitDialog));
const EditLimitDialog = lazyComponent(() => import('./limit-dialogs.tsx').then((module) => module.EditLimitDialog));

const dataColumns = (managed: ReadonlyMap<string, unknown>): TableColumn<LimitGroup>[] => [
  {
    id: 'name',
    label: limits.columns.name,
    width: '2fr',
    minWidth: 110,
    render: ({ id, name }) => (
      <span className="flex min-w-0 items-center gap-2">
        <bdi className="truncate">{name}</bdi>
        {managed.has(id) && <ManagedIcon />}
      </span>
    ),
  },
  {
    id: 'limit',
    label: limits.columns.limit,
    width: '1fr',
    minWidth: 136,
    render: (group) => {
      const rule = limits.rule(formatNumber(group.max_count), describePeriod(periodOf(group.period_hours)));
      const further = listFurther(group);
      return further.length === 0 ? rule : <TwoLines first={rule} second={further.join(', ')} />;
    },
  },
  {
    id: 'experiences',
    label: limits.columns.experiences,
    width: '1fr',
    minWidth: 140,
    isSecondary: true,
    render: describeMembers,
  },
];

/** The limits of steps and seconds, beside that of tours and surveys. */
function listFurther({ max_steps, max_seconds }: LimitGroup): string[] {
  return [
    ...(max_steps === null ? [] : [limits.steps(formatNumber(max_steps))]),
    ...(max_seconds === null ? [] : [limits.seconds(formatNumber(max_seconds))]),
  ];
}

function actionsColumn(
  edit: (group: LimitGroup) => void,
  remove: (group: LimitGroup) => void,
): TableColumn<LimitGroup> {
  return {
    id: 'actions',
    label: limits.columns.actions,
    isLabelHidden: true,
    width: 84,
    align: 'end',
    render: (group) => (
      <span className="flex">
        <IconButton icon={Pencil} size="small" label={limits.editGroup(group.name)} onPress={() => edit(group)} />
        <IconButton icon={Trash2} size="small" label={limits.removeGroup(group.name)} onPress={() => remove(group)} />
      </span>
    ),
  };
}

export default function LimitsPage() {
  const { can } = useSession();
  const { data, error } = useQuery(query('GET /v3/edit/limit_groups', { limit: 500 }));
  const [open, setOpen] = useState<'create' | { edit: string } | undefined>();
  const managed = useManaged();
  const remove = useRemoveGroup();
  const edited = typeof open === 'object' ? data?.limit_groups.find(({ id }) => id === open.edit) : undefined;
  const create = can('edit') && (
    <Button look="primary" icon={Plus} onPress={() => setOpen('create')}>
      {limits.new}
    </Button>
  );
  const edit = ({ id }: LimitGroup) => setOpen({ edit: id });
  const columns = [...dataColumns(managed), ...(can('edit') ? [actionsColumn(edit, remove)] : [])];
  return (
    <Page title={limits.title} intro={limits.intro} actions={data?.limit_groups.length === 0 ? undefined : create}>
      {!data && <ErrorNotice error={error} />}
      {(data || !error) && (
        <Table
          label={limits.title}
          columns={columns}
          rows={data?.limit_groups}
          expectedRows={2}
          nameOf={({ name }) => name}
          hasTwoLines={data?.limit_groups.some((group) => listFurther(group).length > 0) ?? false}
          {...(can('edit') && { onOpen: edit })}
          empty={
            <EmptyState picture={<Drawing of="limits" />} title={limits.empty.title} action={create}>
              {limits.empty.text}
            </EmptyState>
          }
        />
      )}
      <Suspense fallback={null}>
        {open === 'create' && <CreateLimitDialog onClose={() => setOpen(undefined)} />}
        {edited && <EditLimitDialog key={edited.id} group={edited} onClose={() => setOpen(undefined)} />}
      </Suspense>
    </Page>
  );
}

/** Nothing refers to a limit group, so it can be created again with the same fields. */
function useRemoveGroup(): (group: LimitGroup) => void {
  const remove = useSend('DELETE /v3/edit/limit_groups/{id}');
  const create = useSend('POST /v3/edit/limit_groups');
  return ({ id, name, description, max_count, period_hours, max_steps, max_seconds, kind, experience_ids, tag_ids }) =>
    remove.mutate(
      { id },
      {
        onSuccess: () =>
          showUndo({
            title: limits.removed(name),
            about: [`limit_groups/${id}`],
            undo: async () => {
              const lists = { kind, experience_ids, tag_ids };
              const limited = { max_count, period_hours, max_steps, max_seconds };
              await create.mutateAsync({ name, description, ...limited, ...lists });
              showToast({ title: limits.restored(name) });
            },
          }),
        onError: showError,
      },
    );
}
