import { Suspense, useEffect, useState } from 'react';
import { lazyComponent } from '../../../app/lazy-component.ts';
import type { PersonTabProps } from '../../../people/person-details.ts';
import { PendingList } from './pending-list.tsx';
import { QueueView } from './queue-view.tsx';
import { sayGone, usePending } from './use-pending.ts';

const CreateDialog = lazyComponent(() => import('./create-dialog.tsx').then((module) => module.CreateDialog));
const EditDialog = lazyComponent(() => import('./edit-dialog.tsx').then((module) => module.EditDialog));

/** What a person would see next on a page, and the Deliveries that wait for them. */
export default function QueueTab({ person }: PersonTabProps) {
  const pending = usePending(person.id);
  const [open, setOpen] = useState<'create' | { edit: string }>();
  const close = () => setOpen(undefined);
  const edited = typeof open === 'object' ? pending.data?.deliveries.find(({ id }) => id === open.edit) : undefined;
  const edit = (id: string) => setOpen({ edit: id });
  const isGone = typeof open === 'object' && pending.data !== undefined && !edited;
  useEffect(() => {
    if (!isGone) return;
    setOpen(undefined);
    sayGone();
  }, [isGone]);
  return (
    <div className="flex flex-col gap-6">
      <PendingList person={person} pending={pending} onCreate={() => setOpen('create')} onEdit={edit} />
      {/* This list can have a row for each Experience of the account, so it is last. */}
      <QueueView person={person} onEdit={edit} />
      <Suspense fallback={null}>
        {open === 'create' && pending.data && <CreateDialog person={person} pending={pending.data} onClose={close} />}
        {edited && <EditDialog key={edited.id} delivery={edited} onClose={close} />}
      </Suspense>
    </div>
  );
}
