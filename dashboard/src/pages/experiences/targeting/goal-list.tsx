import { useQuery } from '@tanstack/react-query';
import { emptyGoal, listGoals } from '@usher/domain';
import { type ExperienceGoal, type GoalFields, MAX_GOALS } from '@usher/domain/fields';
import { Pencil, Plus, Star, X } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useSend } from '../../../api/queries.ts';
import { useSession } from '../../../api/session.ts';
import { lazyComponent } from '../../../app/lazy-component.ts';
import { newPartId } from '../../../editor/document.ts';
import type { Editor } from '../../../editor/use-editor.ts';
import { fieldMark } from '../../../fields/field-focus.ts';
import { fieldsOf } from '../../../fields/fields-of.ts';
import { describeGoal } from '../../../goals/describe-goal.ts';
import { goalParams, readGoal } from '../../../goals/goal-params.ts';
import { goalsQuery, useGoalSubjects } from '../../../goals/use-goal-names.ts';
import { formatNumber } from '../../../messages/format.ts';
import * as text from '../../../messages/text.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Menu } from '../../../ui/menu.tsx';

const texts = text.goals;
const GoalDialog = lazyComponent(() => import('../../../goals/goal-dialog.tsx').then((module) => module.GoalDialog));

/** The goals of an Experience, one of them the primary one: its own, and shared ones. */
export function GoalList({ editor }: { editor: Editor }) {
  const { data } = useQuery(goalsQuery);
  const { can } = useSession();
  const [open, setOpen] = useState<'new' | { id: string } | undefined>();
  const fields = fieldsOf(editor, '', editor.document);
  const goals = listGoals(editor.document);
  const shared = data?.goals ?? [];
  const set = (next: ExperienceGoal[]) => fields.set({ goals: withPrimary(next) });
  const add = (goal: Partial<ExperienceGoal>) => set([...goals, { ...emptyGoal(''), ...goal, id: newPartId() }]);
  const sharedOf = ({ goal_id }: ExperienceGoal) => {
    const found = shared.find(({ id }) => id === goal_id);
    return found && readGoal(found);
  };
  const edited = typeof open === 'object' ? goals.find(({ id }) => id === open.id) : undefined;
  const unused = shared.filter(
    ({ id, archived_at }) => archived_at === null && !goals.some((one) => one.goal_id === id),
  );
  const create = useSend('POST /v3/edit/goals');
  const share = (goal: GoalFields) =>
    create.mutate(goalParams(goal), {
      onSuccess: ({ goal: { id } }) => {
        add({ goal_id: id });
        setOpen(undefined);
      },
    });
  const { error } = fields.choice('goals');
  return (
    <div className="flex min-w-0 flex-col gap-2" {...fieldMark('', 'goals')}>
      {goals.length === 0 && <p className="text-14 text-soft">{texts.none}</p>}
      <ul className="flex flex-col gap-1 empty:hidden">
        {goals.map((goal) => (
          <GoalRow
            key={goal.id}
            goal={goal}
            shared={sharedOf(goal)}
            isLoaded={data !== undefined}
            isReadOnly={editor.isReadOnly}
            onEdit={() => setOpen({ id: goal.id })}
            onRemove={() => set(goals.filter(({ id }) => id !== goal.id))}
            onPrimary={() => set(goals.map((one) => ({ ...one, primary: one.id === goal.id })))}
          />
        ))}
      </ul>
      {error && <p className="text-13 text-bad">{error}</p>}
      {goals.length >= MAX_GOALS ? (
        <p className="text-13 text-soft">{texts.many(formatNumber(MAX_GOALS))}</p>
      ) : (
        !editor.isReadOnly && (
          <div className="flex flex-wrap gap-2">
            <Button icon={Plus} size="small" onPress={() => setOpen('new')}>
              {texts.add}
            </Button>
            {unused.length > 0 && (
              <Menu
                label={texts.addShared}
                trigger={<Button size="small">{texts.addShared}</Button>}
                groups={[
                  {
                    entries: unused.map(({ id, name }) => ({ id, label: name, onAction: () => add({ goal_id: id }) })),
                  },
                ]}
              />
            )}
          </div>
        )
      )}
      <Suspense fallback={null}>
        {open === 'new' && (
          <GoalDialog
            canShare={can('edit')}
            onClose={() => setOpen(undefined)}
            onSave={(goal, isShared) => {
              if (isShared) return share(goal);
              add(goal);
              setOpen(undefined);
            }}
            error={create.error}
            isPending={create.isPending}
          />
        )}
        {edited && (
          <GoalDialog
            goal={edited}
            onClose={() => setOpen(undefined)}
            onSave={(goal) => {
              set(goals.map((one) => (one.id === edited.id ? { ...one, ...goal } : one)));
              setOpen(undefined);
            }}
          />
        )}
      </Suspense>
    </div>
  );
}

/** The first goal is the primary one if none is, as on the server. */
function withPrimary(goals: ExperienceGoal[]): ExperienceGoal[] {
  if (goals.some(({ primary }) => primary)) return goals;
  return goals.map((goal, at) => ({ ...goal, primary: at === 0 }));
}

interface GoalRowProps {
  goal: ExperienceGoal;
  shared: (GoalFields & { name: string }) | undefined;
  isLoaded: boolean;
  isReadOnly: boolean;
  onEdit: () => void;
  onRemove: () => void;
  onPrimary: () => void;
}

function GoalRow({ goal, shared, isLoaded, isReadOnly, onEdit, onRemove, onPrimary }: GoalRowProps) {
  const { names } = useGoalSubjects();
  const isShared = goal.goal_id !== null;
  const rule = isShared ? shared : goal;
  const name = rule?.name ?? (isLoaded ? texts.gone : '…');
  return (
    <li className="flex min-h-10 items-center gap-2 rounded-6 border border-line py-1 pr-0.5 pl-2.5">
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="flex min-w-0 flex-wrap items-center gap-1.5">
          <bdi className="min-w-0 truncate text-14">{name}</bdi>
          {goal.primary && <Badge>{texts.primary}</Badge>}
          {isShared && <Badge>{texts.shared}</Badge>}
        </span>
        {rule && <span className="truncate text-13 text-soft">{describeGoal(rule, names)}</span>}
      </span>
      {!isReadOnly && (
        <>
          {!goal.primary && <IconButton icon={Star} size="small" label={texts.makePrimary(name)} onPress={onPrimary} />}
          {!isShared && <IconButton icon={Pencil} size="small" label={texts.edit(name)} onPress={onEdit} />}
          <IconButton icon={X} size="small" label={texts.remove(name)} onPress={onRemove} />
        </>
      )}
    </li>
  );
}
