import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSend } from '../../api/queries.ts';
import { useSession } from '../../api/session.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { showError } from '../../app/show-error.ts';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ListPicture } from '../../ui/empty-state.tsx';
import { showToast } from '../../ui/toast.tsx';
import { liveQuery, sampleDataQuery } from './home-queries.ts';

const { sample: words, live } = text.home;

/** Whether this person can load sample data into this account, and how. */
function useLoadSampleData() {
  const { can } = useSession();
  const client = useQueryClient();
  const { data } = useQuery(sampleDataQuery);
  const { mutate, isPending } = useSend('POST /v3/edit/sample_data');
  const load = () =>
    mutate(
      {},
      {
        onSuccess: () => showToast({ title: words.loaded, description: words.loadedHelp }),
        onError: showError,
        onSettled: () => void client.invalidateQueries(),
      },
    );
  return { canLoad: data?.sample_data.can_load === true && can('edit') && can('publish'), load, isPending };
}

/** Nothing is live. In an empty account, sample data shows what it will look like. */
export function NothingLive() {
  const { canLoad, load, isPending } = useLoadSampleData();
  return (
    <div className="flex flex-col items-center gap-4 px-5 pt-4 pb-9 text-center">
      <ListPicture />
      <div className="flex max-w-sm flex-col gap-1">
        <p className="font-medium">{live.empty}</p>
        <p className="text-soft">{canLoad ? words.offerHelp : live.emptyHelp}</p>
      </div>
      {canLoad && (
        <Button look="primary" isPending={isPending} onPress={load}>
          {words.load}
        </Button>
      )}
      <p role="status" className="sr-only">
        {isPending && words.loading}
      </p>
    </div>
  );
}

/** The button beside the heading of Home, in an account in which only the demo is live. */
export function LoadSampleData() {
  const { data } = useQuery(liveQuery);
  const { canLoad, load, isPending } = useLoadSampleData();
  if (!canLoad || !data || data.live.length === 0) return null;
  return (
    <Button isPending={isPending} onPress={load}>
      {words.load}
    </Button>
  );
}

/** The button beside the heading of Home while there is sample data. */
export function RemoveSampleData() {
  const { can } = useSession();
  const client = useQueryClient();
  const { data } = useQuery(sampleDataQuery);
  const [isOpen, setOpen] = useState(false);
  const remove = useSend('DELETE /v3/edit/sample_data');
  const counts = data?.sample_data.counts;
  if (!data?.sample_data.loaded_at || !counts || !can('edit') || !can('publish')) return null;
  const close = () => {
    setOpen(false);
    remove.reset();
  };
  const confirm = () =>
    remove.mutate(
      {},
      {
        onSuccess: () => {
          close();
          void client.invalidateQueries();
          showToast({ title: words.removed });
        },
      },
    );
  return (
    <>
      <Button onPress={() => setOpen(true)}>{words.remove}</Button>
      <Dialog
        isOpen={isOpen}
        onClose={close}
        role="alertdialog"
        title={words.removeTitle}
        description={words.removeHelp}
        buttons={
          <>
            <Button onPress={close} autoFocus>
              {words.keep}
            </Button>
            <Button look="danger" isPending={remove.isPending} onPress={confirm}>
              {words.remove}
            </Button>
          </>
        }
      >
        <ul className="flex list-disc flex-col gap-1 pl-5">
          {words.removeLines(counts).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
        <p className="text-soft">{words.removeStays}</p>
        <ErrorNotice error={remove.error} title={words.notRemoved} />
      </Dialog>
    </>
  );
}
