import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import { liveQuery } from '../../api/home-queries.ts';
import { useSend } from '../../api/queries.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { REMOVE_SAMPLE_DATA, useSampleData } from '../../app/load-sample-data.ts';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Drawing } from '../../ui/drawing.tsx';
import { showToast } from '../../ui/toast.tsx';

const { sample: words, live } = text.home;

/** Shown if nothing is live. In an empty account, it offers sample data, which shows how the dashboard looks in use. */
export function NothingLive() {
  const { canLoad, isAccountEmpty, load, isPending } = useSampleData();
  const isOffered = canLoad && isAccountEmpty;
  return (
    <div className="flex flex-col items-center gap-4 px-5 pt-4 pb-9 text-center">
      <Drawing of="live" />
      <div className="flex max-w-sm flex-col gap-1">
        <p className="font-medium">{live.empty}</p>
        <p className="text-soft">{isOffered ? words.offerHelp : live.emptyHelp}</p>
      </div>
      {isOffered && (
        <Button look="primary" isPending={isPending} onPress={() => void load()}>
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
  const { canLoad, isAccountEmpty, load, isPending } = useSampleData();
  if (!canLoad || !isAccountEmpty || !data || data.live.length === 0) return null;
  return (
    <Button isPending={isPending} onPress={() => void load()}>
      {words.load}
    </Button>
  );
}

/** The button beside the heading of Home while there is sample data. */
export function RemoveSampleData() {
  const client = useQueryClient();
  const { canRemove, counts } = useSampleData();
  // The address says whether the dialog is open, so that every page can lead here.
  const [params, setParams] = useSearchParams();
  const isOpen = params.get('dialog') === REMOVE_SAMPLE_DATA;
  const setOpen = (isOpen: boolean) => setParams(isOpen ? { dialog: REMOVE_SAMPLE_DATA } : {}, { replace: true });
  const remove = useSend('DELETE /v3/edit/sample_data');
  if (!canRemove || !counts) return null;
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
