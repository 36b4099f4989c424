import { pathOfKind } from '@usher/domain';
import { useLocation } from 'wouter';
import { api } from '../../api/api.ts';
import { showError } from '../../app/show-error.ts';
import { useRevert } from '../../changes/use-revert.ts';
import { type ShownExperience, shownIn } from '../../editor/document.ts';
import type { Editor } from '../../editor/use-editor.ts';
import { nameOfCopy } from '../../experiences/free-name.ts';
import { useShowChanged } from '../../experiences/use-show-changed.ts';
import { chooseFile, downloadExperience, replaceByFile } from '../../files/experience-file.ts';
import * as text from '../../messages/text.ts';
import { showToast, type ToastMessage } from '../../ui/toast.tsx';

const { done } = text.publish;

/** The actions of the page of an Experience. Each of them can be undone, or asks first. */
export function useOwnActions(experience: ShownExperience, editor: Editor) {
  const [, navigate] = useLocation();
  const showChanged = useShowChanged(editor);
  const revert = useRevert(experience, editor, undefined);
  const { id, kind, name, published_at } = experience;
  const of = { kind: pathOfKind(kind), id };
  const show = async (response: object) => showChanged(shownIn(response, kind));
  const set = (params: { published_at?: string | null; archived_at?: string | null }) => () =>
    api('PATCH /v3/edit/{kind}/{id}', { ...of, ...params }).then(show);
  const resume = () => api('POST /v3/edit/{kind}/{id}/resume', of).then(show);
  const run = async (change: () => Promise<void>, said: ToastMessage, undo: () => Promise<void>) => {
    try {
      await change();
      showToast({ ...said, onUndo: () => void undo().catch(showError) });
    } catch (error) {
      showError(error);
    }
  };
  const duplicate = async () => {
    try {
      await editor.save();
      const copy = shownIn(
        await api('POST /v3/edit/{kind}/{id}/duplicate', { ...of, name: await nameOfCopy(editor.document.name) }),
        kind,
      );
      await showChanged();
      showToast({ title: done.duplicated(copy.name) });
      navigate(`/app/experiences/${copy.id}`);
    } catch (error) {
      showError(error);
    }
  };
  /** Restores the draft to the version that was published last. */
  const discard = async () => {
    try {
      const { versions } = await api('GET /v3/edit/{kind}/{id}/versions', { ...of, limit: 100 });
      // A paused Experience has no live version, so its draft goes back to the version that users saw last.
      const published = versions.find((version) => version.live) ?? versions[0];
      if (published) await revert.toVersion(published.id, { title: done.discarded, description: done.discardedHelp });
    } catch (error) {
      showError(error);
    }
  };
  const downloadFile = async () => {
    await editor.save();
    await downloadExperience({ id, kind, name: editor.document.name });
  };
  const replace = async (file: File) => {
    try {
      await editor.save();
      await replaceByFile({ id, kind }, file);
      await show(await api('GET /v3/edit/{kind}/{id}', of));
      showToast({ title: text.files.replaced(name) });
    } catch (error) {
      showError(error);
    }
  };
  const uploadFile = async () => chooseFile((file) => void replace(file));
  const pause = set({ published_at: null });
  const archive = set({ archived_at: '$now' });
  const restore = set({ archived_at: null });
  return {
    pause: () => run(pause, { title: done.paused(name), description: done.pausedHelp }, resume),
    resume: () => run(resume, { title: done.resumed(name) }, pause),
    unschedule: () => run(pause, { title: done.unscheduled(name) }, set({ published_at })),
    archive: () => run(archive, { title: done.archived(name) }, restore),
    restore: () => run(restore, { title: done.restored(name) }, archive),
    duplicate,
    discard,
    downloadFile,
    uploadFile,
  };
}
