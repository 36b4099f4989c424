import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type ResponseOf } from '../../api/api.ts';
import { fieldErrors } from '../../api/describe-error.ts';
import { query, useSend } from '../../api/queries.ts';
import { ConflictNotice } from '../../app/conflict-notice.tsx';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { confirmLeaving, useUnsavedChanges } from '../../app/unsaved-changes.ts';
import { useEditForm } from '../../app/use-edit-form.ts';
import { ManagedNotice } from '../../files/managed-notice.tsx';
import { describePeriod, hoursOf, periodOf } from '../../messages/period.ts';
import * as text from '../../messages/text.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { showToast } from '../../ui/toast.tsx';
import { LimitFields, type LimitValues, noLimit } from './limit-fields.tsx';
import { changedParams, describeMemberValue, memberParams } from './members.ts';

const limits = text.limits;

export type LimitGroup = ResponseOf<'GET /v3/edit/limit_groups'>['limit_groups'][number];

const numberOrNull = (value: string) => (value.trim() === '' ? null : Number(value));

const paramsOf = ({ name, max_count, period_hours, max_steps, max_seconds, ...members }: LimitValues) => ({
  name,
  max_count: Number(max_count),
  period_hours: hoursOf(period_hours),
  max_steps: numberOrNull(max_steps),
  max_seconds: numberOrNull(max_seconds),
  ...memberParams(members),
});

export function CreateLimitDialog({ onClose }: { onClose: () => void }) {
  const [values, setValues] = useState(noLimit);
  const create = useSend('POST /v3/edit/limit_groups');
  useUnsavedChanges(values !== noLimit && !create.isSuccess);
  const wrong = fieldErrors(create.error, limits.fields);
  const close = async () => (await confirmLeaving()) && onClose();
  const submit = () =>
    create.mutate(paramsOf(values), {
      onSuccess: ({ limit_group }) => {
        onClose();
        showToast({ title: limits.created(limit_group.name) });
      },
    });
  return (
    <FormDialog
      onClose={close}
      keepsOpen
      size="medium"
      title={limits.new}
      onSubmit={submit}
      action={limits.create}
      isPending={create.isPending}
    >
      {Object.keys(wrong).length === 0 && <ErrorNotice error={create.error} />}
      <LimitFields values={values} set={(name, value) => setValues({ ...values, [name]: value })} wrong={wrong} />
    </FormDialog>
  );
}

const valuesOf = ({ name, max_count, period_hours, max_steps, max_seconds, ...group }: LimitGroup) => ({
  name,
  max_count: String(max_count),
  period_hours: periodOf(period_hours),
  max_steps: max_steps === null ? '' : String(max_steps),
  max_seconds: max_seconds === null ? '' : String(max_seconds),
  kind: group.kind,
  experience_ids: group.experience_ids,
  tag_ids: group.tag_ids,
  updated_at: group.updated_at,
});

const describe = (name: keyof LimitValues, value: unknown) => {
  if (name === 'period_hours') return describePeriod(String(value));
  if (name === 'max_steps' || name === 'max_seconds') return String(value) || limits.anyNumber;
  return name === 'name' || name === 'max_count' ? String(value) : describeMemberValue(name, value);
};

export function EditLimitDialog({ group, onClose }: { group: LimitGroup; onClose: () => void }) {
  const client = useQueryClient();
  const { id } = group;
  const form = useEditForm<LimitValues>({
    saved: valuesOf(group),
    labels: limits.fields,
    send: async ({ updated_at, ...changed }) => {
      const params = changedParams(paramsOf({ ...valuesOf(group), ...changed }), changed);
      await api('PATCH /v3/edit/limit_groups/{id}', { id, updated_at, ...params });
    },
    reload: async () => {
      const options = query('GET /v3/edit/limit_groups', { limit: 500 });
      const { limit_groups } = await client.fetchQuery({ ...options, staleTime: 0 });
      const found = limit_groups.find((one) => one.id === id);
      return found && valuesOf(found);
    },
    onSaved: onClose,
  });
  const { values, set, wrong, error, isPending, isDirty, submit, conflicts } = form;
  const close = async () => (await confirmLeaving()) && onClose();
  return (
    <FormDialog
      onClose={close}
      keepsOpen
      size="medium"
      title={limits.editTitle}
      onSubmit={submit}
      action={limits.save}
      isPending={isPending}
      isDisabled={!isDirty}
    >
      <ManagedNotice id={id} />
      {conflicts && <ConflictNotice conflicts={conflicts} labels={limits.fields} describe={describe} />}
      {Object.keys(wrong).length === 0 && <ErrorNotice error={error} />}
      <LimitFields values={values} set={set} wrong={wrong} />
    </FormDialog>
  );
}
