import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type ResponseOf } from '../../api/api.ts';
import { fieldErrors } from '../../api/describe-error.ts';
import { invalidate } from '../../api/nouns.ts';
import { query, useSend } from '../../api/queries.ts';
import { ConflictNotice } from '../../app/conflict-notice.tsx';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { confirmLeaving, useUnsavedChanges } from '../../app/unsaved-changes.ts';
import { useEditForm } from '../../app/use-edit-form.ts';
import * as text from '../../messages/text.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { showToast } from '../../ui/toast.tsx';
import { AlertFields, type AlertValues, noAlert } from './alert-fields.tsx';
import { changedParams, describeMemberValue, memberParams } from './members.ts';

const alerts = text.alerts;

export type AlertGroup = ResponseOf<'GET /v3/edit/alert_groups'>['alert_groups'][number];

const paramsOf = ({ name, style, interval, ...members }: AlertValues) => ({
  ...{ name, style, interval: Number(interval) },
  ...memberParams(members),
});
const publicationOf = (isOn: boolean) => ({ published_at: isOn ? '$now' : null });

export function CreateAlertDialog({ onClose }: { onClose: () => void }) {
  const [values, setValues] = useState(noAlert);
  const create = useSend('POST /v3/edit/alert_groups', ['attention']);
  useUnsavedChanges(values !== noAlert && !create.isSuccess);
  const wrong = fieldErrors(create.error, alerts.fields);
  const close = async () => (await confirmLeaving()) && onClose();
  const submit = () =>
    create.mutate(
      { ...paramsOf(values), ...publicationOf(values.isOn) },
      {
        onSuccess: ({ alert_group }) => {
          onClose();
          showToast({ title: alerts.created(alert_group.name) });
        },
      },
    );
  return (
    <FormDialog
      onClose={close}
      keepsOpen
      size="medium"
      title={alerts.new}
      onSubmit={submit}
      action={alerts.create}
      isPending={create.isPending}
    >
      {Object.keys(wrong).length === 0 && <ErrorNotice error={create.error} />}
      <AlertFields values={values} set={(name, value) => setValues({ ...values, [name]: value })} wrong={wrong} />
    </FormDialog>
  );
}

const valuesOf = ({ name, style, interval, published_at, kind, experience_ids, tag_ids, updated_at }: AlertGroup) => ({
  ...{ name, style, interval: String(interval), isOn: published_at !== null },
  ...{ kind, experience_ids, tag_ids, updated_at },
});

const describe = (name: keyof AlertValues, value: unknown) => {
  if (name === 'style') return alerts.styles[value as AlertValues['style']].label;
  if (name === 'isOn') return value ? alerts.on : alerts.off;
  return name === 'name' || name === 'interval' ? String(value) : describeMemberValue(name, value);
};

export function EditAlertDialog({ group, onClose }: { group: AlertGroup; onClose: () => void }) {
  const client = useQueryClient();
  const { id } = group;
  const form = useEditForm<AlertValues>({
    saved: valuesOf(group),
    labels: alerts.fields,
    send: async ({ updated_at, isOn, ...changed }) => {
      const params = changedParams(paramsOf({ ...valuesOf(group), ...changed }), changed);
      const publication = isOn === undefined ? {} : publicationOf(isOn);
      await api('PATCH /v3/edit/alert_groups/{id}', { id, updated_at, ...params, ...publication });
      void invalidate(client, 'attention');
    },
    reload: async () => {
      const options = query('GET /v3/edit/alert_groups', { limit: 500 });
      const { alert_groups } = await client.fetchQuery({ ...options, staleTime: 0 });
      const found = alert_groups.find((one) => one.id === id);
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
      title={alerts.editTitle}
      onSubmit={submit}
      action={alerts.save}
      isPending={isPending}
      isDisabled={!isDirty}
    >
      {conflicts && <ConflictNotice conflicts={conflicts} labels={alerts.fields} describe={describe} />}
      {Object.keys(wrong).length === 0 && <ErrorNotice error={error} />}
      <AlertFields values={values} set={set} wrong={wrong} />
    </FormDialog>
  );
}
