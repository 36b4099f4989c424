import { useQueryClient } from '@tanstack/react-query';
import { type ListedExperience, pathOfKind } from '@usher/domain';
import { api } from '../../../api/api.ts';
import { type Changed, invalidate } from '../../../api/nouns.ts';
import { showError } from '../../../app/show-error.ts';
import { showUndo } from '../../../app/show-undo.ts';
import { nameOfCopy } from '../../../experiences/free-name.ts';
import { nameExperiences } from '../../../experiences/name-experiences.ts';
import * as text from '../../../messages/text.ts';

const { done } = text.experiences;
type Rows = readonly ListedExperience[];
type Request = () => Promise<unknown>;

/** The actions for Experiences of the list. All of them can be undone. */
export function useListActions() {
  const client = useQueryClient();
  const reload = () => invalidate(client, 'experiences');
  /**
   * Refetches the list also after an error, because somebody else may have deleted or changed one of the Experiences.
   */
  const run = async (rows: Rows, title: string, change: () => Promise<Request>) => {
    try {
      const undo = await change();
      showUndo({ title, about: aboutExperiences(rows), undo: () => undo().finally(reload) });
    } catch (error) {
      showError(error);
    }
    await reload();
  };
  const archive = (rows: Rows) =>
    run(rows, done.archived(nameExperiences(rows)), async () => {
      await patch(rows, { archived_at: new Date().toISOString() });
      return () => patch(rows, { archived_at: null });
    });
  const restore = (rows: Rows) =>
    run(rows, done.restored(nameExperiences(rows)), async () => {
      await patch(rows, { archived_at: null });
      return () => archiveAgain(rows);
    });
  const addTag = (rows: Rows, tag: { id: string; name: string }) =>
    run(rows, done.tagged(nameExperiences(rows), tag.name), async () => {
      await patch(rows, { tag_id: `+${tag.id}` });
      return () => patch(rows, { tag_id: `-${tag.id}` });
    });
  const removeTag = (rows: Rows, tag: { id: string; name: string }) =>
    run(rows, done.untagged(nameExperiences(rows), tag.name), async () => {
      await patch(rows, { tag_id: `-${tag.id}` });
      return () => patch(rows, { tag_id: `+${tag.id}` });
    });
  const pause = (one: ListedExperience) =>
    run([one], done.paused(nameExperiences([one])), async () => {
      await unpublish(one);
      return () => publishAgain(one);
    });
  const resume = (one: ListedExperience) =>
    run([one], done.resumed(nameExperiences([one])), async () => {
      await publishAgain(one);
      return () => unpublish(one);
    });
  const duplicate = async (one: ListedExperience) => {
    try {
      const made = await api('POST /v3/edit/{kind}/{id}/duplicate', {
        ...pathOf(one),
        name: await nameOfCopy(one.name),
      });
      const [copy] = Object.values(made) as unknown as ListedExperience[];
      // `about` closes the toast when the copy is changed: an administrator who has changed the copy wants to keep it.
      const undo = async () => copy && (await api('DELETE /v3/edit/{kind}/{id}', pathOf({ ...copy, kind: one.kind })));
      showUndo({
        title: done.duplicated(nameExperiences([one])),
        about: copy ? aboutExperiences([copy]) : [],
        undo: () => undo().finally(reload),
      });
    } catch (error) {
      showError(error);
    }
    await reload();
  };
  return { archive, restore, addTag, removeTag, pause, resume, duplicate };
}

export type ListActions = ReturnType<typeof useListActions>;

const pathOf = ({ kind, id }: ListedExperience) => ({ kind: pathOfKind(kind), id });
const unpublish = (one: ListedExperience) => api('PATCH /v3/edit/{kind}/{id}', { ...pathOf(one), published_at: null });
const publishAgain = (one: ListedExperience) => api('POST /v3/edit/{kind}/{id}/resume', pathOf(one));

function patch(rows: Rows, change: { tag_id: string } | { archived_at: string | null }): Promise<unknown> {
  return api('PATCH /v3/edit/experiences/batch', { ids: rows.map(({ id }) => id), ...change });
}

/** Archives Experiences at their previous times, which may differ. */
async function archiveAgain(rows: Rows): Promise<void> {
  const groups = Map.groupBy(rows, ({ archived_at }) => archived_at);
  for (const [archived_at, group] of groups) await patch(group, { archived_at });
}

/** The keys of changes to these Experiences, by the nouns of the list and of a kind. */
export function aboutExperiences(rows: Rows): Changed[] {
  return rows.flatMap(({ id }): Changed[] => [`experiences/${id}`, `kinds/${id}`]);
}
