import { useQuery } from '@tanstack/react-query';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useSearchParams } from 'wouter';
import type { ResponseOf } from '../../api/api.ts';
import { useSend } from '../../api/queries.ts';
import { useSession } from '../../api/session.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { lazyComponent } from '../../app/lazy-component.ts';
import { Page } from '../../app/page.tsx';
import { showError } from '../../app/show-error.ts';
import { showUndo } from '../../app/show-undo.ts';
import { ManagedIcon, useManaged } from '../../files/managed-notice.tsx';
import { describeGoal } from '../../goals/describe-goal.ts';
import { goalParams, readGoal } from '../../goals/goal-params.ts';
import { type GoalNames, goalsQuery, useGoalSubjects } from '../../goals/use-goal-names.ts';
import * as text from '../../messages/text.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Drawing } from '../../ui/drawing.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Table, type TableColumn } from '../../ui/table.tsx';
import { showToast } from '../../ui/toast.tsx';

const texts = text.goals;
const GoalDialog = lazyComponent(() => import('../../goals/goal-dialog.tsx').then((module) => module.GoalDialog));

type Goal = ResponseOf<'GET /v3/edit/goals'>['goals'][number];

const dataColumns = (names: GoalNames, managed: ReadonlyMap<string, unknown>): TableColumn<Goal>[] => [
  {
    id: 'name',
    label: texts.columns.name,
    width: '1fr',
    minWidth: 110,
    render: ({ id, name }) => (
      <span className="flex min-w-0 items-center gap-2">
        <bdi className="truncate">{name}</bdi>
        {managed.has(id) && <ManagedIcon />}
      </span>
    ),
  },
  {
    id: 'what',
    label: texts.columns.what,
    width: '2fr',
    minWidth: 140,
    render: (goal) => describeGoal(readGoal(goal), names),
  },
];

function actionsColumn(edit: (goal: Goal) => void, remove: (goal: Goal) => void): TableColumn<Goal> {
  return {
    id: 'actions',
    label: texts.columns.actions,
    isLabelHidden: true,
    width: 84,
    align: 'end',
    render: (goal) => (
      <span className="flex">
        <IconButton icon={Pencil} size="small" label={texts.edit(goal.name)} onPress={() => edit(goal)} />
        <IconButton icon={Trash2} size="small" label={texts.delete(goal.name)} onPress={() => remove(goal)} />
      </span>
    ),
  };
}

/** The goals that Experiences share. `?goal=` opens one. */
export default function GoalsPage() {
  const { can } = useSession();
  const { data, error } = useQuery(goalsQuery);
  const { names } = useGoalSubjects();
  const [search, setSearch] = useSearchParams();
  const [isCreating, setCreating] = useState(false);
  const managed = useManaged();
  const remove = useRemoveGoal();
  const edited = data?.goals.find(({ id }) => id === search.get('goal'));
  const open = (id: string | undefined) => setSearch(id === undefined ? {} : { goal: id }, { replace: true });
  const create = can('edit') && (
    <Button look="primary" icon={Plus} onPress={() => setCreating(true)}>
      {texts.new}
    </Button>
  );
  const edit = ({ id }: Goal) => open(id);
  const columns = [...dataColumns(names, managed), ...(can('edit') ? [actionsColumn(edit, remove)] : [])];
  return (
    <Page title={texts.title} intro={texts.intro} actions={data?.goals.length === 0 ? undefined : create}>
      {!data && <ErrorNotice error={error} />}
      {(data || !error) && (
        <Table
          label={texts.title}
          columns={columns}
          rows={data?.goals}
          expectedRows={2}
          nameOf={({ name }) => name}
          {...(can('edit') && { onOpen: edit })}
          empty={
            <EmptyState picture={<Drawing of="goals" />} title={texts.empty.title} action={create}>
              {texts.empty.text}
            </EmptyState>
          }
        />
      )}
      <Suspense fallback={null}>
        {isCreating && <CreateGoal onClose={() => setCreating(false)} />}
        {edited && can('edit') && <EditGoal key={edited.id} goal={edited} onClose={() => open(undefined)} />}
      </Suspense>
    </Page>
  );
}

function CreateGoal({ onClose }: { onClose: () => void }) {
  const create = useSend('POST /v3/edit/goals');
  return (
    <GoalDialog
      onClose={onClose}
      error={create.error}
      isPending={create.isPending || create.isSuccess}
      onSave={(goal) =>
        create.mutate(goalParams(goal), {
          onSuccess: ({ goal }) => {
            onClose();
            showToast({ title: texts.created(goal.name) });
          },
        })
      }
    />
  );
}

function EditGoal({ goal, onClose }: { goal: Goal; onClose: () => void }) {
  const update = useSend('PATCH /v3/edit/goals/{id}');
  const { id, updated_at } = goal;
  return (
    <GoalDialog
      goal={readGoal(goal)}
      onClose={onClose}
      error={update.error}
      isPending={update.isPending || update.isSuccess}
      onSave={(changed) => update.mutate({ id, updated_at, ...goalParams(changed) }, { onSuccess: onClose })}
    />
  );
}

/** Nothing refers to a goal that can be deleted, so it can be created again with the same fields. */
function useRemoveGoal(): (goal: Goal) => void {
  const remove = useSend('DELETE /v3/edit/goals/{id}');
  const create = useSend('POST /v3/edit/goals');
  return (goal) =>
    remove.mutate(
      { id: goal.id },
      {
        onSuccess: () =>
          showUndo({
            title: texts.deleted(goal.name),
            about: [`goals/${goal.id}`],
            undo: async () => {
              await create.mutateAsync({ ...goalParams(readGoal(goal)), description: goal.description });
              showToast({ title: texts.restored(goal.name) });
            },
          }),
        onError: showError,
      },
    );
}
