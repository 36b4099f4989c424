import { useState } from 'react';
import { fieldErrors } from '../../../api/describe-error.ts';
import { useSend } from '../../../api/queries.ts';
import { ErrorNotice } from '../../../app/error-notice.tsx';
import { confirmLeaving, useUnsavedChanges } from '../../../app/unsaved-changes.ts';
import * as text from '../../../messages/text.ts';
import type { PersonDetails } from '../../../people/person-details.ts';
import { FormDialog } from '../../../ui/dialog.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { DeliveryFields } from './delivery-fields.tsx';
import { newValues, readValues } from './delivery-values.ts';
import { nameOf } from './name-of.ts';
import { type Place, PlaceFields } from './place-fields.tsx';
import { planList } from './plan-list.ts';
import type { Pending } from './use-pending.ts';
import { useUsedOptions } from './use-used-options.ts';

const texts = text.queue;

interface CreateDialogProps {
  person: PersonDetails;
  pending: Pending;
  onClose: () => void;
}

/** Creates a Delivery. It shows the resulting list, also while somebody else changes the list. */
export function CreateDialog({ person, pending, onClose }: CreateDialogProps) {
  const [values, setValues] = useState(newValues);
  const [place, setPlace] = useState<Place>({ position: 'first', atLimit: 'error' });
  const [isTried, setTried] = useState(false);
  const used = useUsedOptions(values.experience);
  const create = useSend('POST /v3/edit/deliveries', ['profiles']);
  useUnsavedChanges(values !== newValues && !create.isSuccess);
  const { content, wrong } = readValues(values, used ?? [], Date.now());
  const wrongThere = fieldErrors(create.error, texts.form.fields);
  const ids = pending.deliveries.map(({ id }) => id);
  const plan = planList(ids, place.position, pending.delivery_ids_limit, place.atLimit);
  const isRejected = 'problem' in plan && plan.problem === 'rejected';
  const name = values.experience?.name ?? '';
  const close = async () => (await confirmLeaving()) && onClose();
  const submit = () => {
    setTried(true);
    if (!content || Object.keys(wrong).length > 0 || 'problem' in plan) return;
    const params = {
      ...content,
      profile_id: person.id,
      delivery_ids_position: place.position,
      delivery_ids_at_limit: place.atLimit,
    };
    create.mutate(params, {
      onSuccess: () => {
        onClose();
        showToast({ title: texts.pending.created(name) });
      },
    });
  };
  return (
    <FormDialog
      onClose={close}
      keepsOpen
      size="medium"
      title={texts.form.createTitle(nameOf(person))}
      onSubmit={submit}
      action={texts.pending.create}
      isPending={create.isPending}
      isDisabled={'problem' in plan}
    >
      {isRejected && <Notice kind="warning">{texts.form.atLimit.notice}</Notice>}
      {Object.keys(wrongThere).length === 0 && <ErrorNotice error={create.error} />}
      <DeliveryFields
        values={values}
        set={(change) => setValues({ ...values, ...change })}
        wrong={{ ...(isTried && wrong), ...wrongThere }}
        used={used}
        isNew
      />
      <PlaceFields
        pending={pending}
        place={place}
        onChange={setPlace}
        plan={plan}
        newName={name || texts.form.newDelivery}
      />
    </FormDialog>
  );
}
