import { emptyGoal } from '@usher/domain';
import type { GoalFields } from '@usher/domain/fields';
import { useState } from 'react';
import { fieldErrors } from '../api/describe-error.ts';
import { ErrorNotice } from '../app/error-notice.tsx';
import { confirmLeaving, useUnsavedChanges } from '../app/unsaved-changes.ts';
import * as text from '../messages/text.ts';
import { Checkbox } from '../ui/choice.tsx';
import { FormDialog } from '../ui/dialog.tsx';
import { GoalInputs } from './goal-inputs.tsx';
import { isFinished, withName } from './is-finished.ts';
import { useGoalSubjects } from './use-goal-names.ts';

const texts = text.goals;

interface GoalDialogProps {
  /** What is edited. Without it, the goal is new. */
  goal?: GoalFields;
  /** Whether the new goal may become a shared one. */
  canShare?: boolean;
  onSave: (goal: GoalFields, isShared: boolean) => void;
  onClose: () => void;
  error?: unknown;
  isPending?: boolean;
}

/** Creates a goal, or edits one. */
export function GoalDialog({ goal, canShare, onSave, onClose, error, isPending = false }: GoalDialogProps) {
  const [first] = useState<GoalFields>(() => goal ?? emptyGoal(''));
  const [value, setValue] = useState(first);
  const [isShared, setShared] = useState(false);
  const { names } = useGoalSubjects();
  useUnsavedChanges(value !== first && !isPending);
  const wrong = fieldErrors(error, texts.fields);
  const close = async () => (await confirmLeaving()) && onClose();
  const otherwise = value.event_name ? names.event(value.event_name) : texts.kinds[value.kind];
  return (
    <FormDialog
      onClose={close}
      keepsOpen
      size="large"
      title={goal ? texts.editTitle : texts.new}
      onSubmit={() => onSave(withName(value, otherwise), isShared)}
      action={goal ? texts.save : texts.create}
      isPending={isPending}
      isDisabled={!isFinished(value)}
    >
      {Object.keys(wrong).length === 0 && <ErrorNotice error={error} />}
      <GoalInputs value={value} set={(changes) => setValue((before) => ({ ...before, ...changes }))} wrong={wrong} />
      {canShare && <Checkbox label={texts.share} help={texts.sharedHelp} isSelected={isShared} onChange={setShared} />}
    </FormDialog>
  );
}
