import { useQueryClient } from '@tanstack/react-query';
import { type ListedExperience, pathOfKind } from '@usher/domain';
import { api } from '../../api/api.ts';
import { showError } from '../../app/show-error.ts';
import * as text from '../../messages/text.ts';
import { showToast } from '../../ui/toast.tsx';

const { done } = text.experiences;

/** What people do with one Experience of the list. Everything can be undone. */
export function useListActions() {
  const client = useQueryClient();
  const run = async (change: () => Promise<unknown>, title: string, undo?: () => Promise<unknown>) => {
    try {
      await change();
      showToast({ title, ...(undo && { onUndo: () => void attempt(undo) }) });
    } catch (error) {
      showError(error);
    }
    await client.invalidateQueries({ queryKey: ['experiences'] });
  };
  const attempt = async (undo: () => Promise<unknown>) => {
    await undo().catch(showError);
    await client.invalidateQueries({ queryKey: ['experiences'] });
  };
  const of = ({ kind, id }: ListedExperience) => ({ kind: pathOfKind(kind), id });
  const pause = (one: ListedExperience) => () => api('PATCH /v3/edit/{kind}/{id}', { ...of(one), published_at: null });
  const resume = (one: ListedExperience) => () => api('POST /v3/edit/{kind}/{id}/resume', of(one));
  const archive = (one: ListedExperience, archived_at: string | null) => () =>
    api('PATCH /v3/edit/experiences/batch', { ids: [one.id], archived_at });
  const now = () => new Date().toISOString();
  return {
    pause: (one: ListedExperience) => run(pause(one), done.paused(one.name), resume(one)),
    resume: (one: ListedExperience) => run(resume(one), done.resumed(one.name), pause(one)),
    archive: (one: ListedExperience) => run(archive(one, now()), done.archived(one.name), archive(one, null)),
    restore: (one: ListedExperience) => run(archive(one, null), done.restored(one.name), archive(one, now())),
    duplicate: (one: ListedExperience) =>
      run(() => api('POST /v3/edit/{kind}/{id}/duplicate', of(one)), done.duplicated(one.name)),
  };
}
