import { Play, Trash2, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useSend } from '../../api/queries.ts';
import { useSession } from '../../api/session.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { showError } from '../../app/show-error.ts';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { showToast } from '../../ui/toast.tsx';
import type { Experiment } from './experiment-state.tsx';

const texts = text.experiments;

/** What can be done with an experiment in its state. */
export function ExperimentActions({ experiment }: { experiment: Experiment }) {
  const { id, name, state } = experiment;
  const { can } = useSession();
  const [, navigate] = useLocation();
  const [isStarting, setStarting] = useState(false);
  const start = useSend('POST /v3/edit/experiments/{id}/start', ['experiences', 'kinds']);
  const undo = useSend('POST /v3/edit/experiments/{id}/undo', ['experiences', 'kinds']);
  const remove = useSend('DELETE /v3/edit/experiments/{id}');
  return (
    <>
      {state !== 'running' && can('edit') && (
        <Button
          icon={Trash2}
          onPress={() =>
            remove.mutate(
              { id },
              {
                onSuccess: () => {
                  showToast({ title: texts.removed(name) });
                  navigate('/app/experiments');
                },
                onError: showError,
              },
            )
          }
        >
          {texts.remove}
        </Button>
      )}
      {state === 'ended' && can('publish') && (
        <Button
          icon={Undo2}
          onPress={() =>
            undo.mutate({ id }, { onSuccess: () => showToast({ title: texts.running(name) }), onError: showError })
          }
        >
          {texts.undo}
        </Button>
      )}
      {state === 'draft' && can('publish') && (
        <Button look="primary" icon={Play} onPress={() => setStarting(true)}>
          {texts.start}
        </Button>
      )}
      {isStarting && (
        <FormDialog
          onClose={() => setStarting(false)}
          title={texts.confirm.title(name)}
          description={texts.confirm.text}
          action={texts.start}
          isPending={start.isPending}
          onSubmit={() =>
            start.mutate(
              { id },
              {
                onSuccess: () => {
                  setStarting(false);
                  showToast({ title: texts.started(name) });
                },
              },
            )
          }
        >
          <ErrorNotice error={start.error} />
        </FormDialog>
      )}
    </>
  );
}
