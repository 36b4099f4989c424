import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/api.ts';
import { invalidate } from '../api/nouns.ts';
import { showError } from '../app/show-error.ts';
import { type ShownExperience, shownIn } from '../editor/document.ts';
import type { Editor } from '../editor/use-editor.ts';
import * as text from '../messages/text.ts';
import { showToast, type ToastMessage } from '../ui/toast.tsx';

const texts = text.history.revert;
const done = { title: texts.done, description: texts.doneHelp };

/** Restores an earlier state of the draft, and offers Undo. Pending changes are saved first. */
export function useRevert(experience: ShownExperience, editor: Editor, newestChange: string | undefined) {
  const client = useQueryClient();
  const [isPending, setPending] = useState(false);
  const { id, kind } = experience;
  const send = async (to: { change_id: string } | { version_id: string }) => {
    const response = await api('POST /v3/edit/{kind}/{id}/revert', { kind: `${kind}s`, id, ...to });
    editor.receive(shownIn(response, kind));
    await invalidate(client, 'kinds', 'experiences');
  };
  const run = async (to: Parameters<typeof send>[0], said: Pick<ToastMessage, 'title' | 'description'>) => {
    if (isPending) return;
    setPending(true);
    try {
      const isSaved = await editor.save();
      const before = await newestChangeOf(kind, id, newestChange);
      if (!isSaved) return;
      await send(to);
      const onUndo = () => send({ change_id: before }).then(() => showToast({ title: texts.undone }), showError);
      showToast({ ...said, onUndo });
    } catch (error) {
      showError(error);
    } finally {
      setPending(false);
    }
  };
  return {
    isPending,
    toChange: (change_id: string) => run({ change_id }, done),
    toVersion: (version_id: string, said = done) => run({ version_id }, said),
  };
}

/** Loads the newest Change, because saving may have added one. */
async function newestChangeOf(kind: ShownExperience['kind'], id: string, known: string | undefined): Promise<string> {
  const { changes } = await api('GET /v3/edit/{kind}/{id}/changes', { kind: `${kind}s`, id, limit: 1 });
  return changes[0]?.id ?? known ?? '';
}
