import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/api.ts';
import { invalidate } from '../api/nouns.ts';
import { showError } from '../app/show-error.ts';
import { type ShownExperience, shownIn } from '../editor/document.ts';
import type { Editor } from '../editor/use-editor.ts';
import * as text from '../messages/text.ts';
import { showToast, type ToastMessage } from '../ui/toast.tsx';

const texts = text.editor.reverted;
const done = { title: texts.done, description: texts.help };

type RevertTo = { change_id: string } | { version_id: string };

interface Revertible {
  save(): Promise<boolean>;
  /** Sends the request, and shows its result. */
  send(to: RevertTo): Promise<void>;
  /** Loads the ID of the newest Change. */
  newestChange(): Promise<string>;
}

/** Restores an earlier state of an Experience, and offers Undo. */
export function useRevert(experience: ShownExperience, editor: Editor, newestChange: string | undefined) {
  const client = useQueryClient();
  const { id, kind } = experience;
  const of = { kind: `${kind}s` as const, id };
  return useRevertOf({
    save: editor.save,
    send: async (to) => {
      editor.receive(shownIn(await api('POST /v3/edit/{kind}/{id}/revert', { ...of, ...to }), kind));
      await invalidate(client, 'kinds', 'experiences');
    },
    newestChange: async () => {
      const { changes } = await api('GET /v3/edit/{kind}/{id}/changes', { ...of, limit: 1 });
      return changes[0]?.id ?? newestChange ?? '';
    },
  });
}

/** Restores an earlier state of a draft, and offers Undo. Pending changes are saved first, which may add a Change. */
export function useRevertOf({ save, send, newestChange }: Revertible) {
  const [isPending, setPending] = useState(false);
  const run = async (to: RevertTo, said: Pick<ToastMessage, 'title' | 'description'>) => {
    if (isPending) return;
    setPending(true);
    try {
      const isSaved = await save();
      const before = await newestChange();
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
