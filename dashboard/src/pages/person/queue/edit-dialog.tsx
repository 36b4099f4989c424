import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../api/api.ts';
import { fieldErrors } from '../../../api/describe-error.ts';
import { ErrorNotice } from '../../../app/error-notice.tsx';
import { confirmLeaving, useUnsavedChanges, withoutAsking } from '../../../app/unsaved-changes.ts';
import { useRequest } from '../../../app/use-request.ts';
import * as text from '../../../messages/text.ts';
import { FormDialog } from '../../../ui/dialog.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { DeliveryFields } from './delivery-fields.tsx';
import { changedContent, readValues, valuesOf } from './delivery-values.ts';
import { isStale, nameOfDelivery, type PendingDelivery, reloadDeliveries } from './use-pending.ts';
import { useUsedOptions } from './use-used-options.ts';

const texts = text.queue.form;

/** Changes a pending Delivery. Only changed fields are sent. */
export function EditDialog({ delivery, onClose }: { delivery: PendingDelivery; onClose: () => void }) {
  const client = useQueryClient();
  const [initial] = useState(() => valuesOf(delivery));
  const [values, setValues] = useState(initial);
  const used = useUsedOptions(values.experience);
  const before = readValues(initial, used ?? [], 0).content;
  // An end in the past is an error only if the person has just chosen it.
  const { content, wrong } = readValues(values, used ?? [], values.until === initial.until ? 0 : Date.now());
  const changed = content && before ? changedContent(content, before) : {};
  const isDirty = values !== initial && (!content || Object.keys(changed).length > 0);
  const { submit, error, isPending } = useRequest(
    async () => {
      try {
        await api('PATCH /v3/edit/deliveries/{id}', { id: delivery.id, ...changed });
      } catch (error) {
        // If the Delivery was shown or canceled meanwhile, the tab closes this dialog and says so.
        if (isStale(error)) await reloadDeliveries(client);
        throw error;
      }
    },
    () => {
      void reloadDeliveries(client);
      withoutAsking(onClose);
      showToast({ title: texts.saved(values.experience?.name ?? nameOfDelivery(delivery)) });
    },
  );
  useUnsavedChanges(isDirty);
  const wrongThere = fieldErrors(error, texts.fields);
  const close = async () => (await confirmLeaving()) && onClose();
  return (
    <FormDialog
      onClose={close}
      keepsOpen
      size="medium"
      title={texts.editTitle}
      onSubmit={() => content && Object.keys(wrong).length === 0 && isDirty && submit()}
      action={texts.save}
      isPending={isPending}
      isDisabled={!isDirty}
    >
      {Object.keys(wrongThere).length === 0 && <ErrorNotice error={error} />}
      <DeliveryFields
        values={values}
        set={(change) => setValues({ ...values, ...change })}
        wrong={{ ...wrong, ...wrongThere }}
        used={used}
      />
    </FormDialog>
  );
}
